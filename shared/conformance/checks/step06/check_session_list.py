"""`sessions/folder.py`: which sessions there are, and which one is meant; an id is no path."""

import os
from pathlib import Path

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.session import HEADER, line, said
from conformance.support.subject import Subject

pytestmark = read("session list")

NO_IDS = (
    "",
    ".",
    "../ab01",
    "a/../../ab01",
    "/etc/passwd",
    "a\\b",
    "a\0",
    "a*",
    "a?",
    "ab09.jsonl",
    " a",
    "好",
)
"""What could be a path, a pattern, or nothing."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with three sessions and something else in it; the second is the newest."""
    for age, name in ((3, "ab01"), (1, "ab02"), (2, "cd03")):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(line(**{**HEADER, "id": name}) + said("m1", None, f"标题 {name}"))
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    (tmp_path / "broken.jsonl").write_bytes(b"no session\n")
    os.utime(tmp_path / "broken.jsonl", (1, 1))
    (tmp_path / "ab02.lock").touch()
    return tmp_path


def test_folder(subject: Subject, tmp_path: Path) -> None:
    """Sessions are kept under XDG_STATE_HOME if that is an absolute path, else under ~/.local."""
    sessions_folder = subject.get("sessions.folder.sessions_folder")
    default = tmp_path / ".local" / "state" / "mini-agent" / "sessions"
    wanted = [Path("/x/mini-agent/sessions"), default, default, default]
    environments = [
        {"XDG_STATE_HOME": "/x"},
        {},
        {"XDG_STATE_HOME": ""},
        {"XDG_STATE_HOME": "x"},
    ]
    came = [sessions_folder(environment, tmp_path) for environment in environments]
    judge.same(came, wanted, called=f"sessions_folder(environment, home), with {environments}")


def test_newest_first(subject: Subject, folder: Path) -> None:
    """All sessions are listed, the one used last first, each with the beginning of what was said.

    One that cannot be read is listed too.
    """
    infos = subject.get("sessions.folder.list_sessions")(folder)
    came = [info.id for info in infos]
    titles = [info.title for info in infos][:3]
    judge.holds(
        came == ["ab02", "cd03", "ab01", "broken"]
        and all(name in title for name, title in zip(came, titles, strict=False)),
        called="list_sessions(folder), with ab02, cd03, ab01 and a file that is no session",
        came=f"{came}, {titles}",
        wanted="ab02, cd03, ab01, broken; the first three with 标题 and their names as titles",
    )


@pytest.mark.parametrize(
    ("beginning", "wanted"), [("cd", "cd03"), ("ab01", "ab01"), ("ab", ""), ("x", "")]
)
def test_beginning_of_an_id(subject: Subject, folder: Path, beginning: str, wanted: str) -> None:
    """The beginning of an id is enough if it is unique; several or none are an error."""
    try:
        came = subject.get("sessions.folder.find_session")(folder, beginning).stem
    except subject.get("sessions.entries.SessionError"):
        came = ""
    called = f"find_session(folder, {beginning!r}), with ab01, ab02 and cd03"
    judge.same(came or "SessionError", wanted or "SessionError", called=called)


@pytest.mark.parametrize("session_id", NO_IDS, ids=ascii)
@pytest.mark.parametrize("function", ["session_path", "find_session"])
def test_id_is_no_path(subject: Subject, folder: Path, function: str, session_id: str) -> None:
    """An id that could lead out of the folder, or match any file, is refused."""
    sub = folder / "sub"
    (sub / "a").mkdir(parents=True)
    (sub / "ab09.jsonl").write_bytes(line(**{**HEADER, "id": "ab09"}))
    try:
        came = subject.get(f"sessions.folder.{function}")(sub, session_id)
    except subject.get("sessions.entries.SessionError"):
        return
    raise judge.CheckFailed(
        called=f"{function}(folder, {session_id!r})", came=f"{came}", wanted="a SessionError"
    )
