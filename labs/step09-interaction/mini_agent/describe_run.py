"""A run in words for its user: what it waits for and how to answer, and all that is known of it."""

from .briefing import describe_effect, describe_step
from .run_state import AgentState
from .text import escape_controls

STATUS = {
    "running": "进行中",
    "waiting": "等待用户",
    "completed": "已完成",
    "failed": "中断",
    "cancelled": "已取消",
}
COMMAND = "python -m mini_agent"


def describe_waiting(state: AgentState) -> str:
    """Return what the run waits for, and the commands that end the wait; "" if it does not wait."""
    request = state.pending_user_input
    if request is None:
        return ""
    lines = [f"runId: {state.run_id}", f"requestId: {request.id}"]
    lines += [f"问题: {request.question}", f"原因: {request.reason}"]
    if request.expires_at is not None:
        lines.append(f"到期: {request.expires_at.isoformat()}")
    at = f"{state.run_id} {request.id}"
    if request.kind == "approval":
        lines += [f"批准: {COMMAND} approve {at}", f"拒绝: {COMMAND} deny {at}"]
    else:
        lines.append(f'回答: {COMMAND} answer {at} "…"')
    return escape_controls("\n".join(lines))


def describe_end(state: AgentState) -> str:
    """Return how the run stands now that nobody works at it: a line, or what it waits for."""
    if state.status == "waiting":
        return describe_waiting(state)
    why = f"（{state.stop_reason}）" if state.stop_reason else ""
    line = f"运行 {state.run_id}：{STATUS[state.status]}{why}"
    if state.status in ("failed", "running"):
        line += f"\n接着做: {COMMAND} resume {state.run_id}"
    return escape_controls(line)


def describe_run(state: AgentState) -> str:
    """Return all that is known about a run."""
    lines = [f"运行 {state.run_id}：{STATUS[state.status]}"]
    lines += [f"停下的原因: {state.stop_reason}"] if state.stop_reason else []
    lines.append(f"目标（第 {state.goal_version} 版）: {state.goal}")
    lines += [f"限制: {constraint}" for constraint in state.constraints]
    lines.append(f"计划（第 {state.plan.version} 版，{state.plan.reason}）")
    lines += [f"  {describe_step(step)}" for step in state.plan.steps]
    lines += [f"改动: {describe_effect(effect)}" for effect in state.effects]
    for approval in state.approvals:
        verdict = "批准" if approval.granted else "拒绝"
        used = f"，用于 {approval.spent_at.isoformat()}" if approval.spent_at else ""
        lines.append(f"审批 {approval.id}: {verdict}于 {approval.decided_at.isoformat()}{used}")
    lines.append(f"模型: {state.model}，调用 {state.model_calls} / {state.budget} 次")
    lines.append(f"文件夹: {state.working_folder}")
    waiting = describe_waiting(state)
    return escape_controls("\n".join(lines)) + (f"\n{waiting}" if waiting else "")
