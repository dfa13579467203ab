"""Search 10,000 files for a word, beside ripgrep where it is installed, else a bare loop."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from mini_agent.abort import AbortSignal
from mini_agent.tools.search import GrepArgs, grep
from mini_agent.tools.workspace import Workspace

from lab.bench.measure import compare, timed

SINCE = 5
TARGET = "beside ripgrep: no aim; beside the bare loop: at most 1.2 times"
LIMIT = "ripgrep, else reading every file and searching its bytes"

FILES, TEXT = 10_000, "one line after the other\n" * 20


def make_files(folder: Path) -> None:
    """Write the files, a hundred to a folder; one of them holds the word."""
    for number in range(FILES):
        place = folder / f"part{number // 100:03}"
        place.mkdir(exist_ok=True)
        (place / f"file{number:05}.txt").write_text(TEXT, encoding="utf-8")
    (folder / "part050" / "file05000.txt").write_text(TEXT + "needle\n", encoding="utf-8")


def limit(folder: Path) -> None:
    """Search with the best that there is."""
    if program := shutil.which("rg"):
        subprocess.run([program, "needle", folder], stdout=subprocess.DEVNULL, check=True)
        return
    wanted = re.compile(b"needle")
    found = [path for path in folder.rglob("*.txt") if wanted.search(path.read_bytes())]
    assert len(found) == 1


def ours(folder: Path) -> None:
    """Search with the tool."""
    result = grep(Workspace(folder), GrepArgs(pattern="needle"), AbortSignal())
    assert "file05000.txt" in result.text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        make_files(Path(scratch))
        compare(
            timed(lambda: limit(Path(scratch))), timed(lambda: ours(Path(scratch))), units=FILES
        )
