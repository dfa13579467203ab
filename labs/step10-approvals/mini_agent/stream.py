"""The seam, now with time in it: an answer is a stream of events.

Not here: half a tool call. Arguments are of use to nobody before they are complete.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Protocol

from .abort import AbortSignal
from .messages import AssistantMessage, Context, ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamStart:
    """`start`: the model has begun to answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """`text_delta`: the next piece of the text. Never empty, and never the text so far."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingDelta:
    """`thinking_delta`: the next piece of what the model thinks before it answers."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallStart:
    """`tool_call_start`: a tool call begins; its arguments may take a while to arrive."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallEnd:
    """`tool_call_end`: a tool call is complete. It has not been run."""

    call: ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """`notice`: something the user should know now; it is no part of the answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamDone:
    """`done`: the answer has come to its end."""

    message: AssistantMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamError:
    """`error`: the answer broke off; `message.stop_reason` is "error" or "aborted"."""

    message: AssistantMessage
    """What had arrived until then. Its content may be empty."""


StreamEvent = (
    StreamStart
    | TextDelta
    | ThinkingDelta
    | ToolCallStart
    | ToolCallEnd
    | Notice
    | StreamDone
    | StreamError
)

TERMINAL = (StreamDone, StreamError)
"""The two events that end a stream, for `isinstance`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamOptions:
    """What a model call may be told besides the context."""

    signal: AbortSignal = field(default_factory=AbortSignal)
    """Stops the answer. By default one that nobody aborts."""


class StreamFn(Protocol):
    """A model is a function: it gets the whole context and returns a stream of events.

    What every model owes to whoever calls it:

    - It never raises for trouble of the model, the network or the request. That is
      what the event `error` is for.
    - `start` comes first. Only `notice` may come before it, or `error` in its place.
    - The last event is `done` or `error`; there is exactly one of them. It carries the
      whole message: its text is that of all `text_delta`, joined, and nothing else.
    - Its tool calls are those of all `tool_call_end`, in the order of their starts. A call
      that broke off before its end is left out.
    - `thinking_delta` tells of its thinking, as far as the provider shows it.
    - An abort ends it with `error`, stop reason "aborted". What had arrived is kept.
    - The context is only read, and only until the stream ends.
    - A caller may leave at any event, the last one included, by closing the generator
      (`aclosing`). No work is done after that; what has to be put away, `finally` does.
    - Cancellation from outside passes through, and no event tells of it.
    """

    def __call__(
        self, context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        """Call the model. This returns at once; the events come by iteration."""
