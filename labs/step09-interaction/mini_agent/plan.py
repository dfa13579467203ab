"""A plan with versions, and what a change of course does to it.

Not here: what the model proposes (`plan_revision.py`).
"""

from dataclasses import dataclass
from typing import Literal

StepStatus = Literal["pending", "in_progress", "done", "invalid"]
"""`invalid`: it was planned for a goal that is no longer the goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRevision:
    """A file, as it was when it was checked."""

    path: str
    digest: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why a step counts as done."""

    checked: str
    """What was looked at, and how."""

    acceptance: str
    """The condition that it was checked against."""

    files: tuple[FileRevision, ...] = ()
    goal_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One step of a plan."""

    id: str
    title: str
    acceptance: str
    """When it is done."""

    status: StepStatus = "pending"
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPlan:
    """What is to be done, and how far it has come."""

    version: int
    goal: str
    goal_version: int
    steps: tuple[PlanStep, ...] = ()

    reason: str
    """Why there is this version."""


def first_plan(goal: str) -> TaskPlan:
    """Return the plan of a run that has just begun: no steps yet."""
    return TaskPlan(version=1, goal=goal, goal_version=1, reason="开始")


def plan_after_constraint(plan: TaskPlan, constraint: str) -> TaskPlan:
    """Return the next version: the goal and what is finished stay, the rest is to be thought over.

    No step is thrown away here: which of them still fit, the model has to say.
    """
    return next_version(plan, plan.steps, reason=f"新的限制：{constraint}")


def plan_after_goal_change(plan: TaskPlan, goal: str) -> TaskPlan:
    """Return the next version, for another goal: what is not finished is invalid."""
    steps = tuple(
        step if step.status == "done" else _with(step, status="invalid") for step in plan.steps
    )
    revised = next_version(plan, steps, reason=f"目标改为：{goal}")
    return TaskPlan(
        version=revised.version,
        goal=goal,
        goal_version=plan.goal_version + 1,
        steps=steps,
        reason=revised.reason,
    )


def next_version(plan: TaskPlan, steps: tuple[PlanStep, ...], *, reason: str) -> TaskPlan:
    """Return `plan` with other steps, and the reason for them."""
    return TaskPlan(
        version=plan.version + 1,
        goal=plan.goal,
        goal_version=plan.goal_version,
        steps=steps,
        reason=reason,
    )


def _with(step: PlanStep, *, status: StepStatus) -> PlanStep:
    return PlanStep(id=step.id, title=step.title, acceptance=step.acceptance, status=status)
