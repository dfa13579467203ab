"""The set-up: made once, from the pins, and clear about what is missing."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
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


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Return a checkout with a Chinese name that pins one package of one line, kept beside it."""
    root = tmp_path / "我的 课程"
    (root / "shared/lab").mkdir(parents=True)
    (root / "shared/lab/__init__.py").touch()
    main = "import sys, typing\nprint('lab', sys.flags.utf8_mode)\n"
    (root / "shared/lab/__main__.py").write_text(main, encoding="utf-8")
    shutil.copy(ROOT / BOOTSTRAP, root / BOOTSTRAP)
    (root / "constraints.txt").write_text("tiny==1.0\n", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "tiny-1.0-py3-none-any.whl", "w") as wheel:
        about = "tiny-1.0.dist-info"
        wheel.writestr("tiny.py", "")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    return root


def offline(root: Path, **environment: str) -> dict[str, str]:
    """Return variables under which pip finds the package of `tiny`, and asks nobody."""
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": root.parent.as_uri(), **environment}


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


def ask(root: Path, expression: str, **environment: str) -> str:
    """Return what an expression over the names of the set-up is, as it prints."""
    code = f"import sys; sys.path[:0] = ['shared']; from bootstrap import *; print({expression})"
    return set_up(root, "-Bc", code, **environment)[1]


def fingerprint(root: Path) -> str:
    return ask(root, "fingerprint(ROOT)")


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


@pytest.mark.parametrize(
    "settings",
    [
        {"PIP_USER": "1"},
        {"PIP_TARGET": "elsewhere"},
        {"PYTHONPATH": "old", "PYTHONSAFEPATH": "1"},
    ],
    ids=lambda settings: " ".join(settings),
)
def test_what_a_user_has_set_for_everyday_work(tiny: Path, settings: dict[str, str]) -> None:
    (tiny / "old").mkdir()
    (tiny / "old" / "venv.py").write_text("raise SystemExit('of another Python')")
    code, _, err = set_up(tiny, **offline(tiny, **settings))
    assert (code, err.splitlines()[-1]) == (0, "lab: ready.")
    python = tiny / ".venv/bin/python"
    assert subprocess.run([python, "-c", "import tiny"], check=False).returncode == 0


@pytest.mark.parametrize("setting", ["user = true", "target = elsewhere", "prefix = elsewhere"])
def test_what_the_users_pip_conf_says(tiny: Path, setting: str) -> None:
    (tiny / ".config/pip").mkdir(parents=True)
    (tiny / ".config/pip/pip.conf").write_text(f"[global]\n{setting}\n", encoding="utf-8")
    code, _, err = set_up(tiny, **offline(tiny))
    assert (code, err.splitlines()[-1]) == (0, "lab: ready.")
    python = tiny / ".venv/bin/python"
    assert subprocess.run([python, "-c", "import tiny"], check=False).returncode == 0


def test_the_environment_of_a_folder_with_a_chinese_name(tiny: Path) -> None:
    assert set_up(tiny, **offline(tiny))[0] == 0
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    (tiny / "typing.py").write_text("raise SystemExit('of the folder where one stands')")
    for command in (["bin/python", "-c", "import lab; print('lab 1')"], ["bin/lab"]):
        done = subprocess.run(
            [tiny / ".venv" / command[0], *command[1:]],
            cwd=tiny,
            env={"PATH": os.defpath, **plain},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, b"lab 1\n"), done.stderr.decode()


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are UTF-8 there")
def test_a_folder_whose_name_is_not_utf8(bare: Path) -> None:
    gbk = bare / os.fsdecode("课程".encode("gbk"))
    shutil.copytree(bare / "shared", gbk / "shared")
    code, out, err = set_up(gbk)
    assert (code, out) == (1, "")
    assert re.fullmatch(r"lab: the path of this folder is not UTF-8 .*: rename it, .*\n", err)


def test_a_checkout_that_cannot_be_written_to(bare: Path) -> None:
    (bare / ".cache").touch()  # a file in the place of a folder: root may write everywhere else
    code, out, err = set_up(bare)
    assert (code, out) == (1, "")
    assert re.fullmatch(r"lab: cannot set up \(.*\.cache.*\): only a folder that .*\n", err)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_checkout_without_write_bits(bare: Path) -> None:
    bare.chmod(0o555)
    code, out, err = set_up(bare)
    bare.chmod(0o755)
    assert (code, out) == (1, "")
    assert re.fullmatch(r"lab: cannot set up \(.*\.cache.*\): only a folder that .*\n", err)


def test_a_proxy_that_pip_cannot_use(tiny: Path) -> None:
    proxy = {"ALL_PROXY": "socks5://127.0.0.1:9", "https_proxy": "socks5://127.0.0.1:9"}
    code, _, err = set_up(tiny, PIP_INDEX_URL="http://localhost:9/simple", **proxy)
    last = "SOCKS proxy in ALL_PROXY, https_proxy: pip cannot use it; unset it, or install uv"
    assert (code, err.splitlines()[-1]) == (1, f"lab: {last}")


def test_the_cause_of_a_failure_is_not_the_last_line(bare: Path) -> None:
    log = "ERROR: no room\nerror: subprocess-exited-with-error\nnote: it originates elsewhere\n"
    said = ask(bare, f"remedy_for({log!r}, 'pip')")
    assert said.startswith("pip failed: ERROR: no room (all of it: ")


def test_a_user_without_a_home(bare: Path) -> None:
    assert ask(bare, "own_environment()['HOME']", HOME="~") == f"{bare}/.cache\n"


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


def test_all_that_is_needed_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = project["dependencies"] + project["optional-dependencies"]["dev"]
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    names = {re.split("[=<> ;]", line)[0] for line in pinned.splitlines()}
    assert {re.split("[=<> ;]", line)[0] for line in needed} <= names


def test_the_pins_name_no_address() -> None:
    assert "://" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("folder", "tried"), [("/lab", True), ("/我的 课程", False)])
def test_the_suite_asks_for_no_start_that_python_cannot_do(folder: str, tried: bool) -> None:
    code = (
        f"import sys; sys.prefix = {folder!r}; from conformance.support.process import ENCODINGS;"
        "print('C locale' in ENCODINGS, 'C locale, no coercion' in ENCODINGS)"
    )
    assert set_up(ROOT, "-c", code)[1] == f"True {tried}\n"
