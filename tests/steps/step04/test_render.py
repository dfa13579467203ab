"""A run on the screen."""

import signal
import threading
from collections.abc import AsyncGenerator, Callable

import pytest
from mini_agent.abort import AbortSignal
from mini_agent.agent_events import AgentEnd, AgentEvent, AgentStart
from mini_agent.blocking import run_blocking
from mini_agent.execution import Toolset
from mini_agent.messages import AssistantMessage, ThinkingContent, ToolCall
from mini_agent.render import render_run
from mini_agent.results import (
    CUT_OFF,
    NEVER_STARTED,
    ToolError,
    ToolOutput,
    error_result,
    tool_result,
)
from mini_agent.scripted_model import create_scripted_model
from mini_agent.shell import run_shell
from mini_agent.stream import Notice, TextDelta
from mini_agent.tool_lines import show_call, show_progress, show_result

from tests.steps.step04.support import Tools, call, says, start

Capture = pytest.CaptureFixture[str]


async def test_words_calls_and_results(capsys: Capture) -> None:
    _, run = start(
        says("看看", call("t1", city="北京")),
        says(call("t2", "serch")),
        says("好"),
        tools=Tools({"serch": lambda call: 7}),
    )
    assert await render_run(run) == AgentEnd(reason="completed")
    assert capsys.readouterr().out == (
        "助手> 看看\n"
        '工具> echo {"city": "北京"}\n'
        "结果> echo t1\n"
        "工具> serch {}\n"
        "出错> 工具返回了 int，而不是文字。\n"
        "助手> 好\n"
    )


@pytest.mark.parametrize(
    ("end", "line"),
    [
        (AgentEnd(reason="completed"), ""),
        (AgentEnd(reason="turn_limit", detail="5"), "（停下：5 轮已经用完，事情还没做完）\n"),
        (AgentEnd(reason="stopped", detail="到此为止"), "（停下：到此为止）\n"),
        (AgentEnd(reason="truncated", detail="1"), ""),
        (AgentEnd(reason="empty"), ""),
    ],
)
async def test_why_a_run_ended(capsys: Capture, end: AgentEnd, line: str) -> None:
    async def run() -> AsyncGenerator[AgentEvent, None]:
        yield AgentStart()
        yield end

    assert await render_run(run()) is end
    assert capsys.readouterr().out == line


async def test_an_abort_is_said_once(capsys: Capture) -> None:
    signal = AbortSignal()
    signal.abort()
    _, run = start(says("好"), signal=signal)
    await render_run(run)
    assert capsys.readouterr().out == "助手> （已中止）\n"


async def test_an_abort_inside_the_tools_is_said_too(capsys: Capture) -> None:
    signal = AbortSignal()

    def abort(call: ToolCall) -> str:
        signal.abort()
        return "做完了"

    _, run = start(says(call("t1", "abort")), tools=Tools({"abort": abort}), signal=signal)
    await render_run(run)
    assert capsys.readouterr().out == "工具> abort {}\n结果> 做完了\n（已中止）\n"


async def test_the_third_cut_answer_is_the_end_and_that_is_said(capsys: Capture) -> None:
    _, run = start(*[says(call(f"t{n}"), stop_reason="length") for n in range(3)])
    await render_run(run)
    assert capsys.readouterr().out == (
        f"助手> （达到长度上限，没有说完）\n工具> echo {{}}\n出错> {CUT_OFF}\n" * 3
        + "（停下：一连 3 次回答都达到了长度上限）\n"
    )


async def test_an_answer_that_was_cut_says_so_once(capsys: Capture) -> None:
    _, run = start(says("我先", stop_reason="length"))
    assert (await render_run(run)).reason == "truncated"
    assert capsys.readouterr().out == "助手> 我先（达到长度上限，没有说完）\n"


@pytest.mark.parametrize("message", [says(), says(" \n"), says(ThinkingContent(text="嗯"))])
async def test_an_answer_that_says_nothing_can_be_seen(
    capsys: Capture, message: AssistantMessage
) -> None:
    _, run = start(message)
    assert (await render_run(run)).reason == "empty"
    assert capsys.readouterr().out.endswith("（空回答）\n")


async def test_notices_stand_on_lines_of_their_own(capsys: Capture) -> None:
    async def run() -> AsyncGenerator[AgentEvent, None]:
        yield Notice(text="2 秒后重试")
        yield AgentEnd(reason="completed")

    await render_run(run(), notify=print)
    assert capsys.readouterr().out == "2 秒后重试\n"


EVIL = "\x1b]52;c;cm0=\x07\x9b2J\u202e\ud83d\x7f"
SHOWN = "␛]52;c;cm0=␇\\x9b2J\\u202e\ufffd␡"


