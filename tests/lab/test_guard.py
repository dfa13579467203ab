"""What a demo may write, and what the guard refuses, whichever way the path is given."""

from pathlib import Path

import pytest

from lab.guard import REFUSED
from lab.programs import Finished, run_program


def run(folder: Path, code: str) -> Finished:
    (folder / "trial.py").write_text(f"import os, shutil, tempfile\n{code}\n", encoding="utf-8")
    (folder / "precious").mkdir()
    (folder / "precious" / "file.txt").write_text("mine", encoding="utf-8")
    return run_program(folder, "trial", guarded=True)


@pytest.mark.parametrize(
    "code",
    [
        "with tempfile.TemporaryDirectory() as t: open(t + '/a', 'w').write('x')",
        "with tempfile.TemporaryDirectory() as t: os.makedirs(t + '/deep/er')",
        "open(os.devnull, 'w').write('x')",
        "open('precious/file.txt').read()",
        "with tempfile.TemporaryDirectory() as t:\n"
        "    folder = os.open(t, os.O_RDONLY)\n"
        "    os.close(os.open('a', os.O_WRONLY | os.O_CREAT, dir_fd=folder))",
    ],
)
def test_allowed(tmp_path: Path, code: str) -> None:
    done = run(tmp_path, code)
    assert (done.exit_code, done.stderr, done.left_behind) == (0, b"", ())


@pytest.mark.parametrize(
    "code",
    [
        "open('new.txt', 'w')",
        "open('precious/file.txt', 'r+')",
        "os.open('precious/file.txt', os.O_WRONLY)",
        "os.open('file.txt', os.O_WRONLY, dir_fd=os.open('precious', os.O_RDONLY))",
        "os.remove('precious/file.txt')",
        "os.remove('file.txt', dir_fd=os.open('precious', os.O_RDONLY))",
        "os.rename('precious', 'gone')",
        "shutil.rmtree('precious')",
        "os.symlink('precious', 'link')",
        "os.mkdir(os.path.expanduser('~/made'))",
        "import socket; socket.socket().connect(('192.0.2.1', 80))",
    ],
)
def test_refused(tmp_path: Path, code: str) -> None:
    done = run(tmp_path, code)
    assert done.exit_code != 0
    assert REFUSED.encode() in done.stderr
    assert (tmp_path / "precious" / "file.txt").read_text(encoding="utf-8") == "mine"
