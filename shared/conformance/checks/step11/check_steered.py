"""The program from outside: another process, or another line, changes the course of a run."""

from pathlib import Path

import pytest

from conformance.support.chapters import read
from conformance.support.home import DONE, REFUSED, USAGE, Home, ids_in, out
from conformance.support.subject import Subject
from conformance.support.terminal import ENTER
from conformance.support.transcript import EXIT, PROMPT

pytestmark = [read("steering"), pytest.mark.program, pytest.mark.timeout(60)]

GOAL = "给待办加上负责人"


@pytest.fixture
def home(subject: Subject, tmp_path: Path) -> Home:
    """Return a home in which nothing was done yet."""
    return Home(subject, tmp_path, GOAL)


def test_steered(home: Home) -> None:
    """Where nobody works at a run, steering is applied at once: another goal ends the wait."""
    run, request = home.asked()
    limited = home.program("steer", run, "--constraint", "不要改 b")
    home.holds(
        limited.exit_code == DONE and request in out(limited),
        limited,
        wanted=f"exit code {DONE}, and what it still waits for",
    )
    changed = home.program("steer", run, "--goal", "另一件事")
    state = home.state
    home.holds(
        (state.constraints, state.goal, state.status) == (("不要改 b",), "另一件事", "running"),
        changed,
        wanted="both in the run, which waits no more",
    )
    home.expect_refused("answer", run, request, "王芳", code="unexpected_user_input")
    home.expect_refused("steer", run, "--goal", " ", code="empty_user_input")
    both = home.program("steer", run, "--goal", "x", "--constraint", "y")
    home.holds(both.exit_code == USAGE, both, wanted=f"exit code {USAGE}: one thing at a time")


def test_held(home: Home) -> None:
    """Where another process works, it goes into the inbox; whoever comes next takes it in first."""
    run, request = home.asked()
    held = home.subject.get("sessions.file.FileStore")(home.file)
    try:
        before = home.file.read_bytes()
        for words in (("steer", run, "--goal", "另一件事"), ("cancel", run, "--reason", "算了")):
            delivered = home.program(*words)
            home.holds(
                delivered.exit_code == DONE and home.file.read_bytes() == before,
                delivered,
                wanted=f"exit code {DONE}, and the session as it was: it is held",
            )
    finally:
        held.close()
    answered = home.program("answer", run, request, "王芳")
    state = home.state
    home.holds(
        answered.exit_code == REFUSED
        and (state.goal, state.status, state.stop_reason) == ("另一件事", "cancelled", "算了"),
        answered,
        wanted=f"both taken in, in their order; then exit code {REFUSED} for the answer",
    )


def test_typed(home: Home) -> None:
    """At a terminal a line that is typed while the run works is heeded in its next turn."""
    (home.work / "todo.txt").write_text("买菜\n", encoding="utf-8")
    with home.terminal("--yolo") as screen:
        screen.wait_for(PROMPT)
        screen.type(f"数数有几件待办{ENTER}只看，不改{ENTER}")
        screen.wait_for(PROMPT)
        screen.type(f"{EXIT}{ENTER}")
        left = screen.leave()
    state = home.state
    left.holds(
        (state.constraints, state.status) == (("只看，不改",), "completed"),
        wanted="a constraint of the run, and no goal of another one",
    )


def test_open_plan(home: Home) -> None:
    """A run that ends with open steps is broken off: exit code, and the command to go on."""
    run, request = home.asked()
    home.program("answer", run, request, "李雷")
    home.program("steer", run, "--goal", "给待办排序")
    resumed = home.program("resume", run)
    ids = ids_in(resumed)
    home.holds(len(ids) == 2, resumed, wanted="another question, for the new goal")
    ended = home.program("answer", *ids, "1")
    home.holds(
        ended.exit_code == 1 and f"resume {run}" in out(ended),
        ended,
        wanted="exit code 1, and the command to resume it",
    )
