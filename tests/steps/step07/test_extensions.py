"""Setting up: what extensions bring along, which names are taken, and what a failure leaves."""

import pytest
from mini_agent.agent_events import MessageEnd
from mini_agent.extensions.api import Api
from mini_agent.extensions.registry import ExtensionError
from mini_agent.tools.tool import Tool

from tests.steps.step07.extensions import Harness, Setup, tool


async def run(argument: str) -> str:
    return argument


async def handler(event: object) -> None:
    return None


def commanding(*names: str) -> Setup:
    def setup(api: Api) -> None:
        for name in names:
            api.command(name, run)

    return setup


def tooling(name: str, output: str, *, replaces_builtin: bool = False) -> Setup:
    return lambda api: api.tool(tool(name, output), replaces_builtin=replaces_builtin)


def test_the_name_of_a_builtin_command_is_protected() -> None:
    harness = Harness(commands=("help", "exit"), a=commanding("help", "notes", "exit"))
    assert list(harness.extensions.commands) == ["notes"]
    assert harness.told == [
        "（扩展 a 的命令 /help 没有启用：这是内置命令的名字）",
        "（扩展 a 的命令 /exit 没有启用：这是内置命令的名字）",
    ]


def test_of_two_commands_of_one_name_the_first_stays() -> None:
    harness = Harness(a=commanding("notes"), b=commanding("notes", "more"))
    assert list(harness.extensions.commands) == ["notes", "more"]
    assert harness.told == ["（扩展 b 的命令 /notes 没有启用：扩展 a 已有同名的）"]


async def test_a_tool_replaces_a_builtin_one_only_if_it_says_so() -> None:
    builtin = (tool("read", "内置"), tool("ls", "内置"))
    harness = Harness(
        tools=builtin,
        a=tooling("read", "改过"),
        b=tooling("read", "换过", replaces_builtin=True),
        c=tooling("read", "再换", replaces_builtin=True),
    )
    assert list(harness.extensions.tools) == ["read", "ls"]
    assert harness.extensions.tools["read"] is not builtin[0]
    assert harness.extensions.tools["ls"] is builtin[1]
    assert harness.told == [
        "（扩展 a 的工具 read 没有启用：它没有说要替换内置工具）",
        "（扩展 c 的工具 read 没有启用：扩展 b 已有同名的）",
    ]


def test_of_two_tools_of_one_name_the_first_stays() -> None:
    harness = Harness(a=tooling("note", "一"), b=tooling("note", "二"))
    assert len(harness.extensions.tools) == 1
    assert harness.told == ["（扩展 b 的工具 note 没有启用：扩展 a 已有同名的）"]


@pytest.mark.parametrize("name", ["", "a b", "/x", "写", "a" * 65, "1x"])
def test_an_impossible_name_is_an_error_of_the_author(name: str) -> None:
    harness = Harness()
    with pytest.raises(ExtensionError, match="not a possible name"):
        harness.extensions.add("a", commanding(name))
    with pytest.raises(ExtensionError, match="not a possible name"):
        harness.extensions.add("a", tooling(name, "x"))


def test_a_setup_that_fails_leaves_nothing_behind() -> None:
    def setup(api: Api) -> None:
        api.on(MessageEnd, handler)
        api.command("notes", run)
        api.tool(tool("note"))
        raise SystemExit("坏了")

    harness = Harness()
    with pytest.raises(ExtensionError, match="SystemExit: 坏了"):
        harness.extensions.add("a", setup)
    assert harness.extensions.names == []
    assert harness.extensions.handlers(MessageEnd) == []
    assert (harness.extensions.tools, harness.extensions.commands) == ({}, {})
    harness.extensions.add("a", commanding("notes"))
    assert harness.extensions.names == ["a"]


def test_a_setup_that_would_have_to_be_awaited_is_refused() -> None:
    async def setup(api: Api) -> None:
        raise AssertionError("nobody awaits it")

    with pytest.raises(ExtensionError, match="async def"):
        Harness().extensions.add("a", setup)


def test_two_extensions_of_one_name_are_one_too_many() -> None:
    harness = Harness(a=commanding("notes"))
    with pytest.raises(ExtensionError, match="同名"):
        harness.extensions.add("a", commanding("more"))
    assert list(harness.extensions.commands) == ["notes"]


def test_commands_and_tools_are_registered_in_setup_or_never() -> None:
    kept: list[Api] = []
    harness = Harness(a=kept.append)
    with pytest.raises(RuntimeError, match="setup"):
        kept[0].command("late", run)
    with pytest.raises(RuntimeError, match="setup"):
        kept[0].tool(tool("late"))
    assert (harness.extensions.commands, harness.extensions.tools) == ({}, {})


def test_a_tool_of_which_no_model_could_be_told_fails_in_setup() -> None:
    broken = Tool(name="note", description="", parameters=dict, execute=handler)  # type: ignore[type-var, arg-type]  # that is the point
    with pytest.raises(ExtensionError, match="AttributeError"):
        Harness().extensions.add("a", lambda api: api.tool(broken))
