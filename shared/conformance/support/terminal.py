"""A real terminal with a program in it, and the keys that a user would press."""

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pexpect

from conformance.support.chapters import where
from conformance.support.judge import CheckFailed, Observed, TooLate
from conformance.support.subject import LINES, OUT_OF_THE_WAY, Subject
from lab.terminal import on_terminal

ENTER, BACKSPACE, LEFT = "\r", "\x7f", "\x1b[D"
CTRL_C, CTRL_D = "\x03", "\x04"
NAMES = {ENTER: "⏎", BACKSPACE: "⌫", LEFT: "←", CTRL_C: "^C", CTRL_D: "^D"}

SHELL = """\
trap : INT
before=$(stty -g)
sh -c 'echo "process $$"; exec "$@"' sh "$@"
echo "exit code $?"
test "$(stty -g)" = "$before" && echo "terminal as before" || echo "terminal changed"
"""
"""What starts the program, as a user's shell would, and looks at the terminal afterwards."""

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
"""Colours and cursor movements."""


@dataclass(frozen=True, kw_only=True)
class Ending(Observed):
    """How a program left its terminal."""

    exit_code: int
    restored: bool
    """The terminal's settings are what they were before."""

    screen: str
    called: str
    """What was typed, for the report of a failure."""

    def outcome(self) -> str:
        """Return the exit code and what stood on the screen."""
        return f"exit code {self.exit_code}. The screen:\n{self.screen}"


class Terminal:
    """A program on a terminal, from its start to its end."""

    def __init__(self, child: "pexpect.spawn[str]", subject: Subject, command: str) -> None:
        child.expect(r"process (\d+)\r\n")
        assert isinstance(child.match, re.Match)
        self._process = int(child.match[1])
        self._child = child
        self._subject = subject
        self._command = command
        self._typed = ""
        self._seen = io.StringIO()
        child.logfile_read = self._seen

    def wait_for(self, text: str) -> None:
        """Read the screen until `text` comes and the program waits for keys.

        A Ctrl-C in the instant between a prompt and the waiting is lost in Python
        itself, until the next key. No user is that fast, but this is.

        Raises:
            CheckFailed: the text did not come in time, or the program ended before.
        """
        self._expect(re.escape(text), wanted=f"{text!r} on the screen")
        give_up = time.monotonic() + self._subject.patience
        while not _sleeps(self._process) and time.monotonic() < give_up:
            self._child.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=0.001)

    def wait_for_text(self, text: str) -> None:
        """Read the screen until `text` comes, whatever the program does then.

        Raises:
            CheckFailed: the text did not come in time, or the program ended before.
        """
        self._expect(re.escape(text), wanted=f"{text!r} on the screen")

    def terminate(self) -> None:
        """Ask the program to end, as `kill` does."""
        os.kill(self._process, signal.SIGTERM)

    def type(self, keys: str) -> None:
        """Press keys. What is typed goes to whoever reads next."""
        self._typed += keys
        self._child.send(keys)

    def paste(self, text: str) -> None:
        """Insert `text` as a terminal does: between marks, if the program has asked for them."""
        _, asked, since = self.raw.rpartition("\x1b[?2004h")
        bracketed = asked and "\x1b[?2004l" not in since
        self.type(f"\x1b[200~{text}\x1b[201~" if bracketed else text)

    def leave(self) -> Ending:
        """Wait until the program has ended, and tell how.

        Raises:
            CheckFailed: it did not end in time.
        """
        wanted = "the end of the program"
        code = self._expect(r"exit code (\d+)\r\n", wanted=wanted)
        settings = self._expect(r"terminal (as before|changed)\r\n", wanted=wanted)
        return Ending(
            exit_code=int(code[1]),
            restored=settings[1] == "as before",
            screen=self.screen,
            called=self.called,
        )

    @property
    def called(self) -> str:
        """What was run and typed, on one line."""
        keys = self._typed
        for key, name in NAMES.items():
            keys = keys.replace(key, name)
        return f"{self._command}, on a terminal; typed: {keys}"

    @property
    def raw(self) -> str:
        """All that the terminal has got so far."""
        return self._seen.getvalue()

    @property
    def screen(self) -> str:
        """All that has been shown so far, without escape sequences."""
        return ESCAPES.sub("", self.raw).replace("\r", "")

    def _expect(self, pattern: str, *, wanted: str) -> "re.Match[str]":
        found = self._child.expect([pattern, pexpect.EOF, pexpect.TIMEOUT])
        if found == 0:
            assert isinstance(self._child.match, re.Match)
            return self._child.match
        failure = (CheckFailed if found == 1 else TooLate)(
            called=self.called,
            came=f"{'the end' if found == 1 else 'nothing more'}. The screen:\n{self.screen}",
            wanted=wanted,
            read=where("hanging"),
        )
        if found != 1:
            self._subject.endless[self._command] = failure
        raise failure


@contextmanager
def terminal(
    subject: Subject,
    module: str,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Terminal]:
    """Run `python -m module` of the folder under test on a terminal of its own.

    It is started, but has not said anything yet, when the caller gets it.

    Raises:
        CheckFailed: it has hung on a terminal before.
    """
    command = " ".join(("python -m", module, *arguments))
    subject.refuse_endless(command)
    options = OUT_OF_THE_WAY if module == LINES else ()
    start = ["/bin/sh", "-c", SHELL, "sh", sys.executable, *options, "-m", module, *arguments]
    with on_terminal(
        start, subject.folder, environment=environment, timeout=subject.patience
    ) as child:
        yield Terminal(child, subject, command)


def _sleeps(process: int) -> bool:
    """Tell whether a process has nothing to do."""
    status = Path(f"/proc/{process}/stat")
    if Path("/proc/self/stat").exists():  # Linux
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "R"
    asked = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True)
    return not asked.stdout.startswith((b"R", b"U"))
