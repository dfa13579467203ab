"""A run in which changes are asked about: one request for a turn, run from the record, once."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import DONE, LOOK, PureRun, StoredRun, bash, write
from conformance.support.model import Says
from conformance.support.subject import Subject

pytestmark = read("permissions")


def asking(subject: Subject, folder: Path) -> StoredRun:
    """Return a run in which every change is asked about."""
    return StoredRun(subject, folder, policy=subject.get("runs.policy.Policy")(mode="ask"))


@pytest.mark.parametrize("mode", ["yolo", "read-only"])
def test_policy_decides(subject: Subject, tmp_path: Path, mode: str) -> None:
    """What the policy allows passes as it is; what it denies is an error, and nobody is asked."""
    state = PureRun(subject).new()
    asked: list[str] = []
    permissions = subject.get("runs.permissions.Permissions")(
        log=SimpleNamespace(state=state),
        policy=subject.get("runs.policy.Policy")(mode=mode),
        tools=SimpleNamespace(sequential=frozenset({"write"})),
        workspace=subject.get("tools.workspace.Workspace")(tmp_path),
        exempt=(),
        ask_user=lambda: asked.append("asked"),
    )
    permissions.begin_turn()
    call = subject.get("messages.ToolCall")
    look = call(id="1", name="read", arguments={"path": "a.txt"})
    change = call(id="2", name="write", arguments={"path": "a.txt", "content": "x"})
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    came = [permissions.before_call(one) for one in (look, change)]
    refused = getattr(came[1], "is_error", False)
    judge.holds(
        came[0] == look and (came[1] == change or refused) and refused is (mode == "read-only"),
        called=f"Permissions(policy {mode}).before_call, of `read` and of `write`",
        came=came,
        wanted="`read` as it is; `write` as it is, or an error in mode read-only",
    )
    judge.holds(not asked, called="the same", came=asked, wanted="nobody asked")


async def test_one_request_for_a_turn(subject: Subject, tmp_path: Path) -> None:
    """All that a turn wants to change is one request; once approved it runs from the record.

    No model is asked to say it again: it is told what came out.
    """
    run = asking(subject, tmp_path)
    state = await run.start(Says(LOOK, write("w1"), bash("b1")))
    asked = [one.call_id for one in state.pending_actions]
    run.holds(
        (state.status, state.stop_reason, asked) == ("waiting", "approval_required", ["w1", "b1"])
        and run.begun == ["look"],
        wanted="waiting (approval_required) for w1 and b1, and only `look` run",
    )
    after = await run.tell("Approve", DONE)
    run.holds(
        (after.status, after.model_calls, run.begun) == ("completed", 2, ["look", "w1", "b1"])
        and (run.file("a.txt"), run.file("log.txt")) == ("x", "1\n")
        and "a.txt" in run.told()
        and "退出码 0" in run.told(),
        came=f"{run.outcome()}\nrun: {run.begun}",
        wanted="completed in 2 calls; both run, in order, and their results told",
    )


@pytest.mark.parametrize("scope", ["once", "run"])
async def test_scope(subject: Subject, tmp_path: Path, scope: str) -> None:
    """An approval lets its action run once; one for the run, as often as it comes. Others ask."""
    run = asking(subject, tmp_path)
    await run.start(Says(bash("b1")))
    state = await run.tell("Approve", Says(bash("b2")), Says(bash("b3", "echo 2")), scope=scope)
    wanted = ["b1", "b2"] if scope == "run" else ["b1"]
    run.holds(
        (run.begun, state.status) == (wanted, "waiting"),
        came=f"{run.outcome()}\nrun: {run.begun}",
        wanted=f"{wanted} run, and waiting for the next one",
    )


async def test_spent_before(subject: Subject, tmp_path: Path) -> None:
    """Before a tool begins it is on disk that its approval is spent, and that nobody knows more."""
    run = asking(subject, tmp_path)
    await run.start(Says(bash("b1")))
    seen: list[Any] = []
    run.during = lambda call_id: seen.append(run.stored())
    await run.tell("Approve", DONE)
    came = [(one.approvals[0].spent_at is not None, one.effects[-1].outcome) for one in seen]
    run.same(came, [(True, "unknown")])


@pytest.mark.parametrize("what", ["the file", "where the path leads"])
async def test_changed(subject: Subject, tmp_path: Path, what: str) -> None:
    """Another file than the one that was asked about is not written, and the model is told.

    What it wants to write instead is asked about again.
    """
    run = asking(subject, tmp_path)
    (tmp_path / "b.txt").write_text("乙", encoding="utf-8")
    await run.start(Says(write("w1")))
    if what == "the file":
        (tmp_path / "a.txt").write_text("别人写的", encoding="utf-8")
    else:
        (tmp_path / "a.txt").symlink_to("b.txt")
    state = await run.tell("Approve", Says(write("w2", "y")))
    run.holds(
        (run.begun, state.status) == ([], "waiting")
        and (run.file("b.txt"), state.approvals[0].spent_at) == ("乙", None)
        and "a.txt" in run.told(),
        wanted="nothing run, the approval not spent, the model told about a.txt; waiting with w2",
    )


async def test_denied(subject: Subject, tmp_path: Path) -> None:
    """What is denied does not run: the model is told why, and hears the same no if it insists."""
    run = asking(subject, tmp_path)
    await run.start(Says(write("w1")))
    state = await run.tell("Deny", Says(write("w2")), DONE, reason="先别动")
    run.holds(
        (run.begun, state.status) == ([], "completed")
        and "先别动" in run.told()
        and run.result("w2").startswith("error"),
        wanted="nothing run and nothing asked again; the reason told; an error for the second try",
    )


async def test_in_the_turn(subject: Subject, tmp_path: Path) -> None:
    """With somebody there it is asked in the turn, and stands on disk when it is asked.

    The model gets the results of its calls, and is not called again for them.
    """
    run = asking(subject, tmp_path)
    on_disk: list[bool] = []

    def yes(state: Any) -> Any:
        on_disk.append(run.stored().pending_user_input == state.pending_user_input)
        said = subject.get("runs.user_input.Approve")
        return said(request_id=state.pending_user_input.id, in_turn=True)

    state = await run.start(Says(write("w1"), bash("b1")), DONE, ask_user=yes)
    run.holds(
        (state.status, state.model_calls, on_disk) == ("completed", 2, [True])
        and run.begun == ["w1", "b1"]
        and run.result("w1").startswith("result")
        and run.told(1) in run.result("b1"),
        came=f"{run.outcome()}\nrun: {run.begun}, asked, on disk: {on_disk}",
        wanted="asked once, both run in the same turn, completed in 2 calls",
    )


def test_unknown_effect(subject: Subject) -> None:
    """What had begun when a process died is named when the run goes on: nobody knows how far."""
    run = PureRun(subject)
    begun = run.record(run.new(), "EffectStarted", effect_id="b", tool="bash", about="rm -r 旧的")
    told = run.told(run.tell(begun, "Resume"))
    judge.holds(
        "rm -r 旧的" in told,
        called="briefing(...) of a run whose process died behind EffectStarted(rm -r 旧的)",
        came=told,
        wanted="the command, of which nobody knows how much it has done",
    )
