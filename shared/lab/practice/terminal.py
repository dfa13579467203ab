"""Run a program of a step on a terminal of its own, and press keys as a user would.

Not here: pipes, which `lab.programs` feeds.
"""

import os
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from lab.programs import clean_environment, kill_group

ROWS, COLUMNS = 24, 80

TAKE_THE_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
"""Run first in the new process: only with a controlling terminal does Ctrl-C become a signal."""


class Press(BaseModel):
    """Keys to press, once the screen shows what they answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (ROWS, COLUMNS))
    with tempfile.TemporaryDirectory(prefix="lab-") as scratch:
        process = subprocess.Popen(
            [sys.executable, "-c", TAKE_THE_TERMINAL, "-m", module, *arguments],
            cwd=folder,
            env={**clean_environment(Path(scratch)), "TERM": "dumb"},  # no escape sequences
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        try:
            terminal = _Terminal(ours, deadline=time.monotonic() + timeout)
            surprise = next(filter(None, map(terminal.press, presses)), "")
            timed_out = not (terminal.read_to_the_end() and _ended(process, terminal.time_left()))
        finally:
            kill_group(process)
            process.wait()
            os.close(ours)
    return Played(
        screen=bytes(terminal.screen).replace(b"\r\n", b"\n"),
        exit_code=process.returncode,
        timed_out=timed_out,
        surprise=surprise,
    )


class _Terminal:
    """Our end of the terminal: what it shows, and its keys."""

    def __init__(self, descriptor: int, *, deadline: float) -> None:
        self.descriptor = descriptor
        self.deadline = deadline
        self.screen = bytearray()
        self.seen = 0  # how much of the screen the keys so far have answered

    def press(self, press: Press) -> str:
        """Wait for what `press` wants to see, then press its keys; return what went wrong."""
        wanted = press.after.replace("\n", "\r\n").encode()  # a terminal ends lines with CRLF
        while (place := self.screen.find(wanted, self.seen)) < 0:
            if not self._read(self.time_left()):
                return f"the screen never showed {press.after!r}"
        self.seen = place + len(wanted)
        if press.quiet and not self._stays_quiet(press.quiet):
            return f"it was not quiet for {press.quiet:g} s after {press.after!r}"
        os.write(self.descriptor, press.keys.encode())
        return ""

    def read_to_the_end(self) -> bool:
        """Read until the program has let go of the terminal; False: it had not by the deadline."""
        while self._read(self.time_left()):
            pass
        return self._is_over()

    def time_left(self) -> float:
        """Return the seconds until the deadline, at least 0."""
        return max(0.0, self.deadline - time.monotonic())

    def _read(self, patience: float) -> bool:
        """Wait up to `patience` seconds for more; False if nothing came."""
        if not select.select([self.descriptor], [], [], patience)[0]:
            return False
        try:
            chunk = os.read(self.descriptor, 65536)
        except OSError:  # how Linux says that nobody holds the other end
            chunk = b""
        self.screen += chunk
        return bool(chunk)

    def _stays_quiet(self, seconds: float) -> bool:
        """Tell whether nothing more is shown, and the program does not end."""
        more = len(self.screen) > self.seen or self._read(seconds)
        return not (more or self._is_over())

    def _is_over(self) -> bool:
        """Tell whether the other end is closed. Only sensible after `_read` was False."""
        return bool(select.select([self.descriptor], [], [], 0)[0])


def _ended(process: subprocess.Popen[bytes], patience: float) -> bool:
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        return False
    return True


def signal_name(exit_code: int) -> str:
    """Return the name of the signal behind a negative exit code, like "SIGINT"."""
    return signal.Signals(-exit_code).name
