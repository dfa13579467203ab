"""Listen to a model's stream: take all its events, and hold their order to the rules."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Any

from conformance.support.judge import CheckFailed, expect
from conformance.support.patience import in_time
from conformance.support.stream_order import Trace, broken_rule
from conformance.support.subject import Subject

EVENTS = {
    "StreamStart": "start",
    "TextDelta": "text_delta",
    "Notice": "notice",
    "StreamDone": "done",
    "StreamError": "error",
}
CALL_EVENTS = {"ToolCallStart": "tool_call_start", "ToolCallEnd": "tool_call_end"}
"""The classes in `stream.py`, and what they are called in words; those of calls from step 04 on."""


class Heard:
    """A stream that has been listened to: what came, and from where."""

    def __init__(self, trace: Trace, *, called: str, read: str) -> None:
        self.trace = trace
        self.message = trace.message
        """The message that the last event carries."""

        self._called, self._read = called, read

    def expect(self, truth: object, *, wanted: str) -> None:
        """Fail the check unless `truth` holds."""
        expect(truth, called=self._called, came=str(self.trace), wanted=wanted, read=self._read)


async def listen(
    subject: Subject,
    stream: AsyncGenerator[Any, None],
    *,
    called: str,
    read: str,
    on_event: Callable[[Any], None] = lambda event: None,
) -> Heard:
    """Take all events of a stream, and fail the check if their order breaks a rule.

    `on_event` stands for the consumer: it sees each event before the next one is asked for.
    """
    if not isinstance(stream, AsyncGenerator):
        raise CheckFailed(
            called=called,
            came=f"a {type(stream).__name__}",
            wanted="an async generator, at once: a model is called without `await`",
            read=read,
        )
    events: list[Any] = []
    with in_time(subject, called=called, read=read):
        async with aclosing(stream):
            async for event in stream:
                events.append(event)
                on_event(event)
    trace = traced(subject, events)
    broken = broken_rule(trace)
    expect(not broken, called=called, came=str(trace), wanted=broken, read=read)
    return Heard(trace, called=called, read=read)


def event_names(subject: Subject) -> dict[type, str]:
    """Return the classes of stream events that the step owes, and what they are called."""
    owed = EVENTS | (CALL_EVENTS if subject.step.number >= 4 else {})
    return {subject.get(f"stream.{name}"): called for name, called in owed.items()}


def traced(subject: Subject, events: Sequence[Any]) -> Trace:
    """Return events with their names; "?" stands before a class that is no event of a stream."""
    names = event_names(subject)
    return Trace(
        names=[names.get(type(event), f"?{type(event).__name__}") for event in events],
        events=events,
    )
