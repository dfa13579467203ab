"""Models: one of the suite's own that speaks by a script, and the fake one of the package."""

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.support.judge import brief
from conformance.support.stream import ModelAnswer, listen
from conformance.support.subject import Subject


@dataclass(frozen=True)
class Call:
    """A tool call that a model makes."""

    id: str
    name: str = "echo"
    arguments: Mapping[str, Any] = field(default_factory=dict)
    malformed: str | None = None

    def of(self, subject: Subject) -> Any:
        """Return it as a value of the package under test."""
        call = subject.get("messages.ToolCall")
        arguments = dict(self.arguments)
        return call(id=self.id, name=self.name, arguments=arguments, malformed=self.malformed)

    def __str__(self) -> str:
        """Return it as a report shows it."""
        return f"[{self.name} {self.id!r}]"


@dataclass(frozen=True)
class Thought:
    """What a model thinks before it speaks."""

    text: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    """What only its provider understands."""

    provider: str = ""
    model: str = ""

    def of(self, subject: Subject) -> Any:
        """Return it as a value of the package under test."""
        block = subject.get("messages.ThinkingContent")
        payload = dict(self.payload)
        return block(text=self.text, payload=payload, provider=self.provider, model=self.model)

    def __str__(self) -> str:
        """Return it as a report shows it."""
        return f"({self.text})"


class Says:
    """An assistant message: texts, calls and thoughts in any order, and why it ended.

    `stop_reason` is by default the one that a message like this has.
    """

    def __init__(
        self, *blocks: str | Call | Thought, stop_reason: str = "", error: str | None = None
    ) -> None:
        calls = any(isinstance(block, Call) for block in blocks)
        self._blocks = blocks
        self._stop_reason = stop_reason or ("tool_use" if calls else "stop")
        self._error = error

    def of(self, subject: Subject) -> Any:
        """Return it as a value of the package under test."""
        text = subject.get("messages.TextContent")
        return subject.get("messages.AssistantMessage")(
            content=tuple(
                text(text=b) if isinstance(b, str) else b.of(subject) for b in self._blocks
            ),
            stop_reason=self._stop_reason,
            error_message=self._error,
        )

    def __str__(self) -> str:
        """Return it as a report shows it."""
        said = " ".join(brief(str(block)) for block in self._blocks)
        return f"{said or 'nothing'} ({self._stop_reason})"


class Script:
    """A model that says one message after the other, and remembers what it was shown."""

    def __init__(self, subject: Subject, says: Iterable[Says]) -> None:
        self._subject = subject
        self._says = iter(says)
        self.requests: list[list[Any]] = []
        """The messages that each call was given."""

        self.events: list[Any] = []
        """All that it has streamed."""

        self.open = 0
        """Streams that are not closed yet."""

    def __call__(self, context: Any, /, *, options: Any = None) -> AsyncGenerator[Any, None]:
        """Say the next message; when there is none left, fail."""
        self.requests.append(list(context.messages))
        says = next(self._says, Says(stop_reason="error", error="there is nothing more to say"))
        return self._stream(says.of(self._subject), options.signal if options else None)

    async def _stream(self, message: Any, signal: Any) -> AsyncGenerator[Any, None]:
        self.open += 1
        try:
            for event, complete in self._events_of(message):
                aborted = signal is not None and signal.aborted
                self.events.append(self._broken_off(message, complete) if aborted else event)
                yield self.events[-1]
                if aborted:
                    return
        finally:
            self.open -= 1

    def _events_of(self, message: Any) -> Iterator[tuple[Any, int]]:
        """Yield all events, each with the number of blocks that are complete before it."""
        yield self._event("StreamStart"), 0
        for place, block in enumerate(message.content):
            if block.type == "tool_call":
                yield self._event("ToolCallStart", id=block.id, name=block.name), place
                yield self._event("ToolCallEnd", call=block), place
            elif block.text:
                name = "ThinkingDelta" if block.type == "thinking" else "TextDelta"
                yield self._event(name, text=block.text), place
        failed = message.stop_reason in ("error", "aborted")
        end = "StreamError" if failed else "StreamDone"
        yield self._event(end, message=message), len(message.content)

    def _broken_off(self, message: Any, complete: int) -> Any:
        """Return the end of a message of which only some blocks have arrived."""
        content, whole = message.content[:complete], type(message)
        return self._event("StreamError", message=whole(content=content, stop_reason="aborted"))

    def _event(self, name: str, /, **fields: Any) -> Any:
        return self._subject.get(f"stream.{name}")(**fields)


SIGNS: Mapping[str, tuple[str, str, bool]] = {
    "a dot": ("a.c", "abc", False),
    "a round bracket": ("(", "左括号 (", True),
    "square brackets": ("[ab]", "a", False),
    "a dollar": ("$5", "价格是 $5", True),
    "a star": ("2*3", "2*3 是几", True),
    "a backslash": ("\\d", "7", False),
}
"""Texts of rules that look like patterns, what is said, and whether the text stands in that."""

Rule = Mapping[str, Any]
"""The fields of a `FakeRule`; its `calls` are a tuple of `scripts.Call`."""


class FakeModel:
    """A fake model with some rules, and what it is asked about: the user's texts, or messages."""

    def __init__(
        self,
        subject: Subject,
        rules: Sequence[Rule],
        *said: Any,
        delay: float = 0.0,
        signal: Any = None,
    ) -> None:
        user_text, options = subject.get("messages.user_text"), subject.get("stream.StreamOptions")
        self._subject = subject
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

    async def listen(self, on_event: Callable[[Any], None] = lambda event: None) -> ModelAnswer:
        """Call the model, and take all its events."""
        return await listen(self._subject, self.stream(), called=self.called, on_event=on_event)


def _made(subject: Subject, fields: Rule) -> Any:
    calls = tuple(call.of(subject) for call in fields.get("calls", ()))
    return subject.get("fake_model.FakeRule")(**{**fields, **({"calls": calls} if calls else {})})


def _shown(fields: Rule) -> str:
    shown = (f"{name}={brief(repr(value))}" for name, value in fields.items())
    return f"FakeRule({', '.join(shown)})"
