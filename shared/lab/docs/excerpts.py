"""Parts of Python files, found by name: an excerpt follows its function wherever it moves."""

import ast
from dataclasses import dataclass

from lab import texts
from lab.docs.tree import count_lines
from lab.errors import LabError


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
    lines = Lines(0, 0)
    for name in dotted.split("."):
        place = next((i for i, statement in enumerate(body) if name in _names(statement)), None)
        if place is None:
            known = ", ".join(name for statement in body for name in _names(statement))
            raise LabError(texts.DOCS_NO_SYMBOL.format(name=dotted, known=known))
        lines = _lines(body, place)
        body = getattr(body[place], "body", [])
    return lines


def _names(statement: ast.stmt) -> list[str]:
    """Return what a statement defines."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


def _lines(body: list[ast.stmt], place: int) -> Lines:
    statement = body[place]
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    last = statement
    if isinstance(statement, ast.Assign | ast.AnnAssign) and _is_text(body[place + 1 : place + 2]):
        last = body[place + 1]
    first = min(statement.lineno, *(item.lineno for item in decorators), statement.lineno)
    return Lines(first, last.end_lineno or last.lineno)


def _is_text(statements: list[ast.stmt]) -> bool:
    """Tell whether the statement is a bare string: the explanation of what stands above it."""
    match statements:
        case [ast.Expr(value=ast.Constant(value=str()))]:
            return True
        case _:
            return False
