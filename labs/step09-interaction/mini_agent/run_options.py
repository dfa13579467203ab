"""The command line of runs: each thing a user can say to a run is a command of its own."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter, _SubParsersAction
from typing import TypeAlias

from .exit_codes import exit_table
from .run_terms import BUDGET

Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"


def add_run_commands(parser: ArgumentParser) -> None:
    """Add the commands. None of them given: the shell. Options for both stand in front."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = f"退出码：\n{exit_table()}"
    commands = parser.add_subparsers(dest="command", metavar="命令", title="命令（不写就是对话）")

    run = _add(commands, "run", "开始一次运行，做到完成，或者做到要问用户为止")
    run.add_argument("goal", type=as_text, metavar="GOAL")
    run.add_argument(
        "--budget", type=positive, default=BUDGET, metavar="N", help="最多调用模型几次"
    )
    run.add_argument(
        "--answer-within", type=positive, metavar="SECONDS", help="问题过多少秒算过期；默认不过期"
    )

    answer = _add(commands, "answer", "回答正在等的问题，然后接着做", of_request=True)
    answer.add_argument("text", type=as_text, metavar="TEXT")
    _add(commands, "approve", "批准正在等的操作，只管一次，然后接着做", of_request=True)
    deny = _add(commands, "deny", "拒绝正在等的操作，然后接着做", of_request=True)
    deny.add_argument("--reason", type=as_text, default="", metavar="TEXT")
    _add(commands, "resume", "接着做：进程死了，模型出了错，或者问题过期了", of_run=True)

    steer = _add(commands, "steer", "对一次运行说话，它正在别处进行也行", of_run=True)
    what = steer.add_mutually_exclusive_group(required=True)
    what.add_argument("--constraint", type=as_text, metavar="TEXT", help="加一条限制")
    what.add_argument("--goal", type=as_text, metavar="TEXT", help="改掉目标")
    what.add_argument("--cancel", type=as_text, metavar="REASON", help="取消")
    cancel = _add(commands, "cancel", "取消一次运行", of_run=True)
    cancel.add_argument("--reason", type=as_text, metavar="TEXT", default="用户取消")
    _add(commands, "status", "看一次运行的全部情况", of_run=True)
    _add(commands, "runs", "列出所有运行")


def as_text(text: str) -> str:
    """Return an argument as text: a byte that is not UTF-8 becomes U+FFFD, as in a line."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def positive(text: str) -> int:
    """Return the number that `text` is, if it is 1 or more.

    Raises:
        ValueError: it is not.
    """
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _add(
    commands: Commands, name: str, what: str, *, of_run: bool = False, of_request: bool = False
) -> ArgumentParser:
    parser = commands.add_parser(name, help=what, description=what, allow_abbrev=False)
    if of_run or of_request:
        parser.add_argument("run", metavar="RUN")
    if of_request:
        parser.add_argument("request", metavar="REQUEST")
    return parser
