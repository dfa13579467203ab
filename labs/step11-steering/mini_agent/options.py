"""What the user says on the command line, and the folder that follows from it."""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from .cli.describe import PROGRAM, exit_table
from .cli.extension_options import add_extension_options
from .cli.model_options import add_model_options
from .cli.output import PLAIN
from .cli.session_options import add_session_options
from .cli.verbs import add_commands, add_modes
from .tools.workspace import OWN_FOLDER


def parse_options(
    words: Sequence[str] | None = None, *, program: str = PROGRAM, version: str = ""
) -> argparse.Namespace:
    """Return the options in `words`; None: those of the command line.

    A wrong one ends the program with exit 2 and says what is wrong.
    """
    parser = argparse.ArgumentParser(
        prog=program,
        description="和一个会用工具的 agent 对话",
        allow_abbrev=False,
        epilog=f"退出码：\n{exit_table()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--workspace",
        type=existing_folder,
        metavar="DIR",
        help="工作区，agent 读写文件、执行命令的地方；默认是当前文件夹",
    )
    add_session_options(parser)
    add_extension_options(parser)
    add_model_options(parser)
    parser.add_argument(
        "--force", action="store_true", help="文件夹、模型或扩展和原来不同，也接着做"
    )
    add_modes(parser)
    parser.add_argument("--plain", action="store_true", help=PLAIN)
    add_commands(parser)
    parser.add_argument("--version", action="version", version=version)
    options = parser.parse_args(with_long_print(sys.argv[1:] if words is None else words))
    if options.command == "completion":
        print_completion(parser, options.shell)
        parser.exit()
    return options


def print_completion(parser: argparse.ArgumentParser, shell: str) -> None:
    """Print the script with which a shell completes commands and options."""
    if " " in parser.prog:
        parser.error("补全只对命令 mini-agent 有用：先安装，例如 uv tool install")
    from shtab import complete  # noqa: PLC0415  # only who asks for it waits

    print(complete(parser, shell))


def with_long_print(words: Sequence[str]) -> list[str]:
    """Return `words` with `-p GOAL` in full: it is short for `run --print GOAL`."""
    if "-p" not in words or "run" in words[: words.index("-p")]:
        return list(words)
    place = words.index("-p")
    return [*words[:place], "run", "--print", *words[place + 1 :]]


def existing_folder(text: str) -> Path:
    """Return the folder that `text` names.

    Raises:
        ArgumentTypeError: there is none, or it is the program's own.
    """
    folder = Path(text)
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"没有这个文件夹：{text}")
    if folder.resolve().is_relative_to(OWN_FOLDER):
        raise argparse.ArgumentTypeError(f"这是程序自己的文件夹，不能当工作区：{text}")
    return folder


def users_folder(wanted: Path | None) -> Path | None:
    """Return `wanted`, or else the working folder; None if that is the program's own."""
    folder = wanted or Path.cwd()
    return None if folder.resolve().is_relative_to(OWN_FOLDER) else folder


@contextmanager
def workspace_folder(wanted: Path | None) -> Iterator[Path]:
    """Yield the folder to work in: `wanted`, or else the working folder.

    If the working folder is the program's own, it is a new temporary folder instead: an
    agent that is just tried out shall not change its own code. A line on the terminal
    says so. What the agent made there stays there.
    """
    if folder := users_folder(wanted):
        yield folder
        return
    scratch = Path(tempfile.mkdtemp(prefix="mini-agent-"))
    if sys.stdout.isatty():
        print(f"这里是程序自己的文件夹，所以工作区是 {scratch}；用 --workspace DIR 可以另选。\n")
    try:
        yield scratch
    finally:
        with suppress(OSError):  # not empty: nobody's work is thrown away
            scratch.rmdir()
