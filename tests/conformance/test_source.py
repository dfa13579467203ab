"""The package as source: what imports what."""

from pathlib import Path

import pytest

from conformance.support.source import (
    absolute_imports,
    find_cycle,
    leaves_first,
    module_names,
    parsed,
)

FILES = {
    "__init__.py": "",
    "messages.py": "import json\n",
    "stream.py": "from . import messages\n",
    "tools/__init__.py": "from .read import read\n",
    "tools/read.py": "from ..messages import x\nfrom mini_agent.stream import y\n",
    "shell.py": "from .tools import read\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a package in it that has a folder of its own."""
    for name, text in FILES.items():
        file = tmp_path / "mini_agent" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


def test_modules_come_behind_those_that_they_import(folder: Path) -> None:
    assert leaves_first(folder) == ["messages", "stream", "tools.read", "tools", "shell"]


def test_a_circle_is_found_through_folders(folder: Path) -> None:
    trees = {name: parsed(folder, name) for name in module_names(folder)}
    assert find_cycle(trees) == []
    (folder / "mini_agent" / "messages.py").write_text("def f():\n    from .tools import read\n")
    trees["messages"] = parsed(folder, "messages")
    assert set(find_cycle(trees)) >= {"messages", "tools.read"}


def test_only_full_names_of_the_package_are_absolute_imports(folder: Path) -> None:
    assert absolute_imports(parsed(folder, "tools.read")) == [
        "line 2: from mini_agent.stream import y"
    ]
    assert absolute_imports(parsed(folder, "messages")) == []
