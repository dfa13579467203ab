"""Markdown on a terminal: when a piece is whole, how it looks, how many rows its raw text took.

Not here: writing it (`screen.py`).
"""

import re
from io import StringIO
from itertools import chain, dropwhile
from unicodedata import category, east_asian_width

from ..text import escape_controls

RENDERED = re.compile(r"[*_`|\[]|^\s*(?:#|>|[-+] |\d+[.)] |-{3}|={3})", re.MULTILINE)
"""What may be Markdown. Text without any of it looks the same already."""

FENCE = re.compile(r" {0,3}(?:[-*+]|\d+[.)])?\s*(`{3,}|~{3,})(.*)")
STYLE = re.compile(r"(\x1b\[[0-9;]*m)")
"""The only control sequences that `rich` is to send (ECMA-48, SGR)."""


def is_whole(block: str) -> bool:
    """Tell whether a paragraph or a fence ends where `block` does."""
    *lines, rest = block.split("\n")
    if rest or not lines:
        return False
    fence = ""
    for line in lines:
        found = FENCE.fullmatch(line)
        closes = found is not None and found[1].startswith(fence) and not found[2].strip()
        if fence and closes:
            fence = ""
        elif not fence and found is not None:
            fence = found[1]
    return not fence and (not lines[-1].strip() or FENCE.fullmatch(lines[-1]) is not None)


def rendered(text: str, *, width: int, colours: bool) -> str:
    """Return Markdown as lines of at most `width` cells, with styles and no other control."""
    from markdown_it import MarkdownIt  # noqa: PLC0415  # slow to load, rarely needed
    from rich.console import Console  # noqa: PLC0415
    from rich.markdown import Markdown  # noqa: PLC0415

    # Entities stay as they are: `&#27;` would become an escape character.
    parser = MarkdownIt().enable(["strikethrough", "table"]).disable("entity")
    markdown = Markdown(text, code_theme="ansi_dark", hyperlinks=False)
    markdown.parsed = parser.parse(text)
    for child in chain.from_iterable(token.children or () for token in markdown.parsed):
        if child.type == "softbreak":
            child.type = "hardbreak"  # lines stay lines: between 中 and 文 there is no space
    printed = StringIO()
    console = Console(
        file=printed, width=width, force_terminal=True, no_color=not colours, highlight=False
    )
    console.print(markdown)
    lines = [line.rstrip() for line in printed.getvalue().split("\n")]
    whole = "\n".join(dropwhile(_is_blank, lines))
    while _is_blank(whole.rpartition("\n")[2]) and whole:
        whole = whole.rpartition("\n")[0]
    parts = STYLE.split(whole)
    return "".join(part if STYLE.fullmatch(part) else escape_controls(part) for part in parts)


def _is_blank(line: str) -> bool:
    return not STYLE.sub("", line).strip()


def rows_of(text: str, width: int) -> int | None:
    """Return how many rows `text` takes on a terminal; None: terminals differ about it."""
    narrow, wide = (
        sum(_rows(line, width, doubtful) for line in text.split("\n")) for doubtful in (0, 2)
    )
    return narrow if narrow == wide and "\t" not in text else None


def _rows(line: str, width: int, doubtful: int) -> int:
    rows, column = 1, 0
    for character in line:
        cells = _cells(character, doubtful)
        if column + cells > width:
            rows, column = rows + 1, 0
        column += cells
    return rows


def _cells(character: str, doubtful: int) -> int:
    """Return the width of a character: 1 or 2, and for one that is not the same everywhere 0 to 2.

    See Unicode Annex 11.
    """
    if character.isascii():
        return 1
    if category(character) in ("Mn", "Me", "Cf"):
        return doubtful
    match east_asian_width(character):
        case "W" | "F":
            return 2
        case "A" | "N":
            return max(1, doubtful)
        case _:
            return 1
