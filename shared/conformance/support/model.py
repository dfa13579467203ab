"""What a model says, as data of the suite's own, and a model that says it."""

from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

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


def shortened(text: str, *, most: int = 60) -> str:
    """Return a text, cut if it is longer than a report has the room for."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


class Says:
    """An assistant message: texts and calls in any order, and why it ended.

    `stop_reason` is by default the one that a message like this has.
    """

    def __init__(
        self, *blocks: str | Call, stop_reason: str = "", error: str | None = None
    ) -> None:
        calls = any(isinstance(block, Call) for block in blocks)
        self._blocks = blocks
        self._stop_reason = stop_reason or ("tool_use" if calls else "stop")
        self._error = error

    def of(self, subject: Subject) -> Any:
        """Return it as a value of the package under test."""
        text = subject.get("messages.TextContent")
        return subject.get("messages.AssistantMessage")(
            content=[text(text=b) if isinstance(b, str) else b.of(subject) for b in self._blocks],
            stop_reason=self._stop_reason,
            error_message=self._error,
        )

    def __str__(self) -> str:
        """Return it as a report shows it."""
        said = " ".join(shortened(str(block)) for block in self._blocks)
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
                yield self._event("TextDelta", text=block.text), place
        failed = message.stop_reason in ("error", "aborted")
        end = "StreamError" if failed else "StreamDone"
        yield self._event(end, message=message), len(message.content)

    def _broken_off(self, message: Any, complete: int) -> Any:
        """Return the end of a message of which only some blocks have arrived."""
        content, whole = message.content[:complete], type(message)
        return self._event("StreamError", message=whole(content=content, stop_reason="aborted"))

    def _event(self, name: str, /, **fields: Any) -> Any:
        return self._subject.get(f"stream.{name}")(**fields)
