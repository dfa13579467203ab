"""Whatever drifts away from the source is found."""

from dataclasses import dataclass

import pytest

from lab.docs.check import check_documents
from lab.docs.tree import Problem
from lab.errors import Exit, LabError
from tests.docs.course import Course

PAGE = """\
# Page

<!-- lab:excerpt step02-two/mini_agent/model.py#Model.answer -->
<!-- /lab -->

<!-- lab:diff step01 step02 expected-output.txt -->
<!-- /lab -->

<!-- lab:files step02 -->
<!-- /lab -->

<!-- lab:steps -->
<!-- /lab -->

<!-- lab:task step02 1 patch -->
<!-- /lab -->

<!-- lab:task step02 1 transcript -->
<!-- /lab -->

New names: <!-- lab:figure public-names step02 -->0<!-- / -->
"""


@dataclass(frozen=True)
class Drift:
    """A change in the source, and the documents that are out of date by it."""

    id: str
    file: str
    old: str
    new: str
    stale: tuple[str, ...] = ("docs/page.md",)


CHAPTERS = {step: (f"docs/en/{step}.md", f"docs/zh/{step}.md") for step in ("01-one", "02-two")}
MODEL = "labs/step02-two/mini_agent/model.py"
DRIFTS = [
    Drift("excerpt changed", MODEL, '"二"', '"貳"'),
    Drift("excerpt moved", MODEL, "LIMIT = 3\n", "LIMIT = 3\n\n"),
    Drift("reason", "labs/contract.toml", '"the model"', '"the mind"'),
    Drift("map of the steps", "labs/contract.toml", '"Not there"', '"Soon there"'),
    Drift("figure", MODEL, "LIMIT = 3", "LIMIT = MORE = 3"),
    Drift("task: change", "docs/tasks/step02/1-no-answer.toml", "+raise", "+raise  #"),
    Drift("task: outcome", "docs/tasks/step02/1-no-answer.toml", "ends = 1", "ends = 2"),
    Drift("task: input", "docs/tasks/step02/1-no-answer.toml", "stdin = ", "# stdin = "),
    Drift(
        "transcript",
        "labs/step01-one/expected-output.txt",
        "一",
        "壹",
        (*CHAPTERS["01-one"], "docs/page.md"),
    ),
    Drift(
        "lines of a file",
        "labs/step01-one/mini_agent/demo.py",
        "print",
        "\nprint",
        CHAPTERS["01-one"],
    ),
    Drift("typed by hand", "docs/page.md", '"""Return the answer."""', '"""Return it."""'),
    Drift("figure by hand", "docs/page.md", "-->2<", "-->3<"),
]


@pytest.mark.parametrize("drift", DRIFTS, ids=lambda drift: drift.id)
def test_drift_is_found(course: Course, drift: Drift) -> None:
    course.filled(PAGE)
    assert course.examine() == ([], [])
    course.replace(drift.file, drift.old, drift.new)
    stale, problems = course.examine()
    assert sorted(stale) == sorted(drift.stale)
    assert problems == []


def test_output_of_a_command(course: Course) -> None:
    course.replace("docs/en/02-two.md", "```text\n二", "```text\n三")
    assert course.examine() == ([], [])
    assert course.examine(run=True) == (["docs/en/02-two.md"], [])


def test_exit_code_of_a_command(course: Course) -> None:
    for language in ("en", "zh"):
        course.replace(f"docs/{language}/01-one.md", "cat expected-output", "cat unexpected-output")
    stale, problems = course.examine(run=True)
    assert sorted(stale) == list(CHAPTERS["01-one"])
    assert [(problem.file, problem.line) for problem in problems] == [
        (name, 9) for name in CHAPTERS["01-one"]
    ]
    assert "ended with exit code 1, wanted 0" in problems[0].text


def test_a_diff_is_shown_and_nothing_written(
    course: Course, capsys: pytest.CaptureFixture[str]
) -> None:
    course.replace("labs/step01-one/expected-output.txt", "一", "壹")
    before = course.read("docs/en/01-one.md")
    assert check_documents(course.root, run=False) == Exit.WRONG
    out = capsys.readouterr().out
    assert "--- docs/en/01-one.md\n+++ docs/en/01-one.md (from the source)\n" in out
    assert "\n-一\n+壹\n" in out
    assert out.endswith("2 documents are out of date, 0 things are wrong. Write: lab docs\n")
    assert course.read("docs/en/01-one.md") == before


def test_all_is_true(course: Course, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_documents(course.root, run=True) == Exit.OK
    assert capsys.readouterr().out == "8 documents are as the source has them.\n"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "<!-- lab:minutes 20 -->\n\n",
            "",
            Problem("docs/zh/01-one.md", 0, "a chapter says how long it takes: "),
        ),
        ("20 分钟", "120 分钟", Problem("docs/zh/01-one.md", 3, "the text below lab:minutes does")),
        (
            "## ",
            "```bash\nls\n```\n\n## ",
            Problem("docs/zh/01-one.md", 7, "a ```bash fence that nobody runs"),
        ),
        (
            "## ",
            "- item\n\n  ```bash\n  ls\n  ```\n\n## ",
            Problem("docs/zh/01-one.md", 9, "a ```bash fence that nobody runs"),
        ),
        (
            "## ",
            "<!-- lab:nonsense -->\n\n## ",
            Problem("docs/zh/01-one.md", 7, "there is no marker lab:nonsense"),
        ),
    ],
)
def test_what_a_chapter_owes(course: Course, old: str, new: str, problem: Problem) -> None:
    course.replace("docs/zh/01-one.md", old, new)
    found = [found for found in course.examine()[1] if found.file == "docs/zh/01-one.md"]
    assert problem.line in [item.line for item in found]
    assert any(item.text.startswith(problem.text) for item in found)


def test_a_contract_that_is_none(course: Course) -> None:
    course.write("labs/contract.toml", "[")
    with pytest.raises(LabError) as caught:
        check_documents(course.root, run=False)
    assert caught.value.code == Exit.SETUP
