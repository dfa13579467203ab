"""Both stores keep the same promises: each test here runs on a list in memory and on a file."""

import json
import math
from typing import Any

import pytest
from mini_agent.messages import Message, TextContent, UserMessage, user_text
from mini_agent.sessions.entries import (
    CustomEntry,
    LeafEntry,
    MessageEntry,
    SessionError,
    SessionHeader,
    UnknownEntry,
)
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import SessionStore
from pydantic import JsonValue, ValidationError

from tests.steps.step06.support import (
    NOW,
    called,
    called_with,
    counting_ids,
    reopened,
    result,
    said,
    started,
)

CONVERSATION: list[Message] = [
    user_text("读一下 a.txt 和 b.txt"),
    called("a.txt", "b.txt"),
    result("a.txt"),
    result("b.txt", "换行\n、\u2028、\u0085、\x00、🎉"),
    said("读完了"),
]


def test_what_was_stored_comes_back_equal(store: SessionStore) -> None:
    session = started(store)
    for message in CONVERSATION:
        session.add_message(message)
    session.add_custom("todo", {"items": ["甲", 1, 2.5, None, True]})

    back = reopened(store)

    assert back.header == session.header
    assert back.entries() == session.entries()
    assert back.messages() == CONVERSATION
    assert back.leaf_id == session.leaf_id
    assert back.warnings == []


def test_the_lines_have_the_form_that_is_documented(store: SessionStore) -> None:
    session = started(store)
    session.add_message(user_text("第一句"))
    session.add_custom("todo", [1])
    session.move_to(None)

    assert b"".join(store.read()).decode() == (
        '{"type":"session","version":1,"id":"s1","createdAt":"2026-01-01T00:00:00Z",'
        '"workingFolder":null,"forkedFrom":null}\n'
        '{"type":"message","id":"e1","parentId":null,"message":'
        '{"role":"user","content":[{"type":"text","text":"第一句"}]}}\n'
        '{"type":"custom","id":"e2","parentId":"e1","kind":"todo","data":[1]}\n'
        '{"type":"leaf","id":"e3","parentId":null}\n'
    )


def test_nothing_is_stored_before_there_is_something_to_store(store: SessionStore) -> None:
    session = started(store)
    assert store.read() == []

    session.add_message(user_text("你好"))
    assert len(store.read()) == 2


def test_the_users_line_is_stored_before_any_answer(store: SessionStore) -> None:
    started(store).add_message(user_text("你好"))

    assert reopened(store).messages() == [user_text("你好")]


def test_a_move_makes_a_branch_and_is_remembered(store: SessionStore) -> None:
    session = started(store)
    first = session.add_message(user_text("一"))
    session.add_message(said("壹"))
    session.move_to(first.id)
    assert reopened(store).messages() == [user_text("一")]

    session.add_message(said("另一个答案"))

    assert reopened(store).messages() == [user_text("一"), said("另一个答案")]
    assert len(reopened(store).entries()) == 4


def test_a_move_before_the_first_entry_begins_a_conversation_anew(store: SessionStore) -> None:
    session = started(store)
    session.add_message(user_text("一"))
    session.move_to(None)
    assert reopened(store).messages() == []

    session.add_message(user_text("重新开始"))

    assert reopened(store).messages() == [user_text("重新开始")]


def test_entries_come_in_file_order_whatever_branch_they_are_on(store: SessionStore) -> None:
    session = started(store)
    session.add_custom("run", 1)
    session.add_message(user_text("一"))
    session.move_to(None)
    session.add_custom("run", 2)

    entries = reopened(store).entries()

    assert [type(entry) for entry in entries] == [CustomEntry, MessageEntry, LeafEntry, CustomEntry]
    assert [entry.data for entry in entries if isinstance(entry, CustomEntry)] == [1, 2]


def test_custom_entries_are_never_sent_to_a_model(store: SessionStore) -> None:
    session = started(store)
    session.add_message(user_text("一"))
    session.add_custom("todo", "secret")
    session.add_message(said("壹"))

    assert session.messages() == [user_text("一"), said("壹")]
    assert len(session.branch()) == 3


def test_a_move_to_nowhere_changes_nothing(store: SessionStore) -> None:
    session = started(store)
    entry = session.add_message(user_text("一"))
    before = store.read()

    with pytest.raises(SessionError, match="nowhere"):
        session.move_to("nowhere")

    assert (store.read(), session.leaf_id) == (before, entry.id)


