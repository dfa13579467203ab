"""Runs that wait for their user: as values alone, and on a store, one process after the other."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from inspect import isawaitable
from itertools import count
from pathlib import Path
from typing import Any

from conformance.support import judge
from conformance.support.extensions import ExtendedHarness
from conformance.support.history import in_words, text_of
from conformance.support.judge import CheckFailed, Observed
from conformance.support.model import Call, Says, Script
from conformance.support.session import conversation_of
from conformance.support.subject import Subject

START = datetime(2026, 1, 1, tzinfo=UTC)
RUN, ASK = "s-1", "ask-1"
QUESTION, GOAL = "用哪个名字？", "整理待办"
TOO_LONG = "长" * 20_001
"""One character more than the user may say at once."""


def at(seconds: float) -> datetime:
    """Return the time so many seconds after the start."""
    return START + timedelta(seconds=seconds)


class PureRun:
    """A run that has just begun, and what can happen to it."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.refused = subject.get("runs.user_input.InputRefused")

    def new(self, *, budget: int = 9) -> Any:
        """Return the state of a run that has just begun."""
        event = self.subject.get("runs.events.RunStarted")(
            goal=GOAL, budget=budget, working_folder="/w", model="fake"
        )
        return self.subject.get("runs.reducer.begin")(RUN, event, now=START)

    def request(self, name: str = ASK, *, expires: float | None = None, **others: Any) -> Any:
        """Return a request; `expires` is in seconds after the start."""
        fields: dict[str, Any] = {"kind": "clarification", "question": QUESTION, "reason": "要写"}
        return self.subject.get("runs.user_input.UserInputRequest")(
            id=name,
            created_at=START,
            expires_at=None if expires is None else at(expires),
            **(fields | others),
        )

    def action(self, *, workspace: Any = None, call_id: str = "w", **arguments: str) -> Any:
        """Return the action of writing a file."""
        arguments = {**arguments, **{"path": "a.txt", "content": "x"} | arguments}
        call = self.subject.get("messages.ToolCall")(id=call_id, name="write", arguments=arguments)
        return self.subject.get("runs.approvals.action_of")(call, workspace)

    def wait(self, state: Any = None, request: Any = None, **how: Any) -> Any:
        """Let a run wait for a request, by default a new one for a name."""
        wait = self.subject.get("runs.interaction.wait_for_user_input")
        return wait(state or self.new(), request or self.request(), now=START, **how)

    def wait_for_approval(self, state: Any = None) -> Any:
        """Let a run wait for an approval."""
        return self.wait(state, self.request(kind="approval"), actions=(self.action(),))

    def tell(self, state: Any, command: str, *, seconds: float = 1, **fields: Any) -> Any:
        """Apply what the user says; `command` is the name of its class."""
        said = self.subject.get(f"runs.user_input.{command}")(**fields)
        return self.subject.get("runs.interaction.apply")(state, said, now=at(seconds))

    def reply(self, state: Any, text: str = "王芳", *, to: str = ASK, seconds: float = 1) -> Any:
        """Apply an answer."""
        return self.tell(state, "Answer", seconds=seconds, request_id=to, text=text)

    def steer(self, state: Any, command: str, text: str, *, name: str = "in-1") -> Any:
        """Apply what can be said at any time."""
        field = {"Constraint": "text", "GoalChange": "goal", "Cancel": "reason"}[command]
        said: dict[str, Any] = {field: text, "id": name}
        return self.tell(state, command, **said)

    def record(self, state: Any, event: str, **fields: Any) -> Any:
        """Let something happen to a run; `event` is the name of its class."""
        happened = self.subject.get(f"runs.events.{event}")(**fields)
        return self.subject.get("runs.reducer.record")(state, happened, now=at(2))

    def ended(self, status: str) -> Any:
        """Return a run that has come to this end."""
        return self.record(self.new(), "RunEnded", status=status, reason="why")

    def told(self, state: Any) -> str:
        """Return what the model is told when the run goes on."""
        return self.subject.get("runs.briefing.briefing")(state) or "nothing"

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

    def expect_fold(self, *states: Any) -> None:
        """Fail the check unless the events of the last state, read from the disk, give each one.

        The states follow one another, from the first event on.
        """
        to_data, from_data = map(self.subject.get, ("runs.events.to_data", "runs.events.from_data"))
        record = self.subject.get("runs.reducer.record")
        wanted = {len(state.unsaved): state for state in states}
        came = self.new()
        for number, entry in enumerate(states[-1].unsaved[1:], start=2):
            again = from_data(to_data(entry))
            came = record(came, again.event, now=again.at)
            if number in wanted:
                judge.holds(
                    came == wanted[number],
                    called=f"record(...) of event {number}, {again.event.type}, read from its data",
                    came=shown(came),
                    wanted=shown(wanted[number]),
                )


