"""What the model may do to a plan: finished steps stay, and whoever says "done" shows evidence.

All functions are pure: what the files look like now is handed in as digests.
"""

from collections.abc import Mapping

from .plan import Evidence, FileRevision, PlanStep, StepStatus, TaskPlan, next_version
from .results import ToolError
from .tools.tool import Arguments

Digests = Mapping[str, str | None]
"""What files look like now, by path. None: there is no such file."""


class ProposedStep(Arguments):
    """A step, as the model puts it."""

    id: str
    title: str
    acceptance: str
    status: StepStatus = "pending"

    checked: str = ""
    """Evidence for "done": what was looked at. Empty: the evidence of before, if it counts."""

    files: tuple[str, ...] = ()
    """The files that the evidence is about."""


def revised_plan(
    plan: TaskPlan, proposed: tuple[ProposedStep, ...], *, reason: str, digests: Digests
) -> TaskPlan:
    """Return the next version, with the steps that the model proposes.

    Raises:
        ToolError: the proposal breaks a rule; the text says which, for the model.
    """
    ids = [step.id for step in proposed]
    if len(set(ids)) < len(ids):
        raise ToolError("计划没有改：有两个步骤的 id 相同。")
    if sum(step.status == "in_progress" for step in proposed) > 1:
        raise ToolError("计划没有改：同一时间只能有一个步骤在进行（in_progress）。")
    finished = {step.id: step for step in plan.steps if step.status == "done"}
    if missing := [name for name in finished if name not in ids]:
        raise ToolError(f"计划没有改：做完的步骤不能消失，缺了 {'、'.join(missing)}。")
    steps = tuple(
        _accepted(step, finished.get(step.id), goal_version=plan.goal_version, digests=digests)
        for step in proposed
    )
    return next_version(plan, steps, reason=reason)


def counts(evidence: Evidence, acceptance: str, *, goal_version: int, digests: Digests) -> bool:
    """Tell whether `evidence` still shows what it showed.

    The condition has to be the same. What was checked for an earlier goal has to look the
    same, too; for the same goal it need not, because later steps go on changing files.
    """
    if evidence.acceptance != acceptance:
        return False
    return evidence.goal_version == goal_version or all(
        digests.get(file.path) == file.digest for file in evidence.files
    )


def _accepted(
    step: ProposedStep, finished: PlanStep | None, *, goal_version: int, digests: Digests
) -> PlanStep:
    old = finished.evidence if finished is not None else None
    still_counts = old is not None and counts(
        old, step.acceptance, goal_version=goal_version, digests=digests
    )
    if step.status != "done":
        if still_counts:
            raise ToolError(f"计划没有改：步骤 {step.id} 已经做完，它的证据仍然成立。")
        return PlanStep(
            id=step.id, title=step.title, acceptance=step.acceptance, status=step.status
        )
    evidence = old if still_counts else None
    if step.checked.strip():
        files = tuple(FileRevision(path=path, digest=digests.get(path)) for path in step.files)
        evidence = Evidence(
            checked=step.checked,
            acceptance=step.acceptance,
            files=files,
            goal_version=goal_version,
        )
    if evidence is None:
        raise ToolError(
            f"计划没有改：步骤 {step.id} 要算做完，得有证据（checked）；"
            "旧证据只在文件和验收条件都没变时有效。"
        )
    return PlanStep(
        id=step.id,
        title=step.title,
        acceptance=step.acceptance,
        status="done",
        evidence=evidence,
    )
