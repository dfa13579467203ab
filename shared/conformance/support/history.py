"""What a run leaves behind: its history in words, and what is wrong with it or its events."""

from collections.abc import Iterable, Sequence
from typing import Any


def in_words(messages: Iterable[Any]) -> list[str]:
    """Return what was said, one message a line."""
    return [_in_words(message) for message in messages]


def _in_words(message: Any) -> str:
    if message.role == "tool_result":
        kind = "error" if message.is_error else "result"
        return f"{kind} {message.tool_call_id}: {text_of(message)}"
    if message.role == "user":
        return f"user: {text_of(message)}"
    calls = "".join(f"[{call.id}]" for call in calls_of(message))
    end = "" if message.stop_reason in ("stop", "tool_use") else f" ({message.stop_reason})"
    return f"assistant: {text_of(message)}{calls}{end}"


def text_of(message: Any) -> str:
    """Return the text of a message, without looking at the package's own `message_text`."""
    return "".join(block.text for block in message.content if block.type == "text")


def calls_of(message: Any) -> list[Any]:
    """Return the tool calls of a message."""
    return [block for block in message.content if block.type == "tool_call"]


def fault_in_history(messages: Sequence[Any]) -> str:
    """Say what a model would not accept in a history, or return an empty text.

    Each call has exactly one result, of its own name, in the order of the calls and
    right behind their message; ids are neither empty nor used twice; no message of
    the model is empty.
    """
    waiting: list[Any] = []
    ids: list[str] = []
    for message in messages:
        if message.role == "tool_result":
            if not waiting or waiting[0].id != message.tool_call_id:
                return f"the result of {message.tool_call_id!r} does not follow its call in turn"
            if waiting.pop(0).name != message.tool_name:
                return f"the result of {message.tool_call_id!r} names another tool"
        elif waiting:
            break
        elif message.role == "assistant":
            waiting = calls_of(message)
            ids += [call.id for call in waiting]
            if not waiting and not text_of(message).strip():
                return "a message of the model that says nothing"
    if waiting:
        return f"the call {waiting[0].id!r} has no result"
    if "" in ids or len(set(ids)) < len(ids):
        return f"ids that are empty or used twice: {ids}"
    return ""


STARTS = {
    "AgentStart": "",
    "TurnStart": "AgentStart",
    "MessageStart": "TurnStart",
    "ToolExecutionStart": "TurnStart",
}
"""What begins, and in what it stands; nothing is around the agent's start."""

ENDS = {"AgentEnd": "AgentStart", "TurnEnd": "TurnStart", "MessageEnd": "MessageStart"}
"""What ends, and the start that goes with it. Tool executions are counted apart: they overlap."""


def fault_in_run(events: Sequence[tuple[str, Any]]) -> str:
    """Say what is wrong with the events of a whole run, or return an empty text.

    Each event comes with the name of its class. All that is not named above is a part
    of a model's stream, and stands in a message.
    """
    nesting = Nesting()
    for place, (name, event) in enumerate(events):
        if place and not nesting.open:
            return f"{name} behind the end of the agent"
        if fault := nesting.fault_of(name, event):
            return fault
    if not events or nesting.open:
        return f"{nesting.open[-1] if events else 'the run'} without its end"
    return ""


class Nesting:
    """What has begun and not ended yet, while one goes through the events."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self._calls: list[str] = []
        self._turns = 0

    def fault_of(self, name: str, event: Any) -> str:
        """Take the next event; say what is wrong with it, or return an empty text."""
        around = self.open[-1] if self.open else ""
        if name == "ToolExecutionEnd":
            return self._end_call(event.call.id)
        if name in ENDS:
            return self._end(name, around)
        if around != STARTS.get(name, "MessageStart"):
            return f"{name} inside of {around or 'nothing'}"
        if name == "ToolExecutionStart":
            self._calls.append(event.call.id)
        elif name in STARTS:
            self.open.append(name)
        if name == "TurnStart":
            self._turns += 1
            return "" if event.turn == self._turns else f"turn {event.turn} as the {self._turns}."
        return ""

    def _end(self, name: str, around: str) -> str:
        if around != ENDS[name]:
            return f"{name} inside of {around or 'nothing'}"
        self.open.pop()
        if name == "TurnEnd" and self._calls:
            return f"TurnEnd before the end of the call {self._calls[0]!r}"
        return ""

    def _end_call(self, call_id: str) -> str:
        if not self._calls or self._calls.pop(0) != call_id:
            return f"the end of the call {call_id!r} out of turn"
        return ""
