"""The program from outside: what it asks before it changes something, and who may say yes."""

from pathlib import Path

import pytest

from conformance.support.chapters import read
from conformance.support.home import DONE, USAGE, Home, ids_in, out
from conformance.support.subject import Subject
from conformance.support.terminal import ENTER
from conformance.support.transcript import EXIT, PROMPT

pytestmark = [read("permissions"), pytest.mark.program, pytest.mark.timeout(60)]

GOAL = "整理待办"
"""What the step's demo is asked for. The model edits todo.txt, writes done.txt, and counts."""

BEFORE, AFTER = "买菜\n写周报\n", "买水果\n写周报\n"
ALLOWED = "允许吗？"


@pytest.fixture
def home(subject: Subject, tmp_path: Path) -> Home:
    """Return a home with a todo.txt."""
    home = Home(subject, tmp_path, GOAL, ("--ask",))
    (home.work / "todo.txt").write_text(BEFORE, encoding="utf-8")
    return home


def todo(home: Home) -> str:
    """Return what stands in todo.txt."""
    return (home.work / "todo.txt").read_text(encoding="utf-8")


def test_waits_without_a_terminal(home: Home) -> None:
    """With nobody at a terminal the request waits on disk; another process approves, once.

    What is asked is shown: of an edit and of a new file the diff, of a command all of it.
    """
    finished = home.program("--ask", "run", GOAL)
    run, request = ids_in(finished) if len(ids_in(finished)) == 2 else ("", "")
    shown = [line.removeprefix("  | ") for line in out(finished).split("\n")]
    commands = (f"approve {run} {request}", f"deny {run} {request}")
    wanted = {"-买菜", "+买水果", "+已办：", "wc -l < todo.txt"}
    home.holds(
        run
        and wanted <= set(shown)
        and all(f"python -m mini_agent {command}" in out(finished) for command in commands)
        and todo(home) == BEFORE,
        finished,
        wanted=f"{sorted(wanted)} on lines of their own, both commands; and todo.txt as it was",
    )
    home.expect_refused("answer", run, request, "y", code="approval_required")
    approved = home.program("approve", run, request)
    home.holds(
        (approved.exit_code, todo(home)) == (DONE, AFTER) and (home.work / "done.txt").exists(),
        approved,
        wanted=f"exit code {DONE}, and all three done",
    )
    home.expect_refused("approve", run, request, code="unexpected_user_input")


def test_modes(home: Home) -> None:
    """Without a terminal nothing is asked by default; `--read-only` changes and asks nothing."""
    for options, after in ((("--read-only",), BEFORE), ((), AFTER)):
        finished = home.program(*options, "run", GOAL)
        home.holds(
            (finished.exit_code, todo(home)) == (DONE, after),
            finished,
            wanted=f"exit code {DONE}, and in todo.txt: {after!r}",
        )


def test_always(home: Home) -> None:
    """What is allowed for good is kept in the user's config folder, and never in the project.

    Rules that cannot be read are a wrong setting: one that says no must not be lost in silence.
    """
    rules = home.folder / "config" / "mini-agent" / "permissions.json"
    home.program("approve", *home.asked(), "--for", "always")
    (home.work / "todo.txt").write_text(BEFORE, encoding="utf-8")
    again = home.program("--ask", "run", GOAL)
    left = {path.name for path in home.work.iterdir()}
    home.holds(
        (again.exit_code, todo(home)) == (DONE, AFTER)
        and rules.exists()
        and left == {"todo.txt", "done.txt"},
        again,
        wanted="done without a question; permissions.json in the config folder only",
    )
    rules.write_text('[{"verdict": "perhaps"}]', encoding="utf-8")
    home.expect_refused("run", GOAL, code="permissions.json", ends=USAGE)


@pytest.mark.parametrize("key", ["y", "n"])
def test_at_a_terminal(home: Home, key: str) -> None:
    """At a terminal it is asked in the turn, by default, and shown before it is asked.

    What was typed before the question stood there is no answer to it.
    """
    with home.terminal() as screen:
        screen.wait_for(PROMPT)
        screen.type(f"{GOAL}{ENTER}{'n' if key == 'y' else 'y'}{ENTER}")
        screen.wait_for(ALLOWED)
        before, shown = todo(home), screen.screen
        screen.type(f"{key}{ENTER}")
        screen.wait_for(PROMPT)
        screen.type(f"{EXIT}{ENTER}")
        left = screen.leave()
    left.holds(
        (before, todo(home)) == (BEFORE, AFTER if key == "y" else BEFORE) and "+买水果" in shown,
        wanted=f"+买水果 shown first; todo.txt changed only by a y that is typed then: {key}",
    )
