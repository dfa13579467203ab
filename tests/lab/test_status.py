"""`lab status`: how far workspaces are, of one learner or of a class."""

import json
from pathlib import Path

import pytest

from lab.contract import find_step
from lab.errors import Exit
from lab.practice.workspace import start_workspace
from tests.support import run_lab


@pytest.fixture
def school(tmp_path: Path) -> Path:
    """Return a folder with three learners: one has begun, one is done, one renamed the page."""
    step = find_step("01")
    for name in ("ann", "bob <b>", "cat"):
        start_workspace(step, tmp_path / name)
    for file in step.files:
        (tmp_path / "bob <b>" / file).write_bytes((step.folder / file).read_bytes())
    page = tmp_path / "cat" / "BUILD.md"
    page.write_text("# Build step01-of-long-ago\n", encoding="utf-8")
    return tmp_path


def test_a_class(school: Path) -> None:
    ran = run_lab("status", str(school), "--json", "--html", str(school / "page.html"))
    assert ran.code == Exit.SETUP
    ann, bob, cat = json.loads(ran.out)
    assert (ann["done"], ann["sittings"], ann["verdict"][:3]) == (0, 1, "not")
    assert ann["current"] == "01.1 A loop that can be left"
    assert (bob["done"], bob["current"], bob["verdict"]) == (1, "", "passed")
    assert "step01-of-long-ago" in cat["first_fault"]
    page = (school / "page.html").read_text(encoding="utf-8")
    assert "bob &lt;b&gt;" in page and "bob <b>" not in page


def test_a_table_in_the_language_of_its_reader(school: Path) -> None:
    ran = run_lab("status", str(school / "ann"), "--lang", "zh")
    head, row = ran.out.splitlines()
    assert head.split() == ["目录", "步骤", "节", "状态", "现在", "最后改动"]
    assert "step01-hello-cli" in row and "0/1" in row and "一个能干净离开的循环" in row
    assert ran.code == Exit.NOT_YET


def test_a_wrong_one_is_named_with_its_check(school: Path) -> None:
    file = school / "bob <b>" / "mini_agent" / "respond.py"
    file.write_text(file.read_text(encoding="utf-8").replace("你说", "我说"), encoding="utf-8")
    ran = run_lab("status", str(school / "bob <b>"), str(school / "ann"), "--json")
    assert ran.code == Exit.WRONG
    assert "::" in json.loads(ran.out)[0]["first_fault"]


def test_no_workspace_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    ran = run_lab("status", str(tmp_path))
    assert ran.code == Exit.USAGE
    assert "lab start" in ran.err


def test_a_folder_that_is_not_there_has_a_row(school: Path) -> None:
    ran = run_lab("status", str(school / "nobody"), str(school / "ann"), "--json")
    assert json.loads(ran.out)[0]["first_fault"]
    assert ran.code == Exit.SETUP
