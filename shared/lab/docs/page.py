"""What readers and other pages see of a Markdown file: headings, links, diagrams."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

HTML_LINK = re.compile(r"""<(?:a|img)\b[^>]*?\s(?:href|src)=["']([^"']*)["']""", re.IGNORECASE)
HTML_ANCHOR = re.compile(r"""<[a-z][^>]*?\s(?:id|name)=["']([^"']*)["']""", re.IGNORECASE)
WORD_CATEGORIES = ("L", "M", "Nd", "Pc")
"""Unicode categories that a code host keeps in the anchor of a heading."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, as it reads."""

    line: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link or a picture points, as it is written."""

    line: int
    target: str


@dataclass(slots=True, kw_only=True)
class Page:
    """A Markdown file as others see it."""

    headings: list[Heading] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    diagrams: list[int] = field(default_factory=list)
    """The lines on which mermaid diagrams begin."""

    anchors: set[str] = field(default_factory=set)
    """What can stand behind a `#` to lead into this page."""


def read_page(text: str) -> Page:
    """Read a Markdown file as a code host does."""
    page = Page()
    tokens = MarkdownIt().enable("table").parse(text)
    for before, token in zip([None, *tokens], tokens, strict=False):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "fence" and token.info.split()[:1] == ["mermaid"]:
            page.diagrams.append(line)
        elif token.type == "html_block":
            _read_html(page, line, token.content)
        elif token.type == "inline":
            if before and before.type == "heading_open":
                heading = Heading(line, int(before.tag[1:]), text_of(token.children or []).strip())
                page.headings.append(heading)
            for place, child in _with_lines(line, token.children or []):
                _read_inline(page, place, child)
    page.anchors |= set(anchors_of(heading.text for heading in page.headings))
    return page


def anchors_of(headings: Iterable[str]) -> list[str]:
    """Return the anchor of each heading; equal ones are numbered from the second on."""
    seen: dict[str, int] = {}
    anchors = []
    for heading in headings:
        slug = slug_of(heading)
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        anchors.append(f"{slug}-{count}" if count else slug)
    return anchors


def slug_of(heading: str) -> str:
    """Return a heading's anchor: small letters, no punctuation, a dash for every blank."""
    kept = (char for char in heading.lower() if char in "- " or _is_word(char))
    return "".join(kept).replace(" ", "-")


def text_of(tokens: Iterable[Token]) -> str:
    """Return what a reader sees of an inline text, pictures left out."""
    return "".join(token.content for token in tokens if token.type in ("text", "code_inline"))


def _is_word(char: str) -> bool:
    return unicodedata.category(char).startswith(WORD_CATEGORIES)


def _with_lines(line: int, tokens: Iterable[Token]) -> Iterator[tuple[int, Token]]:
    for token in tokens:
        yield line, token
        line += token.type in ("softbreak", "hardbreak")


def _read_inline(page: Page, line: int, token: Token) -> None:
    target = token.attrGet("src" if token.type == "image" else "href")
    if token.type in ("link_open", "image") and target is not None:
        page.links.append(Link(line, str(target)))
    elif token.type == "html_inline":
        _read_html(page, line, token.content)


def _read_html(page: Page, line: int, html: str) -> None:
    for number, text in enumerate(html.split("\n"), start=line):
        page.links += [Link(number, target) for target in HTML_LINK.findall(text)]
        page.anchors |= set(HTML_ANCHOR.findall(text))
