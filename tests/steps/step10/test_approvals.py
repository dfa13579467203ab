"""Approvals: asked once for a turn, spent before the effect, run from the record."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mini_agent.abort import AbortSignal
from mini_agent.extensions.api import Api
from mini_agent.extensions.events import AfterCall, Block, ChangeArguments, ChangeResult
from mini_agent.messages import message_text
from mini_agent.results import ToolError
from mini_agent.runs.briefing import NO_REPORT, NOT_BEGUN, UNKNOWN, briefing
from mini_agent.runs.events import ApprovalUsed, EffectEnded, EffectStarted
from mini_agent.runs.interaction import apply, wait_for_user_input
from mini_agent.runs.log import RunLog, runs_of
from mini_agent.runs.permissions import STALE
from mini_agent.runs.policy import Policy, Rule, read_rules
from mini_agent.runs.reducer import record
from mini_agent.runs.runner import Runner
from mini_agent.runs.state import AgentState
from mini_agent.runs.user_input import Approve, Command, InputRefused, Resume
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore
from mini_agent.tools.workspace import Workspace

from tests.steps.step09.support import (
    LOOK,
    START,
    answer,
    ask_call,
    at,
    call,
    new_state,
    pending_id,
    request,
    results,
    says,
)
from tests.steps.step10.support import Desk, action, no, write, yes

WRITE = says(write())
DONE = says("做完了。")
THREE = says(write("w1", "a.txt"), write("w2", "b.txt"), write("w3", "c.txt"))


def desk_in(folder: Path, **more: Any) -> Desk:
    return Desk(workspace=Workspace(folder), **more)


async def asked(desk: Desk, *responses: Any) -> AgentState:
    runner = desk.scripted(*(responses or (WRITE,)))
    runner.start("写文件")
    return await desk.work(runner)


async def told(desk: Desk, said: Command, *responses: Any) -> tuple[AgentState, list[str]]:
    """Return the state, and all that the model was told as if by the user."""
    runner = desk.scripted(*responses)
    runner.tell(said)
    state = await desk.work(runner)
    return state, briefings(runner)


def briefings(runner: Runner) -> list[str]:
    messages = runner.conversation.context.messages
    return [message_text(message) for message in messages if message.role == "user"]


def waiting_for_approval() -> AgentState:
    asked = request(kind="approval")
    return wait_for_user_input(new_state(), asked, now=START, actions=(action(),))


def test_an_approval_is_spent_by_the_effect_and_only_once() -> None:
    state = apply(waiting_for_approval(), yes(waiting_for_approval()), now=at(1))
    (approval,) = state.approvals
    effect = EffectStarted(effect_id="w", tool="write", about="a", approval_id=approval.id)
    spent = record(state, effect, now=at(2))
    assert spent.approvals[0].spent_at == at(2)
    with pytest.raises(ValueError, match="no approval"):
        record(spent, effect, now=at(3))


def test_a_denial_is_no_approval() -> None:
    state = apply(waiting_for_approval(), no(waiting_for_approval(), "不行"), now=at(1))
    assert state.due == ()
    effect = EffectStarted(effect_id="w", tool="w", about="a", approval_id=state.approvals[0].id)
    with pytest.raises(ValueError, match="no approval"):
        record(state, effect, now=at(2))


def test_what_is_refused() -> None:
    question = wait_for_user_input(new_state(), request(), now=START)
    late = wait_for_user_input(
        new_state(), request(kind="approval", expires=5), now=START, actions=(action(),)
    )
    cases: tuple[tuple[AgentState, Command, str], ...] = (
        (waiting_for_approval(), answer(text="y"), "approval_required"),
        (waiting_for_approval(), Approve(request_id="ask-2"), "unexpected_user_input"),
        (question, yes(question), "unexpected_user_input"),
        (late, yes(late), "expired_user_input"),
        (waiting_for_approval(), no(waiting_for_approval(), "长" * 20_001), "user_input_too_long"),
        (waiting_for_approval(), Resume(), "user_input_already_pending"),
    )
    for state, said, code in cases:
        with pytest.raises(InputRefused) as refused:
            apply(state, said, now=at(6))
        assert refused.value.code == code


async def test_all_that_a_turn_asks_is_one_request_and_runs_from_the_record(tmp_path: Path) -> None:
    desk = desk_in(tmp_path)
    state = await asked(desk, THREE)
    assert (state.status, desk.ended[-1].detail) == ("waiting", "approval_required")
    assert [one.call_id for one in state.pending_actions] == ["w1", "w2", "w3"]
    assert (desk.tools.ran, state.model_calls) == ([], 1)
    desk.tools.act = lambda name, arguments: f"写了 {arguments['path']}"
    state, news = await told(desk, yes(state), DONE)
    assert [one["path"] for one in desk.tools.ran] == ["a.txt", "b.txt", "c.txt"]
    assert (state.status, state.model_calls) == ("completed", 2)
    assert all(f"写了 {name}.txt" in news[-1] for name in "abc")
    assert all(one.spent_at is not None for one in state.approvals)
    assert desk.folded() == state


async def test_the_model_need_not_say_it_again_and_may_say_anything(tmp_path: Path) -> None:
    """Fault 11: the approved call runs, whatever the model says next."""
    desk = desk_in(tmp_path)
    state, _ = await told(desk, yes(await asked(desk)), says("好的"))
    assert (len(desk.tools.ran), state.status) == (1, "completed")


async def test_another_call_asks_again(tmp_path: Path) -> None:
    desk = desk_in(tmp_path)
    state, _ = await told(desk, yes(await asked(desk)), says(write("w2")))
    assert (len(desk.tools.ran), state.status) == (1, "waiting")


async def test_an_approval_does_not_fit_a_changed_file(tmp_path: Path) -> None:
    desk = desk_in(tmp_path)
    state = await asked(desk)
    (tmp_path / "a.txt").write_text("由别人写的")
    state, news = await told(desk, yes(state), DONE)
    assert (desk.tools.ran, state.approvals[0].spent_at, state.due) == ([], None, ())
    assert STALE in news[-1]


async def test_a_file_that_changes_in_the_last_moment_is_noticed(tmp_path: Path) -> None:
    desk = desk_in(tmp_path)
    state = await asked(desk, says(write("w1", "first"), write("w2", "a.txt")))

    def act(name: str, arguments: dict[str, Any]) -> str:
        (tmp_path / "a.txt").write_text("别的")
        return "好"

    desk.tools.act = act
    state, news = await told(desk, yes(state), DONE)
    assert [one["path"] for one in desk.tools.ran] == ["first"]
    assert STALE in news[-1]


async def test_in_a_conversation_the_turn_waits_and_goes_on(tmp_path: Path) -> None:
    desk = desk_in(tmp_path, ask_user=yes)
    state = await asked(desk, THREE, DONE)
    assert desk.asked == [("w1", "w2", "w3")]
    assert (state.status, len(desk.tools.ran)) == ("completed", 3)
    again = desk.scripted()
    assert results(again.conversation.context.messages)["w2"] == "好了"
    assert len(briefings(again)) == 1  # the results have told all there is to tell


async def test_who_leaves_the_question_may_answer_later(tmp_path: Path) -> None:
    desk = desk_in(tmp_path, ask_user=lambda state: None)
    state = await asked(desk)
    assert (state.status, desk.tools.ran) == ("waiting", [])
    state, _ = await told(desk, yes(state), DONE)
    assert (state.status, len(desk.tools.ran)) == ("completed", 1)


async def test_a_denial_is_told_and_not_asked_about_again(tmp_path: Path) -> None:
    for ask_user in (lambda state: no(state, "先别动"), None):
        desk = desk_in(tmp_path, ask_user=ask_user)
        if ask_user is not None:
            state = await asked(desk, WRITE, says(write("again")), DONE)
        else:
            state, news = await told(desk, no(await asked(desk), "先别动"), WRITE, DONE)
            assert "先别动" in news[-1]
        assert (state.status, desk.tools.ran, len(state.approvals)) == ("completed", [], 1)
        told_ = results(desk.scripted().conversation.context.messages)
        assert "先别动" in list(told_.values())[-1]


async def test_a_grant_for_the_run_is_for_the_same_file_and_for_this_run(tmp_path: Path) -> None:
    desk = desk_in(tmp_path, ask_user=lambda state: yes(state, "run"))
    more = says(write("w2", content="other"), write("w3", "b.txt"))
    state = await asked(desk, WRITE, more, DONE)
    assert desk.asked == [("w",), ("w2", "w3")]  # the second one because of b.txt
    runner = desk.scripted(says(write("w4")), DONE)
    runner.start("另一次")
    await desk.work(runner)
    assert desk.asked[-1] == ("w4",)
    assert state.status == "completed"


async def test_a_grant_for_always_outlives_the_process(tmp_path: Path) -> None:
    file = tmp_path / "config" / "permissions.json"
    work = tmp_path / "work"
    work.mkdir()
    policy = Policy(mode="ask", file=file)
    desk = desk_in(work, policy=policy, ask_user=lambda state: yes(state, "always"))
    await asked(desk, WRITE, DONE)
    desk.policy = Policy(mode="ask", file=file, rules=read_rules(file))
    runner = desk.scripted(says(write("w2")), DONE)
    runner.start("另一次")
    await desk.work(runner)
    assert (desk.asked, len(desk.tools.ran)) == ([("w",)], 2)


async def test_a_rule_can_say_no_and_a_mode_can(tmp_path: Path) -> None:
    for policy in (
        Policy(mode="yolo", rules=(Rule(verdict="deny", tool="write", about="*.txt"),)),
        Policy(mode="read-only"),
    ):
        desk = desk_in(tmp_path, policy=policy)
        state = await asked(desk, says(write(), call("look", "read", path="a.txt")), DONE)
        heard = results(desk.scripted().conversation.context.messages)
        assert ("不允许" in heard["w"], heard["look"]) == (True, "好了")
        assert (state.status, desk.tools.ran, state.effects) == ("completed", [], ())


async def test_a_question_needs_no_permission(tmp_path: Path) -> None:
    desk = desk_in(tmp_path, policy=Policy(mode="read-only"))
    state = await asked(desk, LOOK, says(ask_call()))
    assert state.stop_reason == "user_input_required"


async def test_gates_come_first_and_what_they_make_of_a_call_is_what_is_asked(
    tmp_path: Path,
) -> None:
    desk = desk_in(tmp_path, ask_user=yes)
    desk.gate = lambda call: ChangeArguments(call.arguments | {"path": "b.txt"})
    state = await asked(desk, WRITE, DONE)
    assert [one["path"] for one in desk.tools.ran] == ["b.txt"]
    assert state.approvals[0].action.about == "b.txt"
    desk = desk_in(tmp_path, ask_user=yes)
    desk.gate = lambda call: Block("不行")
    state = await asked(desk, WRITE, DONE)
    assert (desk.asked, desk.tools.ran, state.approvals) == ([], [], ())


async def test_what_an_extension_takes_out_of_a_result_is_not_told_by_the_record(
    tmp_path: Path,
) -> None:
    def setup(api: Api) -> None:
        async def hide(event: AfterCall) -> ChangeResult:
            return ChangeResult(text="***")

        api.on(AfterCall, hide)

    desk = desk_in(tmp_path)
    state = await asked(desk)
    desk.tools.act = lambda name, arguments: "key-123"
    runner = desk.scripted(DONE)
    runner.deps.extensions.add("mask", setup)
    runner.tell(yes(state))
    await desk.work(runner)
    assert "***" in briefings(runner)[-1]
    assert b"key-123" not in b"".join(desk.store.read())


async def test_an_abort_leaves_what_has_not_begun_and_says_what_has(tmp_path: Path) -> None:
    desk = desk_in(tmp_path)
    state = await asked(desk, THREE)
    signal = AbortSignal()

    async def stuck() -> str:
        signal.abort()
        await anyio.sleep_forever()
        return "never"

    desk.tools.act = lambda name, arguments: stuck()
    runner = desk.scripted(DONE)
    runner.tell(yes(state))
    state = await desk.work(runner, signal)
    assert (state.status, state.stop_reason) == ("failed", "aborted")
    assert [effect.outcome for effect in state.effects] == ["unknown"]
    assert [one.action.call_id for one in state.due] == ["w2", "w3"]
    desk.tools.act = lambda name, arguments: "好了"
    state, news = await told(desk, Resume(), DONE)
    assert [one["path"] for one in desk.tools.ran] == ["a.txt", "b.txt", "c.txt"]
    assert "不得而知" in news[-1]
    assert state.status == "completed"


OUTCOMES = (
    ((), NOT_BEGUN),
    ((EffectStarted(effect_id="w", tool="write", about="a", approval_id="ask-1/1"),), UNKNOWN),
    (
        (
            EffectStarted(effect_id="w", tool="write", about="a", approval_id="ask-1/1"),
            EffectEnded(effect_id="w", is_error=False),
        ),
        NO_REPORT,
    ),
)


@pytest.mark.parametrize(("events", "text"), OUTCOMES, ids=["not begun", "unknown", "done"])
def test_what_is_told_of_an_approved_call_after_a_crash(events: Any, text: str) -> None:
    state = apply(waiting_for_approval(), yes(waiting_for_approval()), now=at(1))
    for event in events:
        state = record(state, event, now=at(2))
    assert text in (briefing(apply(state, Resume(), now=at(3))) or "")


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ((), "还没有开始做"),
        ((EffectStarted(effect_id="w", tool="write", about="a"),), "也可能已经生效"),
        (
            (
                EffectStarted(effect_id="w", tool="write", about="a"),
                EffectEnded(effect_id="w", is_error=False),
            ),
            "已经执行完",
        ),
        (
            (
                EffectStarted(effect_id="w", tool="write", about="a"),
                EffectEnded(effect_id="w", is_error=True),
            ),
            "报了错",
        ),
    ],
    ids=["not begun", "unknown", "done", "error"],
)
async def test_what_a_crash_left_open_is_told_as_the_log_knows_it(events: Any, text: str) -> None:
    desk = Desk()
    runner = desk.scripted()
    runner.start("写文件")
    runner.conversation.session.add_message(WRITE)
    for event in events:
        runner.log.record(event)
    runner = desk.scripted()
    assert text in results(runner.conversation.context.messages)["w"]
    assert bool(desk.notices) == (text == "也可能已经生效")


def test_a_fork_has_no_approvals() -> None:
    log = RunLog(Session.start(MemoryStore(), "s"))
    log.save(new_state())
    state = wait_for_user_input(log.state, request(kind="approval"), now=START, actions=(action(),))
    log.save(state)
    log.save(apply(log.state, yes(log.state, "run"), now=at(1)))
    again = wait_for_user_input(
        log.state, request("ask-2", kind="approval"), now=START, actions=(action("v"),)
    )
    log.save(again)
    copy = RunLog(log.session.fork())
    assert (copy.state.approvals, copy.state.granted, copy.state.status) == ((), (), "running")
    assert copy.state.pending_user_input is None
    assert runs_of(copy.session.entries())[copy.state.run_id] == copy.state
    assert log.state.status == "waiting"


async def test_a_mode_goes_with_the_run_and_a_stricter_one_can_be_chosen(tmp_path: Path) -> None:
    desk = desk_in(tmp_path, policy=Policy(mode="yolo"))
    state = await asked(desk, LOOK, says(ask_call()))
    assert state.mode == "yolo"
    desk.policy = Policy(mode="ask")
    state, _ = await told(desk, answer(pending_id(state)), WRITE)
    assert (state.mode, state.stop_reason, desk.tools.ran) == ("ask", "approval_required", [])


async def test_a_tool_that_was_aborted_has_no_end_on_record(tmp_path: Path) -> None:
    """Also if it says itself that it was aborted: how far it had come, nobody knows."""
    desk = desk_in(tmp_path, policy=Policy(mode="yolo"))
    signal = AbortSignal()

    def act(name: str, arguments: dict[str, Any]) -> str:
        signal.abort()
        raise ToolError("用户中止")

    desk.tools.act = act
    runner = desk.scripted(WRITE)
    runner.start("写文件")
    state = await desk.work(runner, signal)
    assert [effect.outcome for effect in state.effects] == ["unknown"]


def test_what_the_turn_has_told_is_not_told_again_after_a_crash() -> None:
    asked_ = waiting_for_approval()
    state = apply(asked_, replace(yes(asked_), in_turn=True), now=at(1))
    for event in OUTCOMES[2][0]:
        state = record(state, event, now=at(2))
    assert "ask-1" not in (briefing(apply(state, Resume(), now=at(3))) or "")
    used = ApprovalUsed(approval_id="ask-1/1", report="写好了")
    state = record(state, used, now=at(3))  # but what was run from the record, is
    assert "写好了" in (briefing(apply(state, Resume(), now=at(4))) or "")


async def test_a_rule_can_ask_about_a_look_and_the_tool_answers_for_a_wrong_path(
    tmp_path: Path,
) -> None:
    (tmp_path / ".env").write_text("KEY=1")
    (tmp_path / "x.txt").write_text("x")
    rules = (Rule(verdict="ask", tool="read", about="x.*"),)
    desk = desk_in(tmp_path, policy=Policy(mode="ask", rules=rules))
    looks = says(call("r1", "read", path="../x"), call("r2", "read", path="sub/../x.txt"))
    state = await asked(desk, looks)
    assert [one.call_id for one in state.pending_actions] == ["r2"]
    heard = results(desk.scripted().conversation.context.messages)
    assert (heard["r1"], "在等用户审批" in heard["r2"]) == ("好了", True)
