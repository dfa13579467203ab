"""How the commands end: the one table of exit codes."""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType

from .run_state import AgentState, RunStatus


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
