"""Links lead to files and headings that are there, by the anchors that a code host makes."""

import pytest

from lab.docs.page import anchors_of, read_page
from tests.docs.course import Course


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Run it first", "run-it-first"),
        ("先跑起来", "先跑起来"),
        ("`demo.py`：不需要键盘的入口", "demopy不需要键盘的入口"),
        ("Task 1: `input()` alone", "task-1-input-alone"),
        ("a  b - c_d", "a--b---c_d"),
        ("The **seam** and [the loop](x.md)", "the-seam-and-the-loop"),
        ("Emphasis *here*, e.g. (this)!", "emphasis-here-eg-this"),
        ("Über é ½ 二", "über-é--二"),
        ("Files: <!-- x -->3<!-- / -->", "files-3"),
    ],
)
def test_anchor_of_a_heading(heading: str, anchor: str) -> None:
    assert read_page(f"text\n\n## {heading}\n").anchors == {anchor}


def test_equal_headings_are_numbered() -> None:
    assert anchors_of(["问题", "A!", "a", "问题", "问题"]) == [
        "问题",
        "a",
        "a-1",
        "问题-1",
        "问题-2",
    ]


def test_links_and_their_lines() -> None:
    page = read_page(
        "# H\n\none [a](a.md)\ntwo ![b](b.png)\n\n| [c](<c d.md>) |\n|---|\n| [d](d.md#x) |\n\n"
        '<a href="e.md" id="mark">e</a>\n\n- item\n  <img src="f.png"> [g][ref]\n\n'
        "`[no](no.md)`\n\n```\n[no](no.md)\n```\n\n<p>\n<a\nhref='h.md'></p>\n\n[ref]: g.md\n"
    )
    assert [(link.line, link.target) for link in page.links] == [
        (3, "a.md"),
        (4, "b.png"),
        (6, "c%20d.md"),
        (8, "d.md#x"),
        (10, "e.md"),
        (13, "f.png"),
        (13, "g.md"),
    ]
    assert page.anchors == {"h", "mark"}


@pytest.mark.parametrize(
    "link",
    [
        "page.md",
        "en/01-one.md#run-it",
        "zh/01-one.md#先跑起来",
        "zh/01-one.md#%E5%85%88%E8%B7%91%E8%B5%B7%E6%9D%A5",
        "#a-heading",
        "#mark",
        "../labs/step01-one",
        "../labs/step01-one/",
        "/labs/contract.toml",
        "a%20file.txt",
        "https://example.org/nowhere.md#x",
        "mailto:nobody@example.org",
    ],
)
def test_good_links(course: Course, link: str) -> None:
    course.write("docs/a file.txt", "")
    course.write("docs/page.md", f'# A heading\n\n<a id="mark"></a>\n\n[x]({link})\n')
    assert course.examine() == ([], [])


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("nowhere.md", "nowhere.md leads nowhere"),
        ("../labs/step01-one/nobody.py", "../labs/step01-one/nobody.py leads nowhere"),
        ("../../outside.md", "../../outside.md leads nowhere"),
        ("#no-heading", "docs/page.md has no heading with the anchor #no-heading"),
        ("#A-heading", "docs/page.md has no heading with the anchor #A-heading"),
        ("zh/01-one.md#先跑", "docs/zh/01-one.md has no heading with the anchor #先跑"),
        (
            "../labs/contract.toml#L3",
            "labs/contract.toml has no heading with the anchor #L3",
        ),
    ],
)
def test_dead_links(course: Course, link: str, says: str) -> None:
    (course.root.parent / "outside.md").write_text("", encoding="utf-8")
    course.write("docs/page.md", f"# A heading\n\ntext\n[x]({link})\n")
    assert [str(problem) for problem in course.examine()[1]] == [f"docs/page.md:4: {says}"]
