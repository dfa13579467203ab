"""A run of the package under test on a store: one process after the other, without processes."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from itertools import count
from pathlib import Path
from typing import Any

from conformance.support.chapters import where
from conformance.support.courses import GOAL, START
from conformance.support.judge import expect
from conformance.support.model import Call, Says, Script
from conformance.support.patience import in_time
from conformance.support.subject import Subject
from conformance.support.tools import Tools

READ = where("runner")

LOOK = Call("look", "read", {"path": "a.txt"})


class Sitting:
    """A store that outlives whoever works at the run in it; every write waits for an approval."""

    def __init__(self, subject: Subject, folder: Path) -> None:
        self.subject = subject
        self.folder = folder
        self.tools = Tools()
        self.called = ""
        self.script = Script(subject, ())
        self._ids = count()
        self._store = subject.get("session_store.MemoryStore")()

    def process(self, *says: Says) -> Any:
        """Return the runner of a new process, in which the model says these messages."""
        subject = self.subject
        session_class = subject.get("session.Session")
        session = (
            session_class.open(self._store, new_id=self._new_id)
            if self._store.read()
            else session_class.start(self._store, "s", new_id=self._new_id, now=lambda: START)
        )
        spec = subject.get("messages.ToolSpec")
        specs = tuple(spec(name=n, description=n, parameters={}) for n in ("read", "write"))
        context = subject.get("messages.Context")(
            tools=(*specs, *subject.get("run_tools.run_tool_specs")())
        )
        self.script = Script(subject, says)
        self.called = "; then ".join(["a run in which the model says", *map(str, says)])
        return subject.get("runner.Runner")(
            subject.get("conversation.Conversation")(session, context, notify=lambda text: None),
            equipment=subject.get("run_loop.Equipment")(
                model=self.script,
                extensions=self._extensions(),
                execute=self.tools,
                sequential=("write",),
                workspace=subject.get("tools.workspace.Workspace")(self.folder),
            ),
            terms=subject.get("run_terms.Terms")(now=lambda: START, new_id=self._new_id),
        )

    async def start(self, *says: Says) -> Any:
        """Begin a run, and work at it until it waits or is over; return its state."""
        runner = self.process(*says)
        runner.start(GOAL)
        return await self.work(runner)

    async def work(self, runner: Any) -> Any:
        """Work at the run until it waits or is over; return its state."""
        with in_time(self.subject, called=self.called, read=READ):
            await runner.work(signal=self.subject.get("abort.AbortSignal")(), show=_last)
        return runner.desk.state

    def stored(self) -> Any:
        """Return the state of the last run, read from the store and from nothing else."""
        session = self.subject.get("session.Session").open(self._store)
        return [*self.subject.get("run_fold.runs_of")(session.entries()).values()][-1]

    def expect(self, truth: object, *, wanted: str, came: object) -> None:
        """Fail the check unless `truth` holds."""
        expect(truth, called=self.called, came=came, wanted=wanted, read=READ)

    def _extensions(self) -> Any:
        subject = self.subject
        before_call, ask = (
            subject.get("extension_events.BeforeCall"),
            subject.get("extension_answers.Ask"),
        )

        async def gate(event: Any) -> Any:
            return ask("要改文件") if event.call.name == "write" else None

        host = subject.get("extension_record.Host")(notify=lambda text: None)
        extensions = subject.get("extensions.Extensions")(host)
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
