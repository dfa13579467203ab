"""The shell: what an abort and a failure leave in the conversation, and who gets Ctrl-C."""

import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Iterable
from pathlib import Path

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from mini_agent.ctrl_c import ctrl_c_aborts
from mini_agent.fake_model import FakeRule, create_fake_model
from mini_agent.messages import AssistantMessage, Context, Message, message_text
from mini_agent.shell import run_shell
from mini_agent.stream import StreamEvent, StreamFn, StreamOptions, TextDelta

RULES = (
    FakeRule(match="长", reply="一二三四五六七八九"),
    FakeRule(match="断", reply="我先", error="overloaded_error"),
    FakeRule(match="崩", reply="", error="overloaded_error"),
    FakeRule(match="空", reply=" \n "),
    FakeRule(reply="好"),
)


def lines(*script: str) -> Callable[[str], str | None]:
    rest = iter(script)
    return lambda prompt: next(rest, None)


def recorded(model: StreamFn, requests: list[list[Message]]) -> StreamFn:
    def stream(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        requests.append(list(context.messages))
        return model(context, options=options)

    return stream


def interrupted(model: StreamFn, *, when: str, presses: int = 1) -> StreamFn:
    """Return `model` with a user who presses Ctrl-C once the first piece of an answer is there."""

    async def stream(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        assert options is not None
        async for event in model(context, options=options):
            yield event
            if isinstance(event, TextDelta) and message_text(context.messages[-1]) == when:
                for _ in range(presses):
                    signal.raise_signal(signal.SIGINT)
                with anyio.fail_after(5), options.signal.scope():
                    await anyio.sleep_forever()

    return stream


def texts(messages: Iterable[Message]) -> list[str]:
    return [f"{message.role}: {message_text(message)}" for message in messages]


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_keeps_the_line_and_the_part_already_shown(
    capsys: pytest.CaptureFixture[str], presses: int
) -> None:
    requests: list[list[Message]] = []
    model = interrupted(create_fake_model(RULES), when="长", presses=presses)
    run_shell(lines("长", "你好"), recorded(model, requests))
    assert capsys.readouterr().out == (
        "助手> 一二三（已中止）\n\n助手> 好\n\n再见。（本次对话共 4 条消息）\n"
    )
    assert texts(requests[1]) == ["user: 长", "assistant: 一二三", "user: 你好"]
    kept = requests[1][1]
    assert isinstance(kept, AssistantMessage)
    assert kept.stop_reason == "aborted"


def test_a_failure_keeps_the_part_already_shown_and_the_next_line_is_answered(
    capsys: pytest.CaptureFixture[str],
) -> None:
    requests: list[list[Message]] = []
    run_shell(lines("断", "你好"), recorded(create_fake_model(RULES), requests))
    assert capsys.readouterr().out == (
        "助手> 我先（出错：overloaded_error）\n\n助手> 好\n\n再见。（本次对话共 4 条消息）\n"
    )
    assert texts(requests[1]) == ["user: 断", "assistant: 我先", "user: 你好"]


def test_an_answer_without_content_never_enters_a_request() -> None:
    requests: list[list[Message]] = []
    run_shell(lines("崩", "你好"), recorded(create_fake_model(RULES), requests))
    assert texts(requests[1]) == ["user: 崩", "user: 你好"]


def test_a_blank_answer_never_enters_a_request(capsys: pytest.CaptureFixture[str]) -> None:
    requests: list[list[Message]] = []
    run_shell(lines("空", "你好"), recorded(create_fake_model(RULES), requests))
    assert texts(requests[1]) == ["user: 空", "user: 你好"]
    assert "（空回答）\n" in capsys.readouterr().out


async def test_a_press_aborts_and_a_later_one_does_no_harm() -> None:
    async with anyio.create_task_group() as group:
        done = anyio.Event()

        async def press_once_more() -> None:
            await done.wait()
            signal.raise_signal(signal.SIGINT)

        group.start_soon(press_once_more)
        await wait_all_tasks_blocked()
        async with ctrl_c_aborts() as abort:
            signal.raise_signal(signal.SIGINT)
            with anyio.fail_after(5), abort.scope():
                await anyio.sleep_forever()
            assert abort.aborted
            done.set()  # from here on only the grace keeps the second press from us


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_press_is_known_before_the_event_loop_turns(backend: str) -> None:
    async def main() -> None:
        async with ctrl_c_aborts() as abort:
            signal.raise_signal(signal.SIGINT)
            assert abort.aborted
            with anyio.fail_after(5), abort.scope():
                await anyio.sleep_forever()

    anyio.run(main, backend=backend)


async def test_ctrl_c_goes_back_to_whom_it_belonged() -> None:
    before = signal.getsignal(signal.SIGINT)
    async with ctrl_c_aborts():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) == before


FLOOD = """
from mini_agent.console import console
from mini_agent.fake_model import FakeRule, create_fake_model
from mini_agent.shell import run_shell
from mini_agent.stream import TextDelta

def counted(model):
    async def stream(context, /, *, options=None):
        count = 0
        try:
            async for event in model(context, options=options):
                count += isinstance(event, TextDelta)
                yield event
        finally:
            with open({file!r}, "w", encoding="utf-8") as file:
                file.write(str(count))
    return stream

with console():
    lines = iter(["你好"])
    model = create_fake_model([FakeRule(reply="好" * 3_000_000)])
    run_shell(lambda prompt: next(lines, None), counted(model))
"""


def test_a_reader_that_goes_away_stops_the_model(tmp_path: Path) -> None:
    counter = tmp_path / "count"
    program = subprocess.Popen(
        [sys.executable, "-c", FLOOD.format(file=str(counter))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout and program.stderr
    with program.stdout:
        assert program.stdout.read(10) == "助手> 好".encode()[:10]
    with program.stderr:
        assert program.stderr.read() == b""
    assert program.wait() == 0
    assert 0 < int(counter.read_text(encoding="utf-8")) < 1_000_000
