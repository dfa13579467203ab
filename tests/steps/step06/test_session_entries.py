"""The border to the disk: what is written can be read, and nothing else can."""

import json
import math
from typing import Any

import pytest
from mini_agent.messages import (
    AssistantMessage,
    Message,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    Usage,
    user_text,
)
from mini_agent.sessions.entries import (
    CustomEntry,
    KnownEntry,
    LeafEntry,
    MessageEntry,
    SessionHeader,
    UnknownEntry,
    decode,
    encode,
)

from tests.steps.step06.support import NOW, called_with

THOUGHT = ThinkingContent(
    text="先查一查", payload={"signature": "c2ln"}, provider="anthropic", model="claude"
)

MESSAGES: list[Message] = [
    user_text("你好"),
    AssistantMessage(
        content=(
            THOUGHT,
            ThinkingContent(text=""),
            TextContent(text="看看"),
            ToolCall(id="t1", name="read", arguments={"days": [1, 2.5], "deep": {"a": None}}),
        ),
        stop_reason="tool_use",
        usage=Usage(input_tokens=9, output_tokens=7),
    ),
    AssistantMessage(content=(), stop_reason="error", error_message="坏了"),
    AssistantMessage(content=(ToolCall(id="t1", name="read", malformed="[1"),)),
    ToolResultMessage(tool_call_id="t1", tool_name="read", content=(), details="x", is_error=True),
]


def entry_of(message: Message) -> MessageEntry:
    return MessageEntry(id="m1", parent_id=None, message=message)


@pytest.mark.parametrize(
    "record",
    [
        SessionHeader(id="s1", created_at=NOW, working_folder="/work", forked_from="s0"),
        *map(entry_of, MESSAGES),
        CustomEntry(id="c1", parent_id="m1", kind="todo", data={"items": [1, None, True, "NaN"]}),
        LeafEntry(id="l1", parent_id=None),
    ],
    ids=lambda record: type(record).__name__,
)
def test_what_is_written_can_be_read(record: SessionHeader | KnownEntry) -> None:
    line = encode(record)
    assert line.endswith(b"\n")
    assert decode(line) == record
    assert encode(record) == line


def line_of(**changed: Any) -> bytes:
    entry = {"type": "message", "id": "m1", "parentId": None, "message": said(text("好"))}
    return json.dumps(entry | changed).encode()


def text(text: Any, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


def tool_call(**changed: Any) -> dict[str, Any]:
    return {"type": "tool_call", "id": "t1", "name": "read", "arguments": {}} | changed


def said(*content: Any, **changed: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content), "stop_reason": "stop"} | changed


def nested(levels: int) -> Any:
    value: Any = "bottom"
    for _ in range(levels):
        value = [value]
    return value


GOOD = [line_of(), line_of(message=said(tool_call(), {"type": "thinking", "text": ""}, text("好")))]

DAMAGED = {
    "an unknown field": line_of(extra=1),
    "a field by its name in the code": line_of(parent_id=None),
    "an unknown field of a message": line_of(message=said(extra=1)),
    "an unknown field of a block": line_of(message=said(text("好", extra=1))),
    "an unknown block": line_of(message=said({"type": "image"})),
    "a call by the user": line_of(message={"role": "user", "content": [tool_call()]}),
    "a thought of the user": line_of(
        message={"role": "user", "content": [{"type": "thinking", "text": ""}]}
    ),
    "an unknown role": line_of(message=said(role="wizard")),
    "no role": line_of(message={"content": []}),
    "an unknown stop reason": line_of(message=said(stop_reason="tired")),
    "a call without a name": line_of(message=said({"type": "tool_call", "id": "t1"})),
    "a result without a call": line_of(message={"role": "tool_result", "content": []}),
    "a text that is none": line_of(message=said(text(7))),
    "a number for a text": line_of(id=7),
    "a text for a number": line_of(
        message=said(usage={"input_tokens": "9", "output_tokens": 7}),
    ),
    "a text for arguments": line_of(message=said(tool_call(arguments="{}"))),
    "NaN": line_of(message=said(tool_call(arguments={"n": math.nan}))),
    "Infinity": line_of(message=said(tool_call(arguments={"n": -math.inf}))),
    "half a character": line_of(message=said(text("\ud83d"))),
    "300 levels": line_of(message=said(tool_call(arguments={"deep": nested(300)}))),
    "an unknown field of a leaf": b'{"type":"leaf","id":"l1","parentId":null,"extra":1}',
    "no id": b'{"type":"leaf","parentId":null}',
    "no type": b'{"id":"l1","parentId":null}',
}


@pytest.mark.parametrize("line", GOOD)
def test_what_is_not_damaged_is_taken(line: bytes) -> None:
    assert isinstance(decode(line), MessageEntry)


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_no_entry_of_ours_is_refused(name: str) -> None:
    with pytest.raises(ValueError):  # of several kinds
        decode(DAMAGED[name])


def test_a_type_that_only_a_later_version_knows_is_no_damage() -> None:
    line = b'{"type":"hologram","id":"h1","parentId":"m1","extra":[1]}'
    assert decode(line) == UnknownEntry("h1", "m1")


UNWRITABLE: dict[str, Message] = {
    "NaN": called_with({"n": math.nan}),
    "Infinity": called_with({"n": [math.inf]}),
    "half a character in a key": called_with({"\ud83d": 1}),
    "300 levels": called_with({"deep": nested(300)}),
    "half a character": user_text("\ude00"),
    "NaN in what a provider wants back": AssistantMessage(
        content=(ThinkingContent(text="", payload={"n": math.nan}),)
    ),
    "half a character in an error": AssistantMessage(
        content=(), stop_reason="error", error_message="\ud83d"
    ),
}


@pytest.mark.parametrize("name", UNWRITABLE)
def test_what_could_not_be_read_again_is_not_written(name: str) -> None:
    with pytest.raises(ValueError):  # of several kinds
        encode(entry_of(UNWRITABLE[name]))


@pytest.mark.parametrize("text", ["NaN", "Infinity", '"NaN"'])
def test_the_words_for_those_numbers_are_words(text: str) -> None:
    entry = entry_of(user_text(text))
    assert decode(encode(entry)) == entry


def test_a_block_without_a_type_is_a_text() -> None:
    entry = decode(line_of(message=said({"text": "好"})))
    assert isinstance(entry, MessageEntry)
    assert entry.message.content == (TextContent(text="好"),)
