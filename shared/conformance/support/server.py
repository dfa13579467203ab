"""A server on this machine that plays replies of the suite's own, and remembers the requests."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from conformance.support.wire import Reply


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a client has sent."""

    path: str
    headers: Mapping[str, str]
    """By name, in small letters."""

    body: Any


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server that is running."""

    address: str
    requests: list[Request] = field(default_factory=list)

    requested: Event = field(default_factory=Event)
    """Set when the first request has arrived, and at the end."""


@contextmanager
def serving(*replies: Reply) -> Iterator[Server]:
    """Play `replies`, one per request, in order; a request too many gets a 404."""
    waiting, over = iter(replies), Event()

    class Player(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that the base class calls
            data = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            server.requests.append(Request(path=self.path, headers=headers, body=json.loads(data)))
            server.requested.set()
            self._play(next(waiting, Reply(status=404)))

        def _play(self, reply: Reply) -> None:
            if not reply.silent:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)
            if reply.hold or reply.silent:
                over.wait()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # as in the base
            pass  # the base class would write to stderr

    with ThreadingHTTPServer(("127.0.0.1", 0), Player) as http:
        server = Server(address=f"http://127.0.0.1:{http.server_port}")
        thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            over.set()
            server.requested.set()  # for whoever still waits
            http.shutdown()
            thread.join()
