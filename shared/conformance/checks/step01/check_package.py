"""The package as a whole: where it comes from, what loading it does, what may import what."""

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.judge import PartMissing
from conformance.support.source import absolute_imports, find_cycle, parsed
from conformance.support.subject import Subject
from conformance.support.tracebacks import in_short
from lab.contract import in_order, surface

pytestmark = [read("package"), pytest.mark.timeout(60)]


def expect_none(found: Iterable[str], *, called: str, wanted: str) -> None:
    """Fail and list what was found, unless it is nothing."""
    came = "\n".join(found)
    judge.holds(not came, called=called, came=came, wanted=wanted)


@pytest.mark.program  # what a step has not replaced yet may still import what it took away
def test_modules_can_be_imported(subject: Subject) -> None:
    """Every module can be imported on its own."""
    broken: dict[str, list[str]] = {}
    for name, tried in subject.imported.items():
        if tried.error:
            broken.setdefault(in_short(tried.error), []).append(f"mini_agent.{name}")
    expect_none(
        (f"{', '.join(names)}: {error}" for error, names in broken.items()),
        called="importing each module, in a process of its own",
        wanted="no error",
    )


def test_surface(subject: Subject) -> None:
    """Every name that the step promises is there."""
    missing: dict[str, list[str]] = {}
    for name in sorted(surface(subject.step)):
        try:
            subject.get(name)
        except PartMissing as part:
            missing.setdefault(_file(name), []).append(str(part))
    if missing:
        parts = [part for file in in_order(missing, subject.step) for part in missing[file]]
        raise PartMissing("\n".join(dict.fromkeys(parts)))


def test_loaded_from_the_folder(subject: Subject) -> None:
    """Every module of mini_agent comes from the folder under test, and from nowhere else."""
    files = {file for it in subject.imported.values() for file in (it.file, it.package) if file}
    expect_none(
        sorted(file for file in files if not Path(file).is_relative_to(subject.folder.resolve())),
        called="mini_agent.__file__, and that of every module",
        wanted="files in the folder under test",
    )


def test_init_holds_a_docstring(subject: Subject) -> None:
    """`__init__.py` holds a docstring and nothing else."""
    if not (subject.folder / "mini_agent" / "__init__.py").is_file():
        raise PartMissing("mini_agent/__init__.py")
    body = parsed(subject.folder, "__init__").body
    judge.holds(
        len(body) == 1 and _is_text(body[0]),
        called="reading mini_agent/__init__.py",
        came=f"{len(body)} statements",
        wanted="a docstring, and nothing else: importing one module loads no other",
    )


@pytest.mark.program  # the programs import, too, what is not there yet
def test_import_prints_nothing(subject: Subject) -> None:
    """Importing a module prints nothing."""
    found = subject.imported.items()
    expect_none(
        (f"mini_agent.{name} prints {it.printed[:200]!r}" for name, it in found if it.printed),
        called="importing each module, in a process of its own",
        wanted="silence",
    )


def test_import_touches_nothing(subject: Subject) -> None:
    """Importing a module opens no file, starts no process, asks no network."""
    expect_none(
        (
            f"mini_agent.{name}: {what}"
            for name, it in subject.imported.items()
            for what in it.touched
        ),
        called="importing each module, in a process of its own",
        wanted="modules that do nothing until they are called",
    )


def test_no_module_hides_the_library(subject: Subject) -> None:
    """No module has the name of one of the standard library."""
    expect_none(
        (f"mini_agent/{name}.py" for name in subject.modules if name in sys.stdlib_module_names),
        called="the names of the modules",
        wanted="names of their own: messages.py, not types.py",
    )


def test_imports_are_relative(subject: Subject) -> None:
    """Inside of the package, modules import one another relatively."""
    expect_none(
        (
            f"mini_agent/{name}.py, {line}"
            for name in subject.modules
            if not name.startswith("examples.")  # made to be copied to another place
            for line in absolute_imports(parsed(subject.folder, name))
        ),
        called="reading the imports",
        wanted="from .messages import ..., not from mini_agent.messages import ...",
    )


def test_no_import_cycle(subject: Subject) -> None:
    """No module imports another one that, by whatever way, imports it."""
    trees = {name: parsed(subject.folder, name) for name in subject.modules}
    expect_none(
        [" -> ".join(cycle)] if (cycle := find_cycle(trees)) else [],
        called="reading the imports",
        wanted="no circle: what is further down imports nothing from further up",
    )


def _file(name: str) -> str:
    return f"mini_agent/{name.partition('.')[0]}.py"


def _is_text(node: object) -> bool:
    value = getattr(getattr(node, "value", None), "value", None)
    return isinstance(value, str)
