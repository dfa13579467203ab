"""A session file that is damaged, foreign, or from a later version: nothing is lost or invented."""

from pathlib import Path
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.history import in_words
from conformance.support.session import HEADER, ReopenableStore, line, said
from conformance.support.subject import Subject

pytestmark = read("damage")

SOUND = line(**HEADER) + said("m1", None, "一") + said("m2", "m1", "二")
TORN = said("m3", "m2", "三")[:-9]
"""It ends within the three bytes of 三."""

STRANGE = b'{"type": "compaction",  "id":"c1","parentId":"m2","summary":1.50, "x":"\\u4e00"}\n'
"""Valid, of a kind that only a later version knows, and not how anyone here would write it."""

FOREIGN: dict[str, bytes] = {
    "an empty file": b"",
    "a text": "你好\n".encode(),
    "JSON of something else": line(name="mini-agent", version=1),
    "a later version": line(**{**HEADER, "version": 2}) + said("m1", None, "一"),
    "no header": said("m1", None, "一"),
    "an id used twice": SOUND + said("m1", "m2", "三"),
    "a parent that is not there": SOUND + said("m3", "m9", "三"),
    "an entry behind itself": SOUND + said("m3", "m4", "三") + said("m4", "m3", "四"),
}
"""What is no session of ours, by what it is."""


def kept_file(subject: Subject, folder: Path, lines: bytes) -> ReopenableStore:
    """Return a file store that holds these bytes."""
    kept = ReopenableStore(subject, "FileStore", folder)
    kept.put(lines)
    return kept


def opened(subject: Subject, store: Any) -> Any:
    """Go on with the session in a store."""
    return subject.get("sessions.session.Session").open(store)


def say(subject: Subject, session: Any, text: str) -> None:
    """Add a line of the user."""
    session.add_message(subject.get("messages.user_text")(text))


def expect_words(session: Any, *wanted: str, called: str) -> None:
    """Fail unless these lines of the user are the conversation."""
    came = in_words(session.messages())
    judge.holds(
        came == [f"user: {text}" for text in wanted],
        called=f"{called}; messages()",
        came=f"{', '.join(came)}; warnings: {session.warnings}",
        wanted=", ".join(wanted),
    )


def test_torn_tail(subject: Subject, tmp_path: Path) -> None:
    """Half a last line costs nothing else; the user is told, and the next line stands alone."""
    kept = kept_file(subject, tmp_path, SOUND + TORN)
    called = "Session.open of a file whose last line stops within a character"
    session = opened(subject, kept.store)
    expect_words(session, "一", "二", called=called)
    judge.holds(
        session.warnings and kept.path.read_bytes() == SOUND + TORN,
        called=called,
        came=f"warnings: {session.warnings}; the file ends with {kept.path.read_bytes()[-40:]!r}",
        wanted="a warning, and the file as it was",
    )
    say(subject, session, "四")
    again = opened(subject, kept.come_back())
    expect_words(again, "一", "二", "四", called=f"{called}; a message added; opened again")
    judge.holds(
        not again.warnings,
        called=f"{called}; a message added; opened again",
        came=again.warnings,
        wanted="no warning: it was told once",
    )


def test_no_final_newline(subject: Subject, tmp_path: Path) -> None:
    """A last line that only lacks its line end is complete; the next one begins a new line."""
    kept = kept_file(subject, tmp_path, SOUND[:-1])
    called = "Session.open of a file without its last line end"
    session = opened(subject, kept.store)
    expect_words(session, "一", "二", called=called)
    say(subject, session, "三")
    again = opened(subject, kept.come_back())
    expect_words(again, "一", "二", "三", called=f"{called}; a message added; opened again")


def test_bad_line(subject: Subject, tmp_path: Path) -> None:
    """A bad line in the middle is counted and left where it is; all others are read."""
    bad = b'{"type": "message", "id": \xff\n'
    lines = SOUND + bad + said("m4", "m2", "四")
    kept = kept_file(subject, tmp_path, lines)
    session = opened(subject, kept.store)
    called = "Session.open of a file with a bad line 4"
    expect_words(session, "一", "二", "四", called=called)
    say(subject, session, "五")
    judge.holds(
        any("4" in warning for warning in session.warnings)
        and kept.path.read_bytes().startswith(lines),
        called=f"{called}; a message added",
        came=f"warnings: {session.warnings}; lines: {kept.store.read()}",
        wanted="a warning that names line 4, and all lines as they were",
    )


def test_unknown_entry(subject: Subject, tmp_path: Path) -> None:
    """An entry of a later version is part of the tree; its bytes stay, in a fork as well."""
    kept = kept_file(subject, tmp_path, SOUND + STRANGE + said("m4", "c1", "四"))
    session = opened(subject, kept.store)
    called = "Session.open of a file with an entry of an unknown type"
    expect_words(session, "一", "二", "四", called=called)
    say(subject, session, "五")
    copy = session.fork()
    copied = kept.path.with_name(f"{copy.header.id}.jsonl").read_bytes()
    for came in (kept.path.read_bytes(), copied):
        judge.holds(
            STRANGE in came,
            called=f"{called}; a message added, and fork()",
            came=repr(came),
            wanted=f"among the lines of both: {STRANGE!r}",
        )


@pytest.mark.parametrize("name", FOREIGN)
def test_refused(subject: Subject, tmp_path: Path, name: str) -> None:
    """What is no session of this version is refused (SessionError); no byte of it changes."""
    kept = kept_file(subject, tmp_path, FOREIGN[name])
    called = f"Session.open of {name}: {FOREIGN[name].decode()[:80]!r}"
    try:
        came = in_words(opened(subject, kept.store).messages())
    except subject.get("sessions.entries.SessionError"):
        judge.same(kept.path.read_bytes(), FOREIGN[name], called=called)
        return
    raise judge.CheckFailed(called=called, came=f"{came}", wanted="a SessionError")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("an id used twice", "4"), ("a later version", "2"), ("a parent that is not there", "4")],
)
def test_refusal_says_where(subject: Subject, tmp_path: Path, name: str, wanted: str) -> None:
    """A refusal names the line that is wrong, or the version that is not known."""
    kept = kept_file(subject, tmp_path, FOREIGN[name])
    told = "no error"
    try:
        opened(subject, kept.store)
    except subject.get("sessions.entries.SessionError") as error:
        told = str(error)
    judge.holds(
        wanted in told,
        called=f"Session.open of {name}: {FOREIGN[name].decode()!r}",
        came=told,
        wanted=f"an error that contains {wanted}",
    )
