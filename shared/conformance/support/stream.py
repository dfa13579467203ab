"""The stream of a model: taken to its end, and held to the rules for its events."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from conformance.support import judge
from conformance.support.judge import CheckFailed, Observed, brief
from conformance.support.subject import Subject

ENDS = {
    "done": ("stop", "tool_use", "length", "refusal"),
    "error": ("error", "aborted"),
}
"""The two events that end a stream, and the stop reasons that go with each."""


@dataclass(frozen=True, kw_only=True)
class Trace:
    """The events of one stream, and what each is called."""

    names: Sequence[str]
    events: Sequence[Any]

    def of(self, name: str) -> list[Any]:
        """Return the events of one name."""
        return [event for its, event in zip(self.names, self.events, strict=True) if its == name]

    @property
    def message(self) -> Any:
        """The message that the last event carries."""
        return self.events[-1].message

    @property
    def pieces(self) -> list[str]:
        """The pieces of text, in order."""
        return [event.text for event in self.of("text_delta")]

    @property
    def thinking(self) -> str:
        """The pieces of what the model thought, joined."""
        return "".join(event.text for event in self.of("thinking_delta"))

    @property
    def text(self) -> str:
        """The pieces, joined."""
        return "".join(self.pieces)

    def __str__(self) -> str:
        """Return the events, one a line; those in the middle of many are left out."""
        lines = [brief(repr(event), most=300) for event in self.events]
        if len(lines) > 12:
            lines = [*lines[:6], f"... {len(lines) - 10} events ...", *lines[-4:]]
        return "\n".join(lines) or "no event"


def broken_rule(trace: Trace) -> str:
    """Return the first rule that the events break, or an empty text."""
    return next((rule for rule, is_kept in RULES if not is_kept(trace)), "")


def _all_are_known(trace: Trace) -> bool:
    return not any(name.startswith("?") for name in trace.names)


def _ends_once(trace: Trace) -> bool:
    ends = [place for place, name in enumerate(trace.names) if name in ENDS]
    return ends == [len(trace.names) - 1]


def _starts_first(trace: Trace) -> bool:
    first = next(name for name in trace.names if name != "notice")
    return first in ("start", "error") and trace.names.count("start") == (first == "start")


def _says_something(trace: Trace) -> bool:
    return all(trace.pieces)


def _texts_agree(trace: Trace) -> bool:
    texts = (block.text for block in trace.message.content if block.type == "text")
    return "".join(texts) == trace.text


def _reasons_agree(trace: Trace) -> bool:
    return trace.message.stop_reason in ENDS[trace.names[-1]]


def _errors_are_told(trace: Trace) -> bool:
    told = trace.message.error_message
    return bool(told) if trace.message.stop_reason == "error" else told is None


def _ends_have_starts(trace: Trace) -> bool:
    return None not in _places(trace)


def _calls_are_complete(trace: Trace) -> bool:
    return trace.names[-1] == "error" or len(_places(trace)) == trace.names.count("tool_call_start")


def _calls_agree(trace: Trace) -> bool:
    ends = zip(_places(trace), trace.of("tool_call_end"), strict=True)
    ended = [event.call for _, event in sorted(ends, key=lambda pair: pair[0] or 0)]
    return [block for block in trace.message.content if block.type == "tool_call"] == ended


def _places(trace: Trace) -> list[int | None]:
    """Return for each tool_call_end which start it belongs to, counted from 0; None: to none."""
    waiting: list[tuple[str, str] | None] = []
    places: list[int | None] = []
    for name, event in zip(trace.names, trace.events, strict=True):
        if name == "tool_call_start":
            waiting.append((event.id, event.name))
        elif name == "tool_call_end":
            call = (event.call.id, event.call.name)
            places.append(waiting.index(call) if call in waiting else None)
            if call in waiting:
                waiting[waiting.index(call)] = None
    return places


RULES: Sequence[tuple[str, Callable[[Trace], bool]]] = (
    ("no events but those of stream.py", _all_are_known),
    ("exactly one `done` or `error`, and nothing behind it", _ends_once),
    ("one `start`, first of all; only notices before it, or `error` in its place", _starts_first),
    ("no `text_delta` that is empty", _says_something),
    ("a final message whose text is that of all `text_delta`, joined", _texts_agree),
    ("`error` for the stop reasons error and aborted, `done` for all others", _reasons_agree),
    ("an error_message if the stop reason is error, and otherwise None", _errors_are_told),
    ("before each `tool_call_end` a `tool_call_start` with its id and its name", _ends_have_starts),
    ("before `done` a `tool_call_end` for each `tool_call_start`", _calls_are_complete),
    ("a final message with the calls that ended, in the order of their starts", _calls_agree),
)
"""What holds for every stream; each rule may take for granted those before it."""

EVENTS = {
    "StreamStart": "start",
    "TextDelta": "text_delta",
    "Notice": "notice",
    "StreamDone": "done",
    "StreamError": "error",
}
LATER_EVENTS = {
    "ThinkingDelta": "thinking_delta",
    "ToolCallStart": "tool_call_start",
    "ToolCallEnd": "tool_call_end",
}
"""The classes in `stream.py`, and what they are called in words; the others from step 04 on."""


class ModelAnswer(Observed):
    """A stream that has been listened to: what came, and from where."""

    def __init__(self, trace: Trace, *, called: str) -> None:
        self.trace = trace
        self.called = called
        self.message = trace.message
        """The message that the last event carries."""

    def outcome(self) -> str:
        """Return the events."""
        return str(self.trace)


async def listen(
    subject: Subject,
    stream: AsyncGenerator[Any, None],
    *,
    called: str,
    on_event: Callable[[Any], None] = lambda event: None,
) -> ModelAnswer:
    """Take all events of a stream, and fail the check if their order breaks a rule.

    `on_event` stands for the consumer: it sees each event before the next one is asked for.
    """
    if not isinstance(stream, AsyncGenerator):
        raise CheckFailed(
            called=called,
            came=f"a {type(stream).__name__}",
            wanted="an async generator, at once: a model is called without `await`",
        )
    events: list[Any] = []
    with judge.in_time(subject.patience, called=called):
        async with aclosing(stream):
            async for event in stream:
                events.append(event)
                on_event(event)
    trace = traced(subject, events)
    broken = broken_rule(trace)
    judge.holds(not broken, called=called, came=str(trace), wanted=broken)
    return ModelAnswer(trace, called=called)


def event_names(subject: Subject) -> dict[type, str]:
    """Return the classes of stream events that the step owes, and what they are called."""
    owed = EVENTS | (LATER_EVENTS if subject.step.number >= 4 else {})
    return {subject.get(f"stream.{name}"): called for name, called in owed.items()}


def traced(subject: Subject, events: Sequence[Any]) -> Trace:
    """Return events with their names; "?" stands before a class that is no event of a stream."""
    names = event_names(subject)
    return Trace(
        names=[names.get(type(event), f"?{type(event).__name__}") for event in events],
        events=events,
    )
