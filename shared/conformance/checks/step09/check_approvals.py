"""What was approved, and that nothing else runs: one action, as it was asked about, one time."""

from pathlib import Path
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import PureRun, StoredRun, at, write
from conformance.support.model import Says
from conformance.support.subject import Subject

pytestmark = read("approvals")

DONE = Says("好了")


def test_action(subject: Subject) -> None:
    """An action is tool, arguments, folder and content of the file; the call's id is no part."""
    call, action_of = subject.get("messages.ToolCall"), subject.get("runs.approvals.action_of")

    def digest(
        *, name: str = "write", folder: str = "/w", content: str = "1", **arguments: str
    ) -> str:
        one = call(id="w", name=name, arguments={"path": "a", "content": "x"} | arguments)
        return str(action_of(one, working_folder=folder, content=content).digest)

    swapped = call(id="v", name="write", arguments={"content": "x", "path": "a"})
    same = action_of(swapped, working_folder="/w", content="1").digest
    others = {
        "tool": digest(name="edit"),
        "folder": digest(folder="/v"),
        "content of the file": digest(content="2"),
        "argument": digest(path="b"),
        "one argument more": digest(mode="append"),
    }
    alike = [what for what, other in others.items() if other == digest()]
    judge.holds(
        same == digest() and not alike,
        called="action_of(...).digest of calls that differ in one thing",
        came=f"the same order aside: {same == digest()}; the same with another: {alike}",
        wanted="the same in another order and with another id; another one for all the rest",
    )


def test_decided(subject: Subject) -> None:
    """What is approved can be used; what is denied, or is another action, can not."""
    run, usable = PureRun(subject), subject.get("runs.approvals.usable")
    digest, other = run.action().digest, run.action(content="y").digest
    waiting = run.wait_for_approval(run.new())
    for name in ("approve", "deny"):
        state = subject.get(f"runs.interaction.{name}")(waiting, "ask-1", now=at(3))
        came = [usable(state.approvals, one) is not None for one in (digest, other)]
        judge.holds(
            state.status == "running" and came == [name == "approve", False],
            called=f"{name}(...), then usable(...) for the action, and for another one",
            came=f"{state.status}, {came}",
            wanted=f"running, {[name == 'approve', False]}",
        )


def test_nothing_to_approve(subject: Subject) -> None:
    """Nobody approves a question, a request that is not pending, or one that was decided."""
    run, approve = PureRun(subject), subject.get("interaction.approve")
    decided = approve(run.wait_for_approval(run.new()), "ask-1", now=at(3))
    for what, state in (
        ("a question", run.wait(run.new())),
        ("nothing", run.new()),
        ("what was decided", decided),
    ):
        run.expect_refused(
            state,
            lambda state: approve(state, "ask-1", now=at(4)),
            "unexpected_user_input",
            called=f"approve({what})",
        )


async def approved(run: StoredRun, *says: Says) -> Any:
    """Ask for a write, approve it, and let the model say more; return the state after that."""
    state = await run.start(Says(write("w1")))
    run.holds(
        state.status == "waiting" and not run.tools.begun,
        came=f"{state.status}, run: {run.tools.begun}",
        wanted="waiting, and nothing run",
    )
    runner = run.process(*says)
    runner.approve(state.pending_user_input.id)
    return await run.work(runner)


async def test_single_use(subject: Subject, tmp_path: Path) -> None:
    """An approval lets its action run once: the same call a second time asks again.

    It is spent before the tool begins, and the log says so.
    """
    run = StoredRun(subject, tmp_path)
    state = await approved(run, Says(write("w2")), Says(write("w3")), DONE)
    stored = run.stored()
    run.holds(
        run.tools.begun == ["w2"]
        and state.status == "waiting"
        and state.approvals[0].spent_at is not None
        and stored == state,
        came=f"run: {run.tools.begun}; {state.status}; {state.approvals}; stored: {stored}",
        wanted="w2 run, waiting again with w3, the approval spent, and all of it stored",
    )


async def test_two_at_once(subject: Subject, tmp_path: Path) -> None:
    """Two calls in one turn do not share an approval."""
    run = StoredRun(subject, tmp_path)
    await approved(run, Says(write("w2"), write("w3")), DONE)
    run.same(run.tools.begun, ["w2"])


@pytest.mark.parametrize("what", ["arguments", "file"])
async def test_changed(subject: Subject, tmp_path: Path, what: str) -> None:
    """Other arguments, or another file to apply them to, are not what was approved: asked again."""
    run = StoredRun(subject, tmp_path)
    state = await run.start(Says(write("w1")))
    if what == "file":
        (tmp_path / "a.txt").write_text("别人写的", encoding="utf-8")
    runner = run.process(Says(write("w2", "y" if what == "arguments" else "x")), DONE)
    runner.approve(state.pending_user_input.id)
    after = await run.work(runner)
    run.holds(
        not run.tools.begun and after.status == "waiting",
        came=f"run: {run.tools.begun}; {after.status}",
        wanted="nothing run, and waiting for another approval",
    )
