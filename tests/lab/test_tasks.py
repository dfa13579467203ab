"""Practice tasks: each does what is recorded, and a bad one says where it is bad."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from lab.contract import ROOT, Step, built_steps, find_step
from lab.errors import Exit, LabError
from lab.practice.pages import list_tasks, show_hint, show_solution, show_task, try_task
from lab.practice.runs import Observed, changed_copy, differences, observe, readable, this_python
from lab.practice.tasks import Outcome, Run, Task, read_task, tasks_of
from tests.support import Checkout

STEPS = built_steps()
RUNS = [
    pytest.param(step, task, run, id=f"{step.id[:6]}-{task.number}-run{place}")
    for step in STEPS
    for task in tasks_of(step)
    for place, run in enumerate(task.runs, start=1)
]


@pytest.mark.parametrize(("step", "task", "run"), RUNS)
def test_does_what_is_recorded(step: Step, task: Task, run: Run) -> None:
    outcome = run.outcome_on(this_python())
    if outcome is None:
        pytest.skip(f"nothing is recorded for Python {this_python()}")
    with changed_copy(step, task) as folder:
        assert "\n".join(differences(observe(run, folder), outcome)) == ""


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_each_step_has_tasks_and_a_wrong_turn(step: Step) -> None:
    tasks = tasks_of(step)
    assert len(tasks) >= 2
    assert any(task.wrong_turn for task in tasks)


@pytest.mark.parametrize(("step", "task", "run"), RUNS)
def test_is_recorded_for_the_oldest_python(step: Step, task: Task, run: Run) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    oldest = settings["project"]["requires-python"].removeprefix(">=")
    assert run.outcome_on(oldest)


# A task file that is not valid.

GOOD = """
wrong_turn = false
title = { en = "Title", zh = "标题" }
goal = { en = "Goal.", zh = "目标。" }
steps = [{ en = "Do it.", zh = "做。" }]
notice = { en = "See.", zh = "看。" }
hints = [{ en = "1", zh = "1" }, { en = "2", zh = "2" }, { en = "3", zh = "3" }]
change = { files = { "new.py" = "print('new')" } }

[[runs]]
module = "new"

