"""Run a program of a step on a terminal of its own, and press keys as a user would."""

import io
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pexpect
from pydantic import Field

from lab.contract import Frozen
from lab.terminal import on_terminal


class Press(Frozen):
    """Keys to press, once the screen shows what they answer."""

    after: str = Field(min_length=1)
    """What must have come since the last keys. Everything up to it counts as read."""

    quiet: float = Field(default=0, ge=0, le=10)
    """Seconds for which nothing may then come, and the program may not end. 0: do not wait.

    It shows that a program hangs. And a prompt is shown a moment before the program
    waits: a Ctrl-C that must find it waiting needs a short one.
    """

    keys: str = Field(min_length=1)
    """What to press: "\\n" is Enter, "\\u0003" Ctrl-C, "\\u0004" Ctrl-D."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of a program and its keys."""

    screen: bytes
    """All that the terminal showed, the echo of the keys included. Lines end in LF."""

    exit_code: int
    """Negative: the number of the signal that ended it."""

    timed_out: bool
    surprise: str
    """Why keys were not pressed as planned; empty if all were."""


def play(
    folder: Path,
    module: str,
    presses: Sequence[Press],
    *,
    arguments: Sequence[str] = (),
    timeout: float = 20.0,
) -> Played:
    """Run `python -m module` in `folder` on a new terminal, and press the keys in order.

    Args:
        folder: It becomes the working folder.
        module: What to run.
        presses: If one of them cannot be pressed as planned, none that follow are.
        arguments: Arguments for the program.
        timeout: Seconds until the program and all that it started are killed.
    """
    deadline = time.monotonic() + timeout
    command = [sys.executable, "-m", module, *arguments]
    plain = {"TERM": "dumb"}  # no escape sequences
    with on_terminal(command, folder, environment=plain, timeout=timeout) as child:
        screen = child.logfile_read = io.StringIO()
        surprises = (_press(child, press, deadline) for press in presses)
        surprise = next(filter(None, surprises), "")
        child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=_until(deadline))
        while child.isalive() and _until(deadline):
            time.sleep(0.01)
        timed_out = child.isalive()
    assert child.status is not None  # it has ended, or was ended
    return Played(
        screen=screen.getvalue().replace("\r\n", "\n").encode("utf-8"),
        exit_code=os.waitstatus_to_exitcode(child.status),
        timed_out=timed_out,
        surprise=surprise,
    )


def _press(child: "pexpect.spawn[str]", press: Press, deadline: float) -> str:
    """Wait for what `press` wants to see, then press its keys; return what went wrong."""
    after = press.after.replace("\n", "\r\n")  # a terminal ends lines with CRLF
    if child.expect_exact([after, pexpect.EOF, pexpect.TIMEOUT], timeout=_until(deadline)):
        return f"the screen never showed {press.after!r}"
    if press.quiet and child.expect([pexpect.TIMEOUT, pexpect.EOF, "."], timeout=press.quiet):
        return f"it was not quiet for {press.quiet:g} s after {press.after!r}"
    child.send(press.keys)
    return ""


def _until(deadline: float) -> float:
    """Return the seconds that are left, at least 0."""
    return max(0.0, deadline - time.monotonic())
