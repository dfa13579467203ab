"""The typewriter for a person: Markdown in place of its raw text, colours, a sign of life."""

import os
import re
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mini_agent.cli.markdown import STYLE, is_whole, rendered, rows_of
from mini_agent.cli.screen import CLEAR_BELOW, CLEAR_LINE, GREEN, RED, Screen, typewriter_for
from mini_agent.messages import AssistantMessage, TextContent, ToolCall
from mini_agent.render import DIM, Typewriter
from mini_agent.results import ToolOutput, error_result, tool_result
from mini_agent.stream import StreamDone, StreamError, StreamStart, TextDelta

Capture = pytest.CaptureFixture[str]

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@pytest.fixture(autouse=True)
def size(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """A terminal of 20 columns and 5 rows, or what a test makes of it."""
    lines = [20, 5]
    monkeypatch.setattr(os, "get_terminal_size", lambda *_: os.terminal_size(lines))
    yield lines


def say(screen: Typewriter, *pieces: str) -> None:
    for piece in pieces:
        screen.show(TextDelta(text=piece))
    message = AssistantMessage(content=(TextContent(text="".join(pieces)),), stop_reason="stop")
    screen.show(StreamDone(message=message))


def plain(text: str) -> str:
    return STYLE.sub("", text)


def test_text_without_markdown_stands_once(capsys: Capture) -> None:
    say(Screen(print, colours=True), "一句", "话。\n\n又一", "句。")
    assert capsys.readouterr().out == "助手> 一句话。\n\n又一句。\n"


def test_a_paragraph_is_shown_again_when_it_is_whole(capsys: Capture) -> None:
    say(Screen(print, colours=True), "改了**两", "处**\n", "\n完了")
    raw = f"助手> 改了**两处**\n\n\x1b[2A{CLEAR_BELOW}"
    came = capsys.readouterr().out
    assert came.startswith(raw)
    assert plain(came.removeprefix(raw)) == "助手> 改了两处\n\n完了\n"


def test_a_mark_behind_an_answer_is_no_part_of_it(capsys: Capture) -> None:
    screen = Screen(print, colours=True)
    screen.show(TextDelta(text="看：\n\n```py"))
    capsys.readouterr()
    content = (TextContent(text="看：\n\n```py"),)
    message = AssistantMessage(content=content, stop_reason="error", error_message="`[断]`")
    screen.show(StreamError(message=message))
    assert plain(capsys.readouterr().out).endswith("（出错：`[断]`）\n")


def test_what_has_left_the_screen_stays(capsys: Capture, size: list[int]) -> None:
    say(Screen(print, colours=True), "**一**\n二\n三\n四\n五\n")
    assert CLEAR_BELOW not in capsys.readouterr().out


def test_another_size_of_the_screen_leaves_it(capsys: Capture, size: list[int]) -> None:
    screen = Screen(print, colours=True)
    screen.show(TextDelta(text="**一"))
    size[0] = 40
    say(screen, "**")
    assert CLEAR_BELOW not in capsys.readouterr().out


def test_without_colours_there_is_markdown(capsys: Capture) -> None:
    say(Screen(print, colours=False), "# 头")
    came = capsys.readouterr().out
    assert CLEAR_BELOW in came
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", came)


def test_results_stand_behind_their_calls(capsys: Capture) -> None:
    screen = Screen(print, colours=True)
    first, second = (ToolCall(id=name, name=name, arguments={}) for name in "ab")
    screen.show_call(first)
    screen.show_call(second)
    capsys.readouterr()
    screen.show_result(tool_result(first, "一"), blocked=False)
    screen.show_result(error_result(second, "二"), blocked=False)
    came = capsys.readouterr().out
    assert plain(came) == "工具> a {}\n结果> 一\n工具> b {}\n出错> 二\n"
    assert came.startswith(DIM) and f"{RED}出错>" in came


def test_a_change_has_colours(capsys: Capture) -> None:
    call = ToolCall(id="1", name="edit", arguments={})
    details = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-旧\n+新\n"
    output = ToolOutput(text="改好了", details=details)
    Screen(print, colours=True).show_result(tool_result(call, output), blocked=False)
    came = capsys.readouterr().out
    assert f"{GREEN}      +新" in came and f"{RED}      -旧" in came


def test_signs_of_life_come_and_go(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mini_agent.cli.screen.QUIET", 0.01)
    screen = Screen(print, colours=True)
    screen.show(StreamStart())
    came = ""
    while "·" not in came:
        time.sleep(0.01)
        came += capsys.readouterr().out
    say(screen, "好")
    assert capsys.readouterr().out.endswith(f"{CLEAR_LINE}助手> 好\n")


def test_who_leaves_while_waiting_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    before = threading.active_count()
    with pytest.raises(RuntimeError), typewriter_for(print) as screen:
        screen.show(StreamStart())
        assert isinstance(screen, Screen)
        raise RuntimeError
    assert threading.active_count() == before


@pytest.mark.parametrize(("terminal", "term"), [(False, "xterm"), (True, "dumb")])
def test_others_get_the_plain_one(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, term: str
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    monkeypatch.setenv("TERM", term)
    with typewriter_for(print) as typewriter:
        assert type(typewriter) is Typewriter


@pytest.mark.parametrize(
    ("block", "whole"),
    [
        ("", False),
        ("一\n", False),
        ("一\n\n", True),
        ("```py\n\n", False),
        ("见：\n```py\n\nx\n```\n", True),
        ("````\n```\n", False),
        ("~~~\n```\n\n", False),
        ("```\nx\n``` 不是结尾\n", False),
    ],
)
def test_where_a_block_ends(block: str, whole: bool) -> None:
    assert is_whole(block) is whole


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", 1),
        ("a" * 20, 1),
        ("a" * 21, 2),
        ("中" * 10, 1),
        ("a" + "中" * 10, 2),
        ("a\nb\n", 3),
        ("“" * 11, None),  # one cell or two: it depends on the terminal
        ("“一”", 1),
        ("e\u0301" * 20, None),
        ("a\tb", None),
    ],
)
def test_rows(text: str, rows: int | None) -> None:
    assert rows_of(text, 20) == rows


HOSTILE = st.text(st.sampled_from("&#27;x1b9[]2J()<>`*_~|-\n abc中!:/\\\"'"), max_size=60)


@given(HOSTILE)
def test_nothing_but_styles_reaches_the_terminal(text: str) -> None:
    assert not CONTROL.search(plain(rendered(text, width=20, colours=True)))


@pytest.mark.parametrize(
    "text", ["&#27;[2J", "&#x9b;2J", "`&#27;`", "[a](&#27;]8;;x)", "![&#27;](x)", "<a&#27;>"]
)
def test_entities_stay(text: str) -> None:
    came = rendered(f"**a** {text}", width=80, colours=True)
    assert not CONTROL.search(plain(came)) and "\x1b]" not in came
