"""`lab docs`: write the generated parts into the documents."""

import os
from pathlib import Path

from lab import texts
from lab.docs.render import failures, read_document, render
from lab.docs.run import Outcomes, run_documents
from lab.docs.sandbox import INSIDE
from lab.docs.tree import Problem, Tree, read_tree
from lab.errors import Exit, LabError

ROUNDS = 5
"""How often documents are filled at most: one may count the lines of another."""


def fill_documents(root: Path, *, run: bool) -> Exit:
    """Fill all documents of the checkout at `root`, and print which ones changed.

    Args:
        root: The top folder of the checkout.
        run: Run the commands; without it their outputs stay as they are.

    Returns `Exit.RECORDED` if anything was written, else `Exit.OK`.

    Raises:
        LabError: a marker is wrong or a command does not end as it must; the
            message lists every place. Or this is CI, which never writes.
    """
    if os.environ.get("CI"):
        raise LabError(texts.NEVER_IN_CI)
    refuse_within_itself()
    tree = read_tree(root)
    written = settle(tree, None)
    _report(written)
    if run:
        later = settle(tree, run_all(tree))
        _report(later - written)
        written |= later
    print(texts.DOCS_RECORDED if written else texts.DOCS_NOTHING_TO_DO)
    return Exit.RECORDED if written else Exit.OK


def _report(written: set[str]) -> None:
    for name in sorted(written):
        print(texts.DOCS_WRITTEN.format(file=name))


def refuse_within_itself() -> None:
    """Stop a command of a chapter from running all chapters again.

    Raises:
        LabError: this process is one of the commands that `lab docs` runs.
    """
    if os.environ.get(INSIDE):
        raise LabError(texts.DOCS_WITHIN_ITSELF)


def run_all(tree: Tree) -> Outcomes:
    """Run the commands of all documents.

    Raises:
        LabError: one does not end as it must.
    """
    documents = [read_document(tree, name) for name in tree.documents()]
    outcomes = run_documents(tree.root, documents)
    stop_at([problem for doc in documents for problem in failures(doc, outcomes)])
    return outcomes


def settle(tree: Tree, outcomes: Outcomes | None) -> set[str]:
    """Fill until nothing changes any more, and return which documents were written.

    Raises:
        LabError: a marker is wrong (then nothing was written in this round), or
            the documents never come to rest.
    """
    written: set[str] = set()
    for _ in range(ROUNDS):
        changed: dict[str, str] = {}
        problems: list[Problem] = []
        for name in tree.documents():
            text, found = render(tree, read_document(tree, name), outcomes)
            problems += found
            if text != tree.read(name):
                changed[name] = text
        stop_at(problems)
        if not changed:
            return written
        for name, text in changed.items():
            (tree.root / name).write_bytes(text.encode("utf-8"))
        written |= changed.keys()
    raise LabError(texts.DOCS_RESTLESS.format(files=", ".join(sorted(written))), code=Exit.WRONG)


def stop_at(problems: list[Problem]) -> None:
    """Raise a `LabError` that lists the problems, if there are any."""
    if problems:
        listed = "\n".join(f"  {problem}" for problem in sorted(problems))
        raise LabError(texts.DOCS_PROBLEMS.format(problems=listed), code=Exit.WRONG)
