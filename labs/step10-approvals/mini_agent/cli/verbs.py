"""What a user can say to a run: one table, for the command line and for the slash commands.

On the command line a verb names the run, and the request if it settles one; with a slash both
are those on the screen.
"""

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from ..runs.loop import BUDGET
from ..runs.policy import Mode
from ..runs.state import AgentState
from ..runs.user_input import (
    Answer,
    Approve,
    Cancel,
    Command,
    Deny,
    InputRefused,
    Resume,
    Scope,
)
from .goal import add_goal
from .output import add_output_options

Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"  # argparse has no public name for it

MAX_NUMBER = 1_000_000_000
"""Of calls, and of seconds: about thirty years."""

SCOPES: Mapping[str, Scope] = MappingProxyType({"": "once", "run": "run", "always": "always"})
ONLY_BY_COMMAND = "在等审批：只有 /approve 和 /deny 算数，一段话不算"
NO_TERMINAL = "输入不是来自终端，不当作回答；要回答就写 /answer"
NOT_OVER = "运行 {id} 还没有结束：/resume 接着做，/cancel 取消"


MODES: Mapping[Mode, str] = MappingProxyType(
    {
        "ask": "改动之前先问；在终端里默认如此",
        "yolo": "什么都不问；不在终端里默认如此",
        "read-only": "什么都不让改",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One thing that can be said."""

    summary: str

    say: Callable[[str, str], Command]
    """Makes the command out of the id of the request and the text that follows."""

    of_request: bool = False
    """It settles a request."""

    option: str | None = None
    """The text may be missing, and on the command line it stands behind this option."""

    metavar: str = "TEXT"


def say_resume(request_id: str, text: str) -> Resume:
    """Return what `/resume` and `/resume 60` say.

    Raises:
        InputRefused: it is no number.
    """
    if not text:
        return Resume()
    try:
        return Resume(budget=positive(text))
    except ValueError:
        raise InputRefused("unexpected_user_input", f"{text} 不是次数；例如 /resume 80") from None


def say_approve(request_id: str, text: str) -> Approve:
    """Return what `/approve`, `/approve run` and `/approve always` say.

    Raises:
        InputRefused: it is something else.
    """
    if text not in SCOPES:
        raise InputRefused("unexpected_user_input", f"{text}：只能写 run 或者 always")
    return Approve(request_id=request_id, scope=SCOPES[text])


VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "answer": Verb(
            summary="回答正在等的问题，然后接着做；有选项时可以只写号码",
            say=lambda request_id, text: Answer(request_id=request_id, text=text),
            of_request=True,
        ),
        "resume": Verb(
            summary="接着做：进程死了，模型出了错，问题过期了，或者次数用完了",
            say=say_resume,
            option="budget",
            metavar="N",
        ),
        "approve": Verb(
            summary="批准正在等的操作；写上 run 就在这次运行里都行，写上 always 就以后都行",
            say=say_approve,
            of_request=True,
            option="for",
            metavar="run|always",
        ),
        "deny": Verb(
            summary="拒绝正在等的操作；可以写明理由",
            say=lambda request_id, text: Deny(request_id=request_id, reason=text),
            of_request=True,
            option="reason",
        ),
        "cancel": Verb(
            summary="取消这次运行；可以写明理由",
            say=lambda request_id, text: Cancel(reason=text) if text else Cancel(),
            option="reason",
        ),
    }
)

SLASH: Mapping[str, str] = MappingProxyType(
    {**{name: verb.summary for name, verb in VERBS.items()}, "status": "看这次运行的全部情况"}
)
"""The same with a slash, and what is shown about them."""


def add_commands(parser: ArgumentParser) -> None:
    """Add the commands. None of them given: the shell. Options for both stand in front."""
    commands = parser.add_subparsers(dest="command", metavar="命令", title="命令（不写就是对话）")
    run = _add(commands, "run", "开始一次运行，做到完成，或者做到要问用户为止")
    add_goal(run)
    add_output_options(run)
    run.add_argument(
        "--budget", type=positive, default=BUDGET, metavar="N", help="最多调用模型几次"
    )
    run.add_argument(
        "--answer-within", type=positive, metavar="SECONDS", help="问题过多少秒算过期；默认不过期"
    )
    for name, verb in VERBS.items():
        command = _add(commands, name, verb.summary)
        command.add_argument("run", metavar="RUN")
        add_output_options(command)
        if verb.of_request:
            command.add_argument("request", metavar="REQUEST")
        if verb.option is None:
            command.add_argument("text", type=as_text, metavar=verb.metavar)
        else:
            option = f"--{verb.option}"
            command.add_argument(
                option, dest="text", type=as_text, default="", metavar=verb.metavar
            )
    status = _add(commands, "status", "看一次运行的全部情况")
    status.add_argument("run", metavar="RUN")
    status.add_argument("--full", action="store_true", help="要审批的操作全文照登")
    _add(commands, "runs", "列出所有运行")
    _add(commands, "config", "列出现在的设置，和每一项来自哪里")
    completion = _add(commands, "completion", '打印补全脚本：eval "$(mini-agent completion bash)"')
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh"))


def said_by_options(options: Namespace) -> Command:
    """Return what the user says with a command of the command line.

    Raises:
        InputRefused: the text cannot be that.
    """
    return VERBS[options.command].say(getattr(options, "request", ""), options.text)


def said_with_slash(name: str, text: str, state: AgentState) -> Command:
    """Return what the user says with a slash command; errors as above."""
    pending = state.pending_user_input
    return VERBS[name].say(pending.id if pending is not None else "", text)


def said_plainly(line: str, state: AgentState | None, *, at_terminal: bool) -> Command | None:
    """Return what a line without a command says to the run; None: it is the goal of a new one.

    Raises:
        InputRefused: it can be neither.
    """
    if state is None or not state.is_open:
        return None
    if state.pending_user_input is None:
        raise InputRefused("run_open", NOT_OVER.format(id=state.run_id))
    if state.pending_user_input.kind == "approval":
        raise InputRefused("approval_required", ONLY_BY_COMMAND)
    if not at_terminal:  # it was written before anybody could see the question
        raise InputRefused("unexpected_user_input", NO_TERMINAL)
    return Answer(request_id=state.pending_user_input.id, text=line)


def add_modes(parser: ArgumentParser) -> None:
    """Add the options that say what holds for calls that no rule names."""
    modes = parser.add_mutually_exclusive_group()
    for mode, what in MODES.items():
        modes.add_argument(f"--{mode}", dest="mode", action="store_const", const=mode, help=what)


def as_text(text: str) -> str:
    """Return an argument as text: a byte that is not UTF-8 becomes U+FFFD, as in a line."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def positive(text: str) -> int:
    """Return the number that `text` is, if it is from 1 to `MAX_NUMBER`.

    Raises:
        ValueError: it is not.
    """
    number = int(text)
    if not 1 <= number <= MAX_NUMBER:
        raise ValueError(text)
    return number


def _add(commands: Commands, name: str, what: str) -> ArgumentParser:
    return commands.add_parser(name, help=what, description=what, allow_abbrev=False)
