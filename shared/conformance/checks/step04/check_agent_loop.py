"""`agent_loop.run_agent_loop`: what is called, what is run, and what enters the history."""

from collections.abc import Callable

import pytest

from conformance.support.chapters import read
from conformance.support.history import in_words, text_of
from conformance.support.model import Call, Says, Thought
from conformance.support.run import Run, ToolUse
from conformance.support.subject import Subject

pytestmark = read("agent loop")

TWO = (Call("t1"), Call("t2"))
GOOD = "assistant: 好"

NOTHING = {
    "no content": Says(),
    "an empty text": Says(""),
    "a blank text": Says(" \n "),
    "nothing but a thought": Says(Thought("想")),
}
"""Answers that say nothing, by name."""


async def test_model_sees_call_and_result(subject: Subject) -> None:
    """The next call of the model is shown the call and its result; then the answer ends the run."""
    run = Run(subject, Says("看看", Call("t1")), Says("好"))
    await run.play()
    run.expect_history("assistant: 看看[t1]", "result t1: echo t1", "assistant: 好")
    shown = in_words(run.script.requests[1])
    run.holds(
        len(run.script.requests) == 2 and shown == run.history[:3],
        came=f"{len(run.script.requests)} calls of the model, the second one with {shown}",
        wanted="2 calls of the model, the second one with the call and its result",
    )


async def test_calls_are_what_counts(subject: Subject) -> None:
    """Tools run because there are calls, whatever the stop reason says."""
    run = Run(subject, Says(Call("t1"), stop_reason="stop"), Says("好"))
    await run.play()
    run.expect_history("assistant: [t1]", "result t1: echo t1", "assistant: 好")


async def test_stop_reason_alone_runs_nothing(subject: Subject) -> None:
    """A stop reason without calls runs nothing: the answer is complete."""
    run = Run(subject, Says("好", stop_reason="tool_use"), Says("再说"))
    await run.play()
    run.expect_history("assistant: 好")


@pytest.mark.parametrize(
    "name", ["read", "serch"], ids=["the same call", "a tool that is not there"]
)
async def test_turn_cap(subject: Subject, name: str) -> None:
    """A model that never stops calling is stopped in time, with its last call answered."""
    says = [Says(Call(f"t{number}", name, {"path": "a.txt"})) for number in range(1, 9)]
    run = Run(subject, *says, tools={"serch": not_there(subject)}, max_turns=3)
    await run.play()
    came = f"{len(run.script.requests)} calls of the model, {len(run.results)} results"
    run.same(came, "3 calls of the model, 3 results")
    run.expect_whole(reason="turn_limit")


def not_there(subject: Subject) -> Callable[[ToolUse], str]:
    """Return what the executor does for a tool that it does not know."""

    def refuse(use: ToolUse) -> str:
        raise subject.get("results.ToolError")(f"没有名为 {use.call.name} 的工具。")

    return refuse


async def test_cap_spares_who_ends_in_time(subject: Subject) -> None:
    """Whoever answers with the last call of the model that is left has completed the run."""
    run = Run(subject, Says(Call("t1")), Says("好"), max_turns=2)
    await run.play()
    run.same(run.end, "completed")


async def test_length_runs_nothing(subject: Subject) -> None:
    """Of a message that was cut by the length nothing is run; the model is told, and goes on."""
    run = Run(subject, Says("看", *TWO, stop_reason="length"), Says("好"))
    await run.play()
    errors = [text_of(result) for result in run.results if result.is_error]
    run.holds(
        run.tools.begun == [] and len(errors) == 2 and all(errors) and run.history[-1] == GOOD,
        came=f"run: {run.tools.begun}. The history:\n" + "\n".join(run.history),
        wanted="no tool run, an error for each call that says why, then the answer",
    )


async def test_cut_without_calls(subject: Subject) -> None:
    """An answer that was cut by the length and calls nothing ends the run at once; it is kept."""
    run = Run(subject, Says("我先", stop_reason="length"), Says("好"))
    await run.play()
    run.expect_history("assistant: 我先 (length)")
    run.same((run.end, len(run.script.requests)), ("truncated", 1))


async def test_third_cut_in_a_row(subject: Subject) -> None:
    """A model that is cut by the length three times in a row gets no fourth try."""
    cut = [Says(Call(f"t{number}"), stop_reason="length") for number in range(1, 5)]
    run = Run(subject, *cut, Says("好"))
    await run.play()
    came = f"{run.end}: {len(run.script.requests)} calls of the model, {len(run.results)} results"
    run.same(came, "truncated: 3 calls of the model, 3 results")
    run.expect_whole()


async def test_whole_answer_between_cuts(subject: Subject) -> None:
    """An answer that was not cut is a step forward: only cuts in a row are counted."""
    names = ["t1", "t2", "whole", "t4", "t5"]
    says = [Says(Call(i), stop_reason="tool_use" if i == "whole" else "length") for i in names]
    run = Run(subject, *says, Says("好"))
    await run.play()
    came = f"{run.end}: {len(run.script.requests)} calls of the model; run: {run.tools.begun}"
    run.same(came, "completed: 6 calls of the model; run: ['whole']")


@pytest.mark.parametrize("stop_reason", ["refusal", "error", "aborted"])
async def test_bad_end_runs_nothing(subject: Subject, stop_reason: str) -> None:
    """A message that ends badly is kept with all that came; its calls are answered, and not run."""
    error = "断线" if stop_reason == "error" else None
    says = Says("我先", *TWO, stop_reason=stop_reason, error=error)
    run = Run(subject, says, Says("好"))
    await run.play()
    run.holds(
        run.tools.begun == []
        and run.history[1:2] == [f"assistant: 我先[t1][t2] ({stop_reason})"]
        and [result.is_error for result in run.results] == [True, True]
        and len(run.script.requests) == 1,
        came=f"run: {run.tools.begun}. The history:\n" + "\n".join(run.history),
        wanted="the message as it came, no tool run, an error for each call, and the end",
    )


@pytest.mark.parametrize("says", NOTHING.values(), ids=NOTHING)
async def test_empty_message_is_not_kept(subject: Subject, says: Says) -> None:
    """A message that says nothing does not enter the history, and the run was for nothing."""
    run = Run(subject, says)
    await run.play()
    run.holds(
        run.history == ["user: 开始"] and run.end == "empty",
        came=f"the reason {run.end}. The history:\n" + "\n".join(run.history),
        wanted="the user's line alone, the reason empty",
    )
