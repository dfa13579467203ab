"""Real models of the package under test, in front of a server of the suite's own."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from conformance.support.judge import Observed
from conformance.support.stream import ModelAnswer, listen
from conformance.support.subject import Subject
from conformance.support.wire import Reply, Wire


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


KEY = "sk-planted-0123456789"
"""A key that must not be seen anywhere but in a header."""


def environment_for(wire: Wire, server: Server, *, key: str = KEY) -> dict[str, str]:
    """Return the variables that make a provider talk to `server`."""
    return {wire.key: key, wire.address: server.address + wire.path}


class RealModel(Observed):
    """A model that `create_model` has made for an environment."""

    def __init__(self, subject: Subject, environment: Mapping[str, str]) -> None:
        self._subject = subject
        self.choice, self.model = subject.get("providers.create.create_model")(environment)
        names = ", ".join(environment) or "nothing set"
        self.called = f"create_model({{{names}}}), and a call of the model"

    async def ask(
        self,
        said: str = "待办",
        *,
        before: Sequence[Any] = (),
        signal: Any = None,
        on_event: Callable[[Any], None] = lambda event: None,
    ) -> ModelAnswer:
        """Call it, with what was said `before`, and take all its events."""
        subject = self._subject
        messages = [*before, subject.get("messages.user_text")(said)]
        options = subject.get("stream.StreamOptions")
        how = {"options": options(signal=signal)} if signal else {}
        stream = self.model(subject.get("messages.Context")(messages=messages), **how)
        heard = await listen(subject, stream, called=self.called, on_event=on_event)
        self.expect_no_key(heard)
        return heard

    def expect_no_key(self, heard: ModelAnswer) -> None:
        """Fail the check if the key can be seen in what the model is, or in what it said."""
        shown = [repr(event) for event in heard.trace.events]
        shown += [repr(self.choice), repr(self.model)]
        seen = [text for text in shown if KEY in text]
        self.holds(
            not seen,
            came="\n".join(text.replace(KEY, "<the key>") for text in seen),
            wanted="a key that stands in no event, and in no repr",
        )
