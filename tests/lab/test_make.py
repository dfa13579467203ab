"""The two commands of the README, as `make` runs them."""

import os
import subprocess

import pytest

from lab.contract import ROOT, find_step
from tests.support import Checkout


def make(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run make in the real checkout, where the environment is ready."""
    quiet = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", "-s", *arguments],
        cwd=ROOT,
        env={**quiet, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("name", ["2", "02", "step02", "step02-fake-model"])
def test_standard_output_is_the_demos_alone(name: str) -> None:
    done = make("demo", f"STEP={name}")
    assert done.returncode == 0
    assert done.stdout == find_step("02").expected.read_text(encoding="utf-8")
    assert done.stderr == ""


def test_an_unknown_step() -> None:
    done = make("demo", "STEP=99")
    assert done.returncode == 2  # make's own code for a target that failed
    assert done.stdout == ""
    assert "there is no step '99'. Known steps: step01-hello-cli, step02-fake-model" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_python() -> None:
    done = make("demo", "STEP=02", "PYTHON=python-that-is-not-there")
    assert done.returncode == 2
    assert "python-that-is-not-there is not installed" in done.stderr


@pytest.mark.parametrize("switch", ["0", "false", "no", ""])
def test_a_switch_that_says_no_records_nothing(checkout: Checkout, switch: str) -> None:
    """The switch of `make record` counts only when it says yes."""
    recipe = subprocess.run(
        ["make", "-n", "record", "STEP=02", f"WRITE={switch}"],
        cwd=checkout.root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert 'lab record "02"' in recipe
    assert "--write" not in recipe


def test_a_switch_that_says_yes(checkout: Checkout) -> None:
    recipe = subprocess.run(
        ["make", "-n", "record", "STEP=02", "WRITE=1"],
        cwd=checkout.root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert 'lab record "02" --write' in recipe
