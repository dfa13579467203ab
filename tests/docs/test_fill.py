"""Filling writes what the source says, once, and nothing at all if anything is wrong."""

import pytest

from lab.errors import Exit, LabError
from tests.docs.course import Course

COMMANDS = """\
# Page

<!-- lab:commands -->
```bash
{script}
```
<!-- lab:output -->
kept
<!-- /lab -->
"""


def test_once_is_enough(course: Course, capsys: pytest.CaptureFixture[str]) -> None:
    course.replace("labs/step01-one/expected-output.txt", "一", "壹")
    assert course.fill(run=True) == Exit.RECORDED
    assert capsys.readouterr().out == (
        "Written: docs/en/01-one.md\nWritten: docs/zh/01-one.md\n"
        "This run compared nothing: look at it, then run lab docs --check.\n"
    )
    assert course.read("docs/zh/01-one.md").count("壹\n```") == 2  # transcript, and `cat`
    assert course.fill(run=True) == Exit.OK
    assert course.examine(run=True) == ([], [])


def test_only_generated_parts_change(course: Course) -> None:
    before = course.read("docs/en/01-one.md")
    course.replace("labs/step01-one/expected-output.txt", "一", "壹")
    course.fill(run=True)
    assert course.read("docs/en/01-one.md").replace("壹", "一") == before


def test_without_running_the_outputs_stay(course: Course) -> None:
    text = COMMANDS.format(script="echo new")
    assert course.filled(text) == text
    assert course.examine() == ([], [])
    assert course.examine(run=True)[0] == ["docs/page.md"]


@pytest.mark.parametrize(
    ("script", "options", "shown"),
    [
        ("echo out; echo err >&2", "", "```text\nout\nerr\n```"),
        ("printf out", "", "```text\nout\n```"),
        ("echo out; exit 3", " expect=3", "```text\nout\n# exit 3\n```"),
        ("printf out; exit 3", " expect=3", "```text\nout\n# exit 3\n```"),
        ("exit 3", " expect=3", "```text\n# exit 3\n```"),
        ("true", "", "*It prints nothing.*"),
    ],
)
def test_outputs(course: Course, script: str, options: str, shown: str) -> None:
    text = COMMANDS.format(script=script).replace("lab:commands", f"lab:commands{options}")
    course.write("docs/page.md", text)
    course.fill(run=True)
    assert course.read("docs/page.md") == text.replace("kept", f"\n{shown}\n")


def test_an_unexpected_exit_code_is_no_truth(course: Course) -> None:
    course.write("docs/page.md", COMMANDS.format(script="cat nothing"))
    with pytest.raises(LabError) as caught:
        course.fill(run=True)
    assert caught.value.code == Exit.WRONG
    assert "docs/page.md:3: these commands ended with exit code 1, wanted 0" in str(caught.value)
    assert "cat: nothing: No such file or directory" in str(caught.value)
    assert course.read("docs/page.md") == COMMANDS.format(script="cat nothing")


def test_skipped_commands_have_no_output(course: Course) -> None:
    text = COMMANDS.format(script="false").replace("commands", 'commands skip="why not"')
    course.write("docs/page.md", text)
    with pytest.raises(LabError, match=r"docs/page.md:7: the commands above are skipped"):
        course.fill()


def test_nothing_is_written_if_anything_is_wrong(course: Course) -> None:
    course.replace("labs/step01-one/expected-output.txt", "一", "壹")
    course.write("docs/page.md", "<!-- lab:transcript step01 -->\n")
    course.write("docs/zz.md", "<!-- lab:transcript step07 -->\n<!-- /lab -->\n")
    before = {name: course.read(name) for name in ("docs/en/01-one.md", "docs/page.md")}
    with pytest.raises(LabError) as caught:
        course.fill()
    assert "\n  docs/page.md:1: this block has no end" in str(caught.value)
    assert "\n  docs/zz.md:1: there is no step 'step07'" in str(caught.value)
    assert before == {name: course.read(name) for name in before}


def test_documents_that_count_each_other_come_to_rest(course: Course) -> None:
    course.replace(
        "labs/contract.toml", "[step01-one.new]\n", '[step01-one.new]\n"README.md" = "this"\n'
    )
    files = "# One\n\n<!-- lab:files step01-one -->\n<!-- /lab -->\n"
    text = course.filled(files, "labs/step01-one/README.md")
    assert f"| [`README.md`](README.md) | new | {text.count(chr(10))} | this |\n" in text
    assert course.fill() == Exit.OK


def test_a_document_that_contains_itself_never_rests(course: Course) -> None:
    course.write("labs/step02-two/README.md", "<!-- lab:diff step01 step02 -->\n<!-- /lab -->\n")
    with pytest.raises(LabError, match="change with every round, look at: labs/step02-two/README"):
        course.fill()


def test_never_in_ci(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(LabError, match="CI compares and never records"):
        course.fill()


def test_never_within_itself(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_DOCS_RUNNING", "1")
    with pytest.raises(LabError, match="lab docs runs this command itself"):
        course.fill()
