"""`lab docs --check`: whatever is not true any more in the documents. Writes nothing."""

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from lab import texts
from lab.docs.fill import refuse_within_itself
from lab.docs.links import find_broken_links, read_pages
from lab.docs.parity import find_differences, find_missing
from lab.docs.parts import Document
from lab.docs.render import failures, read_document, render
from lab.docs.run import run_documents
from lab.docs.tree import Problem, Tree, in_english, read_tree
from lab.errors import Exit


def check_documents(root: Path, *, run: bool) -> Exit:
    """Print what is out of date, as a diff, and what is wrong, one line each.

    Args:
        root: The top folder of the checkout.
        run: Run the commands too; without it their outputs are not compared.

    Returns `Exit.WRONG` if there is anything, else `Exit.OK`.
    """
    refuse_within_itself()
    tree = read_tree(root)
    stale, problems = examine(tree, run=run)
    for diff in stale:
        print(diff)
    for problem in problems:
        print(problem)
    if stale or problems:
        print(texts.DOCS_NOT_TRUE.format(stale=len(stale), problems=len(problems)))
        return Exit.WRONG
    print(texts.DOCS_TRUE.format(count=len(tree.documents())))
    return Exit.OK


def examine(tree: Tree, *, run: bool) -> tuple[list[str], list[Problem]]:
    """Return a diff for each document that is out of date, and all that is wrong."""
    documents = {name: read_document(tree, name) for name in tree.documents()}
    outcomes = run_documents(tree.root, documents.values()) if run else None
    stale, problems = [], list(find_missing(tree, list(documents)))
    for name, document in documents.items():
        text, found = render(tree, document, outcomes)
        problems += found
        problems += failures(document, outcomes or {})
        problems += unsaid_minutes(document, required=in_english(name) in tree.chapters())
        if name.startswith("docs/"):
            problems += [Problem(name, line, texts.DOCS_UNMARKED) for line in document.unmarked]
        if text != tree.read(name):
            stale.append(diff_of(name, tree.read(name), text))
    pages = read_pages(tree)
    problems += find_differences(documents, pages)
    problems += find_broken_links(tree, pages)
    return stale, sorted(problems)


def unsaid_minutes(document: Document, *, required: bool) -> Iterator[Problem]:
    """Yield a problem if the text below `lab:minutes` names another number, or there is none."""
    if required and not document.minutes:
        yield Problem(document.name, 0, texts.DOCS_NO_MINUTES)
    for line, minutes in document.minutes:
        below = "\n".join(document.lines[line:]).strip().split("\n\n")[0]
        if not re.search(rf"(?<!\d){minutes}(?!\d)", below):
            yield Problem(document.name, line, texts.DOCS_UNSAID_MINUTES.format(minutes=minutes))


def diff_of(name: str, there: str, wanted: str) -> str:
    """Return what `lab docs` would change in a document."""
    lines = difflib.unified_diff(
        there.split("\n"),
        wanted.split("\n"),
        fromfile=name,
        tofile=texts.DOCS_FROM_SOURCE.format(file=name),
        lineterm="",
    )
    return "\n".join(lines)
