"""A patch fits to the letter, or changes nothing."""

import shutil
from pathlib import Path

import pytest

from lab.contract import Step, built_steps
from lab.practice.patches import MalformedPatch, PatchDoesNotFit, apply_patch, patched, read_patch
from lab.practice.tasks import Task, tasks_of
from tests.lab.course import git, needs_git

OLD = "one\ntwo\n\nthree\nfour\n"
PATCH = (
    "--- a/text.txt\n+++ b/text.txt\n"
    "@@ -1,4 +1,5 @@\n one\n-two\n+2\n+zwei\n \n three\n"
)  # fmt: skip


def change(text: str, patch: str) -> str:
    return patched(text, read_patch(patch)[0])


def test_changes_what_it_says() -> None:
    assert change(OLD, PATCH) == "one\n2\nzwei\n\nthree\nfour\n"


def test_several_hunks_and_the_end_of_the_file() -> None:
    hunks = "@@ -1 +1 @@\n-one\n+1\n@@ -4,2 +4,2 @@\n three\n-four\n+4\n"
    assert change(OLD, f"--- a/text.txt\n+++ b/text.txt\n{hunks}") == "1\ntwo\n\nthree\n4\n"


def test_an_editor_may_have_cut_the_blank_of_an_empty_line() -> None:
    assert change(OLD, PATCH.replace("\n \n", "\n\n")) == change(OLD, PATCH)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (OLD.replace("two", "two "), "text.txt line 2: the patch wants 'two', found 'two '"),
        (f"zero\n{OLD}", "text.txt line 1: the patch wants 'one', found 'zero'"),
        ("one\n2\n", "text.txt line 2: the patch wants 'two', found '2'"),
        ("one\ntwo", "text.txt line 3: the patch wants '', the file ends before it"),
        (OLD.replace("\n", "\r\n"), "text.txt line 1: the patch wants 'one', found 'one\\r'"),
    ],
)
def test_no_fuzz_and_no_offset(text: str, message: str) -> None:
    with pytest.raises(PatchDoesNotFit) as caught:
        change(text, PATCH)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("hunks", "problem"),
    [
        ("", "no change"),
        ("some words\n", "no change"),
        ("@@ -1,2 +1,2 @@\n one\n", "shorter"),
        ("@@ -1 +1 @@\n-one\n-two\n", "longer"),
        ("@@ -1 +1 @@\n-one\n+1\n+2\n", "outside of the hunks"),
        ("@@ -1 +1 @@\n-one\n+1\nsome words\n", "outside of the hunks"),
        ("@@ -0,0 +1 @@\n+one\n", "at least one whole line"),
        ("@@ -1 +1 @@\n-one\n+1\n\\ No newline at end of file\n", "at least one whole line"),
    ],
)
def test_what_is_no_patch_is_refused(hunks: str, problem: str) -> None:
    with pytest.raises(MalformedPatch, match=problem):
        read_patch(f"--- a/text.txt\n+++ b/text.txt\n{hunks}")


@pytest.mark.parametrize("patch", ["", "@@ -1 +1 @@\n-one\n+1\n", "+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"])
def test_a_patch_names_its_file_twice(patch: str) -> None:
    with pytest.raises(MalformedPatch):
        read_patch(patch)


def test_changes_all_files_or_none(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(OLD, encoding="utf-8")
    with pytest.raises(PatchDoesNotFit, match=r"^gone\.txt line 1"):
        apply_patch(f"{PATCH}--- a/gone.txt\n+++ b/gone.txt\n@@ -1 +1 @@\n-a\n+b\n", tmp_path)
    assert (tmp_path / "text.txt").read_text(encoding="utf-8") == OLD


TASKS = [(step, task) for step in built_steps() for task in tasks_of(step) if task.change.patch]


@needs_git
@pytest.mark.parametrize(
    ("step", "task"), TASKS, ids=[f"{step.id[:6]}-{task.number}" for step, task in TASKS]
)
def test_a_tasks_patch_does_what_git_does_with_it(step: Step, task: Task, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        shutil.copytree(step.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    apply_patch(task.change.patch, ours)
    git(theirs, "apply", "-", stdin=task.change.patch.encode())
    files = [path.relative_to(ours) for path in ours.rglob("*") if path.is_file()]
    assert [
        name for name in files if (ours / name).read_bytes() != (theirs / name).read_bytes()
    ] == []
    assert any((ours / name).read_bytes() != (step.folder / name).read_bytes() for name in files)
