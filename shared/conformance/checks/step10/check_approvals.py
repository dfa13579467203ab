"""What was approved, and that nothing else runs: one action, as it was asked about, one time."""

from pathlib import Path

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import PureRun
from conformance.support.subject import Subject

pytestmark = read("approvals")


def test_action(subject: Subject, tmp_path: Path) -> None:
    """An action is tool, arguments, and the file that a path really leads to, as it is now.

    The id of the call is no part of it, nor is the order of the arguments.
    """
    run, make = PureRun(subject), subject.get("tools.workspace.Workspace")
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    here, there = (make(tmp_path / name) for name in ("here", "there"))
    other, link = tmp_path / "here" / "b.txt", tmp_path / "here" / "link.txt"
    link.symlink_to("a.txt")

    def digest(workspace: object = here, **arguments: str) -> str:
        return str(run.action(workspace=workspace, **arguments).digest)

    first, by_link = digest(), digest(path="link.txt")
    alike = [
        what
        for what, one in {
            "folder": digest(there),
            "path": digest(path="b.txt"),
            "argument": digest(content="y"),
            "one argument more": digest(mode="append"),
        }.items()
        if one == first
    ]
    same = digest(call_id="v", content="x", path="a.txt") == first
    (tmp_path / "here" / "a.txt").write_text("别人写的", encoding="utf-8")
    alike += ["content of the file"] if digest() == first else []
    alike += ["content, behind a link"] if digest(path="link.txt") == by_link else []
    before = digest(path="link.txt")
    other.write_text("别人写的", encoding="utf-8")
    link.unlink()
    link.symlink_to("b.txt")
    alike += ["where a link leads"] if digest(path="link.txt") == before else []
    judge.holds(
        same and not alike,
        called="action_of(...).digest of calls that differ in one thing",
        came=f"the same with another id and order: {same}; the same with another: {alike}",
        wanted="the same with another id and in another order; another one for all the rest",
    )


def test_decided(subject: Subject) -> None:
    """What is approved can be used; what is denied, or is another action, can not."""
    run, usable = PureRun(subject), subject.get("runs.approvals.usable")
    digests = [run.action().digest, run.action(content="y").digest]
    for command in ("Approve", "Deny"):
        state = run.tell(run.wait_for_approval(), command, request_id="ask-1")
        came = [usable(state.approvals, one) is not None for one in digests]
        judge.holds(
            state.status == "running" and came == [command == "Approve", False],
            called=f"apply(..., {command}), then usable(...) for the action, and for another one",
            came=f"{state.status}, {came}",
            wanted=f"running, {[command == 'Approve', False]}",
        )


def test_spent(subject: Subject) -> None:
    """An effect uses its approval up: it is usable once, and an effect cannot do without it."""
    run = PureRun(subject)
    state = run.tell(run.wait_for_approval(), "Approve", request_id="ask-1")
    effect = {"effect_id": "w", "tool": "write", "about": "a.txt"}
    effect |= {"approval_id": state.approvals[0].id}
    spent = run.record(state, "EffectStarted", **effect)
    came = subject.get("runs.approvals.usable")(spent.approvals, run.action().digest)
    called = "usable(...) behind the EffectStarted that the approval was for"
    judge.same(came, None, called=called)
    judge.refused(
        lambda: run.record(spent, "EffectStarted", **effect),
        called="record(..., EffectStarted) with the same approval, a second time",
    )


def test_fold(subject: Subject) -> None:
    """Approvals are part of the state: each prefix of the events, read from the disk, gives it."""
    run = PureRun(subject)
    asked = run.wait_for_approval()
    approved = run.tell(asked, "Approve", request_id="ask-1", scope="run")
    effect = {"effect_id": "w", "tool": "write", "about": "a.txt"}
    started = run.record(approved, "EffectStarted", **effect, approval_id=approved.approvals[0].id)
    again = run.wait(started, run.request("ask-2", kind="approval"), actions=(run.action(),))
    denied = run.tell(again, "Deny", request_id="ask-2", reason="不行")
    run.expect_fold(asked, approved, started, again, denied)


@pytest.mark.parametrize("what", ["a question", "nothing", "what was decided"])
def test_nothing_to_approve(subject: Subject, what: str) -> None:
    """Nobody approves a question, a request that is not pending, or one that was decided."""
    run = PureRun(subject)
    state = {
        "a question": run.wait(),
        "nothing": run.new(),
        "what was decided": run.tell(run.wait_for_approval(), "Approve", request_id="ask-1"),
    }[what]
    run.expect_refused(
        state,
        lambda state: run.tell(state, "Approve", request_id="ask-1"),
        "unexpected_user_input",
        called=f"apply({what}, Approve)",
    )


def test_no_text_approves(subject: Subject) -> None:
    """An approval is a command: no text, and no end of the wait, is one."""
    run = PureRun(subject)
    for text in ("y", "好，批准", "1"):
        run.expect_refused(
            run.wait_for_approval(),
            lambda state, text=text: run.reply(state, text),
            "approval_required",
            called=f"apply(a run that waits for an approval, Answer({text!r}))",
        )
    run.expect_refused(
        run.wait_for_approval(),
        lambda state: run.tell(state, "Resume"),
        "user_input_already_pending",
        called="apply(a run that waits for an approval, Resume)",
    )
