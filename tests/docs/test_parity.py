"""Two languages, one course: each planted difference is found, and placed."""

from dataclasses import dataclass

import pytest

from tests.docs.course import Course

EN, ZH = "docs/en/01-one.md", "docs/zh/01-one.md"


@dataclass(frozen=True)
class Difference:
    id: str
    old: str
    new: str
    says: str
    file: str = EN
    line: int = 0
    """Where it is said; the Chinese chapter is the one that is changed."""


COMMANDS = "<!-- lab:commands start -->\n```bash\n"
DIFFERENCES = [
    Difference(
        "heading gone", "## 先跑起来\n", "", "the heading here is '##', and 'nothing more'", line=36
    ),
    Difference("other level", "## 先", "### 先", "'##', and '###' in docs/zh/01-one.md:7", line=7),
    Difference(
        "heading more", "```mermaid", "## 多\n\n```mermaid", "here is 'nothing more', and '##'"
    ),
    Difference(
        "block gone",
        "<!-- lab:transcript step01-one -->\n\n```text\n一\n```\n\n<!-- /lab -->\n",
        "",
        "the marker here is 'transcript step01-one', and 'nothing more'",
        line=22,
    ),
    Difference(
        "other arguments",
        "lab:transcript step01-one",
        "lab:transcript step01",
        "'transcript step01-one', and 'transcript step01' in docs/zh/01-one.md:22",
        line=22,
    ),
    Difference(
        "command name",
        "lab:commands start",
        "lab:commands",
        "the marker here is 'commands start', and 'commands'",
        line=9,
    ),
    Difference(
        "command text",
        "cat expected-output.txt",
        "cat  expected-output.txt",
        "the text of the commands here",
        line=9,
    ),
    Difference(
        "command skipped",
        "lab:commands start",
        'lab:commands start skip="no"',
        "the marker here is 'commands start'",
        line=9,
    ),
    Difference(
        "minutes",
        "lab:minutes 20 -->\n\n大约 20",
        "lab:minutes 30 -->\n\n大约 30",
        "the number of minutes here is '20', and '30'",
        line=3,
    ),
    Difference(
        "diagram",
        "```mermaid",
        "```text",
        "the diagram here is 'mermaid', and 'nothing more'",
        line=32,
    ),
    Difference(
        "figure",
        "lab:figure lines step01-one/mini_agent/demo.py",
        "lab:figure steps-built",
        "the figure 'lines step01-one/mini_agent/demo.py' is here more often than in",
        line=30,
    ),
    Difference(
        "figure more",
        "先跑",
        "先 <!-- lab:figure steps-built -->2<!-- / --> 跑",
        "the figure 'steps-built' is here more often than in docs/en/01-one.md",
        ZH,
        7,
    ),
    Difference(
        "link gone",
        "[en](../en/01-one.md)",
        "",
        "the link to 'docs/en/01-one.md' is here more often",
        line=5,
    ),
    Difference(
        "link more",
        "大约",
        "[x](../tasks/) 大约",
        "the link to 'docs/tasks' is here more often",
        ZH,
        5,
    ),
]


@pytest.mark.parametrize("case", DIFFERENCES, ids=lambda case: case.id)
def test_a_difference_is_found(course: Course, case: Difference) -> None:
    assert course.examine() == ([], [])
    course.replace(ZH, case.old, case.new)
    found = course.examine()[1]
    assert (case.file, case.line) in [(problem.file, problem.line) for problem in found]
    assert any(case.says in problem.text for problem in found)


@pytest.mark.parametrize("name", [EN, ZH, "docs/en/instructor/02-two.md", "docs/zh/02-two.md"])
def test_a_missing_page_is_named(course: Course, name: str) -> None:
    (course.root / name).unlink()
    problems = [problem for problem in course.examine()[1] if problem.file == name]
    assert [(problem.line, problem.text[:20]) for problem in problems] == [
        (0, "this file is missing")
    ]


def test_a_step_without_a_chapter(course: Course) -> None:
    for name in (EN, ZH):
        (course.root / name).unlink()
    assert f"{EN}: this page is missing: every step has one" in map(str, course.examine()[1])


def test_root_readmes_are_a_pair(course: Course) -> None:
    course.write("README.md", "# Lab\n\n[here](README.md) [there](README.zh-CN.md)\n")
    assert [str(problem) for problem in course.examine()[1]] == [
        "README.md:3: README.zh-CN.md leads nowhere",
        "README.zh-CN.md: this file is missing: it is the counterpart of README.md",
    ]
    course.write("README.zh-CN.md", "# 课程\n\n[那边](README.md) [这边](README.zh-CN.md)\n")
    assert course.examine() == ([], [])
    course.write("README.zh-CN.md", "# 课程\n\n## 更多\n\n[那边](README.md) [英文](docs/en)\n")
    assert [(problem.file, problem.line) for problem in course.examine()[1]] == [
        ("README.md", 0),
        ("README.md", 3),
        ("README.zh-CN.md", 5),
    ]


def test_other_documents_need_no_counterpart(course: Course) -> None:
    course.write("CONTRIBUTING.md", "# How\n")
    course.write("labs/step01-one/README.md", "# One\n")
    assert course.examine() == ([], [])


def test_a_sentence_may_name_its_figures_and_links_in_another_order(course: Course) -> None:
    figures = ["<!-- lab:figure steps-built -->2<!-- / -->", "[x](../../labs)"]
    course.replace(EN, "It takes", f"With {figures[0]} of {figures[1]} it takes")
    course.replace(ZH, "大约", f"在 {figures[1]} 里有 {figures[0]} 个，大约")
    assert course.examine() == ([], [])
