"""The typewriter: what it prints, and that it never leaves a stream open."""

import sys
from collections.abc import AsyncGenerator
from io import BytesIO, TextIOWrapper

import pytest
from mini_agent.messages import AssistantMessage, StopReason, TextContent
from mini_agent.render import render_stream, warn
from mini_agent.stream import Notice, StreamDone, StreamError, StreamEvent, StreamStart, TextDelta

ANSWER = AssistantMessage(content=(TextContent(text="你好！🎉"),))


class Producer:
    """A stream of given events that remembers how far it got, and whether it was closed."""

    def __init__(self, *events: StreamEvent) -> None:
        self.events = events
        self.sent = 0
        self.closed = False

    async def stream(self) -> AsyncGenerator[StreamEvent, None]:
        try:
            for event in self.events:
                self.sent += 1
                yield event
        finally:
            self.closed = True


async def test_pieces_and_a_line_end(capsys: pytest.CaptureFixture[str]) -> None:
    producer = Producer(
        StreamStart(), TextDelta(text="你好"), TextDelta(text="！🎉"), StreamDone(message=ANSWER)
    )
    assert await render_stream(producer.stream()) is ANSWER
    assert capsys.readouterr() == ("助手> 你好！🎉\n", "")
    assert producer.closed


async def test_a_piece_is_on_the_screen_before_the_next_one_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(screen, encoding="utf-8"))  # it buffers
    shown: list[str] = []

    async def stream() -> AsyncGenerator[StreamEvent, None]:
        yield TextDelta(text="你好")
        shown.append(screen.getvalue().decode())
        yield StreamDone(message=ANSWER)

    await render_stream(stream())
    assert shown == ["助手> 你好"]


@pytest.mark.parametrize(
    ("stop_reason", "mark"),
    [
        ("stop", ""),
        ("length", "（达到长度上限，没有说完）"),
        ("refusal", "（模型拒绝回答）"),
        ("error", "（出错：overloaded_error）"),
        ("aborted", "（已中止）"),
    ],
)
@pytest.mark.parametrize("text", ["我先", ""])
async def test_how_an_answer_ended_can_be_seen(
    capsys: pytest.CaptureFixture[str], stop_reason: StopReason, mark: str, text: str
) -> None:
    message = AssistantMessage(
        content=(TextContent(text=text),) if text else (),
        stop_reason=stop_reason,
        error_message="overloaded_error" if stop_reason == "error" else None,
    )
    failed = stop_reason in ("error", "aborted")
    last = StreamError(message=message) if failed else StreamDone(message=message)
    deltas = [TextDelta(text=text)] if text else []
    await render_stream(Producer(StreamStart(), *deltas, last).stream())
    if not text and not mark:
        mark = "（空回答）"
    assert capsys.readouterr().out == f"助手> {text}{mark}\n"


async def test_a_notice_stands_on_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    producer = Producer(
        Notice(text="2 秒后重试"),
        StreamStart(),
        TextDelta(text="你"),
        Notice(text="还在想"),
        TextDelta(text="好"),
        StreamDone(message=ANSWER),
    )
    await render_stream(producer.stream(), notify=print)
    assert capsys.readouterr().out == "2 秒后重试\n助手> 你\n还在想\n助手> 好\n"


async def test_notices_go_to_stderr_unless_told_otherwise(
    capsys: pytest.CaptureFixture[str],
) -> None:
    await render_stream(Producer(Notice(text="2 秒后重试"), StreamDone(message=ANSWER)).stream())
    assert capsys.readouterr().err == "2 秒后重试\n"


EVIL = "\x1b]52;c;cm0=\x07\x9b2J\u202e\ud83d\x7f"
SHOWN = r"␛]52;c;cm0=␇\x9b2J\u202e\ufffd␡".replace(r"\ufffd", "\ufffd")


async def test_what_a_model_says_is_no_command_to_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    deltas = [TextDelta(text=EVIL), TextDelta(text="\x1b"), TextDelta(text="[2J\n你> ")]
    message = AssistantMessage(content=(), stop_reason="error", error_message=EVIL)
    await render_stream(
        Producer(StreamStart(), *deltas, Notice(text=EVIL), StreamError(message=message)).stream()
    )
    out, err = capsys.readouterr()
    assert out == f"助手> {SHOWN}␛[2J\n你> \n助手> （出错：{SHOWN}）\n"
    assert err == f"{SHOWN}\n"


async def test_a_notice_is_escaped_whoever_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    await render_stream(
        Producer(Notice(text=EVIL), StreamDone(message=ANSWER)).stream(), notify=print
    )
    assert capsys.readouterr().out == f"{SHOWN}\n"
    warn(EVIL)
    assert capsys.readouterr().err == f"{SHOWN}\n"


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
async def test_a_blank_answer_is_told_from_none(
    capsys: pytest.CaptureFixture[str], text: str
) -> None:
    message = AssistantMessage(content=(TextContent(text=text),))
    await render_stream(Producer(StreamStart(), StreamDone(message=message)).stream())
    assert capsys.readouterr().out == "助手> （空回答）\n"


async def test_nothing_is_asked_for_after_the_end() -> None:
    producer = Producer(StreamStart(), StreamDone(message=ANSWER), TextDelta(text="还有"))
    await render_stream(producer.stream())
    assert (producer.sent, producer.closed) == (2, True)


async def test_a_closed_screen_closes_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def write(self, text: str) -> int:
            raise BrokenPipeError

        def flush(self) -> None:
            pass

    monkeypatch.setattr(sys, "stdout", Gone())
    producer = Producer(StreamStart(), *[TextDelta(text="好")] * 10, StreamDone(message=ANSWER))
    with pytest.raises(BrokenPipeError):
        await render_stream(producer.stream())
    assert (producer.sent, producer.closed) == (2, True)


async def test_a_stream_without_an_end_is_a_bug_of_the_model() -> None:
    with pytest.raises(RuntimeError, match="without `done` or `error`"):
        await render_stream(Producer(StreamStart(), TextDelta(text="好")).stream())
