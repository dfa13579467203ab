"""The fake model of the package under test, asked by the suite."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any

from conformance.support.model import shortened
from conformance.support.stream import Heard, listen
from conformance.support.subject import Subject

Rule = Mapping[str, Any]
"""The fields of a `FakeRule`; its `calls` are a tuple of `scripts.Call`."""


class Asked:
    """A fake model with some rules, and what it is asked about: the user's texts, or messages."""

    def __init__(
        self,
        subject: Subject,
        rules: Sequence[Rule],
        *said: Any,
        read: str,
        delay: float = 0.0,
        signal: Any = None,
    ) -> None:
        user_text, options = subject.get("messages.user_text"), subject.get("stream.StreamOptions")
        self._subject = subject
        self._read = read
        self._model = subject.get("fake_model.create_fake_model")(
            [_made(subject, fields) for fields in rules], delay=delay
        )
        self._options = {"options": options(signal=signal)} if signal else {}
        messages = [user_text(one) if isinstance(one, str) else one for one in said]
        self.context = subject.get("messages.Context")(messages=messages)
        self.called = (
            f"the fake model with {', '.join(_shown(fields) for fields in rules)}"
            f"{f' and delay={delay:g}' if delay else ''}, "
            f"asked about {', '.join(map(str, said)) or 'nothing'}"
        )

    def stream(self) -> AsyncGenerator[Any, None]:
        """Call the model."""
        stream: AsyncGenerator[Any, None] = self._model(self.context, **self._options)
        return stream

    async def listen(self, on_event: Callable[[Any], None] = lambda event: None) -> Heard:
        """Call the model, and take all its events."""
        return await listen(
            self._subject, self.stream(), called=self.called, read=self._read, on_event=on_event
        )


def _made(subject: Subject, fields: Rule) -> Any:
    calls = tuple(call.of(subject) for call in fields.get("calls", ()))
    return subject.get("fake_model.FakeRule")(**{**fields, **({"calls": calls} if calls else {})})


def _shown(fields: Rule) -> str:
    shown = (f"{name}={shortened(repr(value))}" for name, value in fields.items())
    return f"FakeRule({', '.join(shown)})"
