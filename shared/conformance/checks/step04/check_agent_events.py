"""The events of a run: balanced in every outcome, and the model's own passed on as they are."""

from dataclasses import dataclass
from typing import Any

import pytest

from conformance.support.chapters import read
from conformance.support.history import fault_in_run
from conformance.support.model import Call, Says, Thought
from conformance.support.run import AGENT_EVENTS, Run, ToolUse
from conformance.support.subject import Subject

pytestmark = read("agent events")

TWO = (Call("t1"), Call("t2"))


@dataclass(frozen=True)
class Outcome:
    """A run, and the reason with which it has to end."""

    reason: str
    says: tuple[Says, ...]
    max_turns: int = 9


OUTCOMES = {
    "an answer": Outcome("completed", (Says("好"),)),
    "calls, then an answer": Outcome("completed", (Says("看看", *TWO), Says("好"))),
    "cut by the length": Outcome("completed", (Says("看", *TWO, stop_reason="length"), Says("好"))),
    "cut again and again": Outcome("truncated", (Says(*TWO, stop_reason="length"),) * 3),
    "cut without a call": Outcome("truncated", (Says("看", stop_reason="length"), Says("好"))),
    "cut before a word": Outcome("truncated", (Says(stop_reason="length"), Says("好"))),
    "an empty answer": Outcome("empty", (Says(),)),
    "a text that is empty": Outcome("empty", (Says(""),)),
    "a blank text": Outcome("empty", (Says(" \n "),)),
    "nothing but a thought": Outcome("empty", (Says(Thought("想")),)),
    "calls, then nothing": Outcome("empty", (Says(*TWO), Says())),
    "refused": Outcome("refused", (Says("不行", stop_reason="refusal"),)),
    "refused with calls": Outcome("refused", (Says(*TWO, stop_reason="refusal"),)),
    "failed": Outcome("error", (Says("我先", *TWO, stop_reason="error", error="断线"),)),
    "failed at once": Outcome("error", (Says(*TWO), Says(stop_reason="error", error="断线"))),
    "aborted by the model": Outcome("aborted", (Says("我先", *TWO, stop_reason="aborted"),)),
    "aborted in a tool": Outcome("aborted", (Says(Call("t1", "abort"), Call("t2")), Says("好"))),
    "too many turns": Outcome("turn_limit", (Says(*TWO), Says(Call("t3")), Says("好")), 2),
}
"""One for each way in which a run can end, with and without calls."""


def abort(use: ToolUse) -> str:
    """Be the user who presses Ctrl-C while a tool is at work."""
    use.signal.abort()
    return "做完了"


async def played(subject: Subject, name: str) -> Run:
    """Return the run of an outcome, from its first to its last event."""
    outcome = OUTCOMES[name]
    tools = {"abort": abort}
    run = Run(subject, *outcome.says, tools=tools, max_turns=outcome.max_turns)
    await run.play()
    return run


@pytest.mark.parametrize("name", OUTCOMES)
async def test_whatever_starts_ends(subject: Subject, name: str) -> None:
    """In every outcome, whatever starts also ends, in its place; the agent's end comes last."""
    run = await played(subject, name)
    fault = fault_in_run(run.named_events)
    run.holds(
        not fault,
        came="\n".join([fault, *(event for event, _ in run.named_events)]),
        wanted="an end for every start, AgentEnd last",
    )


@pytest.mark.parametrize("name", OUTCOMES)
async def test_end_says_why(subject: Subject, name: str) -> None:
    """The end of the agent says why the run is over."""
    run = await played(subject, name)
    wanted = OUTCOMES[name].reason
    run.same(run.end, wanted)


@pytest.mark.parametrize("name", OUTCOMES)
async def test_history_is_well_formed(subject: Subject, name: str) -> None:
    """In every outcome, each call has its one result, and no message of the model is empty."""
    run = await played(subject, name)
    run.expect_whole()


async def test_failure_is_told(subject: Subject) -> None:
    """When the model fails, the end of the run says what failed."""
    run = Run(subject, Says("我先", stop_reason="error", error="断线"))
    await run.play()
    run.holds(
        getattr(run.last, "detail", None) == "断线",
        came=f"the last event {run.last!r}",
        wanted="AgentEnd with the detail '断线'",
    )


async def test_stream_passes_through(subject: Subject) -> None:
    """The events of the model's stream pass through the loop as they are: the very same objects."""
    run = Run(subject, Says("看看", *TWO), Says("好"))
    await run.play()
    passed = [event for name, event in run.named_events if name not in AGENT_EVENTS]
    run.holds(
        list(map(id, passed)) == list(map(id, run.script.events)),
        came="\n".join(map(repr, passed)),
        wanted="\n".join(map(repr, run.script.events)),
    )


async def test_starts_come_before_and_ends_after(subject: Subject) -> None:
    """The starts of all calls come before any tool runs, the ends when all have ended."""
    run = Run(subject, Says(*TWO), Says("好"))
    seen: list[str] = []

    def look(name: str, event: Any) -> None:
        if name.startswith("ToolExecution"):
            done = f"{len(run.tools.begun)} begun, {len(run.tools.ended)} ended"
            seen.append(f"{name} {event.call.id}: {done}")

    await run.play(look)
    wanted = [
        "ToolExecutionStart t1: 0 begun, 0 ended",
        "ToolExecutionStart t2: 0 begun, 0 ended",
        "ToolExecutionEnd t1: 2 begun, 2 ended",
        "ToolExecutionEnd t2: 2 begun, 2 ended",
    ]
    run.same(seen, wanted)


async def test_history_comes_before_events(subject: Subject) -> None:
    """What an event tells stands in the history by then: the message, and all results of a turn."""
    run = Run(subject, Says(*TWO), Says("好"))
    seen: list[str] = []

    def look(name: str, event: Any) -> None:
        if name in ("MessageEnd", "ToolExecutionEnd"):
            seen.append(f"{name}: {run.history[-1]}")

    await run.play(look)
    wanted = [
        "MessageEnd: assistant: [t1][t2]",
        *["ToolExecutionEnd: result t2: echo t2"] * 2,
        "MessageEnd: assistant: 好",
    ]
    run.same(seen, wanted)
