"""The run that a session is at, and the only way to change it: on disk first."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import timedelta

from ..clock import Clock, IdFactory, random_id, utc_now
from ..messages import AssistantMessage, ToolResultMessage, tool_calls
from ..sessions.entries import CustomEntry, Entry, MessageEntry
from ..sessions.session import Session
from .events import KIND, RunEntry, RunEvent, RunForked, RunStarted, from_data, to_data
from .reducer import record, reduce, started
from .state import AgentState
from .user_input import InputRefused, RequestKind, UserInputRequest


class RunLog:
    """Holds the state of the last run of a session; there is none before the first line."""

    def __init__(
        self, session: Session, *, clock: Clock = utc_now, new_id: IdFactory = random_id
    ) -> None:
        """Read the runs of `session`. A run that was copied with it gets an id of its own.

        Raises:
            SessionError: the id could not be written.
        """
        self.clock = clock
        self.new_id = new_id
        self.move_to(session)

    def move_to(self, session: Session) -> None:
        """Go on in another session, which may be a copy of this one; errors as above."""
        self.session = session
        self._runs = runs_of(session.entries())
        origin = self.current
        if origin is not None and session_of(origin.run_id) != session.header.id:
            copy = replace(origin, run_id=self._new_run_id())
            self.save(record(copy, RunForked(from_run=origin.run_id), now=self.clock()))

    @property
    def current(self) -> AgentState | None:
        """The last run, whatever its status; None: there was none yet, or its log is damaged."""
        return next(reversed(self._runs.values()), None)

    @property
    def damaged(self) -> list[str]:
        """The ids of the runs whose log is damaged."""
        return [run_id for run_id, state in self._runs.items() if state is None]

    @property
    def state(self) -> AgentState:
        """The last run.

        Raises:
            InputRefused: there was none yet.
        """
        if self.current is None:
            raise InputRefused("unknown_run", "这个会话里还没有运行")
        return self.current

    def next_run_id(self) -> str:
        """Return the id of the next run, which can begin now.

        Raises:
            InputRefused: there is one that is not over.
        """
        if self.current is not None and self.current.is_open:
            raise InputRefused("run_open", f"运行 {self.current.run_id} 还没有结束")
        return self._new_run_id()

    def record(self, event: RunEvent) -> None:
        """Let `event` happen, and store that before anybody gets to know of it.

        Raises:
            InputRefused: it is not possible now. Nothing was written.
            SessionError: it could not be stored, and has not happened.
        """
        self.save(record(self.state, event, now=self.clock()))

    def save(self, state: AgentState) -> None:
        """Store what led to `state`, and take it for the current one; errors as for `record`."""
        at = self._runs.get(state.run_id)
        for entry in state.unsaved:
            self.session.add_custom(KIND, to_data(entry))
            at = state if at is None else reduce(at, entry)  # if the next one fails, this stands
            self._runs[state.run_id] = replace(at, unsaved=())

    def new_request(
        self, kind: RequestKind, *, question: str, reason: str, options: tuple[str, ...] = ()
    ) -> UserInputRequest:
        """Return a request that has yet to be stored."""
        now, seconds = self.clock(), self.state.answer_within
        return UserInputRequest(
            id=f"ask-{self.new_id()}",
            kind=kind,
            question=question,
            reason=reason,
            options=options,
            created_at=now,
            expires_at=None if seconds is None else now + timedelta(seconds=seconds),
        )

    def results(self, tools: Collection[str]) -> dict[str, str]:
        """Return which calls of `tools` in the current run went well: their ids and arguments."""
        arguments: dict[str, str] = {}
        found: dict[str, str] = {}
        for entry in self.session.entries():
            match entry:
                case CustomEntry(kind=kind, data={"event": {"type": "run_started"}}) if (
                    kind == KIND
                ):
                    found.clear()
                case MessageEntry(message=AssistantMessage() as message):
                    for call in tool_calls(message):
                        arguments[call.id] = json.dumps(call.arguments, ensure_ascii=False)
                case MessageEntry(message=ToolResultMessage(is_error=False) as result):
                    if result.tool_name in tools:
                        found[result.tool_call_id] = arguments.get(result.tool_call_id, "")
        return found

    def _new_run_id(self) -> str:
        return f"{self.session.header.id}-{len(self._runs) + 1}"


def runs_of(entries: Iterable[Entry]) -> dict[str, AgentState | None]:
    """Return the runs of a session by id, in the order in which they began.

    None in place of a run: an event of it is missing or unknown, or not possible where it
    stands. Nobody knows then what was decided or done, so it cannot go on.
    """
    runs: dict[str, AgentState | None] = {}
    for stored in entries:
        if not isinstance(stored, CustomEntry) or stored.kind != KIND:
            continue
        run_id = stored.data.get("runId") if isinstance(stored.data, dict) else None
        try:
            entry = from_data(stored.data)
            runs[entry.run_id] = _after(runs, entry)
        except (InputRefused, ValueError):
            runs[str(run_id)] = None
    return runs


def _after(runs: Mapping[str, AgentState | None], entry: RunEntry) -> AgentState:
    event = entry.event
    if isinstance(event, RunStarted) and entry.run_id not in runs:
        return started(entry.run_id, event)
    before = runs.get(event.from_run if isinstance(event, RunForked) else entry.run_id)
    if before is None:
        raise ValueError(f"no sound run before event {entry.number}")
    return reduce(before, entry)


def session_of(run_id: str) -> str:
    """Return the id of the session that a run belongs to: a run id is that, and a number."""
    return run_id.rpartition("-")[0]
