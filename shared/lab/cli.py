"""The `lab` command: what it can do, and how it ends."""

import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import NoReturn

import typer

from lab import texts
from lab.commands.bench import bench
from lab.commands.carry import carry
from lab.commands.chat import chat
from lab.commands.check import check
from lab.commands.compare import compare
from lab.commands.demo import demo
from lab.commands.diff import diff
from lab.commands.docs import docs
from lab.commands.doctor import doctor
from lab.commands.hint import hint
from lab.commands.list import list_steps
from lab.commands.record import record
from lab.commands.seams import seams
from lab.commands.start import start
from lab.commands.status import status
from lab.commands.task import task
from lab.commands.verify import verify
from lab.errors import Exit, LabError

app = typer.Typer(
    help=texts.HELP,
    epilog=texts.EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
LEARNERS: tuple[Callable[..., None], ...] = (
    *(demo, chat, start, check, status, compare, task, hint, diff, doctor),
)
KEEPERS: tuple[Callable[..., None], ...] = (verify, record, seams, carry, docs, bench)

app.command("list")(list_steps)
for command in LEARNERS + KEEPERS:
    app.command()(command)


def main() -> None:
    """Run the command line; whatever goes wrong ends in one line and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")  # whatever the locale says
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # a closed pipe must show here, not while Python shuts down
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        sys.exit(error.code)
    except BrokenPipeError:  # `lab list | head -1`
        leave_quietly()
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):  # typer has met it first
            leave_quietly()
        raise


def leave_quietly() -> NoReturn:
    """End well although nobody reads any more: nothing is left for Python's last flush."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(Exit.OK)
