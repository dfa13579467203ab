"""Open a session of 100,000 messages, every line validated, beside pydantic on the same lines."""

import gc
import tempfile
from pathlib import Path
from time import perf_counter

from mini_agent.messages import user_text
from mini_agent.sessions.entries import decode
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore

from lab.bench.measure import compare

SINCE = 6
TARGET = "at most 1.18 times the limit"
LIMIT = "pydantic on the same lines, with the collector off"

COUNT = 100_000


def make_file(path: Path) -> None:
    """Write a session of `COUNT` messages, without waiting for the disk."""
    store = MemoryStore()
    session = Session.start(store, path.stem)
    for number in range(COUNT):
        session.add_message(user_text(f"第 {number} 条消息"))
    path.write_bytes(b"".join(store.read()))


def limit() -> float:
    """Validate every line, and keep what comes out."""
    lines = FILE.read_bytes().split(b"\n")[1:-1]
    gc.collect()
    gc.disable()
    start = perf_counter()
    entries = [decode(line) for line in lines]
    seconds = perf_counter() - start
    gc.enable()
    assert len(entries) == COUNT
    return seconds


def ours() -> float:
    """Open the session."""
    gc.unfreeze()
    gc.collect()
    start = perf_counter()
    session = Session.open(FileStore(FILE))
    seconds = perf_counter() - start
    assert len(session.messages()) == COUNT
    session.close()
    return seconds


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILE = Path(folder, "s1.jsonl")
        make_file(FILE)
        compare(limit, ours, units=COUNT)
