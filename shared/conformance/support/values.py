"""Messages of the package under test, made by the suite, and what becomes of them as JSON."""

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


def border(subject: Subject) -> TypeAdapter[Any]:
    """Return what reads and writes messages as JSON, and tells them apart by their role."""
    message: Any = subject.get("messages.Message")
    return TypeAdapter(Annotated[message, Field(discriminator="role")], config=STRICT)


def expect_stop_reasons(subject: Subject, *reasons: str) -> None:
    """Fail the check unless `StopReason` and a message know each of these reasons."""
    known = get_args(subject.get("messages.StopReason"))
    for reason in reasons:
        judge.holds(
            reason in known,
            called="the values of messages.StopReason",
            came=known,
            wanted=f"{reason!r} among them",
        )
        message = made(subject, "messages.AssistantMessage", "好", stop_reason=reason)
        called = f"AssistantMessage(content=..., stop_reason={reason!r}).stop_reason"
        judge.same(message.stop_reason, reason, called=called)
