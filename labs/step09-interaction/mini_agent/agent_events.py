"""What happens while an agent works, told as events: the alphabet of the loop.

Whatever starts also ends, in every outcome, `AgentEnd` last. What the model streams
stands between a `MessageStart` and its `MessageEnd`, as it is.
"""

from dataclasses import dataclass
from typing import Literal

from .messages import AssistantMessage, Message, ToolCall, ToolResultMessage
from .stream import StreamEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStart:
    """A run begins: everything between one line of the user and the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStart:
    """A turn begins: one call of the model, and the tools that it asks for."""

    turn: int
    """From 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageStart:
    """A message is about to come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEnd:
    """A message is complete and stands in the history, unless it says nothing at all."""

    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExecutionStart:
    """A call is taken up. Whether it came to be run, its result tells."""

    call: ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExecutionEnd:
    """A call has its result. The results of the whole turn stand in the history by now."""

    call: ToolCall
    result: ToolResultMessage

    blocked: bool = False
    """A hook did not let it run; the result says so to the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """A turn is over."""

    message: AssistantMessage
    results: tuple[ToolResultMessage, ...]
    """In the order of the calls."""


EndReason = Literal[
    "completed", "truncated", "empty", "refused", "aborted", "error", "turn_limit", "stopped"
]
"""Why a run ended: the model was done, its answer was cut off at the limit of length, it said
nothing, it declined, the user stopped it, it failed, it took too many turns, or somebody else
asked for the end (step 09). Only the first one means that the work is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEnd:
    """The run is over, for this reason."""

    reason: EndReason
    detail: str | None = None
    """More about the reason, in words for the user, if there is more to say."""


AgentEvent = (
    StreamEvent
    | AgentStart
    | TurnStart
    | MessageStart
    | MessageEnd
    | ToolExecutionStart
    | ToolExecutionEnd
    | TurnEnd
    | AgentEnd
)
