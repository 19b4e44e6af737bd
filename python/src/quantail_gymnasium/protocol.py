"""The messages between Quantail and this helper.

A message is a header of two unsigned 32-bit integers, the length of its content and its kind, then the content. All
numbers are little-endian.

From Quantail:

    MAKE      JSON: {"id": text, "count": environments, "options": {name: value}}
    RESET     row (int32), unused (int32), seed (int64): starts an episode in one environment
    STEP      actions (float32), [environment, number]
    CLOSE     nothing

From the helper:

    HELLO     JSON: {"protocol": VERSION, "python": version}; sent once, before any request
    SPACES    JSON, the answer to MAKE; see spaces.py
    ROW       the answer to RESET: observation (float32), mask (bytes, 1 is allowed)
    ROWS      the answer to STEP: rewards (float64), observations (float32), terminated, truncated, masks (bytes)
    FAILURE   text: what went wrong, instead of an answer
"""

import struct

VERSION = 1

MAKE, RESET, STEP, CLOSE = 1, 2, 3, 4
HELLO, SPACES, ROW, ROWS, FAILURE = 16, 17, 18, 19, 20

HEADER = struct.Struct("<II")
RESET_CONTENT = struct.Struct("<iiq")
LARGEST = 1 << 30


class Closed(Exception):
    """The other side has closed the connection."""


class Connection:
    """Reads and writes messages on a connected socket."""

    def __init__(self, socket):
        self.socket = socket
        self.buffer = bytearray(1 << 16)
        self.size = 0  # bytes of the buffer that have been received

    def receive(self):
        """Returns the kind and the content of the next message; the content is valid until the next call."""
        self._fill(HEADER.size)
        length, kind = HEADER.unpack_from(self.buffer)
        if length > LARGEST:
            raise ValueError(f"a message of {length} bytes was announced; at most {LARGEST} are allowed")
        end = HEADER.size + length
        if end > len(self.buffer):
            larger = bytearray(end)
            larger[: self.size] = self.buffer[: self.size]
            self.buffer = larger
        self._fill(end)
        if self.size != end:
            raise ValueError("a second message came before the first was answered")
        self.size = 0
        return kind, memoryview(self.buffer)[HEADER.size : end]

    def _fill(self, size):
        view = memoryview(self.buffer)
        while self.size < size:
            received = self.socket.recv_into(view[self.size :])
            if received == 0:
                raise Closed
            self.size += received

    def send(self, kind, content):
        """Sends a message with the given bytes."""
        self.socket.sendall(HEADER.pack(len(content), kind) + content)

    def send_frame(self, frame):
        """Sends a complete message, header included."""
        self.socket.sendall(frame)


def frame(kind, size):
    """Makes a message with room for a content of the given size."""
    message = bytearray(HEADER.size + size)
    HEADER.pack_into(message, 0, size, kind)
    return message
