"""`shell.run_shell` with a session: what is said is on record before anything is made of it."""

import json
import math
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.history import fault_in_history, in_words
from conformance.support.model import Call, Says, Script
from conformance.support.run import toolset
from conformance.support.screen import CONTROLS, controls_in
from conformance.support.session import HEADER, conversation_of, line, said
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
    """Lines of the user, told to the shell with a store of the suite's own choice."""

    def __init__(
        self, subject: Subject, *says: Says, stored: bytes = b"", typed: Sequence[str] = (LINE,)
    ) -> None:
        self._subject = subject
        self.store = subject.get("sessions.store.MemoryStore")(stored)
        session = subject.get("sessions.session.Session")
        self.session = session.open(self.store) if stored else session.start(self.store, "s1")
        self.script = Script(subject, says)
        self.at_request: list[bytes] = []
        """All that was on record when the model was called, once for each call."""

        self.at_run: list[bytes] = []
        """The same for the runs of a tool."""

        self.notices: list[str] = []
        lines = iter([*typed, EXIT])
        notify = self.notices.append
        subject.get("shell.run_shell")(
            lambda prompt: next(lines, None),
            self._model,
            conversation=conversation_of(subject, self.session, notify=notify),
            tools=toolset(subject, self._execute),
            notify=notify,
        )

    async def _model(self, context: Any, /, *, options: Any = None) -> AsyncGenerator[Any, None]:
        self.at_request.append(b"".join(self.store.read()))
        async with aclosing(self.script(context, options=options)) as stream:
            async for event in stream:
                yield event

    async def _execute(self, call: Any, /, *, signal: Any, on_update: Callable[[str], None]) -> str:
        self.at_run.append(b"".join(self.store.read()))
        return "办好了"

    @property
    def recorded(self) -> list[Any]:
        """The messages that somebody finds who comes back to the session."""
        store = self._subject.get("sessions.store.MemoryStore")(b"".join(self.store.read()))
        messages: list[Any] = self._subject.get("sessions.session.Session").open(store).messages()
        return messages


def test_line_is_stored_first(subject: Subject) -> None:
    """What the user says is on record before the model is asked."""
    visit = Visit(subject, Says("好"))
    judge.holds(
        len(visit.at_request) == 1 and LINE.encode() in visit.at_request[0],
        called=f"run_shell(..., conversation=...), the user says {LINE}; what the model finds",
        came=[record.decode() for record in visit.at_request],
        wanted="the line of the user in the store",
    )


def test_call_is_stored_first(subject: Subject) -> None:
    """A call is on record before its tool runs: after a crash one knows what may have happened."""
    visit = Visit(subject, Says(Call("t1", "act")), Says("好"))
    judge.holds(
        len(visit.at_run) == 1 and b'"t1"' in visit.at_run[0],
        called="run_shell(..., conversation=...), the model calls a tool; what the tool finds",
        came=[record.decode() for record in visit.at_run],
        wanted="the call in the store",
    )


def test_all_is_stored(subject: Subject) -> None:
    """At the end of a turn the record holds all of it: line, call, result, answer."""
    visit = Visit(subject, Says(Call("t1", "act")), Says("好"))
    came = in_words(visit.recorded)
    wanted = [f"user: {LINE}", "assistant: [t1]", "result t1: 办好了", "assistant: 好"]
    judge.same(
        came, wanted, called="run_shell(..., conversation=...), then Session.open(store).messages()"
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
        called="run_shell(..., conversation=one that ends with a call without a result)",
        came=f"run {len(visit.at_run)} times; the model was shown {', '.join(in_words(shown))}; "
        f"on record: {recorded}; the user was told {visit.notices}",
        wanted="no run; an error result for the model, on record too; a notice that names the tool",
    )


DEEP: Any = json.loads("[" * 300 + "]" * 300)

UNFIT: dict[str, Says] = {
    "NaN among the arguments": Says(Call("t1", "act", {"x": [math.nan]})),
    "half of a character in the text": Says("半\ud83d", Call("t1", "act")),
    "half of a character among the arguments": Says(Call("t1", "act", {"x": "半\ud83d"})),
    "half of a character in a field's name": Says(Call("t1", "act", {"半\ud83d": 1})),
    "half of a character in the tool's name": Says(Call("t1", "act\ud83d")),
    "300 levels among the arguments": Says(Call("t1", "act", {"x": DEEP})),
}
"""Answers with what no line of a session can hold."""


@pytest.mark.parametrize("name", UNFIT)
def test_unfit_message_blocks_nothing(subject: Subject, name: str) -> None:
    """What no line can hold costs a part of its own message: all that follows is on record."""
    visit = Visit(subject, UNFIT[name], Says("好"), Says("乙"), typed=(LINE, "再来"))
    came = visit.recorded
    words = in_words(came)
    judge.holds(
        not fault_in_history(came)
        and words[:1] == [f"user: {LINE}"]
        and [message.role for message in came[1:3]] == ["assistant", "tool_result"]
        and words[3:] == ["assistant: 好", "user: 再来", "assistant: 乙"],
        called=f"run_shell(..., conversation=...), the model calls a tool: {name}; two answers",
        came=f"on record: {words!a}; the user was told {visit.notices}",
        wanted="the call, its result, and whatever was said afterwards",
    )


@read("coming back")
def test_titles_do_nothing(subject: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    """What /branch shows of the lines of the user moves no cursor and begins no line."""
    Visit(subject, Says("好"), typed=(f"标题{CONTROLS}", "/branch"))
    came = capsys.readouterr().out
    judge.holds(
        not controls_in(came) and "标题" in came,
        called=f"run_shell(...), the user says 标题{CONTROLS!a}, then /branch",
        came=ascii(came),
        wanted="标题, and no control character",
    )


MISTYPED = "/brnach 1"

TYPED = {MISTYPED: None, "/usr/bin 里有什么": "/usr/bin 里有什么", "//brnach 1": MISTYPED}
"""What the user types, and what the agent is to get; None: nothing."""


@pytest.mark.parametrize("typed", TYPED)
def test_unknown_command_is_no_message(
    subject: Subject, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    """A slip of the fingers is told, with the nearest command; two slashes say it literally."""
    visit = Visit(subject, Says("好"), Says("好"), typed=(typed, LINE))
    came, shown = in_words(visit.recorded), capsys.readouterr().out
    lines = [line for line in (TYPED[typed], LINE) if line is not None]
    wanted = [words for line in lines for words in (f"user: {line}", "assistant: 好")]
    judge.holds(
        came == wanted and ("/branch" in shown) == (TYPED[typed] is None),
        called=f"run_shell(...), the user types {typed}, then {LINE}",
        came=f"on record: {came}; shown: {shown!r}",
        wanted=f"on record: {wanted}; /branch is named to the user for a command only",
    )