async def test_nothing_that_comes_from_outside_is_a_command_to_the_terminal(
    capsys: Capture,
) -> None:
    """Text of the model, names, arguments, results, errors, progress: case J5 by every way."""

    def fail(call: ToolCall) -> str:
        raise ToolError(EVIL)

    def name_it(call: ToolCall) -> str:
        raise ToolError(f"没有名为 {call.name} 的工具。")

    table = {EVIL: name_it, "result": lambda call: EVIL, "error": fail}
    details = {"details": lambda call: ToolOutput(text="好", details=EVIL)}
    _, run = start(
        says(EVIL, call("t1", EVIL, x=EVIL), call("t2", "result"), call("t3", "error")),
        says(call("t4", "details"), ToolCall(id="t5", name="read", malformed=EVIL)),
        says(EVIL, stop_reason="error", error=EVIL),
        tools=Tools({**table, **details}),
    )
    await render_run(run)
    show_progress(call("t1", f"a\n你> {EVIL}"), EVIL)
    arguments = SHOWN.replace("␛", "\\u001b").replace("␇", "\\u0007")  # JSON, in part
    assert capsys.readouterr().out.splitlines() == [
        f"助手> {SHOWN}",
        f'工具> {SHOWN} {{"x": "{arguments}"}}',
        "工具> result {}",
        "工具> error {}",
        f"出错> 没有名为 {SHOWN} 的工具。",
        f"结果> {SHOWN}",
        f"出错> {SHOWN}",
        "工具> details {}",
        f"工具> read {SHOWN}",
        f"结果> {SHOWN}",
        f"出错> 没有执行：参数不是 JSON 对象。收到的是：{SHOWN}",
        f"助手> {SHOWN}（出错：{SHOWN}）",
        f"进度> a␊你> {SHOWN} {SHOWN}",
    ]


async def test_an_escape_that_comes_in_pieces_is_no_command_either(capsys: Capture) -> None:
    async def run() -> AsyncGenerator[AgentEvent, None]:
        yield TextDelta(text="\x1b")
        yield TextDelta(text="[2J")
        yield Notice(text=EVIL)
        yield AgentEnd(reason="completed")

    await render_run(run())
    assert capsys.readouterr() == ("助手> ␛[2J\n", f"{SHOWN}\n")


def test_what_is_long_is_shortened(capsys: Capture) -> None:
    show_call(call("t1", "write", text="好" * 1000))
    show_progress(call("t1", "write"), "一\n二")
    show_result(tool_result(call("t1"), "\n".join(f"第 {n} 行" for n in range(1, 11))))
    first, progress, one_more, *lines = capsys.readouterr().out.splitlines()
    assert first == '工具> write {"text": "' + "好" * 190 + "…"
    assert (progress, one_more) == ("进度> write 一", "      …（还有 1 行）")
    assert lines[0] == "结果> 第 1 行"
    assert lines[1] == "      第 2 行"
    assert lines[-1] == "      …（还有 2 行）"
    assert len(lines) == 9


def test_of_a_failure_the_end_is_shown_too(capsys: Capture) -> None:
    show_result(error_result(call("t1"), "\n".join(f"第 {n} 行" for n in range(1, 21))))
    shown = ["第 1 行", "第 2 行", "…（中间略去 12 行）", *(f"第 {n} 行" for n in range(15, 21))]
    assert capsys.readouterr().out == "出错> " + "\n      ".join(shown) + "\n"


def test_the_user_gets_the_details_and_the_broken_arguments(capsys: Capture) -> None:
    show_call(ToolCall(id="t1", name="read", malformed="[1, 2"))
    show_result(tool_result(call("t1"), ToolOutput(text="改好了", details="+ 新")))
    show_result(error_result(call("t1"), NEVER_STARTED))
    assert capsys.readouterr().out == f"工具> read [1, 2\n结果> + 新\n出错> {NEVER_STARTED}\n"


def test_ctrl_c_leaves_a_blocking_tool_behind_and_the_next_line_is_answered(
    capsys: Capture,
) -> None:
    release = threading.Event()

    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        def work() -> str:
            on_update("开始")
            press()
            release.wait(60)
            return "做完了"

        return await run_blocking(work)

    def press() -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    script = iter(["等", "你好"])
    model = create_scripted_model([says(call("t1", "wait")), says("好")])
    try:
        run_shell(lambda prompt: next(script, None), model, tools=Toolset(execute=execute))
    finally:
        release.set()
    assert capsys.readouterr().out == (
        "工具> wait {}\n"
        "进度> wait 开始\n"
        "出错> 已中止：它已经开始执行，做了多少不得而知。\n"
        "（已中止）\n\n"
        "助手> 好\n\n"
        "再见。（本次对话共 5 条消息）\n"
    )
