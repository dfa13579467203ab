"""A run in one process after the other: the loop, the log and the user together."""

from itertools import count
from pathlib import Path

import pytest
from mini_agent.abort import AbortSignal
from mini_agent.extensions.events import Block
from mini_agent.extensions.loader import LoadedFile
from mini_agent.messages import AssistantMessage, Context, TextContent, ToolCall, message_text
from mini_agent.runs.recovery import NOT_ASKED, ONLY_LOOKED
from mini_agent.runs.state import AgentState
from mini_agent.runs.user_input import Answer, Cancel, InputRefused, Resume
from mini_agent.sessions.repair import open_calls
from mini_agent.sessions.store import MemoryStore
from mini_agent.tools.workspace import Workspace

from tests.steps.step09.support import (
    LOOK,
    Desk,
    answer,
    ask_call,
    call,
    pending_id,
    results,
    says,
)

WRITE = says(call("w", "write", path="a.txt", content="x"))
DONE = says("做完了。")


async def waiting(desk: Desk) -> AgentState:
    """Let a run look, ask, and wait."""
    runner = desk.scripted(LOOK, says(ask_call()))
    runner.start("整理待办")
    return await desk.work(runner)


async def test_a_question_stops_the_run_and_leaves_nothing_open() -> None:
    desk = Desk()
    state = await waiting(desk)
    assert (state.status, state.model_calls) == ("waiting", 2)
    assert state.stop_reason == "user_input_required"
    assert (desk.ended[-1].reason, desk.ended[-1].detail) == ("stopped", "user_input_required")
    runner = desk.scripted()
    assert results(runner.conversation.context.messages)["q"] == f"waiting {pending_id(state)}"
    assert open_calls(runner.conversation.session.messages()) == []
    assert desk.folded() == state


async def test_an_answer_in_another_process_goes_on_with_the_same_run() -> None:
    desk = Desk()
    before = await waiting(desk)
    seen: list[str] = []

    def look(context: Context) -> AssistantMessage:
        seen.append(message_text(context.messages[-1]))
        return DONE

    runner = desk.scripted(look)
    runner.tell(answer(pending_id(before)))
    state = await desk.work(runner)
    assert (state.run_id, state.status, state.model_calls) == (before.run_id, "completed", 3)
    assert "用哪个名字？\n王芳" in seen[0]
    assert desk.folded() == state
    with pytest.raises(InputRefused) as refused:
        desk.scripted().tell(answer(pending_id(before), "李雷"))
    assert refused.value.code == "unexpected_user_input"


async def test_an_answer_that_nobody_was_told_of_is_told_by_the_next_process() -> None:
    desk = Desk()
    before = await waiting(desk)
    desk.scripted().tell(answer(pending_id(before)))  # and here the process dies
    runner = desk.scripted(DONE)
    runner.tell(Resume())
    await desk.work(runner)
    told = [message_text(message) for message in runner.conversation.context.messages]
    assert any("用哪个名字？\n王芳" in text for text in told)


async def test_an_answer_outlives_a_resumption_that_fails() -> None:
    desk = Desk()
    before = await waiting(desk)
    runner = desk.scripted()  # no response left: the model fails
    runner.tell(answer(pending_id(before)))
    state = await desk.work(runner)
    assert state.status == "failed"
    runner = desk.scripted(DONE)
    runner.tell(Resume())
    state = await desk.work(runner)
    assert state.status == "completed"
    assert [one.answer.content for one in state.decisions if one.answer] == ["王芳"]


ENDS = (
    ("length", "话说了一半", "truncated"),
    ("stop", "", "empty"),
    ("stop", "  \n", "empty"),
    ("refusal", "不行", "refused"),
)


@pytest.mark.parametrize(("reason", "text", "why"), ENDS)
async def test_only_what_the_model_calls_done_is_done(reason: str, text: str, why: str) -> None:
    desk = Desk()
    content = (TextContent(text=text),) if text else ()
    runner = desk.scripted(AssistantMessage(content=content, stop_reason=reason))  # type: ignore[arg-type]
    runner.start("整理待办")
    state = await desk.work(runner)
    assert (state.status, state.stop_reason) == ("failed", why)
    runner = desk.scripted(DONE)
    runner.tell(Resume())
    assert (await desk.work(runner)).status == "completed"


@pytest.mark.parametrize(
    "calls",
    [(ask_call(), call("w", "write", path="a")), (ask_call("q1"), ask_call("q2", decision="别的"))],
    ids=["with a side effect", "two questions"],
)
async def test_a_mixed_turn_runs_nothing_and_asks_nothing(calls: tuple[ToolCall, ...]) -> None:
    desk = Desk()
    runner = desk.scripted(LOOK, says(*calls), DONE)
    runner.start("整理待办")
    state = await desk.work(runner)
    told = results(runner.conversation.context.messages)
    assert all(told[one.id].startswith("invalid_model_output") for one in calls)
    assert (state.status, desk.tools.ran, state.decisions) == ("completed", [], ())


async def test_no_gate_has_a_say_in_a_question_and_all_have_in_a_call() -> None:
    desk = Desk(gate=lambda call: Block("不行"))
    runner = desk.scripted(says(ask_call(checked=())), LOOK, WRITE, DONE)
    runner.start("整理待办")
    await desk.work(runner)
    told = results(runner.conversation.context.messages)
    assert "先用只读工具" in told["q"]
    assert "不行" in told["look"]
    assert ("不行" in told["w"], desk.tools.ran) == (True, [])


