"""Two languages, one course: what must be the same in a document and in its counterpart."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from lab import texts
from lab.docs.links import target_of
from lab.docs.page import Page
from lab.docs.parts import Document
from lab.docs.tree import Problem, Tree, counterpart, in_english, language_of

Item = tuple[int, str]
"""A line, and what stands there."""


def find_missing(tree: Tree, names: Sequence[str]) -> Iterator[Problem]:
    """Yield the documents that the course needs and does not have."""
    pages = [*tree.chapters(), *tree.teaching_pages()]
    wanted = dict.fromkeys(pages, texts.DOCS_NO_CHAPTER)
    for name in names:
        other = counterpart(name)
        if other:
            wanted[other] = texts.DOCS_NO_COUNTERPART.format(file=name)
    for name, problem in wanted.items():
        if name not in names:
            yield Problem(name, 0, problem)


def find_differences(
    documents: Mapping[str, Document], pages: Mapping[str, Page]
) -> Iterator[Problem]:
    """Yield what is not the same in an English document and in its counterpart."""
    for name, document in documents.items():
        other = counterpart(name)
        if language_of(name) == "en" and other and other in documents:
            yield from _compare(document, pages[name], documents[other], pages[other])


def _compare(
    ours: Document, our_page: Page, theirs: Document, their_page: Page
) -> Iterator[Problem]:
    for what, our_items, their_items in (
        (texts.DOCS_HEADING, _headings(our_page), _headings(their_page)),
        (texts.DOCS_MARKER, _markers(ours), _markers(theirs)),
        (texts.DOCS_COMMANDS, _scripts(ours), _scripts(theirs)),
        (texts.DOCS_MINUTES, _minutes(ours), _minutes(theirs)),
        (texts.DOCS_DIAGRAM, _diagrams(our_page), _diagrams(their_page)),
    ):
        yield from _first_difference(what, ours.name, our_items, theirs.name, their_items)
    # Another language may put the figures and links of a sentence in another order.
    for what, our_items, their_items in (
        (texts.DOCS_FIGURE, _figures(ours), _figures(theirs)),
        (texts.DOCS_LINK, _files(ours.name, our_page), _files(theirs.name, their_page)),
    ):
        yield from _surplus(what, ours.name, our_items, theirs.name, their_items)
        yield from _surplus(what, theirs.name, their_items, ours.name, our_items)


def _first_difference(
    what: str, name: str, items: list[Item], other: str, other_items: list[Item]
) -> Iterator[Problem]:
    """Yield one problem at most: behind the first difference everything differs."""
    nothing = (0, texts.DOCS_NOTHING)
    for (line, here), (other_line, there) in zip_longest(items, other_items, fillvalue=nothing):
        if here != there:
            text = texts.DOCS_DIFFERS.format(
                what=what, here=here, there=there, file=other, line=other_line or "end"
            )
            yield Problem(name, line, text)
            return


def _surplus(
    what: str, name: str, items: list[Item], other: str, other_items: list[Item]
) -> Iterator[Problem]:
    """Yield what `name` has more often than `other`."""
    left = Counter(there for _, there in other_items)
    for line, here in items:
        left[here] -= 1
        if left[here] < 0:
            yield Problem(name, line, texts.DOCS_SURPLUS.format(what=what, item=here, file=other))


def _headings(page: Page) -> list[Item]:
    return [(heading.line, "#" * heading.level) for heading in page.headings]


def _markers(document: Document) -> list[Item]:
    blocks = [(block.line, " ".join((block.kind, *block.arguments))) for block in document.blocks]
    commands = [(block.line, f"commands {block.arguments}".strip()) for block in document.commands]
    return sorted(blocks + commands)


def _scripts(document: Document) -> list[Item]:
    return [(block.line, block.script) for block in document.commands]


def _minutes(document: Document) -> list[Item]:
    return [(line, str(minutes)) for line, minutes in document.minutes]


def _diagrams(page: Page) -> list[Item]:
    return [(line, "mermaid") for line in page.diagrams]


def _figures(document: Document) -> list[Item]:
    return [(figure.line, " ".join(figure.arguments)) for figure in document.figures]


def _files(name: str, page: Page) -> list[Item]:
    """Return the files that a page links, the Chinese ones by their English names."""
    targets = ((link.line, target_of(name, link)) for link in page.links)
    return [(line, in_english(target)) for line, target in targets if target is not None]
