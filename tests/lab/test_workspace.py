"""A workspace has what the step before left, says what to build, and never overwrites."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.report import Verdict
from conformance.suite import check
from lab.contract import ROOT, Step, built_steps, files_in, find_step, step_before
from lab.errors import Exit, LabError
from lab.practice.workspace import GIVEN, start_workspace
from tests.support import run_lab

STEPS = built_steps()
every_step = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
with_and_without_a_step_before = pytest.mark.parametrize(
    "step", STEPS[:2], ids=lambda step: step.id
)
"""Where the suite runs: that takes seconds, and later steps are made in the same way."""


def everything_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@every_step
def test_holds_the_step_before_and_the_page_of_the_new_one(step: Step, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    start_workspace(step, folder)
    before = step_before(step)
    kept = set(before.files) - set(step.gone) if before else set()
    assert set(files_in(folder)) == kept | set(GIVEN) | {"BUILD.md"}
    for name in GIVEN:
        assert (folder / name).read_bytes() == (step.folder / name).read_bytes()
    for name in kept - set(GIVEN):
        assert before
        assert (folder / name).read_bytes() == (before.folder / name).read_bytes()


@every_step
def test_build_page(step: Step, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    start_workspace(step, tmp_path)
    page = (tmp_path / "BUILD.md").read_text(encoding="utf-8")
    for file in {**step.new, **step.changed}.keys() - set(GIVEN):
        assert page.count(f"`{file}`") == 2, "once in each language"
    assert page == snapshot


@with_and_without_a_step_before
def test_check_says_what_is_not_there_yet(step: Step, tmp_path: Path) -> None:
    start_workspace(step, tmp_path)
    report = check(step, tmp_path)
    assert (report.verdict, report.faults) == (Verdict.NOT_YET, [])
    missing = "\n".join(report.missing_parts)
    for file in step.new.keys() - set(GIVEN) - {"mini_agent/script.py"}:  # no check asks for that
        assert file in missing


@with_and_without_a_step_before
def test_check_passes_once_it_is_built(step: Step, tmp_path: Path) -> None:
    start_workspace(step, tmp_path)
    for name in step.files:
        shutil.copyfile(step.folder / name, tmp_path / name)
    report = check(step, tmp_path)
    assert (report.verdict, report.failed) == (Verdict.PASSED, [])


def test_says_where_it_is_and_what_to_do(tmp_path: Path) -> None:
    ran = run_lab("start", "02", str(tmp_path / "my" / "agent"), HOME=str(tmp_path))
    assert (ran.code, ran.err) == (Exit.OK, "")
    assert ran.out == (
        "Made ~/my/agent: a workspace for step02-fake-model.\n"
        "Go there and read BUILD.md first. To see what is still missing: lab check 02 .\n"
    )
    assert (tmp_path / "my" / "agent" / "BUILD.md").is_file()


# What is refused, and stays as it was.


@pytest.mark.parametrize("name", ["notes.txt", ".git"])
def test_a_folder_with_anything_in_it_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(LabError, match="is not empty, and nothing in it was touched") as caught:
        start_workspace(find_step("02"), tmp_path)
    assert caught.value.code == Exit.USAGE
    assert everything_below(tmp_path) == [name]
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


def test_a_second_start_is_refused(tmp_path: Path) -> None:
    start_workspace(find_step("02"), tmp_path)
    (tmp_path / "BUILD.md").write_text("my notes", encoding="utf-8")
    with pytest.raises(LabError, match="is not empty"):
        start_workspace(find_step("02"), tmp_path)
    assert (tmp_path / "BUILD.md").read_text(encoding="utf-8") == "my notes"


@pytest.mark.parametrize("place", [".", "labs", "labs/step02-fake-model", "new/deep"])
@pytest.mark.parametrize("way", ["directly", "through a link"])
def test_never_inside_the_checkout(tmp_path: Path, place: str, way: str) -> None:
    (tmp_path / "link").symlink_to(ROOT)
    folder = (ROOT if way == "directly" else tmp_path / "link") / place
    with pytest.raises(LabError, match="lies inside the checkout") as caught:
        start_workspace(find_step("02"), folder)
    assert caught.value.code == Exit.USAGE
    assert not (ROOT / "new").exists()


@pytest.mark.parametrize("name", ["file", "dangling"])
def test_what_is_no_folder_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    with pytest.raises(LabError, match="is not a folder"):
        start_workspace(find_step("02"), tmp_path / name)
    assert everything_below(tmp_path) == ["dangling", "file"]
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_a_place_below_a_file_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    ran = run_lab("start", "02", str(tmp_path / "file" / "work"))
    assert (ran.code, ran.out) == (Exit.USAGE, "")
    assert ran.err.startswith(f"lab: {tmp_path}/file/work could not be filled")
    assert ran.err.count("\n") == 1


# A failure half way.

FULL_DISK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))  # no file may grow beyond 1,500 bytes
sys.argv[0] = "lab"
from lab.cli import main
main()
"""


@pytest.mark.parametrize("place", ["new/deep", "empty"])
def test_a_failure_half_way_leaves_nothing(tmp_path: Path, place: str) -> None:
    (tmp_path / "empty").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, "start", "02", str(tmp_path / place)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == Exit.USAGE
    assert "could not be filled, and nothing was left in it: [Errno 27]" in done.stderr
    assert everything_below(tmp_path) == ["empty"]
