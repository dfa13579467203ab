"""Arguments that could never be written again: a real model may send them, and nothing breaks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.history import calls_of, fault_in_history, in_words
from conformance.support.provider import RealModel, Server, environment_for, serving
from conformance.support.run import toolset
from conformance.support.session import conversation_of
from conformance.support.subject import Subject
from conformance.support.transcript import EXIT
from conformance.support.wire import WIRES, Reply, Wire

pytestmark = read("real model")

LEVELS = 200

ODD = {
    "200 levels deep": '{"x": ' + "[" * (LEVELS - 1) + "]" * (LEVELS - 1) + "}",
    "NaN": '{"x": NaN}',
    "a number without end": '{"x": 1e999}',
    "no JSON": '{"x": ',
    "a list": "[1]",
}
"""Arguments that are no JSON object which a session or a request could hold."""


@dataclass(frozen=True, kw_only=True)
class Talk:
    """Two lines of the user, and what became of them."""

    messages: list[Any]
    """What stands in the session."""

    run: list[str]
    """The ids of the calls that were run."""

    requests: int


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> Wire:
    """Look at both providers."""
    return WIRES[request.param]


@contextmanager
def served(wire: Wire, arguments: str) -> Iterator[Server]:
    """Serve a call with these arguments, then two answers."""
    good = Reply(body=wire.text + wire.stop)
    with serving(Reply(body=wire.call_with(arguments) + wire.end), good, good) as server:
        yield server


def talk(subject: Subject, wire: Wire, server: Server) -> Talk:
    """Say two lines, with a session in memory."""
    store = subject.get("sessions.store.MemoryStore")()
    session = subject.get("sessions.session.Session").start(store, "s1")
    run: list[str] = []

    async def execute(call: Any, /, *, signal: Any, on_update: Callable[[str], None]) -> str:
        run.append(call.id)
        return "好"

    lines = iter(["一", "二", EXIT])
    subject.get("shell.run_shell")(
        lambda prompt: next(lines, None),
        RealModel(subject, environment_for(wire, server)).model,
        conversation=conversation_of(subject, session, notify=lambda text: None),
        tools=toolset(subject, execute),
    )
    again = subject.get("sessions.store.MemoryStore")(b"".join(store.read()))
    messages = subject.get("sessions.session.Session").open(again).messages()
    return Talk(messages=messages, run=run, requests=len(server.requests))


@pytest.mark.parametrize("name", ODD)
async def test_odd_arguments_are_malformed(subject: Subject, wire: Wire, name: str) -> None:
    """Arguments that could not be kept are no arguments: what came stands in `malformed`."""
    with served(wire, ODD[name]) as server:
        heard = await RealModel(subject, environment_for(wire, server)).ask()
    calls = [(call.arguments, call.malformed) for call in calls_of(heard.message)]
    heard.holds(
        calls == [({}, ODD[name])] and heard.message.stop_reason == "tool_use",
        wanted=f"one call, without arguments, malformed={ODD[name][:40]!r}",
    )


@pytest.mark.parametrize("name", ODD)
def test_odd_arguments_end_nothing(subject: Subject, wire: Wire, name: str) -> None:
    """Such a call is not run but answered with an error, and the conversation goes on."""
    with served(wire, ODD[name]) as server:
        came = talk(subject, wire, server)
    roles = [message.role for message in came.messages]
    judge.holds(
        came.run == []
        and came.requests == 3
        and not fault_in_history(came.messages)
        and roles == ["user", "assistant", "tool_result", "assistant", "user", "assistant"]
        and came.messages[2].is_error,
        called=f"run_shell(...), two lines; {wire.name} calls a tool with {name}",
        came=f"run: {came.run}; {came.requests} requests; on record: {in_words(came.messages)}",
        wanted="no run; 3 requests; a call, an error for it, an answer; a line, an answer",
    )
