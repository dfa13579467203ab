"""What each kind of generated part looks like, in both languages."""

from dataclasses import dataclass

import pytest
from syrupy.assertion import SnapshotAssertion

from lab.errors import Exit, LabError
from tests.docs.course import Course

EVERY_KIND = [
    "excerpt step02-two/mini_agent/model.py#Model.answer",
    "excerpt step02-two/mini_agent/model.py#LIMIT",
    "excerpt step01-one/mini_agent/demo.py",
    "excerpt contract.toml",
    "transcript step02",
    "diff step01 step02",
    "diff step01-one step02-two demo.py",
    "files step02-two",
    "steps",
    "terms",
    "task step02 1 patch",
    "task step02 1 transcript",
]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_kind(course: Course, language: str, snapshot: SnapshotAssertion) -> None:
    parts = [f"<!-- lab:{kind} -->\nold\n<!-- /lab -->\n" for kind in EVERY_KIND]
    text = f"<!-- lab:lang {language} -->\n\n" + "\n".join(parts)
    assert course.filled(text, "docs/deeper/page.md") == snapshot


def test_a_fence_is_longer_than_any_in_it(course: Course) -> None:
    course.write("labs/step01-one/expected-output.txt", "```\n<!-- /lab -->\n````\n")
    text = "<!-- lab:transcript step01 -->\n<!-- /lab -->\n"
    wanted = (
        "<!-- lab:transcript step01 -->\n\n`````text\n```\n<!-- /lab -->\n````\n`````\n\n"
        "<!-- /lab -->\n"
    )
    assert course.filled(text) == wanted
    assert course.filled(wanted) == wanted


def test_terms_that_have_no_counterpart(course: Course) -> None:
    chapter = "docs/en/02-two.md"
    course.write(chapter, course.read(chapter) + "| more | than in the other language |\n")
    with pytest.raises(LabError, match="the same number of terms"):
        course.filled("<!-- lab:terms -->\n<!-- /lab -->\n")


def test_only_lf_ends_a_line(course: Course) -> None:
    source = 'A = "\u2028"\nB = "\x85"\n'
    course.write("labs/step01-one/mini_agent/demo.py", source)
    text = "<!-- lab:excerpt step01-one/mini_agent/demo.py#B -->\n<!-- /lab -->\n"
    assert '```python\nB = "\x85"\n```\n' in course.filled(text)


def test_figures(course: Course) -> None:
    figures = {
        "new-files step01": "3",
        "new-files step02": "1",
        "changed-files step02": "2",
        "unchanged-files step02": "1",
        "gone-files step02": "0",
        "changed-lines step01 step02": "17",
        "changed-lines step01 step02 mini_agent/demo.py": "4",
        "lines step02-two/mini_agent/demo.py": "3",
        "public-names step02": "2",
        "steps-built": "2",
        "steps-planned": "3",
    }
    line = "|".join(f" {name} <!-- lab:figure {name} --><!-- / --> " for name in figures)
    wanted = "|".join(
        f" {name} <!-- lab:figure {name} -->{value}<!-- / --> " for name, value in figures.items()
    )
    assert course.filled(f"text\n\n|{line}|\n") == f"text\n\n|{wanted}|\n"


@dataclass(frozen=True)
class Bad:
    marker: str
    says: str


@pytest.mark.parametrize(
    "bad",
    [
        Bad("excerpt step01-one/gone.py", "there is no file labs/step01-one/gone.py"),
        Bad("excerpt ../README.md", "there is no file labs/../README.md"),
        Bad("excerpt step02-two/mini_agent/model.py#Nobody", "there is no 'Nobody'"),
        Bad("excerpt", "Wanted: excerpt FILE[#SYMBOL]"),
        Bad("transcript step09", "there is no step 'step09'"),
        Bad("transcript step03-three", "there is no step 'step03-three'"),
        Bad("transcript step01 step02", "Wanted: transcript STEP"),
        Bad("diff step02 step01", "Name the earlier step first"),
        Bad("diff step01 step02 other.py", "other.py"),
        Bad("diff step01 step02 mini_agent/__init__.py", "is the same in step01 and step02"),
        Bad("steps all", "Wanted: steps"),
        Bad("task step02 7 patch", "7"),
        Bad("task step02 one patch", "'one' is no number of a task"),
        Bad("task step02 1 result", "no 'result'"),
        Bad("output", "right below a lab:commands fence"),
    ],
    ids=lambda bad: bad.marker,
)
def test_what_is_not_there(course: Course, bad: Bad) -> None:
    course.write("docs/page.md", f"text\n\n<!-- lab:{bad.marker} -->\n<!-- /lab -->\n")
    with pytest.raises(LabError) as caught:
        course.fill()
    assert caught.value.code == Exit.WRONG
    assert "\n  docs/page.md:3: " in str(caught.value)
    assert bad.says in str(caught.value)


@pytest.mark.parametrize(
    "bad",
    [
        Bad("unlines step01-one/mini_agent/demo.py", "there is no 'unlines'"),
        Bad("lines", "wrong number of arguments. Wanted: lines FILE"),
        Bad("lines step01-one/gone.py", "there is no file"),
        Bad("", "there is no ''"),
    ],
    ids=lambda bad: bad.marker,
)
def test_a_figure_that_is_not_there(course: Course, bad: Bad) -> None:
    course.write("docs/page.md", f"text\n\nHere: <!-- lab:figure {bad.marker} -->?<!-- / -->\n")
    with pytest.raises(LabError, match=f"docs/page.md:3: {bad.says}"):
        course.fill()