def test_an_id_that_was_used_is_refused(store: SessionStore) -> None:
    session = started(store, new_id=lambda: "same")
    session.add_message(user_text("一"))
    before = store.read()

    with pytest.raises(SessionError, match="same"):
        session.add_message(user_text("二"))

    assert (store.read(), session.messages()) == (before, [user_text("一")])


def test_half_an_emoji_is_refused_before_anything_is_written(store: SessionStore) -> None:
    session = started(store)
    half = UserMessage(content=(TextContent(text="\ud83d"),))

    with pytest.raises(SessionError, match="JSON"):
        session.add_message(half)

    assert (store.read(), session.entries()) == ([], [])


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_does_not_have_is_refused(store: SessionStore, number: float) -> None:
    session = started(store)

    with pytest.raises(ValidationError):
        session.add_custom("todo", {"value": number})
    with pytest.raises((ValidationError, SessionError)):
        session.add_message(called_with({"value": number}))

    assert (store.read(), session.entries()) == ([], [])


@pytest.mark.parametrize(
    "value", [b"bytes", {1, 2}, object(), {1: 2}, (1,)], ids=lambda v: type(v).__name__
)
def test_custom_data_that_is_not_json_is_refused(store: SessionStore, value: Any) -> None:
    session = started(store)

    with pytest.raises(ValidationError):
        session.add_custom("todo", {"value": value})

    assert (store.read(), session.entries()) == ([], [])


def test_more_levels_than_a_reader_would_follow_are_refused(store: SessionStore) -> None:
    session = started(store)
    deep: JsonValue = "bottom"
    for _ in range(250):
        deep = [deep]

    with pytest.raises((ValidationError, SessionError)):
        session.add_custom("deep", deep)

    assert (store.read(), session.entries()) == ([], [])


def test_every_line_is_strict_json(store: SessionStore) -> None:
    session = started(store)
    for message in CONVERSATION:
        session.add_message(message)

    def refuse(name: str) -> None:
        raise AssertionError(name)

    for line in store.read():
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        json.loads(line, parse_constant=refuse)


def test_a_fork_holds_every_line_of_its_origin_and_a_header_of_its_own(store: SessionStore) -> None:
    session = Session.start(
        store, "s1", working_folder="/work", new_id=counting_ids(), now=lambda: NOW
    )
    first = session.add_message(user_text("一"))
    session.add_message(said("壹"))
    session.move_to(first.id)
    session.add_custom("todo", ["甲"])

    fork = session.fork()
    fork.close()

    assert fork.header == SessionHeader(
        id="e5", created_at=NOW, working_folder="/work", forked_from="s1"
    )
    assert fork.entries() == session.entries()
    assert fork.leaf_id == session.leaf_id
    assert fork.messages() == [user_text("一")]


def test_a_fork_and_its_origin_go_separate_ways(store: SessionStore) -> None:
    session = started(store)
    session.add_message(user_text("一"))
    before = store.read()

    fork = session.fork()
    fork.add_message(said("壹"))
    fork.close()

    assert store.read() == before
    assert session.messages() == [user_text("一")]
    assert fork.messages() == [user_text("一"), said("壹")]


def test_a_store_that_is_not_empty_is_no_place_to_begin(store: SessionStore) -> None:
    started(store).add_message(user_text("一"))
    before = store.read()

    with pytest.raises(SessionError, match="s1"):
        started(store)

    assert store.read() == before


def test_an_empty_store_is_no_session(store: SessionStore) -> None:
    with pytest.raises(SessionError, match="空"):
        Session.open(store)


def test_an_entry_of_an_unknown_kind_can_be_a_parent_and_is_never_the_leaf(
    store: SessionStore,
) -> None:
    session = started(store)
    session.add_message(user_text("一"))
    store.append(b'{"type":"hologram","id":"h1","parentId":"e1","x":[1]}\n')
    assert reopened(store).leaf_id == "e1"
    store.append(b'{"type":"leaf","id":"l1","parentId":"h1"}\n')

    back = reopened(store)

    assert back.entries()[1] == UnknownEntry("h1", "e1")
    assert back.messages() == [user_text("一")]
    assert back.warnings == []
