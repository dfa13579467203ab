"""Time alone makes nobody wrong: not on a slow machine, and not in a bad moment."""

from pathlib import Path

import pytest

from conformance.report import Report, Verdict, render
from conformance.speed import SLOWEST, slowness
from conformance.suite import check
from lab.contract import find_step
from tests.conformance.folders import copy_step

ONE_CHECK = "check_chat and opening"
LATE_ONCE = """\
from pathlib import Path
from time import sleep

been_here = Path({marker!r})
if not been_here.exists():
    been_here.touch()
    sleep(60)
"""


def checked(folder: Path, before: str, *, patience: float) -> Report:
    """Check one thing of a step 01 whose interactive entry does something else first."""
    entry = copy_step(find_step("01"), folder) / "mini_agent" / "__main__.py"
    entry.write_text(before + entry.read_text(encoding="utf-8"), encoding="utf-8")
    return check(find_step("01"), folder, select=ONE_CHECK, patience=patience)


def set_slowness(monkeypatch: pytest.MonkeyPatch, factor: float) -> None:
    monkeypatch.setattr("conformance.suite.slowness", lambda: factor)


def test_this_machine_can_be_measured() -> None:
    assert 1 <= slowness() <= SLOWEST


def test_the_limits_follow_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_slowness(monkeypatch, 20)
    waits = "__import__('time').sleep(2)\n"
    report = checked(tmp_path / "my-agent", waits, patience=0.5)
    assert report.verdict is Verdict.PASSED, render(report)


def test_what_is_late_on_a_slow_machine_is_not_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_slowness(monkeypatch, 2)
    report = checked(tmp_path / "my-agent", "while True: pass\n", patience=0.5)
    assert report.verdict is Verdict.SETUP
    assert "too slow just now to tell: Python takes 2.0 times as long as usual" in render(report)
    assert "chat::opening" in render(report)


def test_what_is_late_on_an_idle_machine_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_slowness(monkeypatch, 1)
    report = checked(tmp_path / "my-agent", "while True: pass\n", patience=0.5)
    assert report.verdict is Verdict.WRONG


def test_what_is_late_once_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_slowness(monkeypatch, 1)
    once = LATE_ONCE.format(marker=str(tmp_path / "marker"))
    report = checked(tmp_path / "my-agent", once, patience=5)
    assert report.verdict is Verdict.PASSED, render(report)
