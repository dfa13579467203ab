"""Links within the checkout: every file and every heading that is linked must be there."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from lab import texts
from lab.docs.page import Link, Page, read_page
from lab.docs.tree import Problem, Tree

ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
"""How a link out of the checkout begins."""


def read_pages(tree: Tree) -> dict[str, Page]:
    """Read every document as a page."""
    return {name: read_page(tree.read(name)) for name in tree.documents()}


def find_broken_links(tree: Tree, pages: Mapping[str, Page]) -> Iterator[Problem]:
    """Yield the links to files and headings that are not there."""
    for name, page in pages.items():
        for link in page.links:
            if not ELSEWHERE.match(link.target):
                yield from _check(tree, pages, name, link)


def target_of(document: str, link: Link) -> str | None:
    """Return the file that a link leads to, from the root, or None if it leads elsewhere.

    A link within the page leads to the page itself. A target outside of the
    checkout begins with "..".
    """
    if ELSEWHERE.match(link.target):
        return None
    path = unquote(link.target.partition("#")[0])
    if not path:
        return document
    folder = "" if path.startswith("/") else os.path.dirname(document)
    return Path(os.path.normpath(os.path.join(folder, path.lstrip("/")))).as_posix()


def _check(tree: Tree, pages: Mapping[str, Page], name: str, link: Link) -> Iterator[Problem]:
    target = target_of(name, link) or ""
    anchor = unquote(link.target.partition("#")[2])
    if target.startswith("..") or not (tree.root / target).exists():
        yield Problem(name, link.line, texts.DOCS_DEAD_LINK.format(target=link.target))
    elif anchor and (target not in pages or anchor not in pages[target].anchors):
        yield Problem(name, link.line, texts.DOCS_DEAD_ANCHOR.format(anchor=anchor, file=target))
