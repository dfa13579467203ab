"""The suite's rules for streams, runs and histories: each catches what breaks it."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from conformance.support.history import fault_in_history, fault_in_run
from conformance.support.stream import RULES, Trace, broken_rule


@dataclass
class Block:
    """A block of text, or a call."""

    type: str
    text: str = ""
    id: str = ""
    name: str = "read"


@dataclass
class Message:
    """A message of any role."""

    content: list[Block] = field(default_factory=list)
    stop_reason: str = "stop"
    error_message: str | None = None
    role: str = "assistant"
    tool_call_id: str = ""
    tool_name: str = "read"


@dataclass
class Event:
    """An event of any kind."""

    text: str = ""
    id: str = ""
    name: str = "read"
    call: Block | None = None
    message: Message | None = None
    turn: int = 1


def says(text: str, *ids: str, stop_reason: str = "stop", error: str | None = None) -> Message:
    calls = [Block("tool_call", id=one) for one in ids]
    return Message([Block("text", text), *calls], stop_reason, error)


def trace(told: str, end: Message) -> Trace:
    """Return a trace out of words: "+t1" starts a call, "-t1" ends it, "=好" is a piece of text.

    Any other word is the name of an event; `end` goes with `done` and `error`.
    """
    names, events = [], []
    kinds = {"+": "tool_call_start", "-": "tool_call_end", "=": "text_delta"}
    for word in told.split():
        kind, rest = word[0], word[1:]
        names.append(kinds.get(kind, word))
        block = Block("tool_call", id=rest) if kind == "-" else None
        events.append(Event(text=rest, id=rest, call=block, message=end))
    return Trace(names=names, events=events)


GOOD = {
    "an answer": ("start =你 =好 done", says("你好")),
    "no text": ("start done", says("")),
    "notices": ("notice notice start notice =好 done", says("好")),
    "a failure": ("start =好 error", says("好", stop_reason="error", error="断线")),
    "a failure at once": ("error", says("", stop_reason="error", error="断线")),
    "an abort behind a notice": ("notice error", says("", stop_reason="aborted")),
    "calls": ("start =好 +a -a +b -b done", says("好", "a", "b", stop_reason="tool_use")),
    "calls that overlap": ("start +a +b -b -a done", says("", "a", "b")),
    "two calls of one id": ("start +a -a +a -a done", says("", "a", "a")),
    "half a call": ("start +a -a +b error", says("", "a", stop_reason="aborted")),
}

BAD: dict[str, tuple[str, Message, int]] = {
    "an unknown event": ("start ?Other done", says(""), 0),
    "nothing": ("", says(""), 1),
    "no end": ("start =好", says("好"), 1),
    "two ends": ("start =好 done done", says("好"), 1),
    "something behind the end": ("start =好 done notice", says("好"), 1),
    "no start": ("=好 done", says("好"), 2),
    "done in place of the start": ("done", says(""), 2),
    "a late start": ("=好 start done", says("好"), 2),
    "two starts": ("start start =好 done", says("好"), 2),
    "an empty piece": ("start =好 = done", says("好"), 3),
    "another text": ("start =好 done", says("你好"), 4),
    "the text so far": ("start =你 =你好 done", says("你好"), 4),
    "a text that got lost": ("start =好 error", says("", stop_reason="aborted"), 4),
    "an abort that is done": ("start done", says("", stop_reason="aborted"), 5),
    "an answer that is an error": ("start error", says(""), 5),
    "a failure without a word": ("start error", says("", stop_reason="error"), 6),
    "an answer with an error": ("start done", says("", error="断线"), 6),
    "an end without a start": ("start -a done", says("", "a"), 7),
    "a second end": ("start +a -a -a done", says("", "a", "a"), 7),
    "an end of another call": ("start +a -b done", says("", "b"), 7),
    "half a call, and done": ("start +a done", says(""), 8),
    "a call that got lost": ("start +a -a done", says(""), 9),
    "a call that never came": ("start done", says("", "a"), 9),
    "half a call that is kept": ("start +a error", says("", "a", stop_reason="aborted"), 9),
    "calls in the order of their ends": ("start +a +b -b -a done", says("", "b", "a"), 9),
}
"""Events, the final message, and the number of the rule that they break."""


@pytest.mark.parametrize("name", GOOD)
def test_a_good_stream_breaks_no_rule(name: str) -> None:
    assert broken_rule(trace(*GOOD[name])) == ""


@pytest.mark.parametrize("name", BAD)
def test_a_bad_stream_breaks_its_rule(name: str) -> None:
    told, end, number = BAD[name]
    assert broken_rule(trace(told, end)) == RULES[number][0]


def test_every_rule_for_streams_is_broken_by_something() -> None:
    assert {number for _, _, number in BAD.values()} == set(range(len(RULES)))


RUN_WORDS = {
    **{"A": "AgentStart", "T": "TurnStart", "M": "MessageStart", "s": "StreamStart"},
    **{"a": "AgentEnd", "t": "TurnEnd", "m": "MessageEnd"},
    **{"+": "ToolExecutionStart", "-": "ToolExecutionEnd"},
}


def run(told: str) -> list[tuple[str, Any]]:
    """Return the events of a run out of words: A T M start, a t m end, "+1" and "-1" are calls."""
    events: list[tuple[str, Any]] = []
    turn = 0
    for word in told.split():
        turn += word == "T"
        call = Block("tool_call", id=word[1:])
        events.append((RUN_WORDS[word[0]], Event(call=call, turn=turn)))
    return events


@pytest.mark.parametrize("told", ["A T M s m t a", "A T M s m +1 +2 -1 -2 t T M m t a", "A a"])
def test_a_good_run_has_no_fault(told: str) -> None:
    assert fault_in_run(run(told)) == ""


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ("", "the run without its end"),
        ("A T M m t", "AgentStart without its end"),
        ("A T M m", "TurnStart without its end"),
        ("A T M m a", "AgentEnd inside of TurnStart"),
        ("A T M t m a", "TurnEnd inside of MessageStart"),
        ("A T s t a", "StreamStart inside of TurnStart"),
        ("A M m a", "MessageStart inside of AgentStart"),
        ("T t", "TurnStart inside of nothing"),
        ("A T M +1 -1 m t a", "ToolExecutionStart inside of MessageStart"),
        ("A T +1 t a", "TurnEnd before the end of the call '1'"),
        ("A T +1 +2 -2 -1 t a", "the end of the call '2' out of turn"),
        ("A T -1 t a", "the end of the call '1' out of turn"),
        ("A a s", "StreamStart behind the end of the agent"),
        ("A a a", "AgentEnd behind the end of the agent"),
    ],
)
def test_a_bad_run_has_its_fault(told: str, fault: str) -> None:
    assert fault_in_run(run(told)) == fault


def test_turns_are_counted() -> None:
    events = run("A T t T t a")
    events[3][1].turn = 1
    assert fault_in_run(events) == "turn 1 as the 2."


def result(call_id: str, tool: str = "read") -> Message:
    text = [Block("text", "好")]
    return Message(text, role="tool_result", tool_call_id=call_id, tool_name=tool)


USER = Message([Block("text", "开始")], role="user")


def test_a_good_history_has_no_fault() -> None:
    history = [USER, says("看", "a", "b"), result("a"), result("b"), says("好"), USER]
    assert fault_in_history(history) == ""


@pytest.mark.parametrize(
    ("history", "fault"),
    [
        ([says("", "a")], "the call 'a' has no result"),
        ([says("", "a"), USER, result("a")], "the call 'a' has no result"),
        ([says("", "a", "b"), result("a")], "the call 'b' has no result"),
        ([says("", "a", "b"), result("b"), result("a")], "the result of 'b' does not follow"),
        ([says("", "a"), result("a"), result("a")], "the result of 'a' does not follow"),
        ([USER, result("a")], "the result of 'a' does not follow"),
        ([says("", "a"), result("a", "write")], "the result of 'a' names another tool"),
        ([says("", "a"), result("a"), says("", "a"), result("a")], "ids that are empty or used"),
        ([says("", ""), result("")], "ids that are empty or used"),
        ([USER, says("")], "a message of the model that says nothing"),
    ],
)
def test_a_bad_history_has_its_fault(history: list[Message], fault: str) -> None:
    assert fault_in_history(history).startswith(fault)
