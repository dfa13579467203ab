"""Why an answer ended and what it cost: what step 03 adds to the assistant message."""

from functools import partial
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject
from conformance.support.values import (
    expect_json_and_back,
    expect_stop_reasons,
    expect_unreadable,
    made,
)

pytestmark = read("outcome")


def said(subject: Subject, **fields: Any) -> Any:
    """Return an assistant message with one text block and these fields."""
    return made(subject, "messages.AssistantMessage", "好", **fields)


def test_by_default(subject: Subject) -> None:
    """A message that says nothing of its end has come to its end: no error, no known cost."""
    message = said(subject)
    came = (message.stop_reason, message.error_message, message.usage)
    judge.same(
        came,
        ("stop", None, None),
        called="AssistantMessage(content=...): stop_reason, error_message, usage",
    )


def test_stop_reasons(subject: Subject) -> None:
    """An answer may end because it is complete, cut, refused, failed, or aborted."""
    expect_stop_reasons(subject, "stop", "length", "refusal", "error", "aborted")


@pytest.mark.parametrize("reason", ["end_turn", "", None], ids=["end_turn", "empty", "None"])
def test_other_stop_reasons_are_refused(subject: Subject, reason: str | None) -> None:
    """A stop reason that nobody declared is refused: a provider's own words stay with it."""
    expect_unreadable(subject, {"role": "assistant", "content": [], "stop_reason": reason})


def test_usage_counts_tokens(subject: Subject) -> None:
    """Usage counts the tokens that went in and that came out, in whole numbers and nothing else."""
    usage = subject.get("messages.Usage")
    came = usage(input_tokens=3, output_tokens=5)
    called = "Usage(input_tokens=3, output_tokens=5): input_tokens, output_tokens"
    judge.same((came.input_tokens, came.output_tokens), (3, 5), called=called)
    for fields in ({"input_tokens": 3}, {"input_tokens": 3, "output_tokens": 5, "cost": 1}):
        judge.refused(partial(usage, **fields), called=f"Usage(**{fields})")
    half = {"input_tokens": 3.5, "output_tokens": 5}
    expect_unreadable(subject, {"role": "assistant", "content": [], "usage": half})


def test_json_and_back(subject: Subject) -> None:
    """How an answer ended, and what it cost, survives the way to JSON and back."""
    usage = subject.get("messages.Usage")(input_tokens=3, output_tokens=5)
    message = said(subject, stop_reason="error", error_message="断线", usage=usage)
    expect_json_and_back(subject, message)
