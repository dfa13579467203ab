"""Why an answer ended: what step 04 adds."""

from conformance.support.chapters import read
from conformance.support.subject import Subject
from conformance.support.values import expect_stop_reasons

pytestmark = read("outcome")


def test_tool_use(subject: Subject) -> None:
    """An answer may end because it waits for its tool calls."""
    expect_stop_reasons(subject, "tool_use")
