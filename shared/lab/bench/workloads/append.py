"""Append 2,000 messages to a session, each on the disk before the next, beside the bare writes."""

import os
import tempfile
from pathlib import Path
from time import perf_counter

from mini_agent.messages import user_text
from mini_agent.sessions.entries import LINE, MessageEntry
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.session import Session

from lab.bench.measure import compare

SINCE = 6
TARGET = "at most 1.18 times the limit"
LIMIT = "serialise, write and fdatasync the same lines"

COUNT = 2_000
MESSAGE = user_text("一条普通长短的消息，说一说今天要做的事。")


def limit() -> float:
    """Write the same lines with nothing around them."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.open(Path(folder, "lines"), os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        start = perf_counter()
        parent = None
        for number in range(COUNT):
            entry = MessageEntry(id=f"{number:08}", parent_id=parent, message=MESSAGE)
            os.write(file, LINE.dump_json(entry, by_alias=True) + b"\n")
            os.fdatasync(file)
            parent = entry.id
        seconds = perf_counter() - start
        os.close(file)
    return seconds


def ours() -> float:
    """Let a session store them."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session.start(FileStore(Path(folder, "s1.jsonl")), "s1")
        start = perf_counter()
        for _ in range(COUNT):
            session.add_message(MESSAGE)
        seconds = perf_counter() - start
        session.close()
    return seconds


if __name__ == "__main__":
    compare(limit, ours, units=COUNT)
