"""Runs that wait for their user: as values alone, and on a store, one process after the other."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from conformance.support import judge
from conformance.support.judge import CheckFailed, Observed
from conformance.support.model import Call, Says, Script
from conformance.support.run import ToolTable, toolset
from conformance.support.subject import Subject

START = datetime(2026, 1, 1, tzinfo=UTC)
RUN, ASK = "s-1", "ask-1"
QUESTION, GOAL = "用哪个名字？", "整理待办"


def at(seconds: float) -> datetime:
    """Return the time so many seconds after the start."""
    return START + timedelta(seconds=seconds)


class PureRun:
    """A run that has just begun, and what can happen to it."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.refused = subject.get("runs.user_input.InputRefused")

    def new(self) -> Any:
        """Return the state of a run that has just begun."""
        event = self.subject.get("runs.events.RunStarted")(
            goal=GOAL, budget=9, working_folder="/w", model="fake"
        )
        return self.subject.get("runs.fold.begin")(RUN, event, now=START)

    def request(self, name: str = ASK, *, expires: float | None = None, **others: Any) -> Any:
        """Return a request; `expires` is in seconds after the start."""
        fields: dict[str, Any] = {"kind": "clarification", "question": QUESTION, "reason": "要写"}
        return self.subject.get("runs.user_input.UserInputRequest")(
            id=name,
            created_at=START,
            expires_at=None if expires is None else at(expires),
            **(fields | others),
        )

    def answer(self, content: str = "王芳", *, to: str = ASK) -> Any:
        """Return an answer."""
        make = self.subject.get("runs.user_input.UserInputAnswer")
        return make(request_id=to, content=content, received_at=at(1))

    def action(self, **arguments: str) -> Any:
        """Return the action of writing a file."""
        arguments = {"path": "a", "content": "x"} | arguments
        call = self.subject.get("messages.ToolCall")(id="w", name="write", arguments=arguments)
        return self.subject.get("runs.approvals.action_of")(call, working_folder="/w", content="1")

    def wait(self, state: Any, request: Any = None, **how: Any) -> Any:
        """Let the run wait for a request, by default for a name."""
        wait = self.subject.get("runs.interaction.wait_for_user_input")
        return wait(state, request or self.request(), now=START, **how)

    def wait_for_approval(self, state: Any) -> Any:
        """Let the run wait for an approval."""
        return self.wait(state, self.request(kind="approval"), action=self.action())

    def reply(self, state: Any, content: str = "王芳", *, to: str = ASK, seconds: float = 1) -> Any:
        """Apply an answer."""
        apply = self.subject.get("interaction.apply_user_answer")
        return apply(state, self.answer(content, to=to), now=at(seconds))

    def steer(self, state: Any, kind: str, text: str, *, name: str = "in-1") -> Any:
        """Apply a constraint, a goal change or a cancel."""
        make = self.subject.get("runs.user_input.UserSteering")
        steering = make(id=name, run_id=RUN, type=kind, text=text)
        return self.subject.get("interaction.apply_user_steering")(state, steering, now=at(2))

    def code(self, action: Callable[[], Any]) -> str:
        """Return the code with which `action` is refused, or "accepted"."""
        try:
            action()
        except self.refused as refusal:
            return str(refusal.code)
        return "accepted"

    def expect_refused(
        self, state: Any, action: Callable[[Any], Any], code: str, *, called: str
    ) -> None:
        """Fail the check unless `action` is refused with `code`, and `state` is as it was."""
        before = repr(state)
        came = self.code(lambda: action(state))
        judge.same(came, code, called=called)
        if repr(state) != before:
            raise CheckFailed(called=called, came=repr(state), wanted=f"unchanged: {before}")


def shown(state: Any) -> str:
    """Return what a report shows of a state."""
    pending = state.pending_user_input
    return (
        f"{state.status}, goal {state.goal_version}: {state.goal}, constraints "
        f"{list(state.constraints)}, plan {state.plan.version}, waits for "
        f"{pending.id if pending else None}, events {kinds(state)}"
    )


