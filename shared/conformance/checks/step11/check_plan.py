"""The plan: what the model proposes, the evidence that it needs, and what another goal does to it.

A plan comes by the tool `update_plan`, in a run that works in a folder.
"""

from pathlib import Path
from typing import Any

import pytest

from conformance.support.chapters import read
from conformance.support.interaction import DONE, LOOK, StoredRun, bash, question, write
from conformance.support.model import Call, Says
from conformance.support.subject import Subject

pytestmark = read("plan")


ASKS = Says(question())
"""What a model says that makes the run wait."""


def plan(call_id: str, *steps: dict[str, Any], **effects: str) -> Says:
    """Return what a model says that revises its plan; `effects`: id and decision."""
    whole = [{"title": "t", "acceptance": "看得到", **step} for step in steps]
    verdicts = [{"id": name, "decision": decision} for name, decision in effects.items()]
    arguments = {"reason": "按用户说的", "steps": whole, "effects": verdicts}
    return Says(Call(call_id, "update_plan", arguments))


def done(name: str = "a", *results: str, **more: Any) -> dict[str, Any]:
    """Return a step that the model calls done."""
    return {"id": name, "status": "done", "results": list(results), **more}


@pytest.fixture
def run(subject: Subject, tmp_path: Path) -> StoredRun:
    """Return a run in a folder with a file."""
    (tmp_path / "b.txt").write_text("乙", encoding="utf-8")
    return StoredRun(subject, tmp_path)


EVIDENCE: dict[str, tuple[dict[str, Any], bool]] = {
    "a result of this run": (done("a", "look"), True),
    "a result, and a file": (done("a", "look", files=["b.txt"]), True),
    "no result": (done(), False),
    "a call that never was": (done("a", "look", "elsewhere"), False),
    "a call that failed": (done("a", "broken"), False),
    "the plan itself": (done("a", "p0"), False),
    "a file that is not there": (done("a", "look", files=["never.txt"]), False),
}
"""A step that is called done, and whether it is."""


@pytest.mark.parametrize("name", EVIDENCE)
async def test_evidence(run: StoredRun, name: str) -> None:
    """A step is done if calls of this run, which went well, show it: the plan names their ids."""
    step, is_done = EVIDENCE[name]
    said = [Says(LOOK), Says(bash("broken", "exit 1")), plan("p0", {"id": "a"}), plan("p", step)]
    state = await run.start(*said, DONE)
    run.holds(
        run.result("p").startswith("result" if is_done else "error")
        and [one.status == "done" for one in state.plan.steps] == [is_done]
        and state.plan.version == 2 + is_done,
        wanted="a result, and the step done" if is_done else "an error, and the plan as it was",
    )


PROPOSALS: dict[str, tuple[dict[str, Any], ...]] = {
    "two steps in progress": (done("a"), *({"id": n, "status": "in_progress"} for n in "bc")),
    "two steps of one id": (done("a"), {"id": "b"}, {"id": "b"}),
    "a finished step that is gone": ({"id": "b"},),
    "a finished step that is open again": ({"id": "a"}, {"id": "b"}),
}


@pytest.mark.parametrize("name", PROPOSALS)
async def test_refused(run: StoredRun, name: str) -> None:
    """A plan has one step in progress, no id twice, and what is done stays in it, and done."""
    first = plan("p0", done("a", "look"), {"id": "b"})
    state = await run.start(Says(LOOK), first, plan("p", *PROPOSALS[name]), DONE)
    run.holds(
        run.result("p").startswith("error") and state.plan.version == 2,
        wanted="an error, and the plan as it was",
    )


async def test_another_goal(run: StoredRun) -> None:
    """For another goal no step of the old plan counts by itself, so the run is not completed.

    Old evidence counts if the model takes the step over, and a file shows it that is as it was.
    """
    first = plan("p", done("a", "look", files=["b.txt"]), done("b", "look"))
    await run.start(Says(LOOK), first, ASKS)
    changed = await run.tell("GoalChange", DONE, goal="别的")
    over = (plan("p2", done("a"), done("b")), plan("p3", done("a"), {"id": "b"}))
    state = await run.tell("Resume", *over, DONE)
    run.holds(
        changed.status == "failed"
        and run.result("p2").startswith("error")
        and [one.status for one in state.plan.steps] == ["done", "pending"],
        came=f"{changed.status}; {run.outcome()}",
        wanted="failed; an error for b, which no file shows; then a alone is taken over",
    )


async def test_old_effects(run: StoredRun) -> None:
    """After a change of goal nothing is changed until the plan has settled each old effect."""
    await run.start(Says(LOOK), Says(write("w1")), ASKS)
    silent, settled = plan("p1", {"id": "a"}), plan("p2", {"id": "a"}, w1="keep")
    said = (Says(write("w2", path="c.txt")), silent, settled, Says(write("w3", path="d.txt")))
    state = await run.tell("GoalChange", *said, plan("p3", done("a", "w3")), DONE, goal="别的")
    run.holds(
        run.begun == ["look", "w1", "w3"]
        and all(run.result(name).startswith("error") for name in ("w2", "p1"))
        and state.effects[0].decision == "keep"
        and state.status == "completed",
        came=f"{run.outcome()}\nrun: {run.begun}",
        wanted="errors for w2, and for a plan that is silent about w1; then w3 run, and completed",
    )


async def test_by_hand(run: StoredRun) -> None:
    """An effect that is left to a person makes the run wait for that person."""
    await run.start(Says(LOOK), Says(write("w1")), ASKS)
    by_hand = plan("p", w1="manual_reconciliation")
    state = await run.tell("GoalChange", by_hand, goal="别的")
    run.holds(
        state.status == "waiting"
        and state.pending_user_input.kind == "manual_reconciliation"
        and "a.txt" in state.pending_user_input.question,
        wanted="waiting for a manual_reconciliation that names a.txt",
    )
    after = await run.tell("Answer", DONE, text="删掉了")
    run.holds(
        after.status == "completed" and "删掉了" in run.told(),
        wanted="completed, and the model told: 删掉了",
    )
