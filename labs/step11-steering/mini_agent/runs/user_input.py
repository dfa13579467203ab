"""What the user is asked, and what the user says to a run, as values.

Not here: what follows from them (`interaction.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Literal

from pydantic import AwareDatetime

MAX_INPUT = 20_000
"""Characters that the user may say at once. What is longer is refused when it is said; what is
accepted reaches the model whole."""

RequestKind = Literal["clarification", "approval", "manual_reconciliation"]
"""A question of the model; may these calls run; please put this in order by hand."""

STOP_REASONS: Mapping[RequestKind, str] = MappingProxyType(
    {
        "clarification": "user_input_required",
        "approval": "approval_required",
        "manual_reconciliation": "user_input_required",
    }
)

Scope = Literal["once", "run", "always"]
"""How far a permission reaches: for these calls; for the same in this run; for the same always."""

RefusalCode = Literal[
    "unexpected_user_input",
    "expired_user_input",
    "empty_user_input",
    "user_input_too_long",
    "user_input_already_pending",
    "approval_required",
    "illegal_transition",
    "run_open",
    "run_elsewhere",
    "budget_exhausted",
    "unknown_run",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInputRequest:
    """What a run waits for."""

    id: str
    kind: RequestKind
    question: str
    reason: str
    """What depends on the answer."""

    options: tuple[str, ...] = ()
    """What to choose from; the user may say something else all the same."""

    created_at: AwareDatetime

    expires_at: AwareDatetime | None = None
    """From this instant on there can be no answer any more. None: it waits for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInputAnswer:
    """What the user said to one request, as it is kept."""

    request_id: str
    content: str
    received_at: AwareDatetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to the question that is pending."""

    request_id: str

    text: str
    """In the user's words, or the number of an option, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """Go on: the process died, the model failed, or nobody answered in time."""

    budget: int | None = None
    """How many model calls the run may make in all from now on. None: as many as before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """Do no more, for good."""

    type: Literal["cancel"] = "cancel"
    reason: str = "用户取消"
    id: str = ""
    """See `Constraint`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """Heed this, too."""

    type: Literal["constraint"] = "constraint"
    text: str

    id: str = ""
    """Makes sure that it is applied once, however often it is read. "": it is read once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalChange:
    """Do something else."""

    type: Literal["goal_change"] = "goal_change"
    goal: str
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve:
    """Let the calls run that are asked about."""

    request_id: str
    scope: Scope = "once"

    in_turn: bool = False
    """The turn that asks still waits: it runs the calls, and the model gets their results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deny:
    """Do not let them run."""

    request_id: str
    reason: str = ""
    in_turn: bool = False


Steering = Cancel | Constraint | GoalChange
"""What can be said at any time, also to a run at which another process works."""

Command = Answer | Resume | Approve | Deny | Steering
"""All that a user can say to a run that is there."""


class InputRefused(Exception):
    """Raised when an input cannot be taken. Nothing has changed, and nothing was written."""

    def __init__(self, code: RefusalCode, text: str) -> None:
        """Take a `code` for programs, and a text for the user."""
        super().__init__(text)
        self.code: RefusalCode = code


def is_expired(request: UserInputRequest, now: datetime) -> bool:
    """Tell whether it is too late for an answer; at the very instant it is."""
    return request.expires_at is not None and now >= request.expires_at