def kinds(state: Any) -> list[str]:
    """Return the types of the events that have led to a state and are not stored yet."""
    return [entry.event.type for entry in state.unsaved]


LOOK = Call("look", "read", {"path": "a.txt"})


class StoredRun(Observed):
    """A store that outlives whoever works at the run in it; every write waits for an approval."""

    def __init__(self, subject: Subject, folder: Path) -> None:
        self.subject = subject
        self.folder = folder
        self.tools = ToolTable()
        self.called = ""
        self.script = Script(subject, ())
        self._ids = count()
        self._store = subject.get("sessions.store.MemoryStore")()

    def process(self, *says: Says) -> Any:
        """Return the runner of a new process, in which the model says these messages."""
        subject = self.subject
        session_class = subject.get("sessions.session.Session")
        session = (
            session_class.open(self._store, new_id=self._new_id)
            if self._store.read()
            else session_class.start(self._store, "s", new_id=self._new_id, now=lambda: START)
        )
        spec = subject.get("messages.ToolSpec")
        specs = tuple(spec(name=n, description=n, parameters={}) for n in ("read", "write"))
        context = subject.get("messages.Context")(
            tools=(*specs, *subject.get("runs.tools.run_tool_specs")())
        )
        self.script = Script(subject, says)
        self.called = "; then ".join(["a run in which the model says", *map(str, says)])
        return subject.get("runs.runner.Runner")(
            subject.get("sessions.conversation.Conversation")(
                session, context, notify=lambda text: None
            ),
            equipment=subject.get("runs.loop.Equipment")(
                model=self.script,
                extensions=self._extensions(),
                **toolset(subject, self.tools, sequential=("write",)),
                workspace=subject.get("tools.workspace.Workspace")(self.folder),
            ),
            terms=subject.get("runs.terms.Terms")(now=lambda: START, new_id=self._new_id),
        )

    async def start(self, *says: Says) -> Any:
        """Begin a run, and work at it until it waits or is over; return its state."""
        runner = self.process(*says)
        runner.start(GOAL)
        return await self.work(runner)

    async def work(self, runner: Any) -> Any:
        """Work at the run until it waits or is over; return its state."""
        with judge.in_time(self.subject.patience, called=self.called):
            await runner.work(signal=self.subject.get("abort.AbortSignal")(), show=_last)
        return runner.desk.state

    def stored(self) -> Any:
        """Return the state of the last run, read from the store and from nothing else."""
        session = self.subject.get("sessions.session.Session").open(self._store)
        return [*self.subject.get("runs.fold.runs_of")(session.entries()).values()][-1]

    def _extensions(self) -> Any:
        subject = self.subject
        before_call, ask = (
            subject.get("extensions.events.BeforeCall"),
            subject.get("extensions.answers.Ask"),
        )

        async def gate(event: Any) -> Any:
            return ask("要改文件") if event.call.name == "write" else None

        host = subject.get("extensions.record.ExtensionContext")(notify=lambda text: None)
        extensions = subject.get("extensions.registry.Extensions")(host)
        extensions.add("gate", lambda api: api.on(before_call, gate))
        return extensions

    def _new_id(self) -> str:
        return str(next(self._ids))


async def _last(run: AsyncGenerator[Any, None]) -> Any:
    last = None
    async with aclosing(run):
        async for event in run:
            last = event
    return last


def question(call_id: str = "q", *, decision: str = "名字") -> Call:
    """Return a call that asks the user."""
    arguments = {"question": "用哪个名字？", "reason": "要写进文件", "decision": decision}
    return Call(
        call_id,
        "request_user_input",
        {**arguments, "changes": "implementation", "checked": ["look"]},
    )


def write(call_id: str, content: str = "x") -> Call:
    """Return a call that writes a file."""
    return Call(call_id, "write", {"path": "a.txt", "content": content})
