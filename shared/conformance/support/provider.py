"""Real models of the package under test, in front of a server of the suite's own."""

from collections.abc import Callable, Mapping
from typing import Any

from conformance.support.chapters import where
from conformance.support.judge import expect
from conformance.support.server import Server
from conformance.support.stream import Heard, listen
from conformance.support.subject import Subject
from conformance.support.wire import Wire

KEY = "sk-planted-0123456789"
"""A key that must not be seen anywhere but in a header."""


def environment_for(wire: Wire, server: Server, *, key: str = KEY) -> dict[str, str]:
    """Return the variables that make a provider talk to `server`."""
    return {wire.key: key, wire.address: server.address + wire.path}


class RealModel:
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
        signal: Any = None,
        on_event: Callable[[Any], None] = lambda event: None,
    ) -> Heard:
        """Call it, and take all its events."""
        subject = self._subject
        messages = [subject.get("messages.user_text")(said)]
        options = subject.get("stream.StreamOptions")
        how = {"options": options(signal=signal)} if signal else {}
        stream = self.model(subject.get("messages.Context")(messages=messages), **how)
        read = where("real model")
        heard = await listen(subject, stream, called=self.called, read=read, on_event=on_event)
        self.expect_no_key(heard)
        return heard

    def expect_no_key(self, heard: Heard) -> None:
        """Fail the check if the key can be seen in what the model is, or in what it said."""
        shown = [repr(event) for event in heard.trace.events]
        shown += [repr(self.choice), repr(self.model)]
        seen = [text for text in shown if KEY in text]
        expect(
            not seen,
            called=self.called,
            came="\n".join(text.replace(KEY, "<the key>") for text in seen),
            wanted="a key that stands in no event, and in no repr",
            read=where("keys"),
        )
