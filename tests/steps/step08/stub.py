"""A server on loopback that plays recorded bytes, in chunks and with pauses as it is told."""

import errno
import json
import socket
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

CLIENT_LEFT = (errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN)

EVENT_STREAM = {"content-type": "text/event-stream; charset=utf-8"}


Framing = Literal["chunked", "length", "close"]
Point = Literal["", "head", "body", "end"]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What the server does with one request."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: EVENT_STREAM)
    body: bytes = b""

    chunk: int = 0
    """Bytes per chunk of the transfer, so that the client sees just these. 0: all at once."""

    framing: Framing = "chunked"
    """How the end of the body is told. "close": only by the end of the connection."""

    drops: bool = False
    """The connection goes away without the end of the body having been told."""

    raw: bytes | None = None
    """Sent in place of all that a web server would say."""

    hangs_at: Point = ""
    """Where it falls silent, until the client has gone: before the head, behind it, at the end."""


@dataclass(frozen=True, kw_only=True)
class Received:
    """A request as it came in."""

    path: str
    headers: dict[str, str]
    body: Any
    raw: bytes


class Stub:
    """Plays one reply per request; the last one again and again."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        self._replies = deque(replies)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.requests: list[Received] = []

        self.silent = threading.Event()
        """Set when the server has said all that it will say, and keeps the connection open."""

        self.left = threading.Event()
        """Set when the client of a connection that the server kept open has gone away."""

        self.errors: list[Exception] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def play(self, *replies: Reply) -> None:
        """Play these from now on."""
        self._replies = deque(replies)

    def close(self) -> None:
        """End the server. What went wrong in it is raised here."""
        self._socket.close()
        with socket.socket() as knock:  # wakes `accept`
            knock.connect_ex(("127.0.0.1", self.port))
        self._thread.join(timeout=10)
        assert not self._thread.is_alive()
        for error in self.errors:
            raise error

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(20)
                try:
                    self._answer(connection)
                except Exception as error:  # reported by `close`
                    if isinstance(error, OSError) and error.errno in CLIENT_LEFT:
                        self.left.set()
                    else:
                        self.errors.append(error)

    def _answer(self, connection: socket.socket) -> None:
        request = read_request(connection)
        if request is None:
            return
        self.requests.append(request)
        reply = self._replies.popleft() if len(self._replies) > 1 else self._replies[0]
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if reply.raw is not None:
            connection.sendall(reply.raw)
            return
        if reply.hangs_at == "head":
            self._stay_silent(connection)
            return
        connection.sendall(head_of(reply))
        if reply.hangs_at == "body":
            self._stay_silent(connection)
            return
        connection.sendall(b"".join(framed(reply)))
        if reply.hangs_at == "end":
            self._stay_silent(connection)
            return
        if reply.framing == "chunked" and not reply.drops:
            connection.sendall(b"0\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):  # let the client be the one who leaves first
            pass

    def _stay_silent(self, connection: socket.socket) -> None:
        self.silent.set()
        while connection.recv(65536):
            pass
        self.left.set()


def head_of(reply: Reply) -> bytes:
    headers = dict(reply.headers)
    match reply.framing:
        case "chunked":
            headers["transfer-encoding"] = "chunked"
        case "length":
            headers["content-length"] = str(len(reply.body) + (1 if reply.drops else 0))
        case "close":
            headers["connection"] = "close"
    lines = [f"HTTP/1.1 {reply.status} Whatever", *(f"{k}: {v}" for k, v in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def framed(reply: Reply) -> Iterator[bytes]:
    if reply.framing != "chunked":
        yield reply.body
        return
    size = reply.chunk or max(len(reply.body), 1)
    for start in range(0, len(reply.body), size):
        piece = reply.body[start : start + size]
        yield b"%x\r\n%s\r\n" % (len(piece), piece)


def read_request(connection: socket.socket) -> Received | None:
    """Return the next request, or None if the client left without one."""
    raw = b""
    while b"\r\n\r\n" not in raw:
        piece = connection.recv(65536)
        if not piece:
            return None
        raw += piece
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        piece = connection.recv(65536)
        raw, body = raw + piece, body + piece
    path = first.split(" ")[1]
    return Received(path=path, headers=headers, body=json.loads(body), raw=raw)


@contextmanager
def serving(*replies: Reply) -> Iterator[Stub]:
    """Provide a server that plays `replies`."""
    stub = Stub(replies)
    try:
        yield stub
    finally:
        stub.close()


def unused_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
