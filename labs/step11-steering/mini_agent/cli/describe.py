"""How a run stands: in words for its user, and as an exit code."""

import sys
from collections.abc import Mapping
from datetime import datetime
from enum import IntEnum
from pathlib import Path
from types import MappingProxyType

from ..runs.approvals import Action
from ..runs.briefing import describe_effect, describe_step
from ..runs.interaction import apply
from ..runs.state import AgentState, RunStatus
from ..runs.user_input import InputRefused, Resume
from ..text import escape_controls, one_line

STATUS: Mapping[RunStatus, str] = MappingProxyType(
    {
        "running": "进行中",
        "waiting": "等待用户",
        "completed": "已完成",
        "failed": "中断",
        "cancelled": "已取消",
    }
)
MAX_SHOWN = 60
"""Lines of what is to be approved that stand on the screen. `status --full` shows all of them."""

NOT_BOUND = "（批准管住命令本身；它会读写什么，程序看不到）"
PROGRAM = "python -m mini_agent"


class Exit(IntEnum):
    """What a command has come to, for whoever called it."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    WAITING = 3
    REFUSED = 4
    BUSY = 5
    CANCELLED = 6
    INTERRUPTED = 130


MEANING: Mapping[Exit, str] = MappingProxyType(
    {
        Exit.DONE: "做完了；或者命令本身做到了",
        Exit.FAILED: "运行中断了，可以 resume；或者程序出错",
        Exit.USAGE: "命令行写错了，或者设置不能用",
        Exit.WAITING: "运行在等用户，这不是失败",
        Exit.REFUSED: "输入没有被接受，什么也没有写下",
        Exit.BUSY: "另一个进程正在用这次运行",
        Exit.CANCELLED: "运行被取消了",
        Exit.INTERRUPTED: "Ctrl-C",
    }
)

OF_STATUS: Mapping[RunStatus, Exit] = MappingProxyType(
    {
        "completed": Exit.DONE,
        "waiting": Exit.WAITING,
        "cancelled": Exit.CANCELLED,
        "failed": Exit.FAILED,
        "running": Exit.FAILED,
    }
)


def exit_of(state: AgentState) -> Exit:
    """Return the exit code of a command that has worked at a run."""
    if state.status == "failed" and state.stop_reason == "aborted":
        return Exit.INTERRUPTED
    return OF_STATUS[state.status]


def exit_table() -> str:
    """Return the table, for `--help`."""
    return "\n".join(f"  {code.value:>3}  {MEANING[code]}" for code in Exit)


def program(argv0: str, *, safe_path: bool = sys.flags.safe_path) -> str:
    """Return how the user has called the program: installed, by a command of words, or as a module.

    `safe_path`: Python was told not to import from the working folder (`-P`).
    """
    name = Path(argv0).name
    as_module = PROGRAM.replace(" -m", " -P -m") if safe_path else PROGRAM
    return name if name == "mini-agent" or " " in name else as_module


def describe_actions(state: AgentState, *, full: bool = True) -> str:
    """Return all that the pending approval is about, the path or the command first."""
    lines: list[str] = []
    for number, action in enumerate(state.pending_actions, start=1):
        lines.append(f"操作 {number}: {one_line(action.tool)} {one_line(_target(action))}".strip())
        lines += [f"  | {line}" for line in escape_controls(action.preview).split("\n")]
        if action.tool == "bash":
            lines.append(f"  {NOT_BOUND}")
    if full or len(lines) <= MAX_SHOWN:
        return "\n".join(lines)
    left = len(lines) - MAX_SHOWN
    return "\n".join([*lines[:MAX_SHOWN], f"…（还有 {left} 行没有显示，看完再决定）"])


def _target(action: Action) -> str:
    return action.about if "path" in action.arguments else ""


def describe_waiting(state: AgentState, *, program: str, in_shell: bool = False) -> str:
    """Return what the run waits for, and how to end the wait; "" if it does not wait.

    What the model has written stands on one line each: it cannot draw lines of ours.
    """
    request = state.pending_user_input
    if request is None:
        return ""
    lines = [f"runId: {one_line(state.run_id)}", f"requestId: {one_line(request.id)}"]
    lines += [f"问题: {one_line(request.question)}", f"原因: {one_line(request.reason)}"]
    lines += [f"选项 {n}: {one_line(text)}" for n, text in enumerate(request.options, start=1)]
    if state.pending_actions:
        shown = describe_actions(state, full=False)
        lines.append(shown)
        if shown != describe_actions(state):
            lines.append(f"全文: {program} status {one_line(state.run_id)} --full")
    if request.expires_at is not None:
        lines.append(f"到期: {request.expires_at.isoformat()}")
    if request.kind == "approval":
        at = f"{one_line(state.run_id)} {one_line(request.id)}"
        here = "/approve 或者 /deny；也可以在别处 " if in_shell else ""
        lines += [f"批准: {here}{program} approve {at}", f"拒绝: {program} deny {at}"]
        return "\n".join(lines)
    command = f'{program} answer {one_line(state.run_id)} {one_line(request.id)} "…"'
    lines.append(f"回答: 直接输入；或者在别处 {command}" if in_shell else f"回答: {command}")
    return "\n".join(lines)


def describe_end(state: AgentState, *, program: str, now: datetime) -> str:
    """Return how the run stands now that nobody works at it: a line, or what it waits for."""
    if state.status == "waiting":
        return describe_waiting(state, program=program)
    why = f"（{one_line(state.stop_reason)}）" if state.stop_reason else ""
    status = "没有做完" if state.status == "running" else STATUS[state.status]
    line = f"运行 {one_line(state.run_id)}：{status}{why}"
    if state.status in ("failed", "running"):
        more = "" if _accepted(state, Resume(), now) else f" --budget {state.model_calls + 20}"
        line += f"\n接着做: {program} resume {one_line(state.run_id)}{more}"
    return line


def describe_run(state: AgentState, *, program: str, full: bool = False) -> str:
    """Return all that is known about a run; `full`: what is to be approved as well, all of it."""
    why = f"（{one_line(state.stop_reason)}）" if state.stop_reason else ""
    lines = [
        f"运行 {one_line(state.run_id)}：{STATUS[state.status]}{why}",
        f"目标（第 {state.goal_version} 版）: {one_line(state.goal)}",
        *(f"限制: {one_line(text)}" for text in state.constraints),
        f"计划（第 {state.plan.version} 版，{one_line(state.plan.reason)}）",
        *(f"  {one_line(describe_step(step))}" for step in state.plan.steps),
    ]
    for one in state.decisions:
        content = "到期没有回答" if one.answer is None else one_line(one.answer.content)
        lines.append(f"问过: {one_line(one.request.question)} → {content}")
    for approval in state.approvals:
        verdict = "批准" if approval.granted else "拒绝"
        used = "" if approval.spent_at is None else "，已经用掉"
        what = one_line(f"{approval.action.tool} {approval.action.about}")
        lines.append(f"审批 {one_line(approval.id)}: {verdict} {what}{used}")
    lines += [f"改动: {one_line(describe_effect(effect))}" for effect in state.effects]
    lines.append(f"权限: {state.mode}")
    lines.append(f"模型: {one_line(state.model)}，调用 {state.model_calls} / {state.budget} 次")
    lines.append(f"文件夹: {one_line(state.working_folder)}")
    lines += [f"扩展: {one_line(file.path)}" for file in state.extensions]
    if full and state.pending_actions:
        return "\n".join([*lines, describe_actions(state)])
    waiting = describe_waiting(state, program=program)
    return "\n".join(lines) + (f"\n{waiting}" if waiting else "")


def _accepted(state: AgentState, said: Resume, now: datetime) -> bool:
    try:
        apply(state, said, now=now)
    except InputRefused:
        return False
    return True
