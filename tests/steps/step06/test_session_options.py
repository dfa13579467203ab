"""Which session the options lead to, and what is said when they lead nowhere."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest
from mini_agent.cli.session_options import (
    add_session_options,
    ago,
    announce,
    describe_sessions,
    new_session,
    old_session,
    recorded_folder,
)
from mini_agent.messages import user_text
from mini_agent.sessions.entries import SessionError
from mini_agent.sessions.file import FileStore, SessionBusy
from mini_agent.sessions.session import Session

from tests.steps.step06.support import CASES


def options(*arguments: str) -> Namespace:
    parser = ArgumentParser()
    add_session_options(parser)
    return parser.parse_args(arguments)


def put(folder: Path, case: str, name: str) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_bytes((CASES / f"{case}.jsonl").read_bytes())
    return path


def test_nothing_said_means_a_new_session_without_a_file_yet(tmp_path: Path) -> None:
    assert old_session(options(), tmp_path, None) is None

    session = new_session(options(), tmp_path, Path("/work"))

    assert session.header.working_folder == "/work"
    assert list(tmp_path.iterdir()) == []
    session.add_message(user_text("你好"))
    session.close()
    assert (tmp_path / f"{session.header.id}.jsonl").is_file()


def test_no_session_is_a_session_without_a_file_ever(tmp_path: Path) -> None:
    session = new_session(options("--no-session"), tmp_path, Path("/work"))
    session.add_message(user_text("你好"))
    session.fork().add_message(user_text("你好"))

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["--continue"], ["--resume", "s"], ["--resume", "s1"]])
def test_an_old_session_goes_on(tmp_path: Path, arguments: list[str]) -> None:
    put(tmp_path, "E6b-unknown-entry", "s1")

    session = old_session(options(*arguments), tmp_path, None)

    assert session is not None
    assert len(session.messages()) == 2
    session.close()


def test_a_fork_is_a_copy_and_the_original_stays(tmp_path: Path) -> None:
    path = put(tmp_path, "E6b-unknown-entry", "s1")
    before = path.read_bytes()

    copy = old_session(options("--fork", "s1"), tmp_path, None)

    assert copy is not None
    assert copy.header.forked_from == "s1"
    copy.add_message(user_text("你好"))
    copy.close()
    assert path.read_bytes() == before
    lines = (tmp_path / f"{copy.header.id}.jsonl").read_bytes().splitlines(keepends=True)
    assert lines[1:4] == before.splitlines(keepends=True)[1:]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--continue"], "还没有会话可以接着"),
        (["--resume", "zz"], "--list"),
        (["--resume", ""], "编号"),
        (["--resume", "../../etc/passwd"], "编号"),
        (["--fork", ".."], "编号"),
    ],
)
def test_no_such_session(tmp_path: Path, arguments: list[str], says: str) -> None:
    with pytest.raises(SessionError, match=says):
        old_session(options(*arguments), tmp_path / "nowhere", None)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["--resume", "s9"], ["--continue"], ["--fork", "s9"]])
def test_e6a_a_newer_version_is_refused_and_unchanged(tmp_path: Path, arguments: list[str]) -> None:
    path = put(tmp_path, "E6a-future-version", "s9")
    before = path.read_bytes()

    with pytest.raises(SessionError, match=r"s9.*版本是 99.*版本 1") as refusal:
        old_session(options(*arguments), tmp_path, None)

    FileStore(path).close()  # the lock was given back, although the error is still around
    assert refusal.value.__traceback__ is not None
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.glob("*.jsonl")] == ["s9.jsonl"]


def test_a_session_in_use_is_refused_and_can_be_forked(tmp_path: Path) -> None:
    path = put(tmp_path, "E1a-torn-json", "s1")
    writer = FileStore(path)

    with pytest.raises(SessionBusy, match="--fork s1"):
        old_session(options("--resume", "s1"), tmp_path, None)
    copy = old_session(options("--fork", "s1"), tmp_path, None)

    assert copy is not None
    assert len(copy.messages()) == 2
    copy.close()
    writer.close()


def test_a_session_is_announced_with_its_damage(tmp_path: Path) -> None:
    put(tmp_path, "E1a-torn-json", "s1")
    told: list[str] = []
    session = old_session(options("--continue"), tmp_path, None)
    assert session is not None

    announce(session, told.append)

    session.close()
    assert told[0] == "（接着会话 s1：已有 2 条消息）"
    assert '"m3"' in told[1]
    assert len(told) == 2


def test_the_folder_where_a_session_worked(tmp_path: Path) -> None:
    def session_in(folder: Path) -> Session:
        return new_session(options("--no-session"), tmp_path, folder)

    assert recorded_folder(None) is None
    assert recorded_folder(session_in(tmp_path)) == tmp_path
    assert recorded_folder(session_in(tmp_path / "gone")) is None


def test_a_folder_whose_name_is_no_utf8_is_no_obstacle(tmp_path: Path) -> None:
    session = new_session(options(), tmp_path, Path("/folder/\udcff"))
    session.add_message(user_text("你好"))
    session.close()

    assert session.header.working_folder == "/folder/\ufffd"


def test_a_list_for_the_user(tmp_path: Path) -> None:
    assert describe_sessions(tmp_path) == "还没有会话。"
    put(tmp_path, "E1a-torn-json", "s1")

    assert describe_sessions(tmp_path) == "s1  刚才  ?  第一句"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-5, "刚才"), (59, "刚才"), (60, "1 分钟前"), (7_300, "2 小时前"), (200_000, "2 天前")],
)
def test_how_long_ago(seconds: float, said: str) -> None:
    assert ago(seconds) == said


def test_the_last_session_is_that_of_the_folder(tmp_path: Path) -> None:
    sessions, folders = tmp_path / "sessions", [tmp_path / "a", tmp_path / "b"]
    for place, folder in enumerate(folders):
        folder.mkdir()
        session = new_session(options(), sessions, folder)
        session.add_message(user_text(folder.name))
        session.close()
        os.utime(sessions / f"{session.header.id}.jsonl", (place, place))
    (tmp_path / "link").symlink_to(folders[0])

    for here, title in ((folders[0], "a"), (tmp_path / "link", "a"), (None, "b")):
        found = old_session(options("--continue"), sessions, here)
        assert found is not None
        assert found.messages() == [user_text(title)]
        found.close()
    with pytest.raises(SessionError, match="--list"):
        old_session(options("--continue"), sessions, tmp_path)
