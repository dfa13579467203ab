"""`lab status`: how far workspaces are, of one learner or of a class."""

import json
from pathlib import Path

from conformance.status import Row, as_html, as_text, exit_code_of
from lab.contract import find_step
from lab.errors import Exit
from lab.practice.workspace import start_workspace
from tests.support import run_lab

ANN = Row(folder="ann", step="step02-fake-model", sittings=2, current="02.1 x", verdict="wrong")
BOB = Row(folder="bob <b>", step="step02-fake-model", done=2, sittings=2, verdict="passed")


def test_a_class(tmp_path: Path) -> None:
    """One is done, one is wrong, one has renamed the page, and one is not there."""
    step = find_step("01")
    for name in ("ann", "bob", "cat"):
        start_workspace(step, tmp_path / name)
        for file in step.files:
            (tmp_path / name / file).write_bytes((step.folder / file).read_bytes())
    wrong = tmp_path / "ann" / "mini_agent" / "respond.py"
    wrong.write_text(wrong.read_text(encoding="utf-8").replace("你说", "我说"), encoding="utf-8")
    (tmp_path / "cat" / "BUILD.md").write_text("# Build step01-of-long-ago\n", encoding="utf-8")

    page = tmp_path / "page.html"
    ran = run_lab("status", str(tmp_path), str(tmp_path / "dan"), "--json", "--html", str(page))
    assert ran.code == Exit.SETUP
    ann, bob, cat, dan = json.loads(ran.out)
    assert (ann["done"], ann["sittings"], ann["verdict"]) == (0, 1, "wrong")
    assert ann["current"] == "01.1 A loop that can be left"
    assert "::" in ann["first_fault"]
    assert (bob["done"], bob["current"], bob["verdict"]) == (1, "", "passed")
    assert "step01-of-long-ago" in cat["first_fault"]
    assert dan["first_fault"]
    assert page.read_text(encoding="utf-8").count("<tr") == 5


def test_a_table_in_the_language_of_its_reader() -> None:
    head, ann, bob = as_text([ANN, BOB], "zh").splitlines()
    assert head.split() == ["目录", "步骤", "节", "状态", "现在", "最后改动"]
    assert ann.split() == ["ann", "step02-fake-model", "0/2", "wrong", "02.1", "x"]
    assert "2/2" in bob


def test_nothing_of_a_learner_is_markup() -> None:
    page = as_html([BOB], "en")
    assert "bob &lt;b&gt;" in page and "bob <b>" not in page


def test_the_worst_one_decides() -> None:
    assert exit_code_of([BOB]) == Exit.OK
    assert exit_code_of([BOB, ANN]) == Exit.WRONG


def test_no_workspace_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    ran = run_lab("status", str(tmp_path))
    assert ran.code == Exit.USAGE
    assert "lab start" in ran.err
