"""The tool `update_plan`: what the model proposes, checked and put on record."""

from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Literal

from pydantic import Field

from ..abort import AbortSignal
from ..results import ToolError
from ..tools.tool import Arguments, Tool
from ..tools.workspace import Workspace
from .briefing import describe_effect, describe_step
from .events import EffectVerdict, PlanRevised
from .log import RunLog
from .plan import Digests, Evidence, FileRevision, PlanStep, StepStatus, revised_plan
from .state import AgentState, pending_effects
from .user_input import UserInputRequest

UPDATE_PLAN = "update_plan"

DESCRIPTION = """\
写下或修改计划：全部步骤，同时只有一个 in_progress。做完的步骤要留着，标 done 要写明哪些调用的
结果能证明（results），以及涉及的文件（files）。目标变过以后，还要说明旧改动的去留（effects）。"""


class ProposedStep(Arguments):
    """A step, as the model puts it."""

    id: str = Field(min_length=1)
    title: str
    acceptance: str = Field(min_length=1, description="怎样才算做完")
    status: StepStatus = "pending"
    results: tuple[str, ...] = Field(
        default=(), description="能证明做完的调用的 id；留空就用以前的证据"
    )
    files: tuple[str, ...] = Field(default=(), description="证据涉及的文件")


class ProposedVerdict(Arguments):
    """What the model thinks about a side effect of an earlier goal."""

    id: str
    decision: Literal["keep", "undo", "manual_reconciliation"]


class PlanArgs(Arguments):
    """The arguments of `update_plan`."""

    reason: str = Field(min_length=1, description="为什么改计划")
    steps: tuple[ProposedStep, ...] = Field(description="全部步骤，按顺序")
    effects: tuple[ProposedVerdict, ...] = Field(
        default=(), description="旧目标下的改动：保留、撤销，还是交给人"
    )


def create_update_plan(
    log: RunLog, *, proving: Collection[str], workspace: Workspace | None
) -> Tool[PlanArgs]:
    """Return the tool for the run of `log`.

    `proving` names the tools whose results can show that a step is done; the files that
    evidence names are in `workspace`.
    """

    async def update_plan(
        args: PlanArgs, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        state = log.state
        verdicts = _checked_verdicts(state, args)
        plan = revised_plan(
            state.plan,
            tuple(_step(step, state.goal_version) for step in args.steps),
            reason=args.reason,
            digests=_digests(workspace, state, args),
            results={*log.results(proving), *_done_from_the_record(state)},
        )
        log.record(PlanRevised(plan=plan, verdicts=verdicts, request=_by_hand(log, verdicts)))
        steps = [describe_step(step) for step in plan.steps] or ["没有步骤"]
        return "\n".join([f"计划第 {plan.version} 版：", *steps])

    return Tool(name=UPDATE_PLAN, description=DESCRIPTION, parameters=PlanArgs, execute=update_plan)


def _done_from_the_record(state: AgentState) -> set[str]:
    """Return the ids of calls that went well after they had been approved."""
    return {effect.id for effect in state.effects if effect.outcome == "done"}


def _step(proposed: ProposedStep, goal_version: int) -> PlanStep:
    evidence = Evidence(
        results=proposed.results,
        acceptance=proposed.acceptance,
        files=tuple(FileRevision(path=path, digest="") for path in proposed.files),
        goal_version=goal_version,
    )
    return PlanStep(
        id=proposed.id,
        title=proposed.title,
        acceptance=proposed.acceptance,
        status=proposed.status,
        evidence=evidence,
    )


def _digests(workspace: Workspace | None, state: AgentState, args: PlanArgs) -> Digests:
    """Return what all files look like now that evidence names, old or new."""
    paths = {path for step in args.steps for path in step.files}
    known = (step.evidence for step in state.plan.steps if step.evidence is not None)
    paths |= {file.path for evidence in known for file in evidence.files}
    return {path: _digest(workspace, path) for path in paths}


def _digest(workspace: Workspace | None, path: str) -> str | None:
    if workspace is None:
        return None
    try:
        with workspace.open(path) as file:
            return sha256(file.read()).hexdigest()
    except (ToolError, OSError):
        return None


def _checked_verdicts(state: AgentState, args: PlanArgs) -> tuple[EffectVerdict, ...]:
    """Return what becomes of the side effects of earlier goals.

    Raises:
        ToolError: one of them is passed over in silence, or one is named that is none.
    """
    wanted = {effect.id for effect in pending_effects(state)}
    named = {verdict.id for verdict in args.effects}
    if unknown := named - wanted:
        raise ToolError(f"计划没有改：没有这样待说明的改动：{'、'.join(sorted(unknown))}")
    if missing := wanted - named:
        raise ToolError(f"计划没有改：还要说明这些改动的去留：{'、'.join(sorted(missing))}")
    return tuple(
        EffectVerdict(effect_id=verdict.id, decision=verdict.decision) for verdict in args.effects
    )


def _by_hand(log: RunLog, verdicts: tuple[EffectVerdict, ...]) -> UserInputRequest | None:
    """Return the request to put some effects in order by hand; None: there are none of these."""
    ids = {one.effect_id for one in verdicts if one.decision == "manual_reconciliation"}
    lines = [describe_effect(effect) for effect in log.state.effects if effect.id in ids]
    if not lines:
        return None
    return log.new_request(
        "manual_reconciliation",
        question="请人工处理这些改动，处理完后说明结果：" + "；".join(lines),
        reason="目标变了，它们不能由程序撤销，也不能就这样留着。",
    )
