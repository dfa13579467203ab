"""The two fake models, with tool calls in their answers."""

from mini_agent.abort import AbortSignal
from mini_agent.fake_model import FakeRule, create_fake_model
from mini_agent.messages import AssistantMessage, Context, TextContent, user_text
from mini_agent.playback import play
from mini_agent.results import tool_result
from mini_agent.scripted_model import create_scripted_model
from mini_agent.stream import (
    StreamDone,
    StreamError,
    StreamEvent,
    StreamFn,
    StreamStart,
    TextDelta,
    ToolCallEnd,
    ToolCallStart,
)

from tests.steps.step04.support import call, says


async def last_message(model: StreamFn, context: Context) -> AssistantMessage:
    *_, last = [event async for event in model(context)]
    assert isinstance(last, StreamDone | StreamError)
    return last.message


async def test_calls_stream_where_they_stand() -> None:
    message = says("先", call("t1", city="北京"), "再", call("t2"))
    events = [event async for event in play(message, signal=AbortSignal())]
    assert events == [
        StreamStart(),
        TextDelta(text="先"),
        ToolCallStart(id="t1", name="echo"),
        ToolCallEnd(call=call("t1", city="北京")),
        TextDelta(text="再"),
        ToolCallStart(id="t2", name="echo"),
        ToolCallEnd(call=call("t2")),
        StreamDone(message=message),
    ]


async def test_an_abort_keeps_whole_calls_and_drops_half_ones() -> None:
    message = says("先", call("t1"), "再", call("t2"))
    kept: list[tuple[object, ...]] = []
    for after in range(1, 8):
        signal = AbortSignal()
        events: list[StreamEvent] = []
        async for event in play(message, signal=signal):
            events.append(event)
            if len(events) == after:
                signal.abort()
        last = events[-1]
        assert isinstance(last, StreamError)
        assert last.message.stop_reason == "aborted"
        kept.append(last.message.content)
    first, second = TextContent(text="先"), TextContent(text="再")
    assert kept == [
        (),
        (first,),
        (first,),
        (first, call("t1")),
        (first, call("t1"), second),
        (first, call("t1"), second),
        (first, call("t1"), second, call("t2")),
    ]


async def test_rules_chain_over_tool_results() -> None:
    model = create_fake_model(
        [
            FakeRule(match="晴", reply="带帽子。"),
            FakeRule(match="天气", calls=(call("t1", "weather"),)),
        ]
    )
    context = Context(messages=[user_text("天气")])
    asks = await last_message(model, context)
    assert (asks.content, asks.stop_reason) == ((call("t1", "weather"),), "tool_use")
    context.messages += [asks, tool_result(call("t1", "weather"), "晴")]
    assert await last_message(model, context) == says("带帽子。")


async def test_the_nth_call_gets_the_nth_response_and_none_twice() -> None:
    model = create_scripted_model([says("一"), lambda context: says(f"{len(context.messages)} 条")])
    context = Context(messages=[user_text("a"), user_text("b")])
    assert await last_message(model, context) == says("一")
    assert await last_message(model, context) == says("2 条")
    for number in (3, 4):
        used_up = await last_message(model, context)
        assert used_up.stop_reason == "error"
        assert used_up.error_message == f"剧本用完了：没有第 {number} 次调用的回答。"


async def test_a_scripted_failure_streams_what_it_has_and_then_fails() -> None:
    failure = says("我先", stop_reason="error", error="overloaded_error")
    events = [event async for event in create_scripted_model([failure])(Context())]
    assert events == [StreamStart(), TextDelta(text="我先"), StreamError(message=failure)]
