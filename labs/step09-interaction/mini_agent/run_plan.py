"""The tool `update_plan`: what the model proposes, checked and put on record."""

from .briefing import describe_effect, describe_step
from .file_state import digests_of
from .plan_revision import revised_plan
from .results import ToolError
from .run_desk import RunDesk
from .run_events import EffectVerdict, PlanRevised
from .run_fold import record
from .run_state import AgentState, unsettled
from .run_tools import PlanArgs
from .tools.workspace import Workspace


def update_plan(desk: RunDesk, args: PlanArgs, *, workspace: Workspace | None) -> str:
    """Revise the plan of the run, and return how it looks now.

    Raises:
        ToolError: the proposal breaks a rule; the text says which, for the model.
    """
    state = desk.state
    if state.status != "running":
        raise ToolError("计划没有改：运行正在等用户。")
    verdicts = checked_verdicts(state, args)
    paths = {path for step in args.steps for path in step.files}
    paths |= {file.path for evidence in state.evidence for file in evidence.files}
    plan = revised_plan(
        state.plan, args.steps, reason=args.reason, digests=digests_of(workspace, paths)
    )
    by_hand = {one.effect_id for one in verdicts if one.decision == "manual_reconciliation"}
    request = None
    if by_hand:
        lines = [describe_effect(effect) for effect in state.effects if effect.id in by_hand]
        request = desk.new_request(
            "manual_reconciliation",
            question="请人工处理这些改动，处理完后说明结果：" + "；".join(lines),
            reason="目标变了，它们不能由程序撤销，也不能就这样留着。",
        )
    event = PlanRevised(plan=plan, verdicts=verdicts, request=request)
    desk.change(record, event, now=desk.now())
    steps = "\n".join(describe_step(step) for step in plan.steps)
    return (
        f"计划第 {plan.version} 版：\n{steps}" if steps else f"计划第 {plan.version} 版，没有步骤。"
    )


def checked_verdicts(state: AgentState, args: PlanArgs) -> tuple[EffectVerdict, ...]:
    """Return what becomes of the side effects of earlier goals.

    Raises:
        ToolError: one of them is passed over in silence, or one is named that is none.
    """
    wanted = {effect.id for effect in unsettled(state)}
    named = {verdict.id for verdict in args.effects}
    if unknown := named - wanted:
        raise ToolError(f"计划没有改：没有这样待说明的改动：{'、'.join(sorted(unknown))}")
    if missing := wanted - named:
        raise ToolError(f"计划没有改：还要说明这些改动的去留：{'、'.join(sorted(missing))}")
    return tuple(
        EffectVerdict(effect_id=verdict.id, decision=verdict.decision) for verdict in args.effects
    )
