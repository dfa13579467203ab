"""A workspace has what the step before left, says what to build, and never overwrites."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.checking import Wanted, as_junit, describe, in_language, names_for
from conformance.report import Report, Result, Verdict
from conformance.sittings import Progress, look_at
from conformance.suite import all_titles, chinese_titles, titles_of
from lab.contract import ROOT, Step, built_steps, files_in, find_step, step_before
from lab.errors import Exit, LabError
from lab.practice.build_page import build_page
from lab.practice.compare import differences
from lab.practice.place import Place, find_place
from lab.practice.stubs import unbuilt
from lab.practice.workspace import GIVEN, replaced_by_given, start_workspace, to_build
from tests.support import run_lab

STEPS = built_steps()
every_step = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)


def everything_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@every_step
def test_holds_the_step_before_what_is_given_and_stubs(step: Step, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    start_workspace(step, folder)
    before = step_before(step)
    kept = set(before.files) - set(step.gone) if before else set()
    assert set(files_in(folder)) == {*kept, *GIVEN, *step.new, "BUILD.md"}
    ready = {*GIVEN, *step.given}
    for name in ready:
        assert (folder / name).read_bytes() == (step.folder / name).read_bytes()
    for name in kept - ready:
        assert before
        assert (folder / name).read_bytes() == (before.folder / name).read_bytes()
    for name in set(to_build(step)) & set(step.new):
        stub = (folder / name).read_text(encoding="utf-8")
        compile(stub, name, "exec")
        assert unbuilt(stub) or not unbuilt_in_reference(step, name)


def unbuilt_in_reference(step: Step, name: str) -> list[ast.AST]:
    """Return the public functions of a file: a stub of it has something to build."""
    tree = ast.parse((step.folder / name).read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return [node for node in functions if not node.name.startswith("_")]


def test_bare_is_without_given_files_and_stubs(tmp_path: Path) -> None:
    step = find_step("02")
    start_workspace(step, tmp_path / "work", bare=True)
    before = find_step("01")
    wanted = {*before.files, *GIVEN, "BUILD.md"} - set(step.gone)
    assert set(files_in(tmp_path / "work")) == wanted


@every_step
def test_build_page_names_all_that_is_built_and_all_rules(step: Step) -> None:
    page = build_page(step)
    for sitting in step.sittings:
        assert page.count(f"### {sitting.id} ") == 2, "once in each language"
        for file in sitting.build:
            assert f"`{file}`" in page
        for language in ("en", "zh"):
            for title in titles_of(sitting.checks, language).values():
                assert title in page


def test_every_check_has_its_title_in_both_languages() -> None:
    assert list(chinese_titles()) == list(all_titles())


def test_says_it_in_the_language_that_was_asked_for() -> None:
    step = find_step("01")
    name = "respond::echo"
    result = Result(id=name, title="-", since=1, program=False, outcome="failed")
    report = Report(step=step.id, folder=step.folder, number=1, results=[result], collected=1)
    progress = Progress(
        step=step, folder=step.folder, done=(), current=step.sittings[0], to_build=(), report=report
    )
    in_language(report, "zh")
    told = describe(progress, "zh")
    assert chinese_titles()[name] in told
    assert "一个能干净离开的循环" in told
    assert "接着读：docs/zh/01-hello-cli.md" in told


def test_build_page(snapshot: SnapshotAssertion) -> None:
    assert build_page(find_step("02")) == snapshot


def test_a_workspace_is_a_git_repository(tmp_path: Path) -> None:
    start_workspace(find_step("02"), tmp_path / "work")
    ran = subprocess.run(
        ["git", "status", "--short"], cwd=tmp_path / "work", capture_output=True, check=True
    )
    assert ran.stdout == b""


def test_sitting_by_sitting(tmp_path: Path) -> None:
    step, folder = find_step("02"), tmp_path / "work"
    start_workspace(step, folder)
    for place, sitting in enumerate(step.sittings):
        progress = look_at(step, folder)
        assert (progress.verdict, progress.current) == (Verdict.NOT_YET, sitting)
        assert len(progress.done) == place
        for name in sitting.build:
            shutil.copyfile(step.folder / name, folder / name)
    progress = look_at(step, folder)
    assert (progress.verdict, progress.current) == (Verdict.PASSED, None)
    assert "All sittings are done" in describe(progress, "en")


def test_a_stub_whose_error_became_a_result_is_not_wrong(tmp_path: Path) -> None:
    step, folder = find_step("05"), tmp_path / "work"
    start_workspace(step, folder)
    for name in (name for sitting in step.sittings[:2] for name in sitting.build):
        shutil.copyfile(step.folder / name, folder / name)
    progress = look_at(step, folder)
    assert (progress.current, progress.report.verdict) == (step.sittings[2], Verdict.NOT_YET)


def test_a_fault_is_shown_in_its_sitting(tmp_path: Path) -> None:
    step, folder = find_step("02"), tmp_path / "work"
    start_workspace(step, folder)
    for name in step.sittings[0].build:
        shutil.copyfile(step.folder / name, folder / name)
    file = folder / "mini_agent" / "messages.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("frozen=True, ", ""), encoding="utf-8")
    progress = look_at(step, folder)
    assert (progress.verdict, progress.current) == (Verdict.WRONG, step.sittings[0])


def test_says_where_it_is_and_what_to_do(tmp_path: Path) -> None:
    ran = run_lab("start", "02", str(tmp_path / "my" / "agent"), HOME=str(tmp_path))
    assert (ran.code, ran.err) == (Exit.OK, "")
    assert ran.out == (
        "Made ~/my/agent: a workspace for step02-fake-model.\n"
        "Go there and read BUILD.md first. Then, as often as you like: lab check\n"
    )
    assert (tmp_path / "my" / "agent" / "BUILD.md").is_file()


# Which folder and which step are meant.


def test_a_workspace_is_taken_for_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_workspace(find_step("02"), tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work" / "mini_agent")
    for step in (None, "02"):
        place = find_place(step, None)
        assert (place.step.number, place.folder, place.is_workspace) == (2, tmp_path / "work", True)
    assert find_place(None, tmp_path / "work").step.number == 2


@pytest.mark.parametrize(
    ("page", "step", "says"),
    [
        ("# Build step02-fake-model\n", "03", "is a workspace of step02-fake-model"),
        ("# Build step02-old-name\n", None, "no step of this version of the course"),
        ("notes\n", "02", "does not name its step"),
        (None, None, "holds no BUILD.md"),
    ],
)
def test_a_page_that_does_not_fit(
    tmp_path: Path, page: str | None, step: str | None, says: str
) -> None:
    if page is not None:
        (tmp_path / "BUILD.md").write_text(page, encoding="utf-8")
    with pytest.raises(LabError, match=says):
        find_place(step, tmp_path)


def test_outside_of_a_workspace_the_step_has_to_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LabError, match="no step is named"):
        find_place(None, None)


def test_only_takes_what_is_printed_and_names_what_there_is(tmp_path: Path) -> None:
    place = Place(step=find_step("02"), folder=find_step("02").folder, is_workspace=False)

    def names(*only: str) -> list[str]:
        return names_for(
            Wanted(place=place, only=only, everything=False, json=False, language="en")
        )

    assert names("messages", "chat::second_script[x]") == ["messages", "chat::second_script[x]"]
    assert names("02.1") == list(place.step.sittings[0].checks)
    with pytest.raises(LabError, match="there is no check 'mesages'") as caught:
        names("mesages")
    assert "02.1, 02.2" in str(caught.value)


def test_a_report_as_junit() -> None:
    report = Report(
        step="s", folder=Path("f"), number=1, collected=1,
        results=[Result(id="a::b[c]", title="t", since=1, program=False, outcome="failed",
                        detail="\x1b[2J")],
    )  # fmt: skip
    case = fromstring(as_junit(report))[0]
    assert (case.get("classname"), case.get("name")) == ("a", "b[c]")
    assert case[0].text == "t\n\ufffd[2J"


# Going on from one's own step, and looking at the answer.


def test_from_my_own_step(tmp_path: Path) -> None:
    mine, folder = tmp_path / "mine", tmp_path / "next"
    shutil.copytree(find_step("01").folder, mine)
    file = mine / "mini_agent" / "console.py"
    file.write_text(file.read_text(encoding="utf-8") + "\n# mine\n", encoding="utf-8")
    start_workspace(find_step("02"), folder, mine=mine)
    assert (folder / "mini_agent" / "console.py").read_text("utf-8").endswith("# mine\n")
    assert not (folder / "mini_agent" / "respond.py").exists()
    assert (folder / "README.md").read_bytes() == (
        find_step("02").folder / "README.md"
    ).read_bytes()


def test_says_which_of_my_files_give_way() -> None:
    before, step = find_step("02"), find_step("03")
    mine = {name: (before.folder / name).read_bytes() for name in before.files}
    assert replaced_by_given(mine, step) == []
    for name in ("rules.py", "shell.py"):
        mine[f"mini_agent/{name}"] += b"# mine"
    assert replaced_by_given(mine, step) == ["mini_agent/rules.py"]


def test_a_step_that_does_not_pass_is_no_beginning(tmp_path: Path) -> None:
    start_workspace(find_step("01"), tmp_path / "mine")
    with pytest.raises(LabError, match="does not pass step01-hello-cli yet"):
        start_workspace(find_step("02"), tmp_path / "next", mine=tmp_path / "mine")
    with pytest.raises(LabError, match="is a workspace of step01-hello-cli"):
        start_workspace(find_step("03"), tmp_path / "next", mine=tmp_path / "mine")
    assert not (tmp_path / "next").exists()


def test_the_answer_is_shown_when_asked_for(tmp_path: Path) -> None:
    start_workspace(find_step("02"), tmp_path / "work")
    assert differences(find_step("02"), find_step("02").folder) == ""
    ran = run_lab("compare", "02", str(tmp_path / "work"), "--show")
    assert "+++ reference/mini_agent/messages.py" in ran.out


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


@every_step
def test_what_the_checks_call_stands_in_the_page(step: Step) -> None:
    """Whatever a check may call of a file that is built has its signature in BUILD.md."""
    page = build_page(step)
    for name in step.surface:
        module, _, symbol = name.rpartition(".")
        file = f"mini_agent/{module.replace('.', '/')}.py"
        if file in to_build(step):
            fold = page.partition(f"<code>{file}</code>")[2].partition("</details>")[0]
            assert re.search(rf"^(?:async def|def|class) {symbol}\b|^{symbol}\b", fold, re.M), name
