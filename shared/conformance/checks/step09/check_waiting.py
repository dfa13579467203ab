"""The program from outside: a run that asks, ends its process, and is answered by another one."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.process import lines_of
from conformance.support.subject import Subject
from lab.programs import Finished

pytestmark = [read("runner"), pytest.mark.program, pytest.mark.timeout(60)]

GOAL = "给待办加上负责人"
"""What the step's demo is asked for. The model looks, finds nothing, and asks for a name."""

COMPLETED, WAITING, REFUSED = 0, 3, 4


@dataclass(frozen=True)
class Home:
    """Where a user keeps sessions, and a folder to work in."""

    subject: Subject
    folder: Path

    def program(self, *arguments: str, typed: bytes = b"") -> Finished:
        """Run the program, with nobody at a terminal."""
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        return self.subject.chat(
            typed,
            arguments=("--workspace", str(work), *arguments),
            environment={"XDG_STATE_HOME": str(self.folder / "state")},
        )

    @property
    def files(self) -> dict[str, bytes]:
        """All that is on disk, but for locks."""
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in paths if path.suffix != ".lock"}

    def holds(self, truth: object, finished: Finished, *, wanted: str) -> None:
        """Fail the check unless `truth` holds."""
        came = self.subject.transcript(finished)
        judge.holds(truth, called=finished.command, came=came, wanted=wanted)

    def expect_refused(self, *arguments: str, code: str) -> None:
        """Fail the check unless this is refused with `code`, and nothing is written."""
        before = self.files
        finished = self.program(*arguments)
        self.holds(
            finished.exit_code == REFUSED
            and finished.stderr.startswith(code.encode())
            and self.files == before,
            finished,
            wanted=f"exit code {REFUSED}, {code} on standard error, and nothing written",
        )

    def asked(self) -> tuple[str, str]:
        """Let a run ask; return its id, and that of the request."""
        finished = self.program("run", GOAL)
        ids = ids_in(finished)
        self.holds(len(ids) == 2, finished, wanted="lines `runId: ...` and `requestId: ...`")
        return ids[0], ids[1]


@pytest.fixture
def home(subject: Subject, tmp_path: Path) -> Home:
    """Return a home in which nothing was done yet."""
    subject.need("runs.runner")
    return Home(subject, tmp_path)


def ids_in(finished: Finished) -> list[str]:
    """Return the ids of run and request that a program has shown."""
    shown = finished.stdout.decode(errors="replace")
    return re.findall(r"^(?:runId|requestId): (\S+)$", shown, re.MULTILINE)


def test_asks(home: Home) -> None:
    """A run that asks says who asks what, and how to answer; waiting has an exit code of its own.

    It ends by itself: the end of input is no answer.
    """
    finished = home.program("run", GOAL)
    shown, ids = finished.stdout.decode(errors="replace"), ids_in(finished)
    command = f"python -m mini_agent answer {' '.join(ids)} "
    home.holds(
        finished.exit_code == WAITING
        and finished.stderr == b""
        and len(ids) == 2
        and command in shown
        and "待办的负责人写谁？" in shown,
        finished,
        wanted=f"exit code {WAITING}; runId, requestId, the question, and the command to answer it",
    )


def test_answered_by_another_process(home: Home) -> None:
    """Another process answers, and the same run goes on; a second answer is refused.

    Nothing is written by what is refused, be it empty, to nothing, or late.
    """
    run, request = home.asked()
    home.expect_refused("answer", run, request, "  ", code="empty_user_input")
    home.expect_refused("answer", run, "ask-none", "王芳", code="unexpected_user_input")
    answered = home.program("answer", run, request, "王芳")
    home.holds(
        answered.exit_code in (COMPLETED, WAITING)
        and "owner.txt" in answered.stdout.decode(errors="replace"),
        answered,
        wanted="the run goes on: it writes owner.txt",
    )
    home.expect_refused("answer", run, request, "李雷", code="unexpected_user_input")


def test_end_of_input_is_no_answer(home: Home) -> None:
    """In a conversation on a pipe neither the next line nor the end of input answers a question."""
    finished = home.program(typed=lines_of([GOAL, "王芳"]))
    ids = ids_in(finished)
    shown = home.program("status", ids[0]) if ids else finished
    home.holds(
        finished.exit_code == 0
        and len(ids) == 2
        and ids_in(shown) == ids
        and not (home.folder / "work" / "owner.txt").exists(),
        shown,
        wanted="a run that still waits for the same request, and no owner.txt",
    )


def test_cancelled(home: Home) -> None:
    """A cancel from another process is final: the answer that comes after it is refused."""
    run, request = home.asked()
    cancelled = home.program("cancel", run, "--reason", "先不做了")
    home.holds(
        cancelled.exit_code == 0 and "先不做了" in cancelled.stdout.decode(errors="replace"),
        cancelled,
        wanted="exit code 0, and the reason",
    )
    home.expect_refused("answer", run, request, "王芳", code="unexpected_user_input")
