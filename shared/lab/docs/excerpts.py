"""Parts of Python files, found by name: an excerpt follows its function wherever it moves."""

import ast
from dataclasses import dataclass
from itertools import pairwise

from lab import texts
from lab.docs.tree import count_lines
from lab.errors import LabError
from lab.seams.outline import definitions_in

SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a file, both ends included, from 1."""

    first: int
    last: int

    def cut(self, text: str) -> str:
        """Return these lines of `text`."""
        return "\n".join(text.split("\n")[self.first - 1 : self.last])


def find_lines(text: str, anchor: str | None) -> Lines:
    """Return which lines of a Python file an anchor means.

    Args:
        text: What is in the file.
        anchor: "name", "Class.name", or "a..b" from the start of one to the end of
            the other; None means the whole file.

    Raises:
        LabError: there is no such name, or `b` ends before `a` begins.
    """
    if anchor is None:
        return Lines(1, count_lines(text))
    start, _, end = anchor.partition("..")
    module = _parse(text)
    lines = Lines(_find(module, start).first, _find(module, end or start).last)
    if lines.last < lines.first:
        raise LabError(texts.DOCS_BACKWARDS.format(anchor=anchor))
    return lines


def _parse(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise LabError(texts.DOCS_NOT_PYTHON.format(error=error)) from error


def _find(module: ast.Module, dotted: str) -> Lines:
    """Return the lines of a definition: decorators before it and the text after it included."""
    body: list[ast.stmt] = module.body
    statement: ast.stmt = ast.Pass()
    for name in dotted.split("."):
        known = dict(reversed(list(definitions_in(body))))  # of several, the first
        if name not in known:
            text = texts.DOCS_NO_SYMBOL.format(name=dotted, known=", ".join(reversed(known)))
            raise LabError(text)
        statement = known[name]
        body = getattr(statement, "body", [])
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    last = _explanation(module, statement) or statement
    first = min(statement.lineno, *(item.lineno for item in decorators), statement.lineno)
    return Lines(first, last.end_lineno or last.lineno)


def _explanation(module: ast.Module, statement: ast.stmt) -> ast.stmt | None:
    """Return the bare string that stands right behind an assignment, if there is one."""
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        bodies = (node.body for node in ast.walk(module) if isinstance(node, SCOPES))
        for one, behind in (pair for body in bodies for pair in pairwise(body)):
            match behind:
                case ast.Expr(value=ast.Constant(value=str())) if one is statement:
                    return behind
    return None
