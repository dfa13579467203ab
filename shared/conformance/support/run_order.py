"""The rules for the events of a run of the agent: whatever starts also ends, and in its place."""

from collections.abc import Sequence
from typing import Any

STARTS = {
    "AgentStart": "",
    "TurnStart": "AgentStart",
    "MessageStart": "TurnStart",
    "ToolExecutionStart": "TurnStart",
}
"""What begins, and in what it stands; nothing is around the agent's start."""

ENDS = {"AgentEnd": "AgentStart", "TurnEnd": "TurnStart", "MessageEnd": "MessageStart"}
"""What ends, and the start that goes with it. Tool executions are counted apart: they overlap."""


def fault_in(events: Sequence[tuple[str, Any]]) -> str:
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
