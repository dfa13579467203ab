"""The package under test as source: read, never run."""

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from conformance.support.chapters import where
from conformance.support.judge import CheckFailed
from conformance.support.tracebacks import where_it_broke


def module_names(folder: Path) -> list[str]:
    """Return the modules of the package, sorted; "tools.read" is one in a folder of its own."""
    package = folder / "mini_agent"
    paths = (path.relative_to(package).with_suffix("") for path in package.rglob("*.py"))
    names = (".".join(path.parts).removesuffix(".__init__") for path in paths)
    return sorted(name for name in names if name != "__init__")


def parsed(folder: Path, module: str) -> ast.Module:
    """Return the syntax tree of one module.

    Raises:
        CheckFailed: it is not Python; the place is named.
    """
    stem = folder / "mini_agent" / module.replace(".", "/")
    file = stem / "__init__.py" if stem.is_dir() else stem.with_suffix(".py")
    try:
        return ast.parse(file.read_bytes(), filename=str(file))
    except (SyntaxError, ValueError) as error:  # ValueError: a null byte
        raise cannot_import(module, where_it_broke(error, folder)) from error


def cannot_import(module: str, came: str) -> CheckFailed:
    """Return the failure that says why a module cannot be used."""
    return CheckFailed(
        called=f"import mini_agent.{module}",
        came=came,
        wanted="a module that can be imported",
        read=f"the place named above\n{where('package')}",
    )


def leaves_first(folder: Path) -> list[str]:
    """Return the modules, each behind those that it imports, so far as that can be done."""
    trees: dict[str, ast.Module] = {}
    broken: list[str] = []
    for name in module_names(folder):
        try:
            trees[name] = parsed(folder, name)
        except CheckFailed:
            broken.append(name)
    if find_cycle(trees):
        return [*broken, *trees]
    return [*broken, *TopologicalSorter(_graph(trees)).static_order()]


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
    try:
        TopologicalSorter(_graph(trees)).prepare()
    except CycleError as error:
        return list(error.args[1])[::-1]
    return []


def _graph(trees: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    """Return what each module imports, in an order that does not change."""
    return {name: sorted(set(_imported(name, tree, set(trees)))) for name, tree in trees.items()}


def _imported(module: str, tree: ast.Module, known: set[str]) -> Iterator[str]:
    """Yield the modules of the same package that this one imports."""
    is_folder = any(name.startswith(f"{module}.") for name in known)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = _base(module, node, is_folder=is_folder)
            for alias in node.names:
                inside = f"{base}.{alias.name}".lstrip(".")
                yield from {inside, base} & known - {module}


def _base(module: str, node: ast.ImportFrom, *, is_folder: bool) -> str:
    """Return what an import counts from, as a name inside of the package; "?": elsewhere."""
    named = node.module or ""
    if node.level == 0:
        return named.removeprefix("mini_agent").lstrip(".") if _is_own(named) else "?"
    parts = module.split(".")
    folders = parts[: len(parts) - node.level + is_folder]
    return ".".join([*folders, *([named] if named else [])])
