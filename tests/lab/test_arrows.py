"""The rooms of a step's package: imports go one way, and a room's name stands for what is in it."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.contract import Step, built_steps

STEPS = built_steps()

ENTRIES = ("__main__", "demo", "shell", "examples")
LEVELS = (
    ("core", "providers"),
    ("tools",),
    ("sessions",),
    ("extensions",),
    ("runs",),
    ("context", "skills"),
    ("cli",),
    ENTRIES,
)
"""From the ground up: a room may look into those below it, and into its own."""

LEVEL = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
OF_CLI = ("options", "prompt", "attachments")
"""Born in step 05, before there was a room for them: what stands between a user and the shell."""

MAY_CHOOSE_A_PROVIDER = ("cli", "__main__", "demo")


def room_of(module: str) -> str:
    """Return the room of "sessions.store", "core" for a module at the top."""
    first, _, rest = module.partition(".")
    if first in OF_CLI:
        return "cli"
    return first if rest or first in LEVEL else "core"


def modules_of(package: Path) -> dict[str, Path]:
    """Return the modules of a package by their dotted names; a folder has the name of its own."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(module: str, path: Path, known: dict[str, Path]) -> Iterator[str]:
    """Yield the modules of the same package that one imports, wherever in the file it does."""
    here = module.split(".") if path.stem == "__init__" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            yield from (n.removeprefix("mini_agent.") for n in names if n.startswith("mini_agent."))
        elif isinstance(node, ast.ImportFrom):
            named = node.module or ""
            if node.level:
                base = [*here[: len(here) - node.level + 1], *filter(None, named.split("."))]
            elif named.split(".")[0] == "mini_agent":
                base = named.split(".")[1:]
            else:
                continue
            for alias in node.names:
                inside = ".".join([*base, alias.name])
                yield inside if inside in known else ".".join(base)


def arrows_back(package: Path) -> list[str]:
    """Return the imports that go up, or into a room where only some may look."""
    known = modules_of(package)
    wrong = []
    for module, path in known.items():
        room = room_of(module)
        for target in imports_of(module, path, known):
            to = room_of(target) if target else "core"
            if not _may_look(room, to, module):
                wrong.append(f"{module} -> {target}")
    return wrong


def _may_look(room: str, to: str, module: str) -> bool:
    if to == "examples":
        return room == "examples"
    if to == "providers" and room != "providers":
        return room in MAY_CHOOSE_A_PROVIDER
    if to in ENTRIES and room in ENTRIES:
        return to == "shell" or module == to
    return LEVEL[to] <= LEVEL[room]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_no_arrow_runs_back(step: Step) -> None:
    assert arrows_back(step.folder / "mini_agent") == []


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_every_room_has_its_place(step: Step) -> None:
    modules = modules_of(step.folder / "mini_agent")
    assert {room_of(name) for name in modules} <= LEVEL.keys()


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_the_name_of_a_room_is_no_prefix(step: Step) -> None:
    top = [name for name in modules_of(step.folder / "mini_agent") if "." not in name]
    assert [name for name in top if name.startswith(("session_", "extension_", "run_"))] == []


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_a_room_loads_nothing(step: Step) -> None:
    for path in (step.folder / "mini_agent").rglob("__init__.py"):
        (docstring,) = ast.parse(path.read_text(encoding="utf-8")).body
        assert isinstance(docstring, ast.Expr), path
        assert isinstance(docstring.value, ast.Constant), path


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_no_module_has_a_name_of_the_standard_library(step: Step) -> None:
    top = {name for name in modules_of(step.folder / "mini_agent") if "." not in name}
    assert top & sys.stdlib_module_names - {"__main__"} == set()


BACK = {
    "core looks into a room": ("stream", "from .sessions.store import Store"),
    "core looks into a room, inside of a function": (
        "stream",
        "def f():\n    from .sessions import store",
    ),
    "core looks into a room by its full name": ("stream", "from mini_agent.sessions import store"),
    "core looks into a room as a whole": ("stream", "import mini_agent.sessions.store"),
    "a room looks up": ("sessions.store", "from ..runs.state import State"),
    "a room looks up at the file beside it": ("sessions.store", "from ..options import parse"),
    "a room looks at an entry": ("cli.commands", "from .. import shell"),
    "a room chooses a provider": ("runs.state", "from ..providers import create"),
    "a provider looks into a room": ("providers.create", "from ..tools.tool import Tool"),
    "the shell runs the demo": ("shell", "from .demo import main"),
    "somebody needs an example": ("cli.commands", "from ..examples.notes import setup"),
}
FORTH = {
    "a room looks down": ("runs.state", "from ..sessions.store import Store"),
    "a room looks at the ground": ("sessions.store", "from ..stream import StreamFn"),
    "a room looks at itself": ("sessions.store", "from .entries import Entry"),
    "a command chooses a provider": ("cli.commands", "from ..providers.create import create"),
    "an entry starts the shell": ("demo", "from .shell import run_shell"),
    "an example looks at the api": ("examples.notes", "from mini_agent.extensions.api import Api"),
}
MODULES = (
    *("__main__", "demo", "shell", "stream", "options", "tools.tool", "sessions.store"),
    *("sessions.entries", "extensions.api", "runs.state", "providers.create", "cli.commands"),
    "examples.notes",
)


@pytest.mark.parametrize(("module", "text"), BACK.values(), ids=BACK)
def test_an_arrow_back_is_seen(module: str, text: str, tmp_path: Path) -> None:
    (found,) = arrows_back(_package(tmp_path, module, text))
    assert found.startswith(f"{module} -> ")


@pytest.mark.parametrize(("module", "text"), FORTH.values(), ids=FORTH)
def test_an_arrow_forth_is_not(module: str, text: str, tmp_path: Path) -> None:
    assert arrows_back(_package(tmp_path, module, text)) == []


def _package(folder: Path, module: str, text: str) -> Path:
    package = folder / "mini_agent"
    for name in MODULES:
        path = package.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if name == module else "", encoding="utf-8")
    return package