async def test_looking_in_an_earlier_run_does_not_count() -> None:
    desk = Desk()
    runner = desk.scripted(LOOK, DONE, says(ask_call()), DONE)
    runner.start("先看看")
    await desk.work(runner)
    runner.start("再问")
    state = await desk.work(runner)
    assert state.status == "completed"
    assert "先用只读工具" in results(runner.conversation.context.messages)["q"]


async def test_a_question_that_was_answered_is_not_asked_again() -> None:
    desk = Desk(budget=6)
    before = await waiting(desk)
    runner = desk.scripted(*[says(ask_call(f"q{n}")) for n in range(9)])
    runner.tell(answer(pending_id(before)))
    state = await desk.work(runner)
    told = results(runner.conversation.context.messages)
    assert {told[f"q{n}"] for n in range(4)} == {"没有问：这个问题用户已经回答过：王芳"}
    assert (state.status, state.stop_reason, state.model_calls) == ("failed", "budget_exhausted", 6)


async def test_an_expired_question_is_gone_without_an_answer() -> None:
    desk = Desk(answer_within=10)
    before = await waiting(desk)
    desk.seconds = 10
    with pytest.raises(InputRefused) as refused:
        desk.scripted().tell(answer(pending_id(before)))
    assert refused.value.code == "expired_user_input"
    assert desk.folded() == before
    runner = desk.scripted(says(ask_call("again")), DONE)
    runner.tell(Resume())
    state = await desk.work(runner)
    told = [message_text(message) for message in runner.conversation.context.messages]
    assert any("expired, no answer" in text for text in told)
    assert (state.status, state.decisions[0].answer) == ("completed", None)


async def test_resuming_elsewhere_or_with_another_model_takes_force(tmp_path: Path) -> None:
    desk = Desk()
    before = await waiting(desk)
    for changed in ({"workspace": Workspace(tmp_path)}, {"model_name": "other/model"}):
        other = Desk(store=desk.store, _ids=count(1000), **changed)
        with pytest.raises(InputRefused) as refused:
            other.scripted().tell(answer(pending_id(before)))
        assert refused.value.code == "run_elsewhere"
    assert desk.folded() == before
    other = Desk(store=desk.store, _ids=count(2000), model_name="other/model", force=True)
    with pytest.raises(InputRefused):
        other.scripted().tell(answer("ask-none"))
    assert desk.folded() == before
    runner = other.scripted(DONE)
    runner.tell(answer(pending_id(before)))
    state = await other.work(runner)
    assert (state.status, state.model) == ("completed", "other/model")


GATE = LoadedFile(path="/gate.py", digest="1")


@pytest.mark.parametrize(
    "loaded",
    [(), (LoadedFile(path="/gate.py", digest="2"),), (LoadedFile(path="/b/gate.py", digest="1"),)],
    ids=["gone", "other content", "elsewhere"],
)
async def test_a_run_keeps_its_gates_by_place_and_content(loaded: tuple[LoadedFile, ...]) -> None:
    desk = Desk(extensions=(GATE,))
    before = await waiting(desk)
    desk.extensions = loaded
    for said in (answer(pending_id(before)), Resume(budget=99)):
        with pytest.raises(InputRefused) as refused:
            desk.scripted().tell(said)
        assert refused.value.code == "run_elsewhere"
    assert desk.folded() == before
    desk.extensions = (LoadedFile(path="/more.py", digest="3"), GATE)
    desk.scripted().tell(answer(pending_id(before)))


async def test_a_cancel_needs_no_gate_and_no_folder() -> None:
    desk = Desk(extensions=(GATE,))
    await waiting(desk)
    desk.extensions = ()
    desk.scripted().tell(Cancel(reason="算了"))
    assert desk.folded().status == "cancelled"


async def test_an_aborted_turn_can_be_resumed_and_is_not_cancelled() -> None:
    desk = Desk()
    signal = AbortSignal()
    signal.abort()
    runner = desk.scripted(DONE)
    runner.start("整理待办")
    state = await desk.work(runner, signal)
    assert (state.status, state.stop_reason) == ("failed", "aborted")
    runner = desk.scripted(DONE)
    runner.tell(Resume())
    assert (await desk.work(runner)).status == "completed"


async def test_what_a_crash_left_open_is_told_as_the_log_knows_it() -> None:
    """The process dies right after the message of the model is stored."""
    for message, told in (
        (LOOK, {"look": ONLY_LOOKED}),
        (says(ask_call()), {"q": NOT_ASKED}),
    ):
        desk = Desk()
        runner = desk.scripted()
        runner.start("整理待办")
        runner.conversation.session.add_message(message)
        runner = desk.scripted()
        assert results(runner.conversation.context.messages) == told
        assert desk.notices == []
    desk = Desk()
    runner = desk.scripted()
    runner.start("整理待办")
    runner.conversation.session.add_message(WRITE)
    runner = desk.scripted()
    assert "可能已经生效" in results(runner.conversation.context.messages)["w"]
    assert "效果未知" in desk.notices[0]


async def test_a_question_that_is_on_record_is_the_result_of_its_call() -> None:
    desk = Desk()
    before = await waiting(desk)
    lines = desk.store.read()
    call_line = next(line for line in lines if b'"waiting ask-' in line)
    desk.store = MemoryStore(b"".join(lines[: lines.index(call_line)]))
    runner = desk.scripted()
    assert results(runner.conversation.context.messages)["q"] == f"waiting {pending_id(before)}"
    runner.tell(Answer(request_id=pending_id(before), text="王芳"))
