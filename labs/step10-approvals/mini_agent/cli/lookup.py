"""From the id of a run to its session. To look at one takes no lock and writes nothing."""

from pathlib import Path

from ..runs.events import KIND
from ..runs.log import RunLog, runs_of, session_of
from ..runs.state import AgentState
from ..runs.user_input import InputRefused
from ..sessions.entries import Entry, SessionError, SessionHeader, decode
from ..sessions.file import FileStore, SessionBusy, read_lines
from ..sessions.folder import SAFE_ID, TITLE, list_sessions, session_path
from ..sessions.session import Session
from ..text import one_line
from .describe import STATUS
from .session_options import open_session

NO_SUCH_RUN = "没有运行 {run_id}；runs 列出所有运行"
MARK = f'"kind":"{KIND}"'.encode()
"""What a line holds that is about a run: the others need not be read for a list."""


def file_of(sessions: Path, run_id: str) -> Path:
    """Return the session file in which a run is.

    Raises:
        InputRefused: there is none.
        SessionError: the folder cannot be read.
    """
    require_readable(sessions)
    session_id = session_of(run_id)
    if not SAFE_ID.fullmatch(session_id) or not session_path(sessions, session_id).is_file():
        raise InputRefused("unknown_run", NO_SUCH_RUN.format(run_id=one_line(run_id)))
    return session_path(sessions, session_id)


def look_up(sessions: Path, run_id: str) -> AgentState:
    """Return the state of a run, also while another process works at it.

    Raises:
        InputRefused: there is no such run.
        SessionError: its session cannot be read.
    """
    session = open_session(file_of(sessions, run_id), read_only=True)
    try:
        return run_in(session, run_id)
    finally:
        session.close()


def run_in(session: Session, run_id: str) -> AgentState:
    """Return a run of `session`; errors as for `look_up`."""
    runs = runs_of(session.entries())
    if run_id not in runs:
        raise InputRefused("unknown_run", NO_SUCH_RUN.format(run_id=one_line(run_id)))
    state = runs[run_id]
    if state is None:
        raise SessionError(f"运行 {run_id} 的记录损坏了，不能接着用")
    return state


def require_current(log: RunLog, run_id: str) -> AgentState:
    """Return the last run of a session, if it is this one: an earlier one cannot go on.

    Raises:
        InputRefused: it is not, or there is no such run.
        SessionError: the log is damaged.
    """
    run_in(log.session, run_id)
    if log.current is None or log.current.run_id != run_id:
        raise InputRefused("unexpected_user_input", f"{run_id} 之后已经有别的运行")
    return log.current


def is_held(sessions: Path, run_id: str) -> bool:
    """Tell whether a process has the session of a run open for writing."""
    try:
        FileStore(file_of(sessions, run_id)).close()
    except SessionBusy:
        return True
    return False


def describe_runs(sessions: Path) -> str:
    """Return a line for each run, those of the session that was used last first.

    Raises:
        SessionError: the folder cannot be read.
    """
    require_readable(sessions)
    lines = []
    for info in list_sessions(sessions):
        try:
            runs = runs_of(_entries_of_runs(info.path))
        except OSError as error:
            lines.append(f"{info.id}  （{error.strerror}）")
            continue
        for run_id, run in runs.items():
            if run is None or session_of(run_id) == info.id:  # a copy holds those of another, too
                lines.append(f"{run_id}  {_summary(run)}")
    return "\n".join(map(one_line, lines)) or "还没有运行。"


def require_readable(sessions: Path) -> None:
    """Refuse a folder that is there and cannot be entered: it does not mean that it is empty.

    Raises:
        SessionError: it is one.
    """
    try:
        for _ in sessions.iterdir():
            (sessions / "x").exists()
            return
    except FileNotFoundError:
        return
    except OSError as error:
        raise SessionError(f"会话目录 {sessions} 读不了：{error.strerror}") from error


def _entries_of_runs(path: Path) -> list[Entry]:
    """Return the entries about runs. One that cannot be read leaves a gap, which is seen."""
    entries: list[Entry] = []
    for line in read_lines(path):
        if MARK in line:
            try:
                entry = decode(line)
            except ValueError:
                continue
            if not isinstance(entry, SessionHeader):
                entries.append(entry)
    return entries


def _summary(state: AgentState | None) -> str:
    if state is None:
        return "（记录损坏）"
    return f"{STATUS[state.status]}  {' '.join(state.goal.split())[:TITLE]}"
