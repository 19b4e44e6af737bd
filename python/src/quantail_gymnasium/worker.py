"""Answers requests with the environments of one ``gymnasium.make_vec``."""

import json
import sys
import traceback

from . import protocol


class Worker:
    """Serves one connection: makes the environments, then steps and resets them."""

    def __init__(self, connection):
        self.connection = connection
        self.environments = None

    def serve(self):
        """Answers until the connection ends or is closed by a request."""
        hello = {"protocol": protocol.VERSION, "python": sys.version.split()[0]}
        self.connection.send(protocol.HELLO, json.dumps(hello).encode())
        try:
            while True:
                kind, content = self.connection.receive()
                if kind == protocol.CLOSE:
                    break
                self._answer(kind, content)
        except (protocol.Closed, ConnectionError):
            pass
        if self.environments is not None:
            self.environments.close()

    def _answer(self, kind, content):
        try:
            if kind == protocol.STEP:
                answer = self.environments.step(content)
            elif kind == protocol.RESET:
                row, _, seed = protocol.RESET_CONTENT.unpack(content)
                answer = self.environments.reset(row, seed)
            elif kind == protocol.MAKE:
                answer = self._make(json.loads(bytes(content)))
            else:
                raise ValueError(f"a request of the unknown kind {kind}")
        except Exception as failure:
            self.connection.send(protocol.FAILURE, describe(failure).encode())
            return
        self.connection.send_frame(answer)

    def _make(self, request):
        import_gymnasium()
        from .environments import Environments

        self.environments = Environments(request["id"], request["count"], request["options"])
        content = json.dumps(self.environments.describe()).encode()
        answer = protocol.frame(protocol.SPACES, len(content))
        answer[protocol.HEADER.size :] = content
        return answer


class MissingModule(Exception):
    """A module that has to be installed; the text says how."""


def import_gymnasium():
    """Imports what must be installed; says how to install what is missing."""
    for module in ("numpy", "gymnasium"):
        try:
            __import__(module)
        except ImportError as missing:
            raise MissingModule(
                f"{module} cannot be imported ({missing}); install it: {sys.executable} -m pip install {module}"
            ) from missing
    import gymnasium

    if not hasattr(gymnasium.vector, "AutoresetMode"):
        raise MissingModule(
            f"gymnasium {gymnasium.__version__} is too old, 1.1 or newer is needed; install it:"
            f" {sys.executable} -m pip install --upgrade gymnasium"
        )


def describe(failure):
    """One line that names the failure, then where it happened."""
    from_here = isinstance(failure, MissingModule) or type(failure).__name__ == "UnsupportedSpace"
    if from_here:
        return str(failure)
    line = "".join(traceback.format_exception_only(failure)).strip()
    place = traceback.extract_tb(failure.__traceback__)[-1]
    return f"{line}\n(in {place.name}, {place.filename}, line {place.lineno})"
