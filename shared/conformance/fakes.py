"""The fake model of the package under test, asked by the suite."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any

from conformance.streams import Heard, listen
from conformance.subject import Subject

Rule = Mapping[str, Any]
"""The fields of a `FakeRule`."""


class Asked:
    """A fake model with some rules, and the messages that it is asked about."""

    def __init__(
        self,
        subject: Subject,
        rules: Sequence[Rule],
        *said: str,
        read: str,
        delay: float = 0.0,
        signal: Any = None,
    ) -> None:
        rule, user_text = subject.get("fake_model.FakeRule"), subject.get("messages.user_text")
        options = subject.get("stream.StreamOptions")
        self._subject = subject
        self._read = read
        self._model = subject.get("fake_model.create_fake_model")(
            [rule(**fields) for fields in rules], delay=delay
        )
        self._options = {"options": options(signal=signal)} if signal else {}
        self.context = subject.get("messages.Context")(messages=[user_text(text) for text in said])
        self.called = (
            f"the fake model with {', '.join(_shown(fields) for fields in rules)}"
            f"{f' and delay={delay:g}' if delay else ''}, asked about {', '.join(said) or 'nothing'}"
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


def _shown(fields: Rule) -> str:
    return f"FakeRule({', '.join(f'{name}={value!r}' for name, value in fields.items())})"