[[runs.outcomes]]
python = ["3.11", "3.12", "3.13", "3.14"]
transcript = "new\\n"
ends = 0
"""

BAD = {
    "a field is missing": ("wrong_turn = false", "", "wrong_turn: Field required"),
    "one language is missing": (', zh = "目标。"', "", "goal.zh: Field required"),
    "one language is empty": ('zh = "目标。"', 'zh = " "', "goal.zh: String should have at least"),
    "an unknown field": ("wrong_turn", "wrong_trun = 1\nwrong_turn", "wrong_trun: Extra inputs"),
    "two hints": (', { en = "3", zh = "3" }', "", "hints[3]: Field required"),
    "a later hint": ('en = "3"', "en = 3", "hints[3].en: Input should be a valid string"),
    "no outcome": ("runs.outcomes", "runs.outcome", "runs[1].outcomes: Field required"),
    "no change": ('files = { "new.py" = "print(\'new\')" }', "", "change: Value error, needs a"),
    "outside": ('"new.py"', '"../new.py"', "change.files.../new.py.[key]: Value error, must be"),
    "no version": ('["3.11",', '["3", "3.11",', "runs[1].outcomes[1].python[1]: String should"),
    "twice": ('["3.11",', '["3.11", "3.11",', "runs[1]: Value error, a Python version stands in"),
    "no ending": ("ends = 0", 'ends = "crash"', "runs[1].outcomes[1].ends"),
    "a pipe and a terminal": (
        'module = "new"',
        'module = "new"\nstdin = "x"\npresses = [{ after = "x", keys = "y" }]',
        "runs[1]: Value error, presses mean a terminal",
    ),
    "not TOML": ("wrong_turn = false", "wrong_turn = no", "at line 2"),
}


def write_task(folder: Path, text: str, name: str = "1-new.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_good_file_is_good(tmp_path: Path) -> None:
    assert read_task(write_task(tmp_path, GOOD)).number == 1


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_names_itself_and_the_field(tmp_path: Path, name: str) -> None:
    old, new, problem = BAD[name]
    assert GOOD.count(old) == 1
    path = write_task(tmp_path, GOOD.replace(old, new))
    with pytest.raises(LabError) as caught:
        read_task(path)
    assert caught.value.code == Exit.SETUP
    assert all(line.startswith(f"{path}: ") for line in str(caught.value).splitlines())
    assert f"{path}: {problem}" in str(caught.value) or name == "not TOML"
    assert problem in str(caught.value)


def test_a_bad_file_name_is_refused(tmp_path: Path) -> None:
    path = write_task(tmp_path, GOOD, "new.toml")
    with pytest.raises(LabError, match=r"new\.toml: must be called like 1-end-of-input\.toml"):
        read_task(path)


@pytest.mark.parametrize(
    "names", [["2-b.toml"], ["1-a.toml", "1-b.toml"], ["1-a.toml", "3-c.toml"]]
)
def test_a_gap_in_the_numbers_is_refused(tmp_path: Path, names: list[str]) -> None:
    (tmp_path / "step02").mkdir()
    for name in names:
        write_task(tmp_path / "step02", GOOD, name)
    with pytest.raises(LabError, match=r"step02/.*without gaps: wanted [12], found [123]"):
        tasks_of(find_step("02"), folder=tmp_path)


# A change that does not fit its step.


def with_change(tmp_path: Path, **change: Any) -> Task:
    task = read_task(write_task(tmp_path, GOOD))
    fields = {**task.model_dump(), "change": change}
    return Task.model_validate(fields)


def test_a_stale_patch_names_task_step_file_and_line(checkout: Checkout) -> None:
    rules = checkout.root / "labs/step02-fake-model/mini_agent/rules.py"
    rules.write_text(rules.read_text("utf-8").replace("你好！", "您好！"), encoding="utf-8")
    ran = checkout.lab("task", "02", "1", "--run")
    assert (ran.code, ran.out) == (Exit.SETUP, "")
    assert ran.err.startswith(
        "lab: docs/tasks/step02/1-the-fallback-in-front.toml: the patch no longer fits: "
        "labs/step02-fake-model/mini_agent/rules.py line 6: the patch wants"
    )
    assert "您好！" in ran.err
    assert "Traceback" not in ran.err


def test_a_patch_that_is_none(tmp_path: Path) -> None:
    task = with_change(tmp_path, patch="--- a/README.md\n+++ b/README.md\nnonsense\n")
    with (
        pytest.raises(LabError, match=r"1-new\.toml: change\.patch: there is no change in it"),
        changed_copy(find_step("01"), task),
    ):
        pass


def test_a_new_file_must_be_new(tmp_path: Path) -> None:
    task = with_change(tmp_path, files={"mini_agent/respond.py": ""})
    with (
        pytest.raises(LabError, match=r"has a file mini_agent/respond\.py: change it by a patch"),
        changed_copy(find_step("01"), task),
    ):
        pass


# What is not as recorded is found.

SEEN = Observed(transcript="a\n", stderr="", ends=0)
RECORDED = Outcome(python=("3.11",), transcript="a\n", ends=0)


@pytest.mark.parametrize(
    ("observed", "found"),
    [
        (Observed(transcript="a", stderr="", ends=0), "transcript"),
        (Observed(transcript="a\n", stderr="x\n", ends=0), "stderr"),
        (Observed(transcript="a\n", stderr="", ends="hangs"), "ends: recorded 0, came hangs"),
        (Observed(transcript="a\n", stderr="", ends=0, surprise="not quiet"), "not quiet"),
    ],
)
def test_a_difference_is_found(observed: Observed, found: str) -> None:
    assert differences(SEEN, RECORDED) == []
    (difference,) = differences(observed, RECORDED)
    assert difference.startswith(found)


def test_a_transcript_that_drifted_fails_the_run(checkout: Checkout) -> None:
    file = checkout.root / "docs/tasks/step02/3-count-inside-the-model.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("助手> [本次收到 5 条", "助手> [本次收到 4 条"), encoding="utf-8")
    ran = checkout.lab("task", "02", "3", "--run")
    assert ran.code == Exit.WRONG
    assert "-助手> [本次收到 4 条消息]" in ran.out
    assert "+助手> [本次收到 5 条消息]" in ran.out


def test_another_python_compares_nothing(checkout: Checkout) -> None:
    file = checkout.root / "docs/tasks/step02/3-count-inside-the-model.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('["3.11", "3.12", "3.13"]', '["3.99"]'), encoding="utf-8")
    ran = checkout.lab("task", "02", "3", "--run")
    assert ran.code == Exit.SETUP
    assert f"Nothing is recorded for Python {this_python()}: nothing was compared." in ran.out


def test_tracebacks_are_folded_and_nothing_else() -> None:
    output = (
        "你> ^CTraceback (most recent call last):\n"
        '  File "/tmp/x.py", line 1, in <module>\n'
        "    input()\n"
        "EOFError\n"
        "  indented, but no traceback\n"
    )
    assert readable(output.encode()) == (
        "你> ^CTraceback (most recent call last):\n  ...\nEOFError\n  indented, but no traceback\n"
    )


# What `lab task` and `lab hint` show.


@pytest.mark.parametrize("language", ["en", "zh"])
def test_pages(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion, language: Any
) -> None:
    list_tasks(find_step("01"), language)
    show_task(find_step("01"), 2, language)
    show_hint(find_step("01"), 2, 1, language)
    show_hint(find_step("01"), 2, 3, language)
    assert capsys.readouterr().out == snapshot


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_run(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion, language: Any
) -> None:
    assert try_task(find_step("02"), 5, language) == Exit.OK
    assert capsys.readouterr().out.replace(f"Python {this_python()}", "Python 3.x") == snapshot


def test_the_solution(capsys: pytest.CaptureFixture[str]) -> None:
    step = find_step("02")
    (task,) = (task for task in tasks_of(step) if task.number == 1)
    show_solution(step, 1, "en")
    assert capsys.readouterr().out == task.change.patch


SAYS_NOTHING = 12
"""Characters of an added line that gives nothing away, like `else:`."""


def test_a_task_shows_neither_the_change_nor_what_comes_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for step in STEPS:
        for task in tasks_of(step):
            show_task(step, task.number, "en")
            out = capsys.readouterr().out
            assert task.notice.en not in out
            assert not any(hint.en in out for hint in task.hints)
            added = (line[1:].strip() for line in task.change.patch.splitlines() if line[:1] == "+")
            shown = [line for line in added if len(line) > SAYS_NOTHING and line in out]
            assert len(shown) <= 1, "the goal may name the one call that it is about"
            assert "@@ " not in out
            assert not any(text in out for text in task.change.files.values())


def test_the_language_follows_the_locale(checkout: Checkout) -> None:
    assert "实践任务" in checkout.lab("task", "02", LC_ALL="zh_CN.UTF-8").out
    assert "practice tasks" in checkout.lab("task", "02", LC_ALL="C.UTF-8").out
    assert "practice tasks" in checkout.lab("task", "02", "--lang", "en", LC_ALL="zh_CN").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("task", "02", "9"),
            "lab: step02-fake-model has no task 9. It has tasks 1 to 5: lab task",
        ),
        (
            ("hint", "02", "0"),
            "lab: step02-fake-model has no task 0. It has tasks 1 to 5: lab task",
        ),
        (("task", "02", "--run"), "lab: say which task, by its number."),
    ],
)
def test_a_bad_call_is_refused(
    checkout: Checkout, arguments: tuple[str, ...], message: str
) -> None:
    ran = checkout.lab(*arguments)
    assert (ran.code, ran.out) == (Exit.USAGE, "")
    assert ran.err.startswith(message)
