"""An excerpt is found by name, with its decorators and its explanation."""

import pytest

from lab.docs.excerpts import Lines, find_lines
from lab.errors import LabError

SOURCE = '''\
"""A module."""

from typing import Annotated

LIMIT = 3
"""How much."""

FIRST = SECOND = 1
TYPED: int = 4
"""Typed."""


@first
@second(
    1
)
class Model:
    """A model."""

    name: str
    """What it is called."""

    async def ask(self) -> str:
        """Ask."""
        return """
a
"""


def last() -> None:
    def inner() -> None: ...
'''


@pytest.mark.parametrize(
    ("anchor", "first", "last"),
    [
        (None, 1, 32),
        ("LIMIT", 5, 6),
        ("FIRST", 8, 8),
        ("SECOND", 8, 8),
        ("TYPED", 9, 10),
        ("Model", 13, 27),
        ("Model.name", 20, 21),
        ("Model.ask", 23, 27),
        ("last", 30, 31),
        ("last.inner", 31, 31),
        ("LIMIT..TYPED", 5, 10),
        ("Model..last", 13, 31),
    ],
)
def test_lines_of_a_name(anchor: str | None, first: int, last: int) -> None:
    source = SOURCE + "\n" if anchor is None else SOURCE
    assert find_lines(source, anchor) == Lines(first, last)


@pytest.mark.parametrize(
    ("source", "anchor", "says"),
    [
        (SOURCE, "Modell", "there is no 'Modell'. Known here: LIMIT, FIRST, SECOND, TYPED, Model"),
        (SOURCE, "Model.aks", "there is no 'Model.aks'. Known here: name, ask"),
        (SOURCE, "last..LIMIT", "last..LIMIT ends before it begins"),
        ("no python here", "name", "names can only be found in a Python file"),
    ],
)
def test_no_such_name(source: str, anchor: str, says: str) -> None:
    with pytest.raises(LabError, match=says):
        find_lines(source, anchor)
