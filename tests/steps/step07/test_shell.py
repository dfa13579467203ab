"""Extensions in a whole conversation: commands, input, branches, and what the user gets to see."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from mini_agent.agent_events import AgentEnd, MessageEnd
from mini_agent.cli.commands import BUILTIN
from mini_agent.extensions.api import Api
from mini_agent.extensions.events import (
    BeforeCall,
    Block,
    ChangeInput,
    Handled,
    Input,
    SessionStart,
)
from mini_agent.messages import Context, message_text
from mini_agent.scripted_model import Response, create_scripted_model
from mini_agent.sessions.conversation import Conversation
from mini_agent.sessions.entries import MessageEntry
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore
from mini_agent.shell import run_shell
from mini_agent.tools.registry import Registry

from tests.steps.step07.extensions import Harness, Setup, answering, listening, raising, tool
from tests.steps.step07.support import call, says, told


def typing(lines: Iterable[str]) -> Callable[[str], str | None]:
    waiting = iter(lines)
    return lambda prompt: next(waiting, None)


def converse(
    *lines: str, session: Session | None = None, script: Iterable[Response] = (), **setups: Any
) -> Harness:
    """Type `lines` at a harness with these extensions, and return it."""
    harness = Harness(commands=tuple(BUILTIN), tools=(tool("echo"),), **setups)
    registry = Registry(harness.extensions.tools.values())
    run_shell(
        typing(lines),
        create_scripted_model(script),
        conversation=Conversation(session or harness.session, Context(), notify=harness.told),
        tools=registry.toolset,
        extensions=harness.extensions,
        notify=harness.told,
    )
    return harness


def shout(api: Api) -> None:
    async def run(argument: str) -> str:
        return argument.upper() + "!"

    api.command("shout", run, summary="大声说")


# Commands.


def test_a_command_is_run_and_no_model_hears_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    harness = converse("/shout  hello you ", a=shout)
    assert capsys.readouterr().out == "HELLO YOU!\n\n再见。（本次对话共 0 条消息）\n"
    assert harness.session.entries() == []


def test_what_an_extension_shows_is_no_command_to_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    evil, shown = "\x1b[2J\x9b1m\u202e", "␛[2J\\x9b1m\\u202e"

    def setup(api: Api) -> None:
        async def run(argument: str) -> str:
            return evil

        api.command("evil", run, summary=evil)

    converse("/evil", "/help", "你好", a=setup, b=answering(Input, Handled(evil)))
    out = capsys.readouterr().out
    assert not set(out) & {*"\x1b\x9b\u202e"}
    assert out.startswith(f"{shown}\n")
    assert f"/evil    {shown}（扩展 a）\n" in out
    assert out.count(shown) == 3


def test_help_lists_the_commands_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    converse("/help", a=shout)
    assert capsys.readouterr().out.splitlines()[:5] == [
        "/help    列出所有命令",
        "/branch  列出各轮对话；后面写上 N 就回到第 N 轮之后",
        "/fork    把会话另存一份，在那里接着说",
        "/exit    离开",
        "/shout   大声说（扩展 a）",
    ]


def test_what_is_no_command_goes_to_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    harness = converse("//shout", "shout", script=[says("一"), says("二")], a=shout)
    assert told(harness.session.messages())[::2] == ["user: /shout", "user: shout"]


def test_a_command_that_does_not_exist_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    harness = converse("/shouted", script=[], a=shout)
    assert not harness.session.messages()
    assert "最接近的是 /shout" in capsys.readouterr().out


@pytest.mark.parametrize("error", [ValueError("坏了"), SystemExit(1)])
def test_a_command_that_fails_is_reported_every_time_and_the_talk_goes_on(
    error: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    def setup(api: Api) -> None:
        async def run(argument: str) -> str:
            raise error

        api.command("bad", run)

    harness = converse("/bad", "/bad", "你好", script=[says("好")], a=setup)
    assert len(harness.told) == 2
    assert harness.told[0].startswith("（扩展 a 的命令 /bad 出错：")
    assert "助手> 好" in capsys.readouterr().out


def test_a_command_that_returns_something_else_is_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def setup(api: Api) -> None:
        async def run(argument: str) -> Any:
            return 7

        api.command("bad", run)

    harness = converse("/bad", a=setup)
    assert harness.told == ["（扩展 a 的命令 /bad 出错：回答了 int，这里不能这样回答）"]
    assert "7" not in capsys.readouterr().out


# Lines of the user.


def test_a_changed_line_is_what_is_stored_and_sent() -> None:
    async def change(event: Input) -> object:
        return ChangeInput(event.text.replace("密码", "***"))

    harness = converse("密码是什么", script=[says("不知道")], a=listening(Input, change))
    assert told(harness.session.messages()) == ["user: ***是什么", "assistant: 不知道"]


def test_a_line_that_is_dealt_with_is_not_stored(capsys: pytest.CaptureFixture[str]) -> None:
    harness = converse("你好", a=answering(Input, Handled("不用问模型")))
    assert harness.session.entries() == []
    assert capsys.readouterr().out == "不用问模型\n\n再见。（本次对话共 0 条消息）\n"


def test_commands_and_blank_lines_are_no_input() -> None:
    seen: list[str] = []

    async def look(event: Input) -> None:
        seen.append(event.text)

    def setup(api: Api) -> None:
        shout(api)
        api.on(Input, look)

    converse("/shout x", "/help", " ", "你好", script=[says("好")], a=setup)
    assert seen == ["你好"]


# What the user sees of a run.


def test_a_blocked_call_looks_different_from_one_that_failed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    converse(
        "你好",
        script=[says(call("t1")), says("好")],
        a=answering(BeforeCall, Block("现在不行")),
        b=raising(MessageEnd, ValueError("坏了")),
    )
    assert capsys.readouterr().out == (
        "工具> echo {}\n拦下> 没有执行：扩展 a 不允许。现在不行\n助手> 好\n\n"
        "再见。（本次对话共 4 条消息）\n"
    )


# The session.


def starts(seen: list[str]) -> Setup:
    def setup(api: Api) -> None:
        async def rebuild(event: SessionStart) -> None:
            seen.append(f"{event.reason} {api.entries()}")

        async def remember(event: AgentEnd) -> None:
            api.append_entry(len(api.entries()) + 1)

        api.on(SessionStart, rebuild)
        api.on(AgentEnd, remember)

    return setup


def test_extensions_are_told_where_the_session_stands(tmp_path: Path) -> None:
    seen: list[str] = []
    file = tmp_path / "s1.jsonl"
    script = [says("一"), says("二"), says("三")]

    session = Session.start(FileStore(file), "s1")
    converse("甲", "乙", session=session, script=script, a=starts(seen))
    assert seen == ["new []"]

    session = Session.open(FileStore(file))
    converse("/help", "/branch", "/branch 1", "/branch 9", session=session, a=starts(seen))
    assert seen[1:] == ["resumed [1, 2]", "moved []"]  # what came after the turn is not in it

    session = Session.open(FileStore(file))
    converse("丙", "/fork", "/branch 2", session=session, script=script, a=starts(seen))
    assert seen[3:] == ["resumed []", "moved [1]", "moved [1]"]


def test_what_is_remembered_goes_on_in_the_copy(tmp_path: Path) -> None:
    def setup(api: Api) -> None:
        async def run(argument: str) -> None:
            api.append_entry(argument)

        api.command("note", run)

    session = Session.start(FileStore(tmp_path / "s1.jsonl"), "s1")
    converse("你好", "/fork", "/note 一", session=session, script=[says("好")], a=setup)
    origin, copy = sorted(tmp_path.glob("*.jsonl"), key=lambda path: path.stem != "s1")
    assert b"extension/a" not in origin.read_bytes()
    assert b"extension/a" in copy.read_bytes()


def test_a_gate_finds_the_call_in_the_session_and_its_note_stands_behind_it() -> None:
    def setup(api: Api) -> None:
        async def gate(event: BeforeCall) -> None:
            last = harness_session.entries()[-1]
            assert isinstance(last, MessageEntry)
            assert message_text(last.message) == "看"
            api.append_entry("asked")

        api.on(BeforeCall, gate)

    harness_session = Session.start(MemoryStore(), "s1")
    harness = converse(
        "你好", session=harness_session, script=[says("看", call("t1")), says("好")], a=setup
    )
    assert harness.told == []
    kinds = [entry.type for entry in harness_session.branch() if hasattr(entry, "type")]
    assert kinds == ["message", "message", "custom", "message", "message"]


def test_a_raising_observer_changes_nothing_that_the_user_sees(
    capsys: pytest.CaptureFixture[str],
) -> None:
    script = [says("看", call("t1")), says("好")]
    converse("你好", script=script)
    without = capsys.readouterr().out
    every = (SessionStart, MessageEnd, AgentEnd)

    def setup(api: Api) -> None:
        async def fail(event: object) -> None:
            raise ValueError("坏了")

        for event in every:
            api.on(event, fail)

    harness = converse("你好", script=script, a=setup)
    assert capsys.readouterr().out == without
    assert len(harness.told) == 1
