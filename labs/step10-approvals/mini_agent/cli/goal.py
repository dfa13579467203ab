"""A goal from the command line: as it stands, from a file, or from a pipe."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

MAX_GOAL = 200_000
"""Characters. Longer ones do not belong into a goal, but into a file that the agent reads."""

MAX_BYTES = 4 * MAX_GOAL + 3
"""A byte order mark and the widest characters. What may have no end is read no further."""

TOO_LONG = f"目标太长：最多 {MAX_GOAL} 个字符"


def add_goal(command: ArgumentParser) -> None:
    """Add the argument that says the goal."""
    command.add_argument(
        "goal",
        type=as_goal,
        nargs="?",
        default="-",
        metavar="GOAL",
        help="目标；- 或者不写是标准输入，@FILE 是文件的内容",
    )


def as_goal(text: str) -> str:
    """Return the goal that an argument says: itself, `-` for standard input, `@FILE` for a file.

    Raises:
        ArgumentTypeError: there is none, or it is no text that a goal could be.
    """
    if text == "-":
        if sys.stdin.isatty():
            raise ArgumentTypeError("没有目标：写在命令后面，或者从管道、文件来")
        goal = sys.stdin.read(MAX_GOAL + 1)
    elif text.startswith("@"):
        goal = _read(Path(text[1:]))
    else:
        goal = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if not goal.strip():
        raise ArgumentTypeError("目标是空的")
    if len(goal) > MAX_GOAL:
        raise ArgumentTypeError(TOO_LONG)
    return goal


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ArgumentTypeError(TOO_LONG)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise ArgumentTypeError(f"读不了 {file}：{error.strerror}") from None
    except UnicodeDecodeError:
        raise ArgumentTypeError(f"{file} 不是 UTF-8 文本") from None
    if "\0" in text:
        raise ArgumentTypeError(f"{file} 是二进制文件")
    return text
