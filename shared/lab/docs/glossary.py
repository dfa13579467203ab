"""The glossary: the terms of all chapters in one table, each with its other language."""

from itertools import takewhile
from pathlib import PurePosixPath

from lab import texts
from lab.bilingual import Language
from lab.docs.request import Request
from lab.docs.tree import Tree, counterpart
from lab.errors import LabError

HEADINGS: dict[Language, str] = {"en": "## Terms", "zh": "## 关键术语"}
"""The section of a chapter that holds its table: a term, and its meaning."""


def glossary(request: Request) -> list[tuple[str, ...]]:
    """Return a row per term, sorted by the English ones: the term, its meaning, its chapter.

    In English the Chinese term follows the term; a Chinese one says the English beside it.

    Raises:
        LabError: two languages of a chapter do not have the same number of terms.
    """
    rows: list[tuple[str, tuple[str, ...]]] = []
    for english in request.tree.chapters():
        chinese = counterpart(english) or english
        pairs = terms(request.tree, english, "en"), terms(request.tree, chinese, "zh")
        if len(pairs[0]) != len(pairs[1]):
            raise LabError(texts.DOCS_UNPAIRED_TERMS.format(file=english, other=chinese))
        for (term, meaning), (chinese_term, chinese_meaning) in zip(*pairs, strict=True):
            row: tuple[str, ...] = (term, chinese_term, meaning, _chapter(request, english))
            if request.language == "zh":
                row = (chinese_term, chinese_meaning, _chapter(request, chinese))
            rows.append((term.casefold(), row))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


def _chapter(request: Request, document: str) -> str:
    return f"[{PurePosixPath(document).name[:2]}]({request.link(document)})"


def terms(tree: Tree, document: str, language: Language) -> list[tuple[str, str]]:
    """Return the rows of a chapter's table of terms; none if it has no such section."""
    lines = iter(tree.read(document).split("\n"))
    if HEADINGS[language] not in lines:  # it reads on up to there
        return []
    section = takewhile(lambda line: not line.startswith("## "), lines)
    table = [line for line in section if line.startswith("| ")]
    rows = (line.strip("| ").split(" | ", 1) for line in table[1:])
    return [(term.strip(), meaning.strip()) for term, meaning in rows]
