"""The program from outside, with runs: where a user keeps sessions, and a folder to work in."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from conformance.support import judge
from conformance.support.subject import Subject
from conformance.support.terminal import Terminal, terminal
from lab.programs import CHAT, Finished

DONE, FAILED, USAGE, WAITING, REFUSED, BUSY = range(6)
"""What a command of a run ends with."""


@dataclass(frozen=True)
class Home:
    """Where a user keeps sessions and settings, and a folder to work in."""

    subject: Subject
    folder: Path
    goal: str
    """What is asked for, of a run that then waits."""

    options: tuple[str, ...] = ()
    """Those in front of every `run`."""

    @property
    def work(self) -> Path:
        """The folder to work in."""
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        return work

    @cached_property
    def environment(self) -> dict[str, str]:
        """Variables for the program."""
        config, state = self.folder / "config", self.folder / "state"
        return {"XDG_STATE_HOME": str(state), "XDG_CONFIG_HOME": str(config)}

    @property
    def file(self) -> Path:
        """The file of the session that was written to last."""
        files = (self.folder / "state" / "mini-agent" / "sessions").glob("*.jsonl")
        return max(files, key=lambda path: path.stat().st_mtime_ns)

    @property
    def files(self) -> dict[str, bytes]:
        """All that is on disk, but for locks."""
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in paths if path.suffix != ".lock"}

    @property
    def state(self) -> Any:
        """The last run of that session, as its file has it."""
        store = self.subject.get("sessions.store.MemoryStore")(self.file.read_bytes())
        session = self.subject.get("sessions.session.Session").open(store)
        return [*self.subject.get("runs.log.runs_of")(session.entries()).values()][-1]

    def program(self, *arguments: str, typed: bytes = b"") -> Finished:
        """Run the program, with nobody at a terminal."""
        self.subject.need("runs.runner")
        arguments = ("--workspace", str(self.work), *arguments)
        return self.subject.chat(typed, arguments=arguments, environment=self.environment)

    @contextmanager
    def terminal(self, *arguments: str) -> Iterator[Terminal]:
        """Run the program on a terminal."""
        self.subject.need("runs.runner")
        arguments = ("--workspace", str(self.work), *arguments)
        with terminal(self.subject, CHAT, *arguments, environment=self.environment) as screen:
            yield screen

    def holds(self, truth: object, finished: Finished, *, wanted: str) -> None:
        """Fail the check unless `truth` holds."""
        came = self.subject.transcript(finished)
        judge.holds(truth, called=finished.command, came=came, wanted=wanted)

    def expect_refused(self, *arguments: str, code: str, ends: int = REFUSED) -> None:
        """Fail the check unless this is refused with `code`, and nothing is written."""
        before = self.files
        finished = self.program(*arguments)
        self.holds(
            finished.exit_code == ends
            and code.encode() in finished.stderr
            and self.files == before,
            finished,
            wanted=f"exit code {ends}, {code} on standard error, and nothing written",
        )

    def asked(self) -> tuple[str, str]:
        """Let a run ask; return its id, and that of the request."""
        finished = self.program(*self.options, "run", self.goal)
        ids = ids_in(finished)
        self.holds(
            finished.exit_code == WAITING and len(ids) == 2,
            finished,
            wanted=f"exit code {WAITING}; lines `runId: ...` and `requestId: ...`",
        )
        return ids[0], ids[1]


def out(finished: Finished) -> str:
    """Return what a program has said on standard output."""
    return finished.stdout.decode(errors="replace")


def ids_in(finished: Finished) -> list[str]:
    """Return the ids of run and request that a program has shown."""
    return re.findall(r"^(?:runId|requestId): (\S+)$", out(finished), re.MULTILINE)
