"""From the id of a run to its session. To look at one takes no lock and writes nothing."""

from pathlib import Path

from .describe_run import STATUS
from .run_desk import session_of
from .run_fold import runs_of
from .run_state import AgentState
from .session import Session
from .session_entries import SessionError
from .session_list import TITLE, list_sessions, session_path
from .session_options import open_session
from .text import escape_controls
from .user_input import InputRefused


def file_of(sessions: Path, run_id: str) -> Path:
    """Return the session file in which a run is.

    Raises:
        InputRefused: there is none.
    """
    try:
        path = session_path(sessions, session_of(run_id))
    except SessionError:
        path = sessions / "没有这个文件"
    if not path.is_file():
        raise InputRefused("unknown_run", f"没有运行 {run_id}；runs 列出所有运行")
    return path


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
        raise InputRefused("unknown_run", f"没有运行 {run_id}；runs 列出所有运行")
    state = runs[run_id]
    if state is None:
        raise SessionError(f"运行 {run_id} 的记录损坏了，不能接着用")
    return state


def current_run(session: Session, run_id: str) -> AgentState:
    """Return the last run of `session`, if it is this one: an earlier one cannot go on.

    Raises:
        InputRefused: it is not, or there is no such run.
        SessionError: the log is damaged.
    """
    state = run_in(session, run_id)
    if run_id != [*runs_of(session.entries())][-1]:
        raise InputRefused("unexpected_user_input", f"{run_id} 之后已经有别的运行")
    return state


def describe_runs(sessions: Path) -> str:
    """Return a line for each run, those of the session that was used last first."""
    lines = []
    for info in list_sessions(sessions):
        try:
            session = open_session(info.path, read_only=True)
            runs = runs_of(session.entries())
            session.close()
        except SessionError as error:
            lines.append(f"{info.id}  （{error}）")
            continue
        lines += [f"{run_id}  {_summary(run)}" for run_id, run in runs.items()]
    return escape_controls("\n".join(lines)) or "还没有运行。"


def _summary(state: AgentState | None) -> str:
    if state is None:
        return "（记录损坏）"
    return f"{STATUS[state.status]}  {' '.join(state.goal.split())[:TITLE]}"
