"""What a keeper of lines has to promise: the one in memory, and the one with a file."""

from pathlib import Path

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.session import ReopenableStore, killed_writer, opened_elsewhere
from conformance.support.subject import Subject

pytestmark = read("store")

KINDS = ("MemoryStore", "FileStore")

LINES = [b"one\n", "二\u2028\u0085 still\r two\n".encode(), b"three\r\n", b"\n", b"five\n"]
"""Only LF ends a line: not CR, not U+2028, not U+0085."""


@pytest.fixture(params=KINDS)
def kept(request: pytest.FixtureRequest, subject: Subject, tmp_path: Path) -> ReopenableStore:
    """Return an empty store of either kind."""
    return ReopenableStore(subject, request.param, tmp_path)


def test_keeps_lines(kept: ReopenableStore) -> None:
    """A new store is empty; what is appended, one line or several, is read again in order."""
    came = [kept.store.read()]
    kept.store.append(LINES[0])
    kept.store.append(b"".join(LINES[1:]))
    came.append(kept.store.read())
    came.append(kept.come_back().read())
    judge.same(
        came,
        [[], LINES, LINES],
        called="read(), append(a line), append(four lines), read(); opened again, read()",
    )


def test_beside(kept: ReopenableStore) -> None:
    """`beside` gives an empty store for another session; neither writes into the other."""
    kept.store.append(b"one\n")
    other = kept.store.beside("s2")
    came = [other.read()]
    other.append(b"two\n")
    came += [other.read(), kept.store.read()]
    other.close()
    judge.same(
        came,
        [[], [b"two\n"], [b"one\n"]],
        called='append(b"one\\n"); other = beside("s2"); other.read(); other.append(b"two\\n"); '
        "other.read(); read()",
    )


@read("session file")
def test_no_file_before_the_first_line(subject: Subject, tmp_path: Path) -> None:
    """A session in which nothing was said leaves nothing: no file, no folder, no lock."""
    store = subject.get("sessions.file.FileStore")(tmp_path / "deep" / "s1.jsonl")
    store.read()
    store.close()
    judge.holds(
        list(tmp_path.iterdir()) == [],
        called="FileStore(path).read(), then close()",
        came=[path.name for path in tmp_path.iterdir()],
        wanted="an empty folder, as before",
    )


@read("session file")
def test_file_is_private(subject: Subject, tmp_path: Path) -> None:
    """What was said is nobody else's business: others may neither read nor write the file."""
    kept = ReopenableStore(subject, "FileStore", tmp_path)
    kept.store.append(b"one\n")
    mode = kept.path.stat().st_mode & 0o777
    judge.holds(
        mode & 0o077 == 0,
        called="FileStore(path).append(a line), then the mode of the file",
        came=f"{mode:o}",
        wanted="600",
    )


@read("session file")
def test_one_writer(subject: Subject, tmp_path: Path) -> None:
    """As long as one process has a session open, another one is refused; then it may have it."""
    kept = ReopenableStore(subject, "FileStore", tmp_path)
    kept.store.append(b"one\n")
    came = [opened_elsewhere(subject, kept.path)]
    kept.store.close()
    came.append(opened_elsewhere(subject, kept.path))
    judge.same(
        came,
        ["SessionBusy", "no error"],
        called="FileStore(path) in another process; close() here; again in another process",
    )


@read("session file")
@pytest.mark.timeout(60)
def test_killed_writer(subject: Subject, tmp_path: Path) -> None:
    """When a writer was killed its file opens again, with every line that it said was stored."""
    path = tmp_path / "s1.jsonl"
    told = killed_writer(subject, path, after=20)
    store = subject.get("sessions.file.FileStore")(path)
    lines = store.read()
    store.append(b"on\n")
    goes_on = store.read()[-1]
    store.close()
    judge.holds(
        len(told) >= 20 and lines[: len(told)] == told and goes_on == b"on\n",
        called="FileStore(path).append(a line) for ever in another process, which is killed; "
        "FileStore(path).read()",
        came=f"{len(told)} lines were told to be stored; in the file: {lines!r}"[:600],
        wanted="all lines that were told to be stored, at the beginning of the file",
    )
