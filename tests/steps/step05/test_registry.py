"""The registry: what the model is told, and how a call finds its tool."""

import json
from collections.abc import Callable
from dataclasses import asdict

import pytest
from mini_agent.abort import AbortSignal
from mini_agent.execution import Batch
from mini_agent.messages import ToolCall, message_text
from mini_agent.results import ToolError, ToolOutput
from mini_agent.tools.builtin import create_builtin_tools
from mini_agent.tools.registry import Registry
from mini_agent.tools.tool import Arguments, Tool
from mini_agent.tools.workspace import Workspace
from syrupy.assertion import SnapshotAssertion

from .support import ignore_progress


class Nothing(Arguments):
    """No parameters."""


def tool_that(returns: object, *, name: str = "odd") -> Tool[Nothing]:
    async def execute(
        args: Nothing, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> ToolOutput | str | None:
        return returns  # type: ignore[return-value]  # that is the point

    return Tool(name=name, description="", parameters=Nothing, execute=execute)


async def result_of(registry: Registry, call: ToolCall) -> tuple[str, bool]:
    """Run one call the way the loop does."""
    batch = Batch(calls=[call], tools=registry.toolset, signal=AbortSignal())
    await batch.run()
    (result,) = batch.settle(unstarted="")
    return message_text(result), result.is_error


def test_what_the_model_is_told(workspace: Workspace, snapshot: SnapshotAssertion) -> None:
    specs = Registry(create_builtin_tools(workspace)).specs
    told = [asdict(spec) for spec in specs]
    assert json.dumps(told, ensure_ascii=False, indent=2) == snapshot


def test_what_may_run_beside_others(workspace: Workspace) -> None:
    tools = create_builtin_tools(workspace)
    assert [tool.name for tool in tools if tool.read_only] == ["read", "ls", "grep", "find"]
    assert Registry(tools).toolset.sequential == {"write", "edit", "bash"}


def test_two_tools_of_one_name_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="two tools are named 'odd'"):
        Registry([tool_that("a"), tool_that("b")])


async def test_an_unknown_tool_is_told_what_there_is(workspace: Workspace) -> None:
    registry = Registry(create_builtin_tools(workspace))
    text, is_error = await result_of(registry, ToolCall(id="t1", name="serch"))
    assert is_error
    assert text == "没有名为 serch 的工具。现有的工具：read、write、edit、bash、ls、grep、find。"
    text, _ = await result_of(registry, ToolCall(id="t1", name="x" * 1_000_000))
    assert len(text.encode()) < 1000


@pytest.mark.parametrize("sent", ["null", "[]", "7", '"{\\"path\\":\\"a.txt\\"}"', "{" * 2_000_000])
async def test_arguments_that_are_no_object_never_reach_a_tool(sent: str) -> None:
    registry = Registry([tool_that("entered")])
    text, is_error = await result_of(registry, ToolCall(id="t1", name="odd", malformed=sent))
    assert is_error
    assert "不是 JSON 对象" in text
    assert len(text.encode()) < 1000


async def test_arguments_that_do_not_fit_never_reach_a_tool() -> None:
    call = ToolCall(id="t1", name="odd", arguments={"x": 1})
    text, is_error = await result_of(Registry([tool_that("entered")]), call)
    assert is_error
    assert text == "参数不对，没有执行：\n- x：没有这个参数，一个参数也没有"


@pytest.mark.parametrize("value", [None, ""])
async def test_no_output_is_marked(value: object) -> None:
    call = ToolCall(id="t1", name="odd")
    assert await result_of(Registry([tool_that(value)]), call) == ("（没有输出）", False)


@pytest.mark.parametrize(
    "value",
    [{"a": 1}, {b"\xff"}, b"\xff", 7, ToolOutput(text=7), ToolOutput(text="好", details=7)],  # type: ignore[arg-type]  # that is the point
    ids=str,
)
async def test_anything_else_than_a_text_is_an_error(value: object) -> None:
    call = ToolCall(id="t1", name="odd")
    text, is_error = await result_of(Registry([tool_that(value)]), call)
    assert is_error
    assert "文字" in text


async def test_a_tool_may_refuse(workspace: Workspace) -> None:
    registry = Registry(create_builtin_tools(workspace))
    call = ToolCall(id="t1", name="read", arguments={"path": "no.txt"})
    with pytest.raises(ToolError, match=r"不存在：no\.txt"):
        await registry.execute(call, signal=AbortSignal(), on_update=ignore_progress)
