"""What a run is at one moment: a value. It changes by events, and by nothing else.

The one table here says which status can follow which.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from ..extensions.loader import LoadedFile
from .events import RunEntry, RunEvent
from .user_input import InputRefused, UserInputAnswer, UserInputRequest

RunStatus = Literal["running", "waiting", "completed", "failed", "cancelled"]
"""`failed` has broken off and may be resumed; behind `completed` and `cancelled` is nothing."""

TRANSITIONS: Mapping[RunStatus, frozenset[RunStatus]] = MappingProxyType(
    {
        "running": frozenset({"waiting", "completed", "failed", "cancelled"}),
        "waiting": frozenset({"running", "cancelled"}),
        "failed": frozenset({"running", "cancelled"}),
        "completed": frozenset(),
        "cancelled": frozenset(),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A question of the model that is settled."""

    name: str
    """What was decided, in normal form; see `clarification.py`."""

    request: UserInputRequest

    answer: UserInputAnswer | None
    """None: it expired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """All that is known about a run."""

    run_id: str
    status: RunStatus = "running"
    stop_reason: str | None = None
    """Why it does not go on. None: it does."""

    goal: str
    pending_user_input: UserInputRequest | None = None
    pending_decision: str | None = None
    """What the pending clarification decides."""

    decisions: tuple[Decision, ...] = ()

    budget: int
    """In model calls."""

    model_calls: int = 0
    working_folder: str
    model: str
    extensions: tuple[LoadedFile, ...] = ()
    answer_within: int | None = None

    number: int = 0
    """Of the last event."""

    news: tuple[RunEvent, ...] = ()
    """What has happened since the model was last called: it has yet to be told."""

    unsaved: tuple[RunEntry, ...] = ()
    """What has led here and is not on disk yet. It is put there before anything else happens."""

    @property
    def is_open(self) -> bool:
        """Somebody works at it, or it waits for somebody."""
        return self.status in ("running", "waiting")

    @property
    def budget_is_used_up(self) -> bool:
        """The model may not be called any more."""
        return self.model_calls >= self.budget


def transition(state: AgentState, after: RunStatus, *, reason: str) -> AgentState:
    """Return the state with another status, and the reason unless it is `running` again.

    Raises:
        InputRefused: that is not possible from where it is (`illegal_transition`).
    """
    if after not in TRANSITIONS[state.status]:
        raise InputRefused("illegal_transition", f"运行不能从 {state.status} 变成 {after}")
    return replace(state, status=after, stop_reason=None if after == "running" else reason)
