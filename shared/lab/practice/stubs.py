"""What is to be built, as a beginning: signatures, fields, docstrings and fixed texts, no bodies.

Made from the text of the reference, which stays as it is apart from the bodies. What begins with
an underscore is left out: that is for its builder to shape.
"""

import ast
import re
from collections.abc import Iterator

TO_BUILD = "raise NotImplementedError"

Function = ast.FunctionDef | ast.AsyncFunctionDef
Edit = tuple[int, int, list[str]]
"""The first and the last line to replace, from 1, and what stands there then."""


def stub_of(source: str) -> str:
    """Return `source` without the bodies of its public functions, and without what is private."""
    tree = ast.parse(source)
    lost = {getattr(node, "name", "") for node in tree.body if _is_private(node)}
    edits = [edit for node in tree.body for edit in _edits(node)]
    for place, node in enumerate(tree.body):
        if isinstance(node, ast.Assign | ast.AnnAssign) and _names_in(node) & lost:
            told = tree.body[place + 1 : place + 2]  # the text behind it that explains it
            end = told[0] if told and _is_text(told[0]) else node
            edits.append((node.lineno, end.end_lineno or 0, []))
    lines = source.split("\n")
    for first, last, instead in sorted(edits, reverse=True):
        lines[first - 1 : last] = instead
    return re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines)).rstrip("\n") + "\n"


def unbuilt(source: str) -> list[str]:
    """Return the names of the functions in `source` whose body is still that of a stub.

    A file that is no Python has none: to say so is the business of whoever runs it.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    return [name for name, function in _functions(tree) if _is_stub(function)]


def _edits(node: ast.stmt) -> Iterator[Edit]:
    """Yield what becomes of a statement at the top of a module or of a class."""
    match node:
        case _ if _is_private(node):
            yield _first_line(node), node.end_lineno or 0, []
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _edits_of_body(node)
        case ast.ClassDef():
            for part in node.body:
                yield from _edits(part)


def _edits_of_body(function: Function) -> Iterator[Edit]:
    """Take out a body; a generator stays one, and what makes a function goes on to make it."""
    body = function.body[_has_docstring(function) :]
    if all(map(_is_text, body)):  # of a protocol
        return
    first, last = body[0], body[-1]
    indent = " " * first.col_offset
    made = _function_made_by(body)
    if made is None:
        more = [f"{indent}yield"] if _yields(function) else []
        yield _first_line(first), last.end_lineno or 0, [f"{indent}{TO_BUILD}", *more]
        return
    yield from _edits_of_body(made)
    for part in body[:-1]:
        if part is not made:
            yield _first_line(part), part.end_lineno or 0, []


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _functions(tree: ast.AST, prefix: str = "") -> list[tuple[str, Function]]:
    found: list[tuple[str, Function]] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            found.append((prefix + node.name, node))
        if isinstance(node, Function | ast.ClassDef):
            found += _functions(node, f"{prefix}{node.name}.")
    return found


def _is_stub(function: Function) -> bool:
    match function.body[_has_docstring(function) :][:1]:
        case [ast.Raise(exc=ast.Name(id="NotImplementedError"))]:
            return True
    return False


def _has_docstring(function: Function) -> bool:
    return ast.get_docstring(function, clean=False) is not None


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_private(node: ast.stmt) -> bool:
    name = getattr(node, "name", "")
    return name.startswith("_") and not name.endswith("__")


def _function_made_by(body: list[ast.stmt]) -> Function | None:
    """Return the function that a body defines and returns, if that is what it does."""
    match body[-1]:
        case ast.Return(value=ast.Name(id=name)):
            return next((f for f in body if isinstance(f, Function) and f.name == name), None)
    return None


def _yields(function: Function) -> bool:
    """Tell whether calling it makes a generator; functions inside do not count."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return False


def _names_in(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
