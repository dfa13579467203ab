"""Hints for sittings: three rungs each, in both languages, for all there are."""

import pytest

from lab.contract import built_steps
from lab.errors import Exit
from lab.practice.hints import hints
from tests.support import run_lab


def test_every_sitting_has_its_hints() -> None:
    sittings = [one.id for step in built_steps() for one in step.sittings]
    assert list(hints()) == sittings
    for rungs in hints().values():
        assert set(rungs) == {"en", "zh"}


@pytest.mark.parametrize("name", ["05.2", "5.2"])
def test_one_rung_at_a_time(name: str) -> None:
    ran = run_lab("hint", name, "--lang", "en")
    first, *_ = hints()["05.2"]["en"]
    assert ran.out == f"{first}\n\nMore: lab hint 05.2 --rung 2\n"
    last = run_lab("hint", name, "--lang", "zh", "--rung", "3")
    assert last.out == f"{hints()['05.2']['zh'][2]}\n"


@pytest.mark.parametrize("name", ["05.9", "05", "99.1"])
def test_what_is_no_sitting(name: str) -> None:
    ran = run_lab("hint", name)
    assert ran.code == Exit.USAGE
    assert "lab: " in ran.err
