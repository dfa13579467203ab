"""The program from outside: a run that asks, ends its process, and is answered by another one."""

import time
from pathlib import Path

import pytest

from conformance.support.chapters import read
from conformance.support.home import BUSY, DONE, USAGE, WAITING, Home, ids_in, out
from conformance.support.interaction import TOO_LONG
from conformance.support.process import lines_of
from conformance.support.subject import Subject
from conformance.support.terminal import ENTER
from conformance.support.transcript import EXIT, PROMPT

pytestmark = [read("runner"), pytest.mark.program, pytest.mark.timeout(60)]

GOAL = "给待办加上负责人"
"""What the step's demo is asked for. The model looks, finds nothing, and asks for a name."""

OWNER = "负责人：李雷\n"


@pytest.fixture
def home(subject: Subject, tmp_path: Path) -> Home:
    """Return a home in which nothing was done yet."""
    return Home(subject, tmp_path, GOAL)


def owner(home: Home) -> str:
    """Return what stands in the file that the model writes once it knows the name."""
    file = home.work / "owner.txt"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def test_answered_by_another_process(home: Home) -> None:
    """A run that asks says who asks what, and ends; another process answers, and it goes on.

    Waiting has an exit code of its own. What is refused, be it empty, to nothing, or late,
    writes nothing. Who answers as the model stands on standard error.
    """
    asked = home.program("run", GOAL)
    shown, ids = out(asked), ids_in(asked)
    command = f"python -m mini_agent answer {' '.join(ids)} "
    home.holds(
        (asked.exit_code, len(ids)) == (WAITING, 2)
        and command in shown
        and "待办的负责人写谁？" in shown
        and "模型" not in shown
        and "假模型" in asked.stderr.decode(errors="replace"),
        asked,
        wanted=f"exit code {WAITING}; runId, requestId, the question, and the command to answer it",
    )
    home.expect_refused("answer", *ids, "  ", code="empty_user_input")
    home.expect_refused("answer", *ids, TOO_LONG, code="user_input_too_long")
    home.expect_refused("answer", ids[0], "ask-none", "王芳", code="unexpected_user_input")
    home.expect_refused("answer", f"{ids[0]}9", ids[1], "王芳", code="unknown_run")
    answered = home.program("answer", *ids, "李雷")
    home.holds(
        answered.exit_code == WAITING and owner(home) == OWNER,
        answered,
        wanted=f"owner.txt with {OWNER!r}, and the next question: exit code {WAITING}",
    )
    home.expect_refused("answer", *ids, "王芳", code="unexpected_user_input")


def test_end_of_input_is_no_answer(home: Home) -> None:
    """On a pipe neither the next line nor the end of input answers a question; `/answer` does."""
    finished = home.program(typed=lines_of([GOAL, "王芳"]))
    ids = ids_in(finished)
    home.holds(
        finished.exit_code == 0 and len(ids) == 2 and not home.state.decisions,
        finished,
        wanted="a run that still waits",
    )
    finished = home.program(f"--resume={home.file.stem}", typed=lines_of(["/answer 李雷"]))
    home.holds(owner(home) == OWNER, finished, wanted=f"after `/answer 李雷`: {OWNER!r}")


def test_typed_ahead(home: Home) -> None:
    """At a terminal a line answers a question only if it was typed when that stood there."""
    with home.terminal() as screen:
        screen.wait_for(PROMPT)
        screen.type(f"{GOAL}{ENTER}王芳{ENTER}")
        screen.wait_for(PROMPT)
        screen.type(f"{EXIT}{ENTER}")
        left = screen.leave()
    left.holds(
        left.exit_code == 0 and not home.state.decisions and "王芳" in left.screen,
        wanted="no answer: it was typed before there was a question",
    )


def test_cancelled(home: Home) -> None:
    """A cancel from another process is final: what comes after it is refused."""
    run, request = home.asked()
    home.expect_refused("cancel", run, "--reason", " ", code="empty_user_input")
    cancelled = home.program("cancel", run, "--reason", "先不做了")
    home.holds(
        cancelled.exit_code == DONE and "先不做了" in out(cancelled),
        cancelled,
        wanted=f"exit code {DONE}, and the reason",
    )
    home.expect_refused("answer", run, request, "王芳", code="unexpected_user_input")
    home.expect_refused("resume", run, code="illegal_transition")


def test_expired(home: Home) -> None:
    """When the time is over an answer is refused, and `resume` goes on without one."""
    finished = home.program("run", GOAL, "--answer-within", "1")
    time.sleep(1)
    ids = ids_in(finished)
    home.expect_refused("answer", *ids, "王芳", code="expired_user_input")
    resumed = home.program("resume", ids[0])
    home.holds(
        resumed.exit_code == DONE and "没有人回答" in out(resumed) and owner(home) == "",
        resumed,
        wanted=f"exit code {DONE}: the model is told, and ends without an answer",
    )


def test_busy(home: Home) -> None:
    """A run at which another process works is busy; one can look at it all the same."""
    run, request = home.asked()
    held = home.subject.get("sessions.file.FileStore")(home.file)
    try:
        home.expect_refused("answer", run, request, "王芳", code="run_busy", ends=BUSY)
        home.expect_refused("resume", run, code="run_busy", ends=BUSY)
        looked = home.program("status", run)
        home.holds(
            looked.exit_code == DONE and ids_in(looked) == [run, request],
            looked,
            wanted=f"exit code {DONE}, and what it waits for",
        )
    finally:
        held.close()


@pytest.mark.parametrize("asked", [True, False], ids=["behind the question", "in front of it"])
def test_killed(home: Home, asked: bool) -> None:
    """A process may die at any write: what is on disk is known, and another one goes on."""
    run, request = home.asked()
    lines = home.file.read_bytes().splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if b"user_input_requested" in line)
    home.file.write_bytes(b"".join(lines[: place + asked]))
    words = ("answer", run, request, "李雷") if asked else ("resume", run)
    finished = home.program(*words)
    home.holds(
        (finished.exit_code, owner(home)) == ((WAITING, OWNER) if asked else (DONE, "")),
        finished,
        wanted="the answer is taken" if asked else "the run goes on, and is completed",
    )


def test_gates_are_kept(home: Home) -> None:
    """A run that began with an extension goes on with just that one, by place and content."""
    gate = home.folder / "gate.py"
    gate.write_text("def setup(api): pass\n", encoding="utf-8")
    finished = home.program(f"--extension={gate}", "run", GOAL)
    ids = ids_in(finished)
    gate.write_text("def setup(api): ...\n", encoding="utf-8")
    home.expect_refused("answer", *ids, "李雷", code="run_elsewhere")
    gate.write_text("def setup(api): pass\n", encoding="utf-8")
    answered = home.program("answer", *ids, "李雷")
    home.holds(answered.exit_code == WAITING, answered, wanted="it goes on with the same file")


def test_model_without_a_key(home: Home) -> None:
    """A model that is named and has no key is exit code 2: the fake one answers for no other."""
    home.environment["MINI_AGENT_MODEL"] = "anthropic/some"
    home.expect_refused("run", GOAL, code="ANTHROPIC_API_KEY", ends=USAGE)
