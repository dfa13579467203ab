"""The difference between two steps is exact, in teaching order, and a patch when piped."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pexpect
import pytest

from lab.contract import built_steps, in_order
from lab.errors import LabError
from lab.seams.changes import compare_folders
from lab.seams.diff import find_reasons, make_patch, steps_between, write_page
from tests.lab.course import Course, git, make_course, needs_git
from tests.support import Ran

ODD = {
    "kept.txt": (b"same\n", b"same\n"),
    "new.txt": (None, "第一行\n".encode()),
    "gone.txt": (b"one\ntwo", None),
    "empty_new.txt": (None, b""),
    "empty_gone.txt": (b"", None),
    "emptied.txt": (b"one\n", b""),
    "filled.txt": (b"", b"one"),
    "newline_lost.txt": (b"one\ntwo\n", b"one\ntwo"),
    "newline_won.txt": (b"one\ntwo", b"one\ntwo\n"),
    "never_a_newline.txt": (b"one\ntwo", b"one\nthree"),
    "only_line_ends.txt": (b"one\r\ntwo\r\n", b"one\ntwo\n"),
    "lone_cr.txt": (b"one\rtwo\nthree\n", b"one\rtwo\nfour\n"),
    "separators.txt": ("a\u2028b\x85c\x0cd\n".encode(), "a\u2028b\x85c\x0ce\n".encode()),
    "not_utf8.txt": (b"\xff\xfe one\n", b"\xff\xfe two\n"),
    "like_a_header.txt": (b"-- a\n++ b\n@@ -1 +1 @@\n", b"-- c\n++ d\n# note\ndiff --git x y\n"),
    "deep/er/down.txt": (None, b"below\n"),
    "long.txt": (
        b"".join(b"%d\n" % n for n in range(900)),
        b"\n".join(b"%d" % n for n in range(899)),
    ),
}
"""Files that a careless diff gets wrong, before and after."""


@pytest.fixture
def odd(tmp_path: Path) -> Course:
    """Return a course of two steps that differ in odd ways."""
    before = {name: old for name, (old, _) in ODD.items() if old is not None}
    after = {name: new for name, (_, new) in ODD.items() if new is not None}
    return make_course(tmp_path / "labs", before, after)


def apply_with_git(patch: bytes, folder: Path) -> None:
    git(folder, "init", "--quiet")  # else git looks for a repository around it
    git(folder, "apply", "-", stdin=patch)
    shutil.rmtree(folder / ".git")


def apply_with_patch(patch: bytes, folder: Path) -> None:
    command = ["patch", "--strip=1", "--silent", "--binary"]
    subprocess.run(command, cwd=folder, input=patch, check=True)


APPLY = [
    pytest.param(apply_with_git, marks=needs_git),
    pytest.param(
        apply_with_patch,
        marks=pytest.mark.skipif(shutil.which("patch") is None, reason="no patch command"),
    ),
]


def same_files(one: Path, other: Path) -> bool:
    changes = compare_folders(one, other).values()
    return bool(changes) and all(change.kind == "carried" for change in changes)


@pytest.mark.parametrize("apply", APPLY)
def test_odd_bytes_survive(
    odd: Course, tmp_path: Path, apply: Callable[[bytes, Path], None]
) -> None:
    start, end = odd.steps
    folder = shutil.copytree(odd.labs / start.id, tmp_path / "applied")
    apply(make_patch(odd.steps, labs=odd.labs), folder)
    assert same_files(folder, odd.labs / end.id)


@needs_git
def test_all_diffs_in_a_row_lead_from_the_first_step_to_the_last(tmp_path: Path) -> None:
    steps = built_steps()
    patches = [make_patch(pair) for pair in pairwise(steps)]
    assert len([patch for patch in patches if patch]) == len(steps) - 1
    folder = tmp_path / "applied"
    shutil.copytree(steps[0].folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for patch, step in zip(patches, steps[1:], strict=True):
        apply_with_git(patch, folder)
        assert same_files(folder, step.folder)


def files_named(patch: bytes) -> list[str]:
    return re.findall(r"^diff --git a/(\S+) b/\S+$", patch.decode(), re.MULTILINE)


def test_stands_in_teaching_order_with_the_reasons() -> None:
    path = built_steps()[:2]
    patch, step = make_patch(path), path[1]
    changed = {**step.new, **step.changed, **step.gone}
    named = files_named(patch)
    assert set(named) <= set(changed)
    assert named == in_order(named, step)
    assert named[0] == "mini_agent/messages.py"
    for file in named:
        assert f"# {file}\n#   {step.id}, ".encode() in patch
        assert changed[file].encode() in patch


def test_steps_that_are_not_neighbours(tmp_path: Path) -> None:
    course = make_course(
        tmp_path,
        {"loop.py": b"one\n", "old.py": b"old\n"},
        {"loop.py": b"two\n", "brief.py": b"only here\n"},
        {"loop.py": b"three\n"},
    )
    one, two, three = course.steps
    path = [
        one,
        two.model_copy(update={"changed": {"loop.py": "a second"}, "gone": {"old.py": "no more"}}),
        three.model_copy(update={"changed": {"loop.py": "a third"}}),
    ]
    patch = make_patch(path, labs=course.labs)
    assert files_named(patch) == ["loop.py", "old.py"]
    assert b"-one\n+three\n" in patch
    assert find_reasons("loop.py", path) == [
        "step02-made-up, changed: a second",
        "step03-made-up, changed: a third",
    ]
    assert find_reasons("old.py", path) == ["step02-made-up, gone: no more"]


def test_a_difference_that_the_contract_does_not_know(odd: Course) -> None:
    patch = make_patch(odd.steps, "new.txt", labs=odd.labs)
    assert patch.splitlines()[:2] == [
        b"# new.txt",
        b"#   labs/contract.toml gives no reason for this difference",
    ]


def test_the_way_goes_forward_only() -> None:
    one, two = built_steps()[:2]
    assert steps_between(built_steps(), one, two) == [one, two]
    for start, end in ((two, one), (one, one)):
        with pytest.raises(LabError, match=f"{end.id} does not come after {start.id}"):
            steps_between(built_steps(), start, end)


def test_one_file_by_its_name(odd: Course) -> None:
    patch = make_patch(odd.steps, "down.txt", labs=odd.labs)
    assert files_named(patch) == ["deep/er/down.txt"]


def test_a_file_that_neither_step_has(odd: Course) -> None:
    with pytest.raises(LabError) as caught:
        make_patch(odd.steps, "own.txt", labs=odd.labs)
    lines = str(caught.value).splitlines()
    assert lines[0] == (
        "there is no file 'own.txt' in step01-made-up and step02-made-up. The files:"
    )
    assert sorted(lines[1:]) == sorted(f"  {name}" for name in ODD)


def test_a_name_that_means_several_files(tmp_path: Path) -> None:
    course = make_course(tmp_path, {}, {"a/x.py": b"1", "b/x.py": b"2", "y.py": b"3"})
    with pytest.raises(LabError) as caught:
        make_patch(course.steps, "x.py", labs=course.labs)
    assert str(caught.value).splitlines()[1:] == ["  a/x.py", "  b/x.py"]


def test_a_page_for_a_browser(tmp_path: Path) -> None:
    page, path = tmp_path / "diff.html", built_steps()[:2]
    write_page(page, path)
    text = page.read_bytes().decode("utf-8")
    named = re.findall(r"<h2>(\S+)</h2>", text)
    assert named == files_named(make_patch(path))
    assert '<meta charset="utf-8">' in text
    assert path[1].zh in text
    assert "你好！我是" in text
    assert "://" not in text


def test_a_page_shows_markup_as_text(tmp_path: Path) -> None:
    course = make_course(tmp_path, {"a.md": b"<b>1</b>\n"}, {"a.md": b"<i>2</i>\n"})
    end = course.steps[1].model_copy(update={"changed": {"a.md": "<script> is not run"}})
    write_page(tmp_path / "diff.html", [course.steps[0], end], labs=course.labs)
    text = (tmp_path / "diff.html").read_text(encoding="utf-8")
    assert not re.search("<(script|b|i)>", text)
    assert "&lt;script&gt; is not run" in text


def test_a_page_never_overwrites_by_itself(tmp_path: Path) -> None:
    page, path = tmp_path / "mine.txt", built_steps()[:2]
    page.write_text("mine", encoding="utf-8")
    with pytest.raises(LabError, match="exists, and nothing was written"):
        write_page(page, path)
    assert page.read_text(encoding="utf-8") == "mine"
    write_page(page, path, force=True)
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("name", ["", "no/such/folder.html"])
def test_a_page_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(LabError, match="cannot be written"):
        write_page(tmp_path / name, built_steps()[:2], force=True)


def test_a_page_without_a_difference(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="is the same in step01-hello-cli and step02-fake-model"):
        write_page(tmp_path / "diff.html", built_steps()[:2], "console.py")
    assert not (tmp_path / "diff.html").exists()


def test_plain_on_a_pipe(lab: Callable[..., Ran]) -> None:
    ran = lab("diff", "01", "02", LC_ALL="C")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.encode() == make_patch(built_steps()[:2])


def test_a_file_without_a_difference(lab: Callable[..., Ran]) -> None:
    ran = lab("diff", "1", "step02", "console.py")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "console.py is the same in step01-hello-cli and step02-fake-model.\n"


def test_the_page_by_command(lab: Callable[..., Ran], tmp_path: Path) -> None:
    page = str(tmp_path / "page.html")
    first, second = (lab("diff", "01", "02", "demo.py", "--html", page) for _ in range(2))
    assert (first.code, first.out, first.err) == (0, f"Written: {page}\n", "")
    assert (second.code, second.out) == (2, "")
    assert second.err == (
        f"lab: {page} exists, and nothing was written. Name another file, or say --force.\n"
    )


def test_colours_on_a_terminal() -> None:
    colourful = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    command = ["-m", "lab", "diff", "01", "02", "mini_agent/respond.py"]
    child = pexpect.spawn(
        sys.executable, command, env={**colourful, "TERM": "xterm"}, encoding="utf-8"
    )
    shown = child.read()
    child.close()
    assert child.exitstatus == 0
    assert "\x1b[31m-def respond(text: str) -> str:\x1b[0m\r\n" in shown
