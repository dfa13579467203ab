"""What the user is asked and what he says, as values that reach the disk.

Not here: what follows from them (`interaction.py`).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime

RequestKind = Literal["clarification", "approval", "manual_reconciliation"]
"""A question of the model; may this call run; please put this in order by hand."""

SteeringType = Literal["constraint", "goal_change", "cancel"]

RefusalCode = Literal[
    "unexpected_user_input",
    "expired_user_input",
    "empty_user_input",
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

    related_step_id: str | None = None
    created_at: AwareDatetime

    expires_at: AwareDatetime | None = None
    """From this instant on there can be no answer any more. None: it waits for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInputAnswer:
    """What the user said to one request."""

    request_id: str
    content: str
    received_at: AwareDatetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSteering:
    """What the user says to a run without being asked."""

    id: str
    """Makes sure that it is applied once, however often it is read."""

    run_id: str
    type: SteeringType

    text: str
    """The constraint, the new goal, or the reason of the cancel."""


class InputRefused(Exception):
    """Raised when an input cannot be taken. Nothing has changed, and nothing was written."""

    def __init__(self, code: RefusalCode, text: str) -> None:
        """Take a `code` for programs, and a text for the user."""
        super().__init__(text)
        self.code: RefusalCode = code


def is_expired(request: UserInputRequest, now: datetime) -> bool:
    """Tell whether it is too late for an answer; at the very instant it is."""
    return request.expires_at is not None and now >= request.expires_at
