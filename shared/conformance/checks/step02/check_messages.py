"""The vocabulary of a conversation, `messages.py`: what it accepts, and what it refuses."""

import json
from functools import partial
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject
from conformance.support.values import (
    expect_json_and_back,
    expect_unreadable,
    made,
    read_message,
)

pytestmark = read("messages")

MESSAGES = {"messages.UserMessage": "user", "messages.AssistantMessage": "assistant"}
"""The two messages of step 02, and their roles."""

NOT_TEXT: dict[str, Any] = {
    "a text instead of blocks": "你好",
    "a block that is a text": ["你好"],
    "a tool call": [{"type": "tool_call", "id": "t1", "name": "read", "arguments": {}}],
    "an image": [{"type": "image", "data": "", "mime_type": "image/png"}],
    "a block of another type with a text": [{"type": "thinking", "text": "嗯"}],
    "a text block without a text": [{"type": "text"}],
}
"""What a user message may not hold, by name."""


def test_user_text(subject: Subject) -> None:
    """user_text(text) is a user message with one block that holds this text."""
    came = subject.get("messages.user_text")("你好")
    judge.same(came, made(subject, "messages.UserMessage", "你好"), called='user_text("你好")')


@pytest.mark.parametrize(
    "texts", [[], ["你好"], ["你", "好"], ["a ", "", " b"]], ids=["none", "one", "two", "spaces"]
)
@pytest.mark.parametrize("name", MESSAGES)
def test_message_text(subject: Subject, name: str, texts: list[str]) -> None:
    """message_text(message) joins its text blocks, in order, with nothing in between."""
    message = made(subject, name, *texts)
    came = subject.get("messages.message_text")(message)
    judge.same(came, "".join(texts), called=f"message_text({message!r})")


@pytest.mark.parametrize("name", MESSAGES)
def test_role(subject: Subject, name: str) -> None:
    """A message says by its role who speaks, without being told."""
    came = made(subject, name, "你好").role
    judge.same(came, MESSAGES[name], called=f"{name}(...).role")


def test_type(subject: Subject) -> None:
    """A text block says by its type what it is, without being told."""
    came = subject.get("messages.TextContent")(text="你好").type
    judge.same(came, "text", called="TextContent(...).type")


@pytest.mark.parametrize("name", MESSAGES)
def test_frozen(subject: Subject, name: str) -> None:
    """What has been said cannot be changed: neither a message nor a block."""
    message = made(subject, name, "你好")
    for value, field in ((message, "content"), (message, "role"), (message.content[0], "text")):
        judge.refused(
            partial(setattr, value, field, ""),
            called=f"{type(value).__name__}(...).{field} = ...",
            wanted="an error: the value is frozen",
        )


@pytest.mark.parametrize("name", MESSAGES)
def test_extra_is_refused(subject: Subject, name: str) -> None:
    """A field that nobody declared is refused, in a message and in a block."""
    block = subject.get("messages.TextContent")
    judge.refused(
        lambda: subject.get(name)(content=(), typo=1), called=f"{name}(content=(), typo=1)"
    )
    judge.refused(lambda: block(text="你好", typo=1), called='TextContent(text="你好", typo=1)')


@pytest.mark.parametrize("name", MESSAGES)
def test_content_is_a_tuple(subject: Subject, name: str) -> None:
    """The content of a message is a tuple, also when it was read from a list of JSON."""
    said = json.dumps({"role": MESSAGES[name], "content": [{"type": "text", "text": "x"}]})
    came = type(read_message(subject, said).content)
    judge.same(came, tuple, called=f"type(message.content), the message read from {said}")


@pytest.mark.parametrize("name", MESSAGES)
def test_json_and_back(subject: Subject, name: str) -> None:
    """A message survives the way to JSON and back; its role tells which class it was."""
    expect_json_and_back(subject, made(subject, name, "你好 ✓\n", ""))


@pytest.mark.parametrize("said", [{"role": "nobody"}, {}], ids=["unknown", "none"])
def test_role_must_be_known(subject: Subject, said: dict[str, str]) -> None:
    """There is no message with a role that nobody declared, or without one."""
    expect_unreadable(subject, {**said, "content": []})


@pytest.mark.parametrize("name", NOT_TEXT)
def test_user_says_text_only(subject: Subject, name: str) -> None:
    """A user message holds text blocks and nothing else."""
    expect_unreadable(subject, {"role": "user", "content": NOT_TEXT[name]})


def test_context_begins_empty(subject: Subject) -> None:
    """A new context has no messages and no system prompt, and shares nothing with another one."""
    context_class = subject.get("messages.Context")
    first, second = context_class(), context_class()
    first.messages.append(subject.get("messages.user_text")("你好"))
    judge.holds(
        len(first.messages) == 1 and list(second.messages) == [] and second.system_prompt is None,
        called="Context() twice; a message appended to the first one",
        came=f"{first!r} and {second!r}",
        wanted="one message in the first, none in the second, system_prompt None",
    )
