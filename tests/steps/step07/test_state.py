"""What an extension remembers: entries of the session, its own alone, those of this branch."""

from datetime import UTC, datetime
from typing import Any

import pytest
from mini_agent.extensions.api import Api
from mini_agent.messages import user_text
from mini_agent.sessions.entries import CustomEntry, SessionError
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore
from pydantic import JsonValue

from tests.steps.step07.extensions import Harness


def two_apis() -> tuple[Harness, Api, Api]:
    apis: list[Api] = []
    harness = Harness(a=apis.append, b=apis.append)
    return harness, apis[0], apis[1]


def test_each_one_finds_its_own_and_no_model_ever_sees_it() -> None:
    harness, a, b = two_apis()
    harness.session.add_message(user_text("你好"))
    a.append_entry("一")
    b.append_entry({"n": [1, None]})
    a.append_entry("二")
    assert a.entries() == ["一", "二"]
    assert b.entries() == [{"n": [1, None]}]
    assert harness.session.messages() == [user_text("你好")]
    kinds = {entry.kind for entry in harness.session.entries() if isinstance(entry, CustomEntry)}
    assert kinds == {"extension/a", "extension/b"}  # nothing of the harness is named like that


def test_it_is_there_again_when_the_session_is_resumed() -> None:
    store = MemoryStore()
    harness, a, _ = two_apis()
    harness.host.session = Session.start(store, "s1", now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    a.append_entry("一")

    again, a, _ = two_apis()
    again.host.session = Session.open(MemoryStore(b"".join(store.read())))
    assert a.entries() == ["一"]


def test_it_follows_the_branch() -> None:
    harness, a, _ = two_apis()
    a.append_entry("一")
    place = harness.session.leaf_id
    a.append_entry("二")
    harness.session.move_to(place)
    assert a.entries() == ["一"]
    a.append_entry("三")
    assert a.entries() == ["一", "三"]


def test_what_is_remembered_does_not_change_with_what_it_came_from() -> None:
    _, a, _ = two_apis()
    mine: Any = {"n": [1]}
    a.append_entry(mine)
    mine["n"].append(2)
    found: Any = a.entries()
    assert found == [{"n": [1]}]
    found[0]["n"].append(3)
    assert a.entries() == [{"n": [1]}]


@pytest.mark.parametrize("data", [float("nan"), "\ud83d"])
def test_what_is_no_strict_json_is_refused(data: JsonValue) -> None:
    harness, a, _ = two_apis()
    with pytest.raises((SessionError, ValueError)):
        a.append_entry(data)
    assert harness.session.entries() == []


def test_there_is_nothing_to_remember_in_before_there_is_a_session() -> None:
    apis: list[Api] = []
    harness = Harness(a=apis.append)
    harness.host.session = None
    assert apis[0].entries() == []
    with pytest.raises(RuntimeError, match="no session"):
        apis[0].append_entry("一")
