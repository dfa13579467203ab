"""`sessions.session.Session`: a tree of entries that outlives its process, on either store."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.history import in_words
from conformance.support.model import Call, Says
from conformance.support.session import ReopenableStore
from conformance.support.subject import Subject

pytestmark = read("session")


@pytest.fixture(params=["MemoryStore", "FileStore"])
def kept(request: pytest.FixtureRequest, subject: Subject, tmp_path: Path) -> ReopenableStore:
    """Return an empty store of either kind."""
    return ReopenableStore(subject, request.param, tmp_path)


def started(subject: Subject, kept: ReopenableStore) -> Any:
    """Begin a session."""
    return subject.get("sessions.session.Session").start(kept.store, "s1")


def reopened(subject: Subject, kept: ReopenableStore) -> Any:
    """Leave the session, and go on with it."""
    return subject.get("sessions.session.Session").open(kept.come_back())


def say(subject: Subject, session: Any, text: str) -> Any:
    """Add a line of the user, and return its entry."""
    return session.add_message(subject.get("messages.user_text")(text))


def words(session: Any) -> list[str]:
    """Return the conversation without saying who speaks."""
    return [text.removeprefix("user: ") for text in in_words(session.messages())]


def test_everything_comes_back(subject: Subject, kept: ReopenableStore) -> None:
    """Every message is there after leaving and coming back, and equal to what was added."""
    result = subject.get("messages.ToolResultMessage")
    good, bad = (subject.get("messages.TextContent")(text=text) for text in ("好", "坏"))
    messages = [
        subject.get("messages.user_text")("一\u2028二\n🎉\x00"),
        Says("先", Call("t1", "read", {"path": "a", "n": [1, None, 0.5]}), Call("t2")).of(subject),
        result(tool_call_id="t1", tool_name="read", content=(good,), details="- a\n+ b"),
        result(tool_call_id="t2", tool_name="echo", content=(bad,), is_error=True),
        Says("断", stop_reason="error", error="线路").of(subject),
    ]
    session = started(subject, kept)
    for message in messages:
        session.add_message(message)
    came = reopened(subject, kept).messages()
    called = "Session.start(store), add_message five times; Session.open(store).messages()"
    judge.same(came, messages, called=called)


def test_nothing_is_stored_before_the_first_entry(subject: Subject, kept: ReopenableStore) -> None:
    """A session is stored with its first entry: until then there is nothing to come back to."""
    session = started(subject, kept)
    before = kept.store.read()
    say(subject, session, "一")
    after = kept.store.read()
    judge.holds(
        before == [] and len(after) == 2,
        called="Session.start(store); store.read(); add_message(...); store.read()",
        came=f"{before}, {after}",
        wanted="no line, then two of them: the header and the message",
    )


def test_start_overwrites_nothing(subject: Subject, kept: ReopenableStore) -> None:
    """Where a session is, none can begin."""
    say(subject, started(subject, kept), "一")
    kept.come_back()
    judge.refused(
        lambda: started(subject, kept),
        called="Session.start(store), in a store that holds a session",
    )


def test_custom_entries(subject: Subject, kept: ReopenableStore) -> None:
    """What else is to be remembered comes back among the entries, and never as a message."""
    session = started(subject, kept)
    say(subject, session, "一")
    session.add_custom("todo", {"left": [1, "二"]})
    say(subject, session, "三")
    again = reopened(subject, kept)
    custom = subject.get("sessions.entries.CustomEntry")
    came = [(e.kind, e.data) for e in again.entries() if isinstance(e, custom)]
    judge.holds(
        came == [("todo", {"left": [1, "二"]})] and words(again) == ["一", "三"],
        called='add_message(一), add_custom("todo", {...}), add_message(三); opened again',
        came=f"custom entries: {came}; messages: {words(again)}",
        wanted="the custom entry, and the messages 一, 三",
    )


UNFIT: dict[str, Callable[[Subject, Any], object]] = {
    "NaN among the arguments of a call": lambda subject, session: session.add_message(
        Says(Call("t1", arguments={"x": math.nan})).of(subject)
    ),
    "half of a character": lambda subject, session: say(subject, session, "半\ud83d"),
    "NaN in a custom entry": lambda subject, session: session.add_custom("x", {"y": [math.nan]}),
    "infinity in a custom entry": lambda subject, session: session.add_custom("x", math.inf),
}
"""What strict JSON cannot carry, and how it is added."""


@pytest.mark.parametrize("name", UNFIT)
def test_strict_json(subject: Subject, kept: ReopenableStore, name: str) -> None:
    """What JSON cannot carry is refused before anything is written, and the session goes on."""
    session = started(subject, kept)
    say(subject, session, "一")
    before = kept.store.read()
    judge.refused(
        lambda: UNFIT[name](subject, session), called=f"adding an entry that holds {name}"
    )
    say(subject, session, "二")
    lines, came = kept.store.read(), words(reopened(subject, kept))
    judge.holds(
        came == ["一", "二"] and lines[:2] == before and len(lines) == 3,
        called=f"an entry with {name} is refused; another one is added; opened again",
        came=f"messages: {came}; lines: {lines}",
        wanted="一, 二, and nothing of what was refused",
    )


def test_branch(subject: Subject, kept: ReopenableStore) -> None:
    """Going back to an earlier entry makes a branch: nothing is lost, the move is remembered."""
    session = started(subject, kept)
    first = say(subject, session, "一")
    say(subject, session, "二")
    session.move_to(first.id)
    session = reopened(subject, kept)
    came = [words(session)]
    say(subject, session, "三")
    session = reopened(subject, kept)
    came.append(words(session))
    message = subject.get("sessions.entries.MessageEntry")
    stored = [entry for entry in session.entries() if isinstance(entry, message)]
    judge.holds(
        came == [["一"], ["一", "三"]] and len(stored) == 3,
        called="一, 二, move_to(一), opened again; 三, opened again",
        came=f"messages: {came}; {len(stored)} messages on all branches",
        wanted="一; then 一, 三; and three messages on all branches",
    )


def test_move_to_the_beginning(subject: Subject, kept: ReopenableStore) -> None:
    """One can go back before the first entry."""
    session = started(subject, kept)
    say(subject, session, "一")
    session.move_to(None)
    say(subject, session, "二")
    came = words(reopened(subject, kept))
    judge.same(came, ["二"], called="一, move_to(None), 二; opened again")


def test_move_to_nowhere(subject: Subject, kept: ReopenableStore) -> None:
    """One cannot go to an entry that is not there; nothing is stored then."""
    session = started(subject, kept)
    say(subject, session, "一")
    before = kept.store.read()
    try:
        session.move_to("nowhere")
    except subject.get("sessions.entries.SessionError"):
        judge.holds(
            kept.store.read() == before and words(session) == ["一"],
            called='move_to("nowhere")',
            came=f"{kept.store.read()}, {words(session)}",
            wanted="all as it was",
        )
        return
    raise judge.CheckFailed(called='move_to("nowhere")', came="no error", wanted="a SessionError")


def test_fork(subject: Subject, kept: ReopenableStore) -> None:
    """A fork begins with all that was said, and from then on the two have nothing in common."""
    origin = started(subject, kept)
    say(subject, origin, "一")
    lines = kept.store.read()
    copy = origin.fork()
    say(subject, copy, "二")
    same = kept.store.read() == lines
    say(subject, origin, "三")
    came = (words(origin), words(copy), copy.header.forked_from, copy.header.id != "s1", same)
    copy.close()
    judge.same(
        came,
        (["一", "三"], ["一", "二"], "s1", True, True),
        called="一; copy = fork(); 二 in the copy; 三 in the original; both conversations, "
        "header.forked_from, another id, and whether the original's lines stayed",
    )
