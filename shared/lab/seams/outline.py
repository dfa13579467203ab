"""What a package defines, read from the source: nothing is run."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from lab import texts
from lab.errors import Exit, LabError


def defines(package: Path, name: str) -> bool:
    """Tell whether the package defines "module.name" or "module.Class.field".

    A module in a folder is "folder.module". An imported name does not count: it
    is at home elsewhere.

    Raises:
        LabError: the module is not Python; the message names file and line.
    """
    parts = name.split(".")
    while len(parts) > 1 and (package / parts[0]).is_dir():
        package /= parts.pop(0)
    module = package / "__init__.py"
    if (package / f"{parts[0]}.py").is_file():
        module = package / f"{parts.pop(0)}.py"
    if not parts or not module.is_file():
        return False
    scope: ast.AST = parse(module)
    for part in parts:
        found = dict(_definitions(scope)).get(part)
        if found is None:
            return False
        scope = found
    return True


def public_names(package: Path) -> frozenset[str]:
    """Return "module.name" for all that the modules of a package define for others to use."""
    return frozenset(
        f"{_module_name(file, package)}.{name}"
        for file in _modules(package)
        for name, _ in _definitions(parse(file))
        if not name.startswith("_")
    )


def parse(file: Path) -> ast.Module:
    """Return the syntax tree of a file.

    Raises:
        LabError: it is not Python; the message names file and line.
    """
    try:
        return ast.parse(file.read_bytes(), filename=str(file))
    except (SyntaxError, ValueError) as error:  # ValueError: a null byte
        line = getattr(error, "lineno", None) or 1
        problem = texts.NOT_PYTHON.format(file=file, line=line, error=error)
        raise LabError(problem, code=Exit.WRONG) from error


def _modules(package: Path) -> list[Path]:
    return sorted(package.rglob("*.py"))


def _module_name(file: Path, package: Path) -> str:
    parts = file.relative_to(package).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _definitions(scope: ast.AST) -> Iterator[tuple[str, ast.stmt]]:
    """Yield what a module or class defines itself, with the statement that does it."""
    if isinstance(scope, ast.Module | ast.ClassDef):
        yield from definitions_in(scope.body)


def definitions_in(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """Yield what statements define, with the statement that does it; what is imported is not."""
    for statement in statements:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield statement.name, statement
            case ast.Assign(targets=targets):
                yield from ((name, statement) for target in targets for name in _stored(target))
            case ast.AnnAssign(target=target):
                yield from ((name, statement) for name in _stored(target))
            case ast.If() | ast.Try() | ast.With():
                inner = ast.iter_child_nodes(statement)
                yield from definitions_in(node for node in inner if isinstance(node, ast.stmt))


def _stored(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
