"""What a package defines is read from its source; nothing in it is run."""

from pathlib import Path

import pytest

from lab.seams.outline import defines, public_names

SOURCE = '''
import os
from collections.abc import Callable as Call

raise SystemExit("running it would end here")

A = B = 1
C, (D, *E) = 1, (2, 3)
annotated: int = 1
table = {}
table["key"] = 1
if os.name == "posix":
    def inside() -> None: ...

class Box:
    """Has a field, a method and a class inside."""

    size: int
    WIDTH = 3

    async def open(self) -> None:
        """Do three things."""
        def helper() -> int:

            return 1

        self.late = helper()

    class Lid:
        colour: str

def _private() -> None:
    """Do nothing at all."""
'''


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "tools").mkdir()
    (tmp_path / "__init__.py").write_text('"""A package."""\n', encoding="utf-8")
    (tmp_path / "box.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "tools/__init__.py").write_text("HERE = 1\n", encoding="utf-8")
    (tmp_path / "tools/read.py").write_text("def read() -> None: ...\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        *("box.A", "box.B", "box.C", "box.D", "box.E", "box.annotated", "box.table"),
        *("box.inside", "box.Box", "box._private"),
        *("box.Box.size", "box.Box.WIDTH", "box.Box.open", "box.Box.Lid.colour"),
        *("tools.read.read", "tools.HERE"),
    ],
)
def test_is_defined(package: Path, name: str) -> None:
    assert defines(package, name)


@pytest.mark.parametrize(
    "name",
    [
        *("box", "tools", "nobody", "box.nobody", "nobody.A", "A"),
        *("box.os", "box.Call"),  # imported, at home elsewhere
        *("box.Box.colour", "box.Box.late", "box.A.real", "box.Box.open.helper"),
        *("tools.read", "tools.read.HERE", "read.read"),
    ],
)
def test_is_not_defined(package: Path, name: str) -> None:
    assert not defines(package, name)


def test_public_names(package: Path) -> None:
    names = ("A", "B", "C", "D", "E", "annotated", "table", "inside", "Box")
    assert public_names(package) == {
        *(f"box.{name}" for name in names),
        "tools.HERE",
        "tools.read.read",
    }
