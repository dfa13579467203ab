"""What a run is at one moment: a value. It changes by events, and by nothing else.

The one table here says which status can follow which.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from ..extensions.loader import LoadedFile
from .approvals import Action, Approval
from .events import EffectDecision, RunEntry, RunEvent
from .plan import TaskPlan
from .policy import Mode, Rule
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
    goal_version: int

    answer: UserInputAnswer | None
    """None: it expired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something that a tool has changed, or may have."""

    id: str
    tool: str
    about: str
    goal_version: int
    outcome: Literal["unknown", "done", "error"] = "unknown"

    decision: EffectDecision | None = None
    decided_for: int = 0
    """The goal version for which the decision holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """All that is known about a run."""

    run_id: str
    status: RunStatus = "running"
    stop_reason: str | None = None
    """Why it does not go on. None: it does."""

    goal: str
    goal_version: int = 1
    constraints: tuple[str, ...] = ()
    plan: TaskPlan = field(default_factory=TaskPlan)
    pending_user_input: UserInputRequest | None = None
    pending_decision: str | None = None
    """What the pending clarification decides."""

    pending_actions: tuple[Action, ...] = ()
    """What runs if the pending approval is granted."""

    decisions: tuple[Decision, ...] = ()
    approvals: tuple[Approval, ...] = ()
    granted: tuple[Rule, ...] = ()
    """What the user has allowed for the whole run."""

    effects: tuple[Effect, ...] = ()

    budget: int
    """In model calls."""

    model_calls: int = 0
    working_folder: str
    model: str
    extensions: tuple[LoadedFile, ...] = ()
    answer_within: int | None = None
    mode: Mode = "yolo"

    taken_inputs: frozenset[str] = frozenset()
    """Ids of what came by the inbox and has been applied."""

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
    def due(self) -> tuple[Approval, ...]:
        """What is approved for this goal and has yet to be done."""
        approvals = (one for one in self.approvals if one.goal_version == self.goal_version)
        return tuple(one for one in approvals if one.is_due)

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


def pending_effects(state: AgentState) -> tuple[Effect, ...]:
    """Return the side effects of earlier goals about which the plan has yet to say something."""
    return tuple(
        effect
        for effect in state.effects
        if effect.goal_version < state.goal_version and effect.decided_for < state.goal_version
    )