def shown(state: Any) -> str:
    """Return what a report shows of a state."""
    pending = state.pending_user_input
    happened = ", ".join(entry.event.type for entry in state.unsaved)
    waits = f", waits for {pending.id}: {pending.kind}" if pending else ""
    return f"{state.status} ({state.stop_reason}), goal: {state.goal}{waits}; events: {happened}"


LOOKING = ("read", "ls", "grep", "find")
LOOK = Call("look", "find", {"pattern": "*名字*"})
DONE = Says("好了")


class StoredRun(Observed):
    """A run in a folder, on a store that outlives whoever works at it."""

    def __init__(self, subject: Subject, folder: Path, **config: Any) -> None:
        self.subject = subject
        self.folder = folder
        self.begun: list[str] = []
        """The ids of the calls whose tools were run, but for questions and plans."""

        self.during: Callable[[str], Any] = lambda call_id: None
        """What happens while a tool is at work: it gets the id of the call."""

        self.at_the_end: Callable[[], None] = lambda: None
        """What happens once, when the model has had its last word."""

        self.calls_on_record: list[int] = []
        """How many model calls were on record when a call was made."""

        self.called = ""
        self.runner: Any = None
        self.script = Script(subject, ())
        self._config = config
        self._ids = count()
        self._store = subject.get("sessions.store.MemoryStore")()

    def process(self, *says: Says, **deps: Any) -> Any:
        """Return the runner of a new process, in which the model says these messages."""
        subject = self.subject
        self.script = Script(subject, says)
        self.called = "; then ".join(["a run in which the model says", *map(str, says)])
        workspace = subject.get("tools.workspace.Workspace")(self.folder)
        session_class = subject.get("sessions.session.Session")
        session = (
            session_class.open(self._store, new_id=self._new_id)
            if self._store.read()
            else session_class.start(self._store, "s", new_id=self._new_id, now=lambda: START)
        )
        how = {"clock": lambda: START, "new_id": self._new_id}
        log = subject.get("runs.log.RunLog")(session, **how)
        tools, conversation = (
            self._tools(log, workspace),
            conversation_of(subject, session, notify=lambda text: None),
        )
        self.runner = subject.get("runs.runner.Runner")(
            conversation,
            deps=subject.get("runs.loop.RunDeps")(
                model=self._model,
                extensions=ExtendedHarness(subject).extensions,
                tools=tools,
                workspace=workspace,
                **deps,
            ),
            config=subject.get("runs.loop.RunConfig")(**how, **self._config),
            log=log,
        )
        return self.runner

    async def start(self, *says: Says, **deps: Any) -> Any:
        """Begin a run, and work at it until it waits or is over; return its state."""
        self.process(*says, **deps).start(GOAL)
        return await self.work()

    async def tell(self, command: str, *says: Says, **fields: Any) -> Any:
        """Say something to the run in a new process, and work at it; return its state.

        It is said to the request that is pending, if it settles one.
        """
        if command in ("Answer", "Approve", "Deny"):
            fields = {"request_id": self.stored().pending_user_input.id} | fields
        runner = self.process(*says)
        runner.tell(self.subject.get(f"runs.user_input.{command}")(**fields))
        return await self.work()

    async def work(self) -> Any:
        """Work at the run until it waits or is over; return its state, which is on disk."""
        signal = self.subject.get("abort.AbortSignal")()
        with judge.in_time(self.subject.patience, called=self.called):
            await self.runner.work(signal=signal, show=self._show)
        state, stored = self.runner.log.state, self.stored()
        self.holds(stored == state, came=shown(stored), wanted=f"on disk: {shown(state)}")
        return state

    def stored(self) -> Any:
        """Return the state of the last run, read from the store and from nothing else."""
        session = self.subject.get("sessions.session.Session").open(self._store)
        return [*self.subject.get("runs.log.runs_of")(session.entries()).values()][-1]

    def told(self, number: int = 0) -> str:
        """Return what the model was told last when it was called, in this process, from 0."""
        requests = self.script.requests
        return text_of(requests[number][-1]) if number < len(requests) else "(it was not called)"

    def file(self, name: str) -> str:
        """Return what a file in the folder holds; "" if there is none."""
        path = self.folder / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def history(self) -> list[str]:
        """What was said, one message a line."""
        return in_words(self.runner.conversation.context.messages)

    def result(self, call_id: str) -> str:
        """Return what the model was told about a call."""
        found = [line for line in self.history if line.split(":")[0].endswith(f" {call_id}")]
        return found[0] if found else f"no result of {call_id}"

    def outcome(self) -> str:
        """Return how the run stands, and what was said."""
        return "\n".join([shown(self.stored()), *self.history])

    def _model(self, context: Any, /, *, options: Any = None) -> Any:
        self.calls_on_record.append(self.stored().model_calls)
        return self.script(context, options=options)

    def _tools(self, log: Any, workspace: Any) -> Any:
        """Return the built-in tools and those of a run, with `during` beside the former."""
        subject = self.subject
        builtin = subject.get("tools.builtin.create_builtin_tools")(workspace)
        own = [subject.get("runs.ask.create_request_user_input")(log, looking=LOOKING)]
        if subject.step.number >= 11:
            plan = subject.get("runs.update_plan.create_update_plan")
            proving = {*LOOKING, "write", "edit", "bash"}
            own.append(plan(log, proving=proving, workspace=workspace))
        toolset = subject.get("tools.registry.Registry")([*builtin, *own]).toolset

        async def execute(call: Any, /, *, signal: Any, on_update: Any) -> Any:
            if call.name not in {tool.name for tool in own}:
                self.begun.append(call.id)
                if isawaitable(happening := self.during(call.id)):
                    await happening
            return await toolset.execute(call, signal=signal, on_update=on_update)

        return subject.get("execution.Toolset")(
            execute=execute, sequential=toolset.sequential, check=toolset.check
        )

    async def _show(self, run: AsyncGenerator[Any, None]) -> Any:
        last = None
        async with aclosing(run):
            async for event in run:
                last = event
        happens, self.at_the_end = self.at_the_end, lambda: None
        happens()
        return last

    def _new_id(self) -> str:
        return str(next(self._ids))


def question(call_id: str = "q", **others: Any) -> Call:
    """Return a call that asks the user."""
    arguments = {"question": QUESTION, "reason": "要写进文件", "decision": "名字"}
    checked = {"changes": "implementation", "checked": ["look"]}
    return Call(call_id, "request_user_input", {**arguments, **checked, **others})


def write(call_id: str, content: str = "x", *, path: str = "a.txt") -> Call:
    """Return a call that writes a file."""
    return Call(call_id, "write", {"path": path, "content": content})


def bash(call_id: str, command: str = "echo 1 >> log.txt") -> Call:
    """Return a call that runs a command, by default one that adds a line to a file."""
    return Call(call_id, "bash", {"command": command})
