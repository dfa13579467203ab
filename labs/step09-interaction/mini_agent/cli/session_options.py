"""Which session to go on with: a new one, the last one, a certain one, or a copy of it.

Not here: the folder to work in. `options.py` finds that, and a session only remembers it.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import time

from ..clock import random_id
from ..sessions.entries import SessionError
from ..sessions.file import FileStore, SessionBusy
from ..sessions.folder import find_session, list_sessions, session_path
from ..sessions.session import Session
from ..sessions.store import MemoryStore, SessionStore
from ..text import escape_controls, one_line, replace_surrogates
from .export import as_markdown


def add_session_options(parser: ArgumentParser) -> None:
    """Add the options of this step. None of them given: a new session."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--continue", dest="last", action="store_true", help="接着这个文件夹里最近的会话"
    )
    choice.add_argument("--resume", metavar="ID", help="接着这个会话，编号写开头几位就行")
    choice.add_argument("--fork", metavar="ID", help="复制这个会话，在副本里接着说")
    choice.add_argument("--no-session", action="store_true", help="不保存这次对话")
    choice.add_argument("--list", action="store_true", help="列出所有会话，和它们的文件夹")
    choice.add_argument("--export", metavar="ID", help="把这个会话作为 Markdown 打印出来")


def old_session(options: Namespace, sessions: Path, here: Path | None) -> Session | None:
    """Return the session that the user wants to go on with; None: a new one is wanted.

    Args:
        options: What the user has said.
        sessions: The folder of all sessions.
        here: The folder of which the last session is meant. None: the last one of all.

    Raises:
        SessionError: there is no such session, or it cannot be opened.
    """
    if options.last:
        return open_session(last_session(sessions, here))
    if options.resume is not None:
        return open_session(find_session(sessions, options.resume))
    if options.fork is not None:
        origin = open_session(find_session(sessions, options.fork), read_only=True)
        copy = origin.fork()
        origin.close()
        return copy
    return None


def new_session(options: Namespace, sessions: Path, working_folder: Path) -> Session:
    """Begin a session. It gets a file when there is something to remember."""
    new_id = random_id()
    store: SessionStore = MemoryStore()
    if not options.no_session:
        store = FileStore(session_path(sessions, new_id))
    return Session.start(store, new_id, working_folder=recorded_name(working_folder))


def open_session(path: Path, *, read_only: bool = False) -> Session:
    """Return the session in a file.

    Raises:
        SessionBusy: another process has it open.
        SessionError: it is no session, or beyond repair. The file is as it was.
    """
    try:
        store = FileStore(path, read_only=read_only)
    except SessionBusy as error:
        raise SessionBusy(f"{error}；要另开一份：--fork {path.stem}") from error
    try:
        session = Session.open(store)
    except SessionError as error:
        store.close()
        raise SessionError(f"会话 {path.stem} 打不开：{error}。文件没有改动") from error
    # A file that was copied or renamed is a session of its own: its name is its id.
    session.header = replace(session.header, id=path.stem)
    return session


def last_session(sessions: Path, here: Path | None) -> Path:
    """Return the file of the session that was used last in the folder `here`; see `old_session`.

    Raises:
        SessionError: there is none.
    """
    wanted = None if here is None else recorded_name(here)
    for info in list_sessions(sessions):
        if wanted is None or info.working_folder == wanted:
            return info.path
    where = "" if wanted is None else f"（{wanted}）；--list 列出别处的，用 --resume ID 接着"
    raise SessionError(f"这里还没有会话可以接着{where}")


def recorded_name(folder: Path) -> str:
    """Return how a session remembers a folder: free of links; its name may not be UTF-8."""
    return replace_surrogates(str(folder.resolve()))


def recorded_folder(session: Session | None) -> Path | None:
    """Return the folder in which `session` worked, if there is still one."""
    folder = session.header.working_folder if session is not None else None
    return Path(folder) if folder is not None and Path(folder).is_dir() else None


def announce(session: Session, notify: Callable[[str], None]) -> None:
    """Tell the user what an old session holds, and what of it could not be read."""
    notify(f"（接着会话 {session.header.id}：已有 {len(session.messages())} 条消息）")
    for warning in session.warnings:
        notify(f"（{one_line(warning)}）")


def told_about(options: Namespace, sessions: Path) -> str | None:
    """Return what the user wants to know about sessions; None: he wants to talk.

    Raises:
        SessionError: there is no such session, or it cannot be read.
    """
    if options.list:
        return describe_sessions(sessions)
    if options.export is None:
        return None
    session = open_session(find_session(sessions, options.export), read_only=True)
    text = as_markdown(session)
    session.close()
    return escape_controls(text) if sys.stdout.isatty() else text


def describe_sessions(sessions: Path, *, now: Callable[[], float] = time) -> str:
    """Return a line for each session, the one that was used last first."""
    lines = [
        f"{info.id}  {ago(now() - info.changed_at)}  {info.working_folder or '?'}  {info.title}"
        for info in list_sessions(sessions)
    ]
    return "\n".join(map(one_line, lines)) or "还没有会话。"


def ago(seconds: float) -> str:
    """Say roughly how long ago something was."""
    for unit, length in (("天", 86_400), ("小时", 3_600), ("分钟", 60)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit}前"
    return "刚才"
