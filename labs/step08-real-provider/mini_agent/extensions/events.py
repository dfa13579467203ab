"""What an extension can listen to, and what it can answer.

Whoever listens gets an event of its own: a copy, free to be spoiled. It can answer with
one of the event's `answers`, or with None, always: go on. Answers are made by strangers, so
they are checked when they are made: a wrong type is an error there, inside the extension.

Not here: what follows from an answer (`gates.py`, `input.py`).
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import JsonValue
from pydantic.dataclasses import dataclass as checked_dataclass

from ..agent_events import AgentEnd, MessageEnd, ToolExecutionEnd, TurnEnd
from ..messages import AssistantMessage, ToolCall, ToolResultMessage

Answers = tuple[type, ...]
StartReason = Literal["new", "resumed", "moved"]


@checked_dataclass(frozen=True, slots=True)
class Block:
    """No. It holds: no other extension can turn it into a yes."""

    reason: str = ""
    """For the model to read."""


@checked_dataclass(frozen=True, slots=True)
class ChangeArguments:
    """Run the call, with these arguments. They are checked, and all gates asked about them."""

    arguments: dict[str, JsonValue]


@checked_dataclass(frozen=True, slots=True)
class ChangeResult:
    """Tell the model this instead; what was to be shown to the user goes, too."""

    text: str

    is_error: bool | None = None
    """None: as it was."""


@checked_dataclass(frozen=True, slots=True)
class ChangeInput:
    """Take the line of the user for this one."""

    text: str


@checked_dataclass(frozen=True, slots=True)
class Handled:
    """The line of the user is dealt with: no model gets to see it."""

    text: str = ""
    """What to show to the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStart:
    """The session is there, or has moved: what was remembered may now be something else."""

    answers: ClassVar[Answers] = ()
    reason: StartReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """The user has typed a line, no command. Each one sees what the one before made of it."""

    answers: ClassVar[Answers] = (ChangeInput, Handled)
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterMessage:
    """An answer is complete, and none of its calls has run. A block blocks them all."""

    answers: ClassVar[Answers] = (Block,)
    message: AssistantMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeCall:
    """May this call run, with these arguments? Whoever fails to say so blocks it."""

    answers: ClassVar[Answers] = (Block, ChangeArguments)
    call: ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterCall:
    """A call has run. Each one sees what the one before made of the result.

    Whoever fails here makes it an error: what has not been looked at is not passed on.
    Calls that have run together may be looked at together.
    """

    answers: ClassVar[Answers] = (ChangeResult,)
    call: ToolCall
    result: ToolResultMessage


OBSERVED = (MessageEnd, ToolExecutionEnd, TurnEnd, AgentEnd)
"""Events of the agent loop that can be observed, too; they take no answer."""

EVENTS = (SessionStart, Input, AfterMessage, BeforeCall, AfterCall, *OBSERVED)
"""All there is to listen to."""
