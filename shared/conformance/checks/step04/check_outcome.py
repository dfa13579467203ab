"""Why an answer ended: what step 04 adds."""

from conformance.support.subject import Subject


def test_tool_use(subject: Subject) -> None:
    """An answer may end because it waits for its tool calls."""
    expect_accepted(subject, ("tool_use",))
