"""What an extension can listen to.

Whoever listens gets an event of its own: a copy, free to be spoiled. It can answer with
one of `answers` (`answers.py`), or with None, always: go on.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..agent_events import AgentEnd, MessageEnd, ToolExecutionEnd, TurnEnd
from ..messages import AssistantMessage, ToolCall, ToolResultMessage
from .answers import (
    Block,
    ChangeArguments,
    ChangeInput,
    ChangeResult,
    Handled,
)

Answers = tuple[type, ...]
StartReason = Literal["new", "resumed", "moved"]


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
