"""Connects to the socket on which Quantail listens and serves its requests."""

import os
import signal
import socket
import sys
import threading

from .protocol import Connection
from .worker import Worker


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: quantail-gymnasium SOCKET; Quantail starts this helper and listens on the socket")
    # Ctrl+C is for Quantail, which finishes its update and then closes the connection.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not sys.stdin.isatty():
        threading.Thread(target=end_with_parent, daemon=True).start()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connected:
        connected.connect(sys.argv[1])
        Worker(Connection(connected)).serve()


def end_with_parent():
    """Ends this process when its standard input ends, also while an environment hangs."""
    try:
        while os.read(0, 1 << 12):
            pass
    except OSError:
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
