"""A run that asks, waits and goes on: with the loop of the package, in one process."""

from pathlib import Path

from conformance.support.chapters import read
from conformance.support.history import text_of
from conformance.support.interaction import LOOK, StoredRun, question, write
from conformance.support.model import Says
from conformance.support.subject import Subject

pytestmark = read("runner")

DONE = Says("好了")


async def test_waits_and_goes_on(subject: Subject, tmp_path: Path) -> None:
    """The same run goes on after the answer, in another process, with the budget that was left.

    The model is shown goal, question and answer.
    """
    run = StoredRun(subject, tmp_path)
    before = await run.start(Says(LOOK), Says(question()))
    runner = run.process(DONE)
    runner.answer(before.pending_user_input.id, "王芳")
    after = await run.work(runner)
    seen = text_of(run.script.requests[0][-1])
    run.holds(
        before.status == "waiting"
        and (after.run_id, after.status, after.model_calls) == (before.run_id, "completed", 3)
        and all(part in seen for part in ("整理待办", "用哪个名字？", "王芳"))
        and run.stored() == after,
        came=f"{before.status}; {after.status}, model calls: {after.model_calls}, shown: {seen}",
        wanted="waiting, then completed in 3 calls; goal, question and answer are shown; stored",
    )


async def test_question_with_other_calls(subject: Subject, tmp_path: Path) -> None:
    """A turn in which a question stands beside another call runs nothing and asks nothing."""
    run = StoredRun(subject, tmp_path)
    state = await run.start(Says(LOOK), Says(question(), write("w1")), DONE)
    told = [text_of(one) for one in run.script.requests[-1] if one.role == "tool_result"]
    run.holds(
        (state.status, run.tools.begun, len(state.transitions)) == ("completed", ["look"], 1)
        and all("invalid_model_output" in text for text in told[1:])
        and len(told) == 3,
        came=f"{state.status}, run: {run.tools.begun}; the model was told: {told}",
        wanted="completed, only `look` run; invalid_model_output for both calls",
    )
