"""What was approved, and that nothing else runs: one action, as it was asked about, one time."""

from functools import partial
from pathlib import Path
from typing import Any

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
    """What is approved can be used, once; what is denied, or is another action, can not."""
    run, usable = PureRun(subject), subject.get("runs.approvals.usable")
    digests = [run.action().digest, run.action(content="y").digest]

    def used_by(state: Any) -> Any:
        effect = {"effect_id": "w", "tool": "write", "about": "a.txt"}
        return run.record(state, "EffectStarted", **effect, approval_id=state.approvals[0].id)

    approved, denied = (
        run.tell(run.wait_for_approval(), command, request_id="ask-1")
        for command in ("Approve", "Deny")
    )
    spent = used_by(approved)
    came = [
        [usable(state.approvals, digest) is not None for digest in digests]
        for state in (approved, denied, spent)
    ]
    judge.same(
        came,
        [[True, False], [False, False], [False, False]],
        called="usable(...) for the action, and another one: approved, denied, spent",
    )
    for state in (denied, spent):
        judge.refused(partial(used_by, state), called="an EffectStarted without a yes")


@pytest.mark.parametrize(
    ("what", "command", "code"),
    [
        ("a question", "Approve", "unexpected_user_input"),
        ("nothing", "Approve", "unexpected_user_input"),
        ("decided", "Deny", "unexpected_user_input"),
        ("an approval", "Answer", "approval_required"),
        ("an approval", "Resume", "user_input_already_pending"),
    ],
)
def test_refused(subject: Subject, what: str, command: str, code: str) -> None:
    """Only what is pending is approved, and only by that command: no text is an approval."""
    run = PureRun(subject)
    states = {
        "a question": run.wait(),
        "nothing": run.new(),
        "decided": run.tell(run.wait_for_approval(), "Approve", request_id="ask-1"),
        "an approval": run.wait_for_approval(),
    }
    fields: dict[str, Any] = {} if command == "Resume" else {"request_id": "ask-1"}
    fields |= {"text": "y"} if command == "Answer" else {}
    run.expect_refused(
        states[what],
        lambda state: run.tell(state, command, **fields),
        code,
        called=f"apply(a run that waits for {what}, {command})",
    )
