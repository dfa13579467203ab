"""A marker is found where it is one, and whatever is not written as it must be is named."""

from dataclasses import dataclass

import pytest

from lab.docs.markers import parse
from lab.docs.tree import Problem


def problems_in(text: str) -> list[Problem]:
    return parse("docs/en/x.md", text, kinds={"transcript", "output"}).problems


@dataclass(frozen=True)
class Bad:
    id: str
    text: str
    line: int
    says: str


FENCE = "```bash\nls\n```\n"
BAD = [
    Bad("unknown kind", "a\n\n<!-- lab:nonsense -->\n<!-- /lab -->\n", 3, "no marker lab:nonsense"),
    Bad("unclosed", "\n<!-- lab:transcript 1 -->\ntext\n", 2, "this block has no end"),
    Bad("nothing open", "text\n\n<!-- /lab -->\n", 3, "without a block"),
    Bad(
        "nested",
        "<!-- lab:transcript 1 -->\n\n<!-- lab:transcript 2 -->\n<!-- /lab -->\n",
        3,
        "inside of the block that begins in line 1",
    ),
    Bad(
        "commands within a block",
        f"<!-- lab:transcript 1 -->\n\n<!-- lab:commands -->\n{FENCE}<!-- /lab -->\n",
        3,
        "inside of the block that begins in line 1",
    ),
    Bad("behind text", "text <!-- lab:transcript 1 -->\n", 1, "not a marker as it must be"),
    Bad("in a list", "- item\n\n  <!-- lab:transcript 1 -->\n", 3, "not a marker as it must be"),
    Bad("in a quote", "> <!-- lab:transcript 1 -->\n", 1, "not a marker as it must be"),
    Bad("no blanks", "<!--lab:transcript 1-->\n", 1, "not a marker as it must be"),
    Bad("an end with a blank less", "<!--/lab -->\n", 1, "not a marker as it must be"),
    Bad("in an HTML block", "<details>\n<!-- lab:transcript 1 -->\n", 2, "put an empty line above"),
    Bad("open quotes", '<!-- lab:transcript "1 -->\n', 1, "cannot be split"),
    Bad("figure without an end", "text <!-- lab:figure lines -->3\n", 1, "not a marker as it must"),
    Bad(
        "figure in front",
        "text\n<!-- lab:figure x -->3<!-- / --> files\n",
        2,
        "cannot begin a line",
    ),
    Bad(
        "figure in front of an item",
        "- <!-- lab:figure x -->3<!-- / -->\n",
        1,
        "cannot begin a line",
    ),
    Bad(
        "no fence", "<!-- lab:commands -->\n\n```bash\nls\n```\n", 1, "a ```bash fence must follow"
    ),
    Bad(
        "other fence", "<!-- lab:commands -->\n```text\nls\n```\n", 1, "a ```bash fence must follow"
    ),
    Bad(
        "fence in a list",
        f"- a\n\n  <!-- lab:commands -->\n  {FENCE}",
        3,
        "not a marker as it must",
    ),
    Bad("fence in a quote", f"> <!-- lab:commands -->\n> {FENCE}", 1, "not a marker as it must be"),
    Bad("no reason", f'<!-- lab:commands skip="" -->\n{FENCE}', 1, "wanted: lab:commands"),
    Bad("bad exit code", f"<!-- lab:commands expect=no -->\n{FENCE}", 1, "wanted: lab:commands"),
    Bad("unknown option", f"<!-- lab:commands skips=no -->\n{FENCE}", 1, "wanted: lab:commands"),
    Bad("two names", f"<!-- lab:commands one two -->\n{FENCE}", 1, "wanted: lab:commands"),
    Bad("language", "<!-- lab:lang fr -->\n", 1, "wanted: lab:lang"),
    Bad("minutes", "<!-- lab:minutes about 20 -->\n", 1, "wanted: lab:minutes"),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.id)
def test_what_is_wrong_is_named_with_its_line(bad: Bad) -> None:
    found = problems_in(bad.text)
    assert [(problem.file, problem.line) for problem in found] == [("docs/en/x.md", bad.line)]
    assert bad.says in found[0].text


@pytest.mark.parametrize(
    "text",
    [
        "```markdown\n<!-- lab:nonsense -->\n```\n",
        "~~~\n```\n<!-- lab:nonsense -->\n~~~\n",
        "- item\n\n  ```\n  <!-- lab:nonsense -->\n  ```\n",
        "    <!-- lab:nonsense -->\n",
        "Write `<!-- lab:figure NAME -->value<!-- / -->`, or ``<!-- /lab -->``.\n",
        "<!-- lab:transcript 1 -->\n\n```text\n<!-- /lab -->\n```\n\n<!-- /lab -->\n",
        "<!-- an ordinary comment -->\n",
    ],
)
def test_no_marker_inside_of_code(text: str) -> None:
    assert problems_in(text) == []


def test_commands() -> None:
    text = (
        f"<!-- lab:commands a -->\n{FENCE}\n<!-- lab:output -->\n<!-- /lab -->\n\n"
        f"<!-- lab:commands expect=3 -->\n{FENCE}text\n\n<!-- lab:output -->\n<!-- /lab -->\n\n"
        f'<!-- lab:lang zh -->\n\n<!-- lab:commands b skip="needs a keyboard" -->\n{FENCE}'
        f"\n```bash\npwd\n```\n"
    )
    document = parse("docs/en/x.md", text, kinds={"output"})
    assert document.problems == []
    assert [(c.script, c.expect, c.skip, c.language) for c in document.commands] == [
        ("ls\n", 0, "", "en"),
        ("ls\n", 3, "", "en"),
        ("ls\n", 0, "needs a keyboard", "zh"),
    ]
    assert [block.commands for block in document.blocks] == [document.commands[0], None]
    assert document.unmarked == [text[: text.index("```bash\npwd")].count("\n") + 1]
