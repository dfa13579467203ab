"""A run of the agent loop in which others take part, by hooks of the suite's own."""

from collections.abc import Callable
from typing import Any

from conformance.support.chapters import where
from conformance.support.model import Says
from conformance.support.run import Run
from conformance.support.subject import Subject


def hooked_run(
    subject: Subject,
    *says: Says,
    check: Callable[[Any], Any] | None = None,
    tools: Any = None,
    **hooks: Any,
) -> Run:
    """Return a run with these fields of `LoopHooks`; `check` looks at a call's arguments."""
    others = {"hooks": subject.get("hooks.LoopHooks")(**hooks)}
    if check is not None:
        others["check"] = check
    run = Run(subject, *says, read=where("hooks"), tools=tools, others=others)
    run.called = f"{run.called}; hooks: {', '.join(hooks)}"
    return run


def blocked_in(run: Run) -> list[str]:
    """Return the ids of the calls whose end says that they were blocked."""
    ends = (event for name, event in run.named_events if name == "ToolExecutionEnd")
    return [event.call.id for event in ends if event.blocked]


def result_for(subject: Subject, call: Any, text: str, *, is_error: bool = False) -> Any:
    """Return a result of `call`."""
    return subject.get("messages.ToolResultMessage")(
        tool_call_id=call.id,
        tool_name=call.name,
        content=[subject.get("messages.TextContent")(text=text)],
        is_error=is_error,
    )
