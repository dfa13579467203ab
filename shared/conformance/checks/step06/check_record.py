"""`shell.run_shell` with a session: what is said is on record before anything is made of it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.history import fault_in_history, in_words
from conformance.support.model import Call, Says, Script
from conformance.support.session import HEADER, line, said
from conformance.support.subject import Subject
from conformance.support.transcript import EXIT

pytestmark = read("record")

LINE = "做这件事"

CALLED = line(
    type="message",
    id="m2",
    parentId="m1",
    message={
        "role": "assistant",
        "content": [{"type": "tool_call", "id": "t1", "name": "act", "arguments": {}}],
        "stop_reason": "tool_use",
    },
)
"""An answer with a call in it."""


class Visit:
    """One line of the user, told to the shell with a store of the suite's own choice."""

    def __init__(self, subject: Subject, *says: Says, stored: bytes = b"") -> None:
        self.store = subject.get("session_store.MemoryStore")(stored)
        session = subject.get("session.Session")
        self.session = session.open(self.store) if stored else session.start(self.store, "s1")
        self.script = Script(subject, says)
        self.at_request: list[bytes] = []
        """All that was on record when the model was called, once for each call."""

        self.at_run: list[bytes] = []
        """The same for the runs of a tool."""

        self.notices: list[str] = []
        lines = iter([LINE, EXIT])
        subject.get("shell.run_shell")(
            lambda prompt: next(lines, None),
            self._model,
            session=self.session,
            execute=self._execute,
            notify=self.notices.append,
        )

    async def _model(self, context: Any, /, *, options: Any = None) -> AsyncGenerator[Any, None]:
        self.at_request.append(b"".join(self.store.read()))
        async with aclosing(self.script(context, options=options)) as stream:
            async for event in stream:
                yield event

    async def _execute(self, call: Any, /, *, signal: Any, on_update: Callable[[str], None]) -> str:
        self.at_run.append(b"".join(self.store.read()))
        return "办好了"


def test_line_is_stored_first(subject: Subject) -> None:
    """What the user says is on record before the model is asked."""
    visit = Visit(subject, Says("好"))
    judge.holds(
        len(visit.at_request) == 1 and LINE.encode() in visit.at_request[0],
        called=f"run_shell(..., session=...), the user says {LINE}; the store, seen by the model",
        came=[record.decode() for record in visit.at_request],
        wanted="the line of the user in the store",
    )


def test_call_is_stored_first(subject: Subject) -> None:
    """A call is on record before its tool runs: after a crash one knows what may have happened."""
    visit = Visit(subject, Says(Call("t1", "act")), Says("好"))
    judge.holds(
        len(visit.at_run) == 1 and b'"t1"' in visit.at_run[0],
        called="run_shell(..., session=...), the model calls a tool; the store, seen by the tool",
        came=[record.decode() for record in visit.at_run],
        wanted="the call in the store",
    )


def test_all_is_stored(subject: Subject) -> None:
    """At the end of a turn the record holds all of it: line, call, result, answer."""
    visit = Visit(subject, Says(Call("t1", "act")), Says("好"))
    store = subject.get("session_store.MemoryStore")(b"".join(visit.store.read()))
    came = in_words(subject.get("session.Session").open(store).messages())
    wanted = [f"user: {LINE}", "assistant: [t1]", "result t1: 办好了", "assistant: 好"]
    judge.same(
        came, wanted, called="run_shell(..., session=...), then Session.open(store).messages()"
    )


def test_open_call(subject: Subject) -> None:
    """A call that a crash left open is never run again: model and user are told, the record too."""
    stored = line(**HEADER) + said("m1", None, "做") + CALLED
    visit = Visit(subject, Says("好"), stored=stored)
    shown = visit.script.requests[0]
    recorded = [m.role for m in visit.session.messages()]
    judge.holds(
        visit.at_run == []
        and not fault_in_history(shown)
        and any(m.role == "tool_result" and m.is_error for m in shown)
        and recorded == ["user", "assistant", "tool_result", "user", "assistant"]
        and any("act" in notice for notice in visit.notices),
        called="run_shell(..., session=one that ends with a call without a result)",
        came=f"run {len(visit.at_run)} times; the model was shown {', '.join(in_words(shown))}; "
        f"on record: {recorded}; the user was told {visit.notices}",
        wanted="no run; an error result for the model, on record too; a notice that names the tool",
    )
