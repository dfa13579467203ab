"""Tool calls and their results as parts of the conversation: what step 04 adds to `messages.py`."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.model import Call, Says
from conformance.support.subject import Subject
from conformance.support.values import expect_json_and_back, expect_unreadable

pytestmark = read("tool messages")

ARGUMENTS = {"path": "a.txt", "lines": [1, 2], "deep": {"ok": True, "none": None, "half": 0.5}}


def made_call(subject: Subject, /, **fields: Any) -> Any:
    """Return a tool call of the package."""
    return subject.get("messages.ToolCall")(**{"id": "t1", "name": "read", **fields})


def made_result(subject: Subject, /, **fields: Any) -> Any:
    """Return a tool result of the package."""
    text = subject.get("messages.TextContent")(text="好")
    needed = {"tool_call_id": "t1", "tool_name": "read", "content": (text,)}
    return subject.get("messages.ToolResultMessage")(**{**needed, **fields})


MADE: dict[str, Callable[..., Any]] = {
    "ToolCall": made_call,
    "ToolResultMessage": made_result,
}


def test_by_default(subject: Subject) -> None:
    """Unless told, a call has no arguments and no fault, a result no error and no details."""
    call, result = made_call(subject), made_result(subject)
    came = (call.arguments, call.malformed, result.is_error, result.details)
    judge.same(
        came,
        ({}, None, False, None),
        called="ToolCall(id, name): arguments, malformed; "
        "ToolResultMessage(tool_call_id, tool_name, content): is_error, details",
    )


def test_tags(subject: Subject) -> None:
    """A call says by its type what it is, a result by its role, without being told."""
    came = (made_call(subject).type, made_result(subject).role)
    judge.same(
        came, ("tool_call", "tool_result"), called="ToolCall(...).type, ToolResultMessage(...).role"
    )


@pytest.mark.parametrize("name", MADE)
def test_frozen(subject: Subject, name: str) -> None:
    """What was called and what came of it cannot be changed."""
    value = MADE[name](subject)
    for field in type(value).__annotations__:
        judge.refused(
            partial(setattr, value, field, getattr(value, field)),
            called=f"{name}(...).{field} = ...",
            wanted="an error: the value is frozen",
        )


@pytest.mark.parametrize("name", MADE)
def test_extra_is_refused(subject: Subject, name: str) -> None:
    """A field that nobody declared is refused."""
    judge.refused(lambda: MADE[name](subject, typo=1), called=f"{name}(..., typo=1)")


@pytest.mark.parametrize("arguments", [None, [], 7, '{"path": "a.txt"}'], ids=repr)
def test_arguments_are_an_object(subject: Subject, arguments: Any) -> None:
    """The arguments of a call are an object: a list, a number, a text of JSON are refused."""
    call = {"type": "tool_call", "id": "t1", "name": "read", "arguments": arguments}
    wanted = "an error; what the model really sent belongs into `malformed`"
    expect_unreadable(subject, {"role": "assistant", "content": [call]}, wanted=wanted)


def test_json_and_back(subject: Subject) -> None:
    """Calls among texts, and results, survive the way to JSON and back."""
    said = Says("先", Call("t1", "read", ARGUMENTS), "再", Call("t2", malformed="[1")).of(subject)
    expect_json_and_back(subject, said, made_result(subject, is_error=True, details="- 旧\n+ 新"))


@pytest.mark.parametrize("type_name", ["audio", "image", ""])
def test_block_type_must_be_known(subject: Subject, type_name: str) -> None:
    """A block of a type that nobody declared is refused."""
    content = [{"type": type_name, "text": "嗯"}]
    expect_unreadable(subject, {"role": "assistant", "content": content})


def test_result_holds_text(subject: Subject) -> None:
    """A result holds text blocks and nothing else."""
    call = {"type": "tool_call", "id": "t1", "name": "read", "arguments": {}}
    result = {"role": "tool_result", "tool_call_id": "t1", "tool_name": "read"}
    expect_unreadable(subject, {**result, "content": [call]})


def test_tool_calls(subject: Subject) -> None:
    """tool_calls(message) returns the calls in order; message_text(message) passes them over."""
    message = Says("先", Call("t1"), "再", Call("t2")).of(subject)
    calls = subject.get("messages.tool_calls")
    came = (
        [call.id for call in calls(message)],
        subject.get("messages.message_text")(message),
        [list(calls(other)) for other in (made_result(subject), Says("好").of(subject))],
    )
    judge.same(
        came,
        (["t1", "t2"], "先再", [[], []]),
        called=f"tool_calls and message_text of {message!r}; tool_calls of a result and of a text",
    )
