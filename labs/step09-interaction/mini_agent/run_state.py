"""What a run is at one moment: a value. It changes by events, and by nothing else.

The one table here says which status can follow which.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Literal

from .approvals import Action, Approval
from .context import ContextSource
from .plan import Evidence, TaskPlan
from .run_events import EffectDecision, RunEntry
from .user_input import InputRefused, UserInputRequest

RunStatus = Literal["running", "waiting", "completed", "failed", "cancelled"]
"""`failed` has broken off and may be resumed; behind the last two of the others is nothing."""

TRANSITIONS: Mapping[RunStatus, frozenset[RunStatus]] = MappingProxyType(
    {
        "running": frozenset({"waiting", "completed", "failed", "cancelled"}),
        "waiting": frozenset({"running", "cancelled"}),
        "failed": frozenset({"running", "cancelled"}),
        "completed": frozenset(),
        "cancelled": frozenset(),
    }
)

OPEN: frozenset[RunStatus] = frozenset({"running", "waiting"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """A change of status."""

    before: RunStatus
    after: RunStatus
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A question of the model that is settled."""

    name: str
    """In normal form; see `clarification.py`."""

    request_id: str
    goal_version: int

    answer: str | None
    """None: it expired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something that a tool has changed, or may have."""

    id: str
    action: Action
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
    goal: str
    goal_version: int = 1
    constraints: tuple[str, ...] = ()
    plan: TaskPlan

    pending_user_input: UserInputRequest | None = None
    pending_action: Action | None = None
    """What runs if the pending approval is granted."""

    pending_decision: str | None = None
    """What the pending clarification decides."""

    context_sources: tuple[ContextSource, ...] = ()
    decisions: tuple[Decision, ...] = ()
    approvals: tuple[Approval, ...] = ()
    effects: tuple[Effect, ...] = ()

    budget: int
    """In model calls."""

    model_calls: int = 0
    stop_reason: str | None = None
    working_folder: str
    model: str
    extensions: tuple[str, ...] = ()
    answer_within: int | None = None

    applied_inputs: frozenset[str] = frozenset()
    """Ids of the steering that has been taken in."""

    transitions: tuple[Transition, ...] = ()

    number: int = 0
    """Of the last event."""

    unsaved: tuple[RunEntry, ...] = ()
    """What has led here and is not on disk yet. It is put there before anything else happens."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What has been verified, step by step."""
        return tuple(step.evidence for step in self.plan.steps if step.evidence is not None)

    @property
    def is_open(self) -> bool:
        """Somebody works at it, or it waits for somebody."""
        return self.status in OPEN


def transition(state: AgentState, after: RunStatus, *, reason: str, at: datetime) -> AgentState:
    """Return the state with another status.

    Raises:
        InputRefused: that is not possible from where it is (`illegal_transition`).
    """
    if after not in TRANSITIONS[state.status]:
        raise InputRefused("illegal_transition", f"运行不能从 {state.status} 变成 {after}")
    step = Transition(before=state.status, after=after, reason=reason, at=at)
    return replace(state, status=after, transitions=(*state.transitions, step))


def unsettled(state: AgentState) -> tuple[Effect, ...]:
    """Return the side effects of earlier goals about which the plan has yet to say something."""
    return tuple(
        effect
        for effect in state.effects
        if effect.goal_version < state.goal_version and effect.decided_for < state.goal_version
    )
