"""The fake model's stream: its pieces, its events, and what is left of it after an abort."""

import re
import unicodedata
from contextlib import aclosing

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from hypothesis import given
from hypothesis import strategies as st
from mini_agent.abort import AbortSignal
from mini_agent.fake_model import FakeRule, create_fake_model
from mini_agent.messages import AssistantMessage, Context, TextContent, message_text, user_text
from mini_agent.playback import pieces, play
from mini_agent.stream import (
    StreamDone,
    StreamError,
    StreamEvent,
    StreamOptions,
    StreamStart,
    TextDelta,
)

HELLO = AssistantMessage(content=(TextContent(text="一二三四五"),))


def said(text: str) -> tuple[TextContent, ...]:
    return (TextContent(text=text),) if text else ()


@given(st.text())
def test_pieces_are_the_text_again(text: str) -> None:
    assert "".join(pieces(text)) == text


@given(st.text(alphabet="a好e\u0301👍\U0001f3fd❤\ufe0f\u200d👩🇨🇳\n"))
def test_no_piece_begins_in_the_middle_of_a_character(text: str) -> None:
    for piece in pieces(text)[1:]:
        assert not unicodedata.combining(piece[0])
        assert not re.match("[\ufe0f\u200d\U0001f3fd🇨🇳]", piece)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", []),
        ("一二三四", ["一二三", "四"]),
        ("a\nb\r\nc", ["a\nb", "\r\nc"]),
        ("abe\u0301c", ["abe\u0301", "c"]),
        ("👨\u200d👩\u200d👧\u200d👦好", ["👨\u200d👩\u200d👧\u200d👦", "好"]),
        ("一二❤\ufe0f好", ["一二❤\ufe0f", "好"]),
        ("一二👍\U0001f3fd好", ["一二👍\U0001f3fd", "好"]),
        ("一二🇨🇳好", ["一二🇨🇳", "好"]),
        ("一二三🇨🇳好", ["一二三🇨🇳", "好"]),
    ],
)
def test_what_reads_as_one_character_stays_whole(text: str, wanted: list[str]) -> None:
    assert pieces(text) == wanted


async def test_the_same_message_is_always_the_same_stream() -> None:
    wanted = [
        StreamStart(),
        TextDelta(text="一二三"),
        TextDelta(text="四五"),
        StreamDone(message=HELLO),
    ]
    assert [event async for event in play(HELLO, signal=AbortSignal())] == wanted
    assert [event async for event in play(HELLO, signal=AbortSignal())] == wanted


@pytest.mark.parametrize("seen", [0, 1, 2, 3])
async def test_an_abort_between_two_events_keeps_what_came_before(seen: int) -> None:
    signal = AbortSignal()
    events: list[StreamEvent] = []
    if seen == 0:
        signal.abort()
    async with aclosing(play(HELLO, signal=signal)) as stream:
        async for event in stream:
            events.append(event)
            if len(events) == seen:
                signal.abort()
    text = ("", "", "一二三", "一二三四五")[seen]
    message = AssistantMessage(content=said(text), stop_reason="aborted")
    assert events[seen:] == [StreamError(message=message)]
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == text


async def test_an_abort_ends_a_wait_at_once() -> None:
    signal = AbortSignal()
    events: list[StreamEvent] = []

    async def listen() -> None:
        async for event in play(HELLO, signal=signal, delay=3600):
            events.append(event)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(listen)
            await wait_all_tasks_blocked()
            signal.abort()
    assert events == [StreamError(message=AssistantMessage(content=(), stop_reason="aborted"))]


async def test_cancellation_from_outside_passes_through_and_says_nothing() -> None:
    events: list[StreamEvent] = []
    with anyio.move_on_after(0.01) as outside:
        async for event in play(HELLO, signal=AbortSignal(), delay=3600):
            events.append(event)
    assert outside.cancelled_caught
    assert events == []


async def test_a_failing_rule_ends_in_an_error_with_the_text_so_far() -> None:
    model = create_fake_model([FakeRule(match="断", reply="我先", error="overloaded_error")])
    events = [event async for event in model(Context(messages=[user_text("断")]))]
    message = AssistantMessage(
        content=said("我先"), stop_reason="error", error_message="overloaded_error"
    )
    assert events == [StreamStart(), TextDelta(text="我先"), StreamError(message=message)]


async def test_a_rule_may_fail_before_it_has_said_anything() -> None:
    model = create_fake_model([FakeRule(reply="", error="overloaded_error")])
    *_, last = [event async for event in model(Context())]
    assert isinstance(last, StreamError)
    assert last.message.content == ()


async def test_no_rule_is_an_answer_too() -> None:
    *_, last = [event async for event in create_fake_model([])(Context())]
    assert isinstance(last, StreamDone)
    assert message_text(last.message) == "（FakeModel 没有命中任何规则，也没有兜底规则。）"


async def test_the_options_carry_the_signal_to_the_model() -> None:
    options = StreamOptions()
    options.signal.abort()
    model = create_fake_model([FakeRule(reply="好")])
    events = [event async for event in model(Context(), options=options)]
    assert [type(event) for event in events] == [StreamError]
