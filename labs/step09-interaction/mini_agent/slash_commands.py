"""What the user can say to a run from within the shell: the same as from outside.

A line without "/" is a new goal, or the answer to the question that is shown. It is
never a permission.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .describe_run import describe_end, describe_run
from .runner import Runner
from .user_input import InputRefused, UserInputRequest

RUN_COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "answer": "回答正在等的问题",
        "approve": "批准正在等的操作，只管一次",
        "deny": "拒绝正在等的操作；后面可以写理由",
        "constraint": "给这次运行加一条限制",
        "goal": "改掉这次运行的目标",
        "cancel": "取消这次运行；后面可以写理由",
        "resume": "接着做中断了的运行",
        "status": "看这次运行的全部情况",
    }
)

CANCELLED = "用户取消"
ONLY_BY_COMMAND = "在等审批：只有 /approve 和 /deny 算数，一段话不算"
NO_TERMINAL = "输入不是来自终端，不当作回答；要回答就写 /answer"
NOT_OVER = "运行 {id} 还没有结束：/resume 接着做，/cancel 取消"


def take_line(runner: Runner, line: str, *, at_terminal: bool) -> None:
    """Take a line without a command: a goal, or an answer. Afterwards the run goes on.

    Raises:
        InputRefused: it can be neither.
        SessionError: it could not be stored.
    """
    state = runner.desk.current
    if state is None or not state.is_open:
        runner.start(line)
        return
    pending = state.pending_user_input
    if pending is None:
        raise InputRefused("run_open", NOT_OVER.format(id=state.run_id))
    if pending.kind == "approval":
        raise InputRefused("approval_required", ONLY_BY_COMMAND)
    if not at_terminal:
        raise InputRefused("unexpected_user_input", NO_TERMINAL)
    runner.answer(pending.id, line)


def run_slash_command(runner: Runner, name: str, text: str) -> str | None:
    """Carry out a command, and return what to show; None: the run goes on.

    Raises:
        InputRefused: it is not possible now.
        SessionError: it could not be stored.
    """
    match name:
        case "answer":
            runner.answer(_pending(runner).id, text)
        case "approve":
            runner.approve(_pending(runner).id)
        case "deny":
            runner.deny(_pending(runner).id, text)
        case "constraint":
            runner.steer("constraint", text)
        case "goal":
            runner.steer("goal_change", text)
        case "cancel":
            runner.steer("cancel", text or CANCELLED)
        case "resume":
            runner.resume()
        case _:
            return describe_run(runner.desk.state)
    if runner.desk.state.status == "failed":
        runner.resume()
    return None if runner.desk.state.status == "running" else describe_end(runner.desk.state)


def _pending(runner: Runner) -> UserInputRequest:
    pending = runner.desk.state.pending_user_input
    if pending is None:
        raise InputRefused("unexpected_user_input", "现在没有等用户的请求")
    return pending
