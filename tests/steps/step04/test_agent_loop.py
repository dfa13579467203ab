"""The loop: its events in every outcome, and the history that it leaves behind."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from mini_agent.abort import AbortSignal
from mini_agent.agent_events import (
    AgentEnd,
    AgentEvent,
    AgentStart,
    MessageEnd,
    MessageStart,
    ToolExecutionEnd,
    ToolExecutionStart,
    TurnEnd,
    TurnStart,
)
from mini_agent.agent_loop import run_agent_loop
from mini_agent.execution import NO_TOOLS
from mini_agent.messages import (
    AssistantMessage,
    Context,
    Message,
    StopReason,
    ThinkingContent,
    ToolCall,
    message_text,
    tool_calls,
    user_text,
)
from mini_agent.results import CUT_OFF, INTERRUPTED, NEVER_STARTED
from mini_agent.scripted_model import Response
from mini_agent.stream import StreamError, StreamEvent, StreamOptions, StreamStart, ThinkingDelta

from tests.steps.step04.support import Tools, assert_well_formed, call, says, start, told

THOUGHT = ThinkingContent(
    text="先查一查", payload={"signature": "c2ln"}, provider="anthropic", model="claude"
)

PAIRS = (
    (AgentStart, AgentEnd),
    (TurnStart, TurnEnd),
    (MessageStart, MessageEnd),
    (ToolExecutionStart, ToolExecutionEnd),
)


def names(events: list[AgentEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def assert_balanced(events: list[AgentEvent]) -> None:
    assert isinstance(events[0], AgentStart)
    assert isinstance(events[-1], AgentEnd)
    for first, last in PAIRS:
        depth = 0
        for event in events:
            depth += isinstance(event, first) - isinstance(event, last)
            assert depth >= 0
        assert depth == 0, f"{first.__name__} without its end"


async def whole(
    *responses: Response,
    tools: Tools | None = None,
    signal: AbortSignal | None = None,
    max_turns: int = 10,
    sequential: tuple[str, ...] = (),
) -> tuple[list[Message], list[AgentEvent], AgentEnd]:
    """Run to the end; every run has to be balanced, and leave a well-formed history."""
    context, run = start(
        *responses,
        tools=tools,
        signal=signal,
        max_turns=max_turns,
        sequential=sequential,
    )
    with anyio.fail_after(10):
        events = [event async for event in run]
    assert_balanced(events)
    assert_well_formed(context.messages)
    end = events[-1]
    assert isinstance(end, AgentEnd)
    return context.messages, events, end


async def test_an_answer_without_calls_is_one_turn() -> None:
    messages, events, end = await whole(says("好"))
    assert names(events) == [
        *("AgentStart", "TurnStart", "MessageStart", "StreamStart", "TextDelta", "StreamDone"),
        *("MessageEnd", "TurnEnd", "AgentEnd"),
    ]
    assert end == AgentEnd(reason="completed")
    assert told(messages) == ["user: 开始", "assistant: 好"]


async def test_a_call_its_result_and_the_answer() -> None:
    messages, events, end = await whole(says("看看", call("t1")), says("好"))
    assert names(events) == [
        *("AgentStart", "TurnStart", "MessageStart", "StreamStart", "TextDelta"),
        *("ToolCallStart", "ToolCallEnd", "StreamDone", "MessageEnd"),
        *("ToolExecutionStart", "ToolExecutionEnd", "TurnEnd"),
        *("TurnStart", "MessageStart", "StreamStart", "TextDelta", "StreamDone", "MessageEnd"),
        *("TurnEnd", "AgentEnd"),
    ]
    assert end == AgentEnd(reason="completed")
    assert told(messages) == [
        "user: 开始",
        "assistant: 看看[t1]",
        "result t1: echo t1",
        "assistant: 好",
    ]


async def test_two_calls_start_before_and_end_after_the_batch() -> None:
    _, events, _ = await whole(says(call("t1"), call("t2")), says("好"))
    told_events = [
        (type(event).__name__, event.call.id)
        for event in events
        if isinstance(event, ToolExecutionStart | ToolExecutionEnd)
    ]
    assert told_events == [
        ("ToolExecutionStart", "t1"),
        ("ToolExecutionStart", "t2"),
        ("ToolExecutionEnd", "t1"),
        ("ToolExecutionEnd", "t2"),
    ]


async def test_tools_run_because_there_are_calls_whatever_the_stop_reason_says() -> None:
    messages, _, end = await whole(says(call("t1"), stop_reason="stop"), says("好"))
    assert told(messages)[2] == "result t1: echo t1"
    assert end.reason == "completed"


async def test_a_stop_reason_alone_runs_nothing() -> None:
    _, _, end = await whole(says("好", stop_reason="tool_use"))
    assert end.reason == "completed"


async def test_the_model_sees_the_results_in_its_next_call() -> None:
    seen: list[list[str]] = []

    def answer(context: Context) -> AssistantMessage:
        seen.append(told(context.messages))
        return says("好")

    await whole(says(call("t1"), call("t2")), answer)
    assert seen == [
        ["user: 开始", "assistant: [t1][t2]", "result t1: echo t1", "result t2: echo t2"]
    ]


@pytest.mark.parametrize("name", ["serch", "read"])
async def test_a_model_that_never_stops_calling_is_stopped(name: str) -> None:
    tools = Tools()
    calls = [says(call(f"t{number}", name)) for number in range(1, 10)]
    messages, events, end = await whole(*calls, tools=tools, max_turns=3)
    assert sum(isinstance(event, StreamStart) for event in events) == 3
    assert tools.ran == ["t1", "t2", "t3"]
    assert told(messages)[-1] == f"result t3: {name} t3"
    assert end == AgentEnd(reason="turn_limit", detail="3")


async def test_the_limit_does_not_strike_whoever_ends_in_time() -> None:
    _, _, end = await whole(says(call("t1")), says("好"), max_turns=2)
    assert end.reason == "completed"


async def test_a_used_up_script_is_an_error_and_what_was_done_stays() -> None:
    messages, events, end = await whole(says(call("t1")))
    assert end == AgentEnd(reason="error", detail="剧本用完了：没有第 2 次调用的回答。")
    assert any(isinstance(event, StreamError) for event in events)
    assert told(messages) == ["user: 开始", "assistant: [t1]", "result t1: echo t1"]


async def test_a_response_that_raises_is_an_error_event() -> None:
    def broken(context: Context) -> AssistantMessage:
        raise KeyError("x")

    _, _, end = await whole(broken)
    assert end == AgentEnd(reason="error", detail="KeyError: 'x'")


@pytest.mark.parametrize(
    ("stop_reason", "reason", "text"),
    [
        ("error", "error", NEVER_STARTED),
        ("aborted", "aborted", NEVER_STARTED),
        ("refusal", "refused", NEVER_STARTED),
    ],
)
async def test_calls_of_a_message_that_went_wrong_are_answered_and_not_run(
    stop_reason: StopReason, reason: str, text: str
) -> None:
    tools = Tools()
    messages, _, end = await whole(
        says("我先", call("t1"), stop_reason=stop_reason, error="overloaded_error"), tools=tools
    )
    assert tools.ran == []
    assert told(messages)[1:] == ["assistant: 我先[t1]", f"error t1: {text}"]
    assert end.reason == reason


async def test_calls_cut_by_the_length_are_not_run_and_the_model_is_told() -> None:
    tools = Tools()
    messages, _, end = await whole(
        says(call("t1"), call("t2"), stop_reason="length"), says("好"), tools=tools
    )
    assert tools.ran == []
    assert told(messages)[2:4] == [f"error t1: {CUT_OFF}", f"error t2: {CUT_OFF}"]
    assert end.reason == "completed"


@pytest.mark.parametrize("stop_reason", ["length", "refusal"])
async def test_a_text_that_stops_early_is_kept(stop_reason: StopReason) -> None:
    messages, _, end = await whole(says("我先", stop_reason=stop_reason))
    assert told(messages)[1:] == ["assistant: 我先"]
    assert end.reason == {"length": "truncated", "refusal": "refused"}[stop_reason]


@pytest.mark.parametrize(
    "message", [says(), says(""), says(" \n"), says(THOUGHT), says(THOUGHT, " ")]
)
async def test_a_message_that_says_nothing_does_not_enter_the_history(
    message: AssistantMessage,
) -> None:
    messages, events, end = await whole(message)
    assert told(messages) == ["user: 开始"]
    assert any(isinstance(event, MessageEnd) for event in events)
    assert end == AgentEnd(reason="empty")


async def test_the_third_cut_answer_in_a_row_ends_the_run() -> None:
    cut = [says(call(f"t{number}"), stop_reason="length") for number in range(1, 6)]
    tools = Tools()
    messages, _, end = await whole(*cut, says("好"), tools=tools)
    assert end == AgentEnd(reason="truncated", detail="3")
    assert told(messages)[1:] == [
        line
        for number in (1, 2, 3)
        for line in (f"assistant: [t{number}]", f"error t{number}: {CUT_OFF}")
    ]
    assert tools.ran == []


async def test_a_whole_answer_begins_the_count_of_cut_ones_anew() -> None:
    def cut(name: str) -> AssistantMessage:
        return says(call(name), stop_reason="length")

    script = [cut("t1"), cut("t2"), says(call("t3")), cut("t4"), cut("t5"), says("好")]
    _, _, end = await whole(*script)
    assert end == AgentEnd(reason="completed")


async def test_a_cut_answer_without_calls_is_the_end_and_counts() -> None:
    cut = says(call("t1"), stop_reason="length")
    _, _, end = await whole(cut, says("我先", stop_reason="length"), says("好"))
    assert end == AgentEnd(reason="truncated", detail="2")


async def test_what_a_model_thought_stays_in_the_history_where_it_stood() -> None:
    asks = says(THOUGHT, "看看", call("t1"))
    answer = says(THOUGHT, "好")
    messages, events, _ = await whole(asks, answer)
    assert messages[1::2] == [asks, answer]
    assert told(messages)[1::2] == ["assistant: 看看[t1]", "assistant: 好"]
    thought = [event.text for event in events if isinstance(event, ThinkingDelta)]
    assert "".join(thought) == THOUGHT.text * 2


async def test_ids_that_are_empty_or_taken_are_replaced_and_no_call_is_lost() -> None:
    tools = Tools()
    messages, events, _ = await whole(
        says(call("t1"), call("t1"), call(""), call("")),
        says(call("t1")),
        says("好"),
        tools=tools,
    )
    ids = [event.call.id for event in events if isinstance(event, ToolExecutionEnd)]
    assert sorted(ids) == sorted(tools.ran)
    assert ids[0] == "t1"
    assert len(set(ids)) == 5
    assert all(ids)
    assert told(messages)[2:6] == [f"result {name}: echo {name}" for name in ids[:4]]


async def test_an_id_of_an_earlier_run_is_taken_too() -> None:
    context, run = start(says(call("t1")), says("好"))
    async for _ in run:
        pass
    context.messages.append(user_text("再来"))
    _, run = start(says(call("t1")), says("好"), context=context)
    async for _ in run:
        pass
    ids = [call.id for message in context.messages for call in tool_calls(message)]
    assert ids == ["t1", "t1-2"]


async def test_a_model_without_an_end_is_a_bug_and_not_an_event() -> None:
    async def stream(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        yield StreamStart()

    run = run_agent_loop(Context(), model=stream, tools=NO_TOOLS, max_turns=1)
    with pytest.raises(RuntimeError, match="without `done` or `error`"):
        async for _ in run:
            pass


# Abort: before, between, inside.


async def test_an_abort_before_the_run_lets_nothing_happen() -> None:
    signal, tools = AbortSignal(), Tools()
    signal.abort()
    messages, _, end = await whole(says(call("t1")), tools=tools, signal=signal)
    assert tools.ran == []
    assert told(messages) == ["user: 开始"]
    assert end == AgentEnd(reason="aborted")


@pytest.mark.parametrize("after", [StreamStart, MessageEnd, ToolExecutionStart])
async def test_an_abort_between_model_and_tools_starts_none_of_them(after: type) -> None:
    signal, tools = AbortSignal(), Tools()
    context, run = start(says("看", call("t1"), call("t2")), tools=tools, signal=signal)
    events = []
    async for event in run:
        events.append(event)
        if isinstance(event, after):
            signal.abort()
    assert tools.ran == []
    assert_balanced(events)
    assert_well_formed(context.messages)
    assert events[-1] == AgentEnd(reason="aborted")
    if after is not StreamStart:
        assert told(context.messages)[2:] == [
            f"error t1: {NEVER_STARTED}",
            f"error t2: {NEVER_STARTED}",
        ]


@pytest.mark.parametrize("sequential", [(), ("hang",)])
async def test_an_abort_inside_a_batch_tells_the_started_from_the_never_started(
    sequential: tuple[str, ...],
) -> None:
    signal = AbortSignal()
    tools = Tools({"hang": lambda call: anyio.sleep_forever()})
    context, run = start(
        says(call("t1"), call("t2", "hang"), call("t3", "hang"), call("t4")),
        tools=tools,
        signal=signal,
        sequential=sequential,
    )
    events: list[AgentEvent] = []

    async def listen() -> None:
        events.extend([event async for event in run])

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(listen)
            await wait_all_tasks_blocked()
            signal.abort()
    assert_balanced(events)
    last = "result t4: echo t4" if not sequential else f"error t4: {NEVER_STARTED}"
    third = INTERRUPTED if not sequential else NEVER_STARTED
    assert told(context.messages)[2:] == [
        "result t1: echo t1",
        f"error t2: {INTERRUPTED}",
        f"error t3: {third}",
        last,
    ]
    assert events[-1] == AgentEnd(reason="aborted")


async def test_an_abort_after_the_tools_starts_no_further_turn() -> None:
    signal = AbortSignal()

    def abort(call: ToolCall) -> str:
        signal.abort()
        return "做完了"

    messages, _, end = await whole(
        says(call("t1", "abort")), says("好"), tools=Tools({"abort": abort}), signal=signal
    )
    assert told(messages)[2:] == ["result t1: 做完了"]
    assert end == AgentEnd(reason="aborted")


# Consumers that leave, and cancellation from outside.


async def test_whoever_leaves_early_leaves_a_well_formed_history() -> None:
    script = (says("看", call("t1"), call("t2")), says("再看", call("t3")), says("好"))
    _, events, _ = await whole(*script)
    for seen in range(1, len(events)):
        tools = Tools()
        context, run = start(*script, tools=tools)
        async with aclosing(run):
            async for _ in run:
                seen -= 1
                if seen == 0:
                    break
        assert_well_formed(context.messages)
        history = told(context.messages)
        assert all(f"result {name}: echo {name}" in history for name in tools.ran)


async def test_cancellation_from_outside_goes_through_and_settles_the_calls() -> None:
    tools = Tools({"hang": lambda call: anyio.sleep_forever()})
    context, run = start(
        says(call("t1"), call("t2", "hang"), call("t3", "hang")),
        tools=tools,
        sequential=("hang",),
    )
    events: list[AgentEvent] = []

    async def listen() -> None:
        async with aclosing(run):
            async for event in run:
                events.append(event)

    with anyio.CancelScope() as outside:
        async with anyio.create_task_group() as group:
            group.start_soon(listen)
            await wait_all_tasks_blocked()
            outside.cancel()
    assert outside.cancelled_caught
    assert isinstance(events[-1], ToolExecutionStart)  # nothing is told after the cancellation
    assert told(context.messages)[2:] == [
        "result t1: echo t1",
        f"error t2: {INTERRUPTED}",
        f"error t3: {NEVER_STARTED}",
    ]


async def test_results_are_in_the_history_before_the_first_of_their_events() -> None:
    context, run = start(says(call("t1"), call("t2")), says("好"))
    async with aclosing(run):
        async for event in run:
            if isinstance(event, ToolExecutionEnd):
                assert len(told(context.messages)) == 4
            if isinstance(event, MessageEnd):
                assert message_text(context.messages[-1]) == message_text(event.message)
