"""Values of the package under test, made by the suite, and what becomes of them as JSON.

They may be standard dataclasses or pydantic models: what may stand in them is looked at where
they come from outside, so the suite reads them as a session or a request would.
"""

import json
from typing import Annotated, Any, get_args

from pydantic import ConfigDict, Field, TypeAdapter

from conformance.support import judge
from conformance.support.subject import Subject

STRICT = ConfigDict(extra="forbid", strict=True)
"""How a border reads: nothing that nobody declared, and nothing that is only nearly right."""


def made(subject: Subject, name: str, *texts: str, **fields: Any) -> Any:
    """Return a message of the class `name` with these text blocks."""
    block = subject.get("messages.TextContent")
    return subject.get(name)(content=tuple(block(text=text) for text in texts), **fields)


def read_message(subject: Subject, text: str | bytes) -> Any:
    """Return a message from JSON; its role tells which class it is."""
    return _messages(subject).validate_json(text)


def expect_json_and_back(subject: Subject, *messages: Any) -> None:
    """Fail the check unless each message is the same after the way to JSON and back."""
    for message in messages:
        text = _messages(subject).dump_json(message).decode()
        came = read_message(subject, text)
        called = f"Message, read from {text}"
        judge.same(came, message, called=called)
        judge.same(type(came), type(message), called=f"the type of a {called}")


def expect_unreadable(subject: Subject, said: dict[str, Any], *, wanted: str = "an error") -> None:
    """Fail the check unless this is refused as a message."""
    text = json.dumps(said, ensure_ascii=False)
    called = f"Message, read from {text}"
    judge.refused(lambda: read_message(subject, text), called=called, wanted=wanted)


def expect_stop_reasons(subject: Subject, *reasons: str) -> None:
    """Fail the check unless `StopReason` and a message know each of these reasons."""
    known = get_args(subject.get("messages.StopReason"))
    judge.nothing(
        (reason for reason in reasons if reason not in known),
        called=f"messages.StopReason, which knows {', '.join(known)}; what is not in it",
        wanted="nothing",
    )
    for reason in reasons:
        said = made(subject, "messages.AssistantMessage", "好", stop_reason=reason)
        expect_json_and_back(subject, said)


def as_json(value: Any) -> Any:
    """Return a value of any class as JSON holds it."""
    return TypeAdapter(type(value)).dump_python(value, mode="json")


def from_json(value_type: Any, value: Any) -> Any:
    """Return a value of this class from what JSON holds."""
    return TypeAdapter(value_type).validate_json(json.dumps(value))


def _messages(subject: Subject) -> TypeAdapter[Any]:
    message: Any = subject.get("messages.Message")
    return TypeAdapter(Annotated[message, Field(discriminator="role")], config=STRICT)
