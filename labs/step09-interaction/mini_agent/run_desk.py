"""The run that a session is at, and the only way to change it: on disk first."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Concatenate, ParamSpec

from .clock_and_ids import NewId, Now, random_id, utc_now
from .run_events import KIND, LOGGED, RunForked
from .run_fold import apply, record, runs_of
from .run_state import AgentState
from .session import Session
from .user_input import InputRefused, RequestKind, UserInputRequest

P = ParamSpec("P")


class RunDesk:
    """Holds the state of the last run of a session; there is none before the first line."""

    def __init__(self, session: Session, *, now: Now = utc_now, new_id: NewId = random_id) -> None:
        """Read the runs of `session`. A run that was copied with it gets an id of its own.

        Raises:
            SessionError: the id could not be written.
        """
        self.now = now
        self.new_id = new_id
        self.session = session
        self.move_to(session)

    def move_to(self, session: Session) -> None:
        """Go on in another session, which may be a copy of this one; errors as above."""
        self.session = session
        self._runs = runs_of(session.entries())
        origin = self.current
        if origin is not None and session_of(origin.run_id) != session.header.id:
            copy = replace(origin, run_id=self._new_run_id())
            self.save(record(copy, RunForked(from_run=origin.run_id), now=self.now()))

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
        current = self.current
        if current is None:
            raise InputRefused("unknown_run", "这个会话里还没有运行")
        return current

    def next_run_id(self) -> str:
        """Return the id of the next run, which can begin now.

        Raises:
            InputRefused: there is one that is not over.
        """
        if self.current is not None and self.current.is_open:
            raise InputRefused("run_open", f"运行 {self.current.run_id} 还没有结束")
        return self._new_run_id()

    def change(
        self,
        function: Callable[Concatenate[AgentState, P], AgentState],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Let `function` change the state, and store that before anybody gets to know of it.

        Raises:
            InputRefused: the change is not possible. Nothing was written.
            SessionError: it could not be stored, and has not happened.
        """
        self.save(function(self.state, *args, **kwargs))

    def save(self, state: AgentState) -> None:
        """Store what led to `state`, and take it for the current one; errors as for `change`."""
        at = self._runs.get(state.run_id)
        for entry in state.unsaved:
            self.session.add_custom(KIND, LOGGED.dump_python(entry, mode="json", by_alias=True))
            at = state if at is None else apply(at, entry)  # if the next one fails, this one stands
            self._runs[state.run_id] = replace(at, unsaved=())

    def new_request(self, kind: RequestKind, *, question: str, reason: str) -> UserInputRequest:
        """Return a request that has yet to be stored."""
        now, patience = self.now(), self.state.answer_within
        step = next((s.id for s in self.state.plan.steps if s.status == "in_progress"), None)
        return UserInputRequest(
            id=f"ask-{self.new_id()}",
            kind=kind,
            question=question,
            reason=reason,
            related_step_id=step,
            created_at=now,
            expires_at=None if patience is None else now + timedelta(seconds=patience),
        )

    def _new_run_id(self) -> str:
        return f"{self.session.header.id}-{len(self._runs) + 1}"


def session_of(run_id: str) -> str:
    """Return the id of the session that a run belongs to: a run id is that, and a number."""
    return run_id.rpartition("-")[0]
