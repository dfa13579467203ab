"""The package under test as source: read, never run."""

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from conformance.failure import CheckFailed


def parsed(folder: Path, module: str) -> ast.Module:
    """Return the syntax tree of one module, "tools.read" for one in a folder of its own.

    Raises:
        CheckFailed: it is not Python; the place is named.
    """
    stem = folder / "mini_agent" / module.replace(".", "/")
    file = stem / "__init__.py" if stem.is_dir() else stem.with_suffix(".py")
    try:
        return ast.parse(file.read_bytes(), filename=str(file))
    except (SyntaxError, ValueError) as error:  # ValueError: a null byte
        line = f":{error.lineno}" if isinstance(error, SyntaxError) else ""
        raise CheckFailed(
            called=f"reading mini_agent.{module}",
            came=f"{type(error).__name__}: {error.args[0]}\n  at {file.relative_to(folder)}{line}",
            wanted="a file that Python can read",
            read="the place named above",
        ) from error


def absolute_imports(tree: ast.Module) -> list[str]:
    """Return the import statements that name the package by its full name, with their lines."""
    return [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree)
        if (isinstance(node, ast.ImportFrom) and node.level == 0 and _is_own(node.module or ""))
        or (isinstance(node, ast.Import) and any(_is_own(alias.name) for alias in node.names))
    ]


def _is_own(name: str) -> bool:
    return name.partition(".")[0] == "mini_agent"


def find_cycle(trees: Mapping[str, ast.Module]) -> list[str]:
    """Return modules that import one another in a circle, or an empty list."""
    graph = {name: set(_imported(name, tree, set(trees))) for name, tree in trees.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])[::-1]
    return []


def _imported(module: str, tree: ast.Module, known: set[str]) -> Iterator[str]:
    """Yield the modules of the same package that this one imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = _base(module, node)
            for alias in node.names:
                inside = f"{base}.{alias.name}".lstrip(".")
                yield from {inside, base} & known - {module}


def _base(module: str, node: ast.ImportFrom) -> str:
    """Return what a relative import counts from, as a name inside of the package."""
    named = node.module or ""
    if node.level == 0:
        return named.removeprefix("mini_agent").lstrip(".") if _is_own(named) else "?"
    folders = module.split(".")[: -node.level]
    return ".".join([*folders, *([named] if named else [])])
