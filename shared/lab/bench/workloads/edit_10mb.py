"""Edit one word of a 10 MB file, beside reading it, replacing the word and writing it again."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from mini_agent.abort import AbortSignal
from mini_agent.tools.edit import EditArgs, Replacement, edit
from mini_agent.tools.workspace import Workspace

from lab.bench.measure import compare, timed

SINCE = 5
TARGET = "at most 1.5 times the limit"
LIMIT = "read, bytes.replace, write beside and rename"

LINE = b"a line of text that is not the one we look for\r\n"
FIND, PUT = "the needle", "the thread"


def limit(path: Path) -> None:
    """Replace the word, and nothing else."""
    draft = path.with_suffix(".new")
    draft.write_bytes(path.read_bytes().replace(FIND.encode(), PUT.encode()))
    os.replace(draft, path)


def ours(workspace: Workspace) -> None:
    """Let the tool replace it."""
    edits = (Replacement(old_text=FIND, new_text=PUT),)
    edit(workspace, EditArgs(path="big.txt", edits=edits), AbortSignal())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        half = LINE * (5 * 1024 * 1024 // len(LINE))
        whole = half + FIND.encode() + b"\r\n" + half
        file, room = Path(folder, "big.txt"), Workspace(Path(folder))

        def on_a_fresh_file(work: Callable[[], None]) -> float:
            """Put the file back, then measure."""
            file.write_bytes(whole)
            return timed(work)()

        compare(
            lambda: on_a_fresh_file(lambda: limit(file)),
            lambda: on_a_fresh_file(lambda: ours(room)),
        )
