"""Which sessions there are, which one is meant, and what may never become a path."""

import os
from pathlib import Path

import pytest
from mini_agent.clock import random_id
from mini_agent.messages import user_text
from mini_agent.sessions.entries import SessionError
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.folder import (
    BEGINNING,
    find_session,
    list_sessions,
    session_path,
    sessions_folder,
)
from mini_agent.sessions.session import Session

from tests.steps.step06.support import CASES, NOW


def make(folder: Path, name: str, text: str = "你好", *, changed_at: int = 0) -> Path:
    path = folder / f"{name}.jsonl"
    session = Session.start(FileStore(path), name)
    session.add_message(user_text(text))
    session.close()
    os.utime(path, (changed_at, changed_at))
    return path


def test_the_one_used_last_comes_first(tmp_path: Path) -> None:
    make(tmp_path, "old", changed_at=1)
    make(tmp_path, "new", changed_at=3)
    make(tmp_path, "middle", changed_at=2)

    assert [info.id for info in list_sessions(tmp_path)] == ["new", "middle", "old"]


def test_a_list_shows_how_the_conversation_began(tmp_path: Path) -> None:
    make(tmp_path, "s1", "第一句\n第二行 " + "长" * 100)

    (info,) = list_sessions(tmp_path)

    assert info.title.startswith("第一句 第二行 长")
    assert len(info.title) == 40


def test_no_folder_means_no_sessions(tmp_path: Path) -> None:
    assert list_sessions(tmp_path / "nowhere") == []


def test_a_list_shows_what_is_no_session_and_goes_on(tmp_path: Path) -> None:
    make(tmp_path, "good", changed_at=1)
    for case in ("E6a-future-version", "E1a-torn-json"):
        (tmp_path / f"{case}.jsonl").write_bytes((CASES / f"{case}.jsonl").read_bytes())
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "notes.txt").write_text("no session", encoding="utf-8")
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")

    titles = {info.id: info.title for info in list_sessions(tmp_path)}

    assert titles.pop("good") == "你好"
    assert titles.pop("E1a-torn-json") == "第一句"
    assert "99" in titles.pop("E6a-future-version")
    assert "空" in titles.pop("empty")
    assert titles == {}


def test_a_list_changes_no_byte_and_takes_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes((CASES / "E1a-torn-json.jsonl").read_bytes())
    store = FileStore(path)

    assert len(list_sessions(tmp_path)) == 1

    store.close()
    assert path.read_bytes() == (CASES / "E1a-torn-json.jsonl").read_bytes()


def test_a_list_reads_only_the_beginning_of_a_file(tmp_path: Path) -> None:
    path = make(tmp_path, "s1")
    with path.open("ab") as file:
        file.truncate(10**10)  # a hole of 10 GB: whoever read it would not come back soon

    assert [info.title for info in list_sessions(tmp_path)] == ["你好"]


def test_a_first_message_beyond_the_beginning_has_no_title(tmp_path: Path) -> None:
    make(tmp_path, "s1", "长" * BEGINNING)

    assert [info.title for info in list_sessions(tmp_path)] == [""]


def test_a_beginning_is_enough_if_only_one_session_has_it(tmp_path: Path) -> None:
    for name in ("abc1", "abc2", "abd", "abd7"):
        make(tmp_path, name)

    assert find_session(tmp_path, "abc1").stem == "abc1"
    assert find_session(tmp_path, "abd").stem == "abd"  # itself, although abd7 begins like it
    with pytest.raises(SessionError, match="abc1、abc2"):
        find_session(tmp_path, "abc")
    with pytest.raises(SessionError, match="--list"):
        find_session(tmp_path, "x")


@pytest.mark.parametrize(
    "unsafe",
    [
        "../../x",
        "a/b",
        "..",
        "",
        ".",
        "*",
        "a*",
        "[a]",
        "a\0b",
        "/etc/passwd",
        "a b",
        "甲",
        "-x",
        "a\n",
        "x" * 65,
    ],
)
def test_an_id_is_no_path_and_no_pattern(tmp_path: Path, unsafe: str) -> None:
    make(tmp_path, "ab")
    before = sorted(tmp_path.iterdir())

    with pytest.raises(SessionError, match="编号"):
        find_session(tmp_path, unsafe)
    with pytest.raises(SessionError, match="编号"):
        session_path(tmp_path, unsafe)

    assert sorted(tmp_path.iterdir()) == before


def test_a_hundred_sessions_in_one_moment_are_a_hundred_files(tmp_path: Path) -> None:
    for _ in range(100):
        name = random_id()
        session = Session.start(FileStore(session_path(tmp_path, name)), name, now=lambda: NOW)
        session.add_message(user_text("你好"))
        session.close()

    assert len(list_sessions(tmp_path)) == 100


def test_a_new_session_never_overwrites_a_file(tmp_path: Path) -> None:
    path = make(tmp_path, "s1")
    before = path.read_bytes()
    store = FileStore(path)
    late = Session.start(FileStore(path.with_name("s2.jsonl")), "s2")
    make(tmp_path, "s2")

    with pytest.raises(SessionError, match="已经存在"):
        late.add_message(user_text("你好"))

    store.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "/home/me/.local/state/mini-agent/sessions"),
        ({"XDG_STATE_HOME": ""}, "/home/me/.local/state/mini-agent/sessions"),
        ({"XDG_STATE_HOME": "relative"}, "/home/me/.local/state/mini-agent/sessions"),
        ({"XDG_STATE_HOME": "/state"}, "/state/mini-agent/sessions"),
    ],
)
def test_where_sessions_are_kept(environment: dict[str, str], expected: str) -> None:
    assert sessions_folder(environment, Path("/home/me")) == Path(expected)
