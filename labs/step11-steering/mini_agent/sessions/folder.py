"""The folder of sessions: which there are, which one is meant.

Not here: opening one. A list reads only the beginning of each file, and changes no byte.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..messages import message_text
from .entries import MessageEntry, SessionError, decode
from .load import read_header

BEGINNING = 16 * 1024
"""Bytes of a file that a list looks at, however long the file is."""

TITLE = 40
"""Characters of the first user message that a list shows."""

SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""What an id may look like. It becomes the name of a file, so it must not be a path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """One session, as a list shows it."""

    id: str
    path: Path

    changed_at: float
    """When the file was last written to, in seconds since 1970."""

    title: str
    """How the conversation began, or why this file is no session of ours."""

    working_folder: str | None = None
    """Where its tools worked. None: not recorded."""


def sessions_folder(environment: Mapping[str, str], home: Path) -> Path:
    """Return where sessions are kept: under the XDG state folder, by default ~/.local/state."""
    state = Path(environment.get("XDG_STATE_HOME", ""))
    if not state.is_absolute():  # unset, or not what the XDG specification allows
        state = home / ".local" / "state"
    return state / "mini-agent" / "sessions"


def session_path(folder: Path, session_id: str) -> Path:
    """Return the file of a session.

    Raises:
        SessionError: the id could leave the folder: it may hold letters, digits, - and _ only.
    """
    if not SAFE_ID.fullmatch(session_id):
        raise SessionError(f"{session_id!r} 不能作会话编号：只能用字母、数字、- 和 _")
    return folder / f"{session_id}.jsonl"


def list_sessions(folder: Path) -> list[SessionInfo]:
    """Return the sessions in `folder`, the one that was used last first."""
    files = [path for path in folder.glob("*.jsonl") if path.is_file()]
    return sorted(map(_look_at, files), key=lambda info: (-info.changed_at, info.id))


def find_session(folder: Path, beginning: str) -> Path:
    """Return the file of the session whose id begins with `beginning`.

    Raises:
        SessionError: there is none, or more than one, or this is no id at all.
    """
    exact = session_path(folder, beginning)
    if exact.is_file():
        return exact
    found = sorted(path for path in folder.glob(f"{beginning}*.jsonl") if path.is_file())
    if not found:
        raise SessionError(f"没有编号以 {beginning!r} 开头的会话；--list 列出所有会话")
    if len(found) > 1:
        names = "、".join(path.stem for path in found[:5])
        raise SessionError(f"以 {beginning!r} 开头的会话不止一个：{names}")
    return found[0]


def _look_at(path: Path) -> SessionInfo:
    changed_at, folder = 0.0, None
    try:
        changed_at = path.stat().st_mtime
        with path.open("rb") as file:
            lines = file.read(BEGINNING).split(b"\n")
        folder = read_header(lines[0]).working_folder
        title = _title(lines[1:-1])
    except SessionError as error:
        title = f"（{error}）"
    except OSError as error:
        title = f"（{error.strerror}）"
    return SessionInfo(
        id=path.stem, path=path, changed_at=changed_at, title=title, working_folder=folder
    )


def _title(lines: Sequence[bytes]) -> str:
    """Return how the first message begins, if it stands within these lines."""
    try:
        entry = decode(lines[0]) if lines else None
    except ValueError:
        entry = None
    if not isinstance(entry, MessageEntry):
        return ""
    return " ".join(message_text(entry.message).split())[:TITLE]
