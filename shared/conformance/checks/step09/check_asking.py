"""A run that asks, waits and goes on: with the loop of the package, one process after the other."""

from pathlib import Path

import pytest

from conformance.support.chapters import read
from conformance.support.interaction import (
    DONE,
    GOAL,
    LOOK,
    QUESTION,
    StoredRun,
    question,
    write,
)
from conformance.support.model import Says
from conformance.support.subject import Subject

pytestmark = read("runner")


async def test_waits_and_goes_on(subject: Subject, tmp_path: Path) -> None:
    """The same run goes on after the answer, in another process, with the budget that was left.

    The model is shown goal, question and answer.
    """
    run = StoredRun(subject, tmp_path)
    before = await run.start(Says(LOOK), Says(question()))
    after = await run.tell("Answer", DONE, text="王芳")
    run.holds(
        before.status == "waiting"
        and (after.run_id, after.status, after.model_calls) == (before.run_id, "completed", 3)
        and all(part in run.told() for part in (GOAL, QUESTION, "王芳")),
        wanted="waiting, then completed in 3 calls; goal, question and answer are shown",
    )


async def test_question_with_other_calls(subject: Subject, tmp_path: Path) -> None:
    """A turn in which a question stands beside another call runs nothing and asks nothing."""
    run = StoredRun(subject, tmp_path)
    state = await run.start(Says(LOOK), Says(question(), write("w1")), DONE)
    told = [run.result("q"), run.result("w1")]
    run.holds(
        (state.status, run.begun, run.file("a.txt")) == ("completed", ["look"], "")
        and all("invalid_model_output" in text for text in told),
        wanted="completed, only `look` run; invalid_model_output for both calls",
    )


ENDS = {
    "an error": Says(stop_reason="error", error="断线"),
    "half an answer": Says("我先", stop_reason="length"),
    "a refusal": Says("不行", stop_reason="refusal"),
    "nothing": Says(),
}


@pytest.mark.parametrize("name", ENDS)
async def test_broken_off(subject: Subject, tmp_path: Path, name: str) -> None:
    """A run is completed by a whole answer only; whatever else ends it can be resumed.

    The model is told the goal again.
    """
    run = StoredRun(subject, tmp_path)
    failed = await run.start(ENDS[name])
    after = await run.tell("Resume", DONE)
    run.holds(
        (failed.status, after.status) == ("failed", "completed") and GOAL in run.told(),
        came=f"{failed.status}, then {after.status}; told: {run.told()}",
        wanted="failed, then completed; the goal is told",
    )


async def test_budget(subject: Subject, tmp_path: Path) -> None:
    """The budget holds over all processes, and each call is on record before it is made."""
    run = StoredRun(subject, tmp_path, budget=3)
    await run.start(Says(LOOK), Says(question()))
    state = await run.tell("Answer", Says(LOOK), DONE, text="王芳")
    run.holds(
        (state.status, state.stop_reason) == ("failed", "budget_exhausted")
        and run.calls_on_record == [1, 2, 3],
        came=f"{state.status} ({state.stop_reason}), on record: {run.calls_on_record}",
        wanted="failed (budget_exhausted) after 3 calls, on record: [1, 2, 3]",
    )
