"""The set-up: made once, from the pins, and clear about what is missing."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lab.contract import ROOT

BOOTSTRAP = "shared/bootstrap.py"


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """Return a checkout in which nothing was set up yet."""
    (tmp_path / "shared").mkdir()
    for name in (BOOTSTRAP, "constraints.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def set_up(
    root: Path, *options: str, python: str = sys.executable, **environment: str
) -> tuple[int, str, str]:
    """Run the set-up without uv on PATH; return exit code, output, errors."""
    done = subprocess.run(
        [python, *(options or (BOOTSTRAP,))],
        cwd=root,
        env={"PATH": "/usr/bin:/bin", "HOME": str(root), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def fingerprint(root: Path) -> str:
    code = "import sys; sys.path.insert(0, 'shared'); import bootstrap as b; print(b.fingerprint())"
    return set_up(root, "-Bc", code)[1]


def test_only_the_pins_and_the_place_count(bare: Path) -> None:
    before = fingerprint(bare)
    with (bare / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("# a comment\n")
    assert fingerprint(bare) == before
    with (bare / "constraints.txt").open("a", encoding="utf-8") as file:
        file.write("six==1.17.0\n")
    assert fingerprint(bare) != before


def test_an_environment_of_somebody_else_is_left_alone(bare: Path) -> None:
    (bare / ".venv").mkdir()
    (bare / ".venv" / "precious").write_text("mine", encoding="utf-8")
    code, out, err = set_up(bare)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith(
        "lab: there is a .venv here that this set-up did not make"
    )
    assert (bare / ".venv" / "precious").read_text(encoding="utf-8") == "mine"


def test_no_network_is_one_clear_line(bare: Path) -> None:
    (bare / ".venv").mkdir()  # what an earlier try has left
    (bare / ".venv" / "lab-setup").write_text("unfinished\n", encoding="utf-8")
    nowhere = "http://127.0.0.1:9/simple"  # the discard port: nobody listens
    code, out, err = set_up(bare, PIP_INDEX_URL=nowhere, PIP_RETRIES="0", PIP_NO_CACHE_DIR="1")
    assert (code, out) == (1, "")
    last = err.splitlines()[-1]
    assert last.startswith("lab: no connection to the package index: go online")
    assert "Traceback" not in err


def test_no_venv_module(bare: Path) -> None:
    code = (
        "import runpy, sys; sys.modules['ensurepip'] = None;"
        f"runpy.run_path({BOOTSTRAP!r}, run_name='__main__')"
    )
    exit_code, out, err = set_up(bare, "-c", code)
    assert (exit_code, out) == (1, "")
    assert err.startswith("lab: this Python has no `venv` module: install it")
    assert not (bare / ".venv").exists()


def test_too_old_a_python(bare: Path) -> None:
    old = "import sys; sys.version_info = (3, 9, 1, 'final', 0)"
    code = f"{old}; import runpy; runpy.run_path({BOOTSTRAP!r}, run_name='__main__')"
    exit_code, out, err = set_up(bare, "-c", code, PATH="/nonexistent")
    assert (exit_code, out) == (1, "")
    assert err.startswith("lab: Python 3.9 is too old: 3.11 or later is needed.")


def test_it_speaks_old_python() -> None:
    """No syntax newer than Python 3.6, or the message about an old one is never seen."""
    import ast

    source = (ROOT / BOOTSTRAP).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))


def test_the_pins_name_no_address() -> None:
    assert "://" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")
