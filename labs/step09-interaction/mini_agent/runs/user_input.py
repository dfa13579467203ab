"""What the user is asked, and what the user says to a run, as values.

Not here: what follows from them (`interaction.py`); permissions (step 10); another goal (step 11).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime

MAX_INPUT = 20_000
"""Characters that the user may say at once. What is longer is refused when it is said; what is
accepted reaches the model whole."""

RequestKind = Literal["clarification"]
"""A question of the model."""

RefusalCode = Literal[
    "unexpected_user_input",
    "expired_user_input",
    "empty_user_input",
    "user_input_too_long",
    "user_input_already_pending",
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

    reason: str = "用户取消"


Command = Answer | Resume | Cancel
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
