"""Why an answer ended and what it cost: what step 03 adds to the assistant message."""

from functools import partial
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject

pytestmark = read("outcome")


def said(subject: Subject, **fields: Any) -> Any:
    """Return an assistant message with one text block and these fields."""
    block = subject.get("messages.TextContent")(text="好")
    return subject.get("messages.AssistantMessage")(content=(block,), **fields)


def test_by_default(subject: Subject) -> None:
    """A message that says nothing of its end has come to its end: no error, no known cost."""
    message = said(subject)
    came = (message.stop_reason, message.error_message, message.usage)
    judge.same(
        came,
        ("stop", None, None),
        called="AssistantMessage(content=...): stop_reason, error_message, usage",
    )


def expect_accepted(subject: Subject, reasons: tuple[str, ...]) -> None:
    """Fail the check unless the message and `StopReason` accept each of these reasons."""
    reason_type = TypeAdapter(subject.get("messages.StopReason"))
    for reason in reasons:
        try:
            came = said(subject, stop_reason=reason_type.validate_python(reason)).stop_reason
        except ValidationError:
            came = "it is refused"
        called = f"AssistantMessage(content=..., stop_reason={reason!r}).stop_reason"
        judge.same(came, reason, called=called)


def test_stop_reasons(subject: Subject) -> None:
    """An answer may end because it is complete, cut, refused, failed, or aborted."""
    expect_accepted(subject, ("stop", "length", "refusal", "error", "aborted"))


@pytest.mark.parametrize("reason", ["end_turn", "", None], ids=["end_turn", "empty", "None"])
def test_other_stop_reasons_are_refused(subject: Subject, reason: Any) -> None:
    """A stop reason that nobody declared is refused: a provider's own words stay with it."""
    judge.refused(
        lambda: said(subject, stop_reason=reason),
        called=f"AssistantMessage(content=..., stop_reason={reason!r})",
    )


def test_usage_counts_tokens(subject: Subject) -> None:
    """Usage counts the tokens that went in and that came out, in whole numbers and nothing else."""
    usage = subject.get("messages.Usage")
    came = usage(input_tokens=3, output_tokens=5)
    judge.holds(
        (came.input_tokens, came.output_tokens) == (3, 5),
        called="Usage(input_tokens=3, output_tokens=5)",
        came=came,
        wanted="3 and 5",
    )
    refused: dict[str, dict[str, Any]] = {
        "input_tokens=3": {"input_tokens": 3},
        "input_tokens=3.5, output_tokens=5": {"input_tokens": 3.5, "output_tokens": 5},
        "input_tokens=3, output_tokens=5, cost=1": {**came.model_dump(), "cost": 1},
    }
    for shown, fields in refused.items():
        judge.refused(partial(usage, **fields), called=f"Usage({shown})")


def test_json_and_back(subject: Subject) -> None:
    """How an answer ended, and what it cost, survives the way to JSON and back."""
    usage = subject.get("messages.Usage")(input_tokens=3, output_tokens=5)
    message = said(subject, stop_reason="error", error_message="断线", usage=usage)
    text = message.model_dump_json()
    came = TypeAdapter(subject.get("messages.Message")).validate_json(text)
    judge.same(came, message, called=f"Message, read from {text}")
