"""A plan with versions: what the model proposes, and what a change of course does to it.

All functions are pure: what the files look like now is handed in as digests, and which calls
of the run went well as their ids. Not here: the tool (`update_plan.py`).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ..results import ToolError

StepStatus = Literal["pending", "in_progress", "done", "invalid"]
"""`invalid`: it was planned, or done, for a goal that is no longer the goal."""

Digests = Mapping[str, str | None]
"""What files look like now, by path. None: there is no such file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRevision:
    """A file, as it was when a step was done."""

    path: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why a step counts as done."""

    results: tuple[str, ...]
    """Ids of calls of this run that went well, and whose results show it."""

    acceptance: str
    """The condition that they fulfil."""

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

    version: int = 1
    goal_version: int = 1
    steps: tuple[PlanStep, ...] = ()

    reason: str = "开始"
    """Why there is this version."""

    @property
    def open_steps(self) -> tuple[PlanStep, ...]:
        """What has to be done, or thought over, before the run can be completed."""
        return tuple(step for step in self.steps if step.status != "done")


def plan_after_constraint(plan: TaskPlan, constraint: str) -> TaskPlan:
    """Return the next version: which steps still fit, the model has to say."""
    return replace(plan, version=plan.version + 1, reason=f"新的限制：{constraint}")


def plan_after_goal_change(plan: TaskPlan, goal: str) -> TaskPlan:
    """Return the next version, for another goal: no step counts any more as it stands.

    What was done keeps its evidence, so that the model can take the step over if it still
    counts; without a new plan no step is done.
    """
    return TaskPlan(
        version=plan.version + 1,
        goal_version=plan.goal_version + 1,
        steps=tuple(replace(step, status="invalid") for step in plan.steps),
        reason=f"目标改为：{goal}",
    )


def revised_plan(
    plan: TaskPlan,
    proposed: tuple[PlanStep, ...],
    *,
    reason: str,
    digests: Digests,
    results: Collection[str],
) -> TaskPlan:
    """Return the next version, with the steps that the model proposes.

    Args:
        plan: The one before.
        proposed: All steps. The files of new evidence have no digest yet.
        reason: Why it is revised.
        digests: What the files that evidence names look like now.
        results: Ids of the calls of this run that went well.

    Raises:
        ToolError: the proposal breaks a rule; the text says which, for the model.
    """
    ids = [step.id for step in proposed]
    if len(set(ids)) < len(ids):
        raise ToolError("计划没有改：有两个步骤的 id 相同。")
    if sum(step.status == "in_progress" for step in proposed) > 1:
        raise ToolError("计划没有改：同一时间只能有一个步骤在进行（in_progress）。")
    before = {step.id: step for step in plan.steps}
    done = [step.id for step in plan.steps if step.status == "done"]
    if missing := [name for name in done if name not in ids]:
        raise ToolError(f"计划没有改：做完的步骤不能消失，缺了 {'、'.join(missing)}。")
    steps = tuple(_accepted(step, before.get(step.id), plan, digests, results) for step in proposed)
    return replace(plan, version=plan.version + 1, steps=steps, reason=reason)


def counts(evidence: Evidence, acceptance: str, *, goal_version: int, digests: Digests) -> bool:
    """Tell whether `evidence` still shows what it showed.

    The condition has to be the same. What was shown for an earlier goal has to be a file, and
    to look the same, too; for the same goal it need not: later steps go on changing files.
    """
    if evidence.acceptance != acceptance:
        return False
    unchanged = all(digests.get(file.path) == file.digest for file in evidence.files)
    return evidence.goal_version == goal_version or (bool(evidence.files) and unchanged)


def _accepted(
    step: PlanStep,
    before: PlanStep | None,
    plan: TaskPlan,
    digests: Digests,
    results: Collection[str],
) -> PlanStep:
    old = before.evidence if before is not None else None
    if old is not None and not counts(
        old, step.acceptance, goal_version=plan.goal_version, digests=digests
    ):
        old = None
    if step.status != "done":
        if old is not None and before is not None and before.status == "done":
            raise ToolError(f"计划没有改：步骤 {step.id} 已经做完，它的证据仍然成立。")
        return replace(step, evidence=None)
    if step.evidence is None or not step.evidence.results:
        if old is None:
            raise ToolError(
                f"计划没有改：步骤 {step.id} 要算做完，得在 results 里写明这次运行里哪些调用的"
                "结果能证明；旧证据只在文件和验收条件都没变时有效。"
            )
        return replace(step, evidence=old)
    if unknown := [name for name in step.evidence.results if name not in results]:
        raise ToolError(f"计划没有改：这次运行里没有这样成功的调用：{'、'.join(unknown)}。")
    return replace(step, evidence=_dated(step.evidence, plan.goal_version, digests))


def _dated(evidence: Evidence, goal_version: int, digests: Digests) -> Evidence:
    """Return `evidence` with its files as they are now.

    Raises:
        ToolError: one of them is not there.
    """
    files = []
    for file in evidence.files:
        digest = digests.get(file.path)
        if digest is None:
            raise ToolError(f"计划没有改：文件 {file.path} 不存在，不能作证据。")
        files.append(replace(file, digest=digest))
    return replace(evidence, files=tuple(files), goal_version=goal_version)
