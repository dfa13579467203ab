"""What the tests of step 07 share: a run that is checked whole, and tools to order about."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio
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
from mini_agent.execution import ToolExecutor, Toolset, no_schema
from mini_agent.hooks import LoopHooks
from mini_agent.messages import (
    AssistantMessage,
    Context,
    Message,
    StopReason,
    TextContent,
    ToolCall,
    ToolResultMessage,
    message_text,
    tool_calls,
    user_text,
)
from mini_agent.scripted_model import Response, create_scripted_model
from pydantic import JsonValue

PAIRS = (
    (AgentStart, AgentEnd),
    (TurnStart, TurnEnd),
    (MessageStart, MessageEnd),
    (ToolExecutionStart, ToolExecutionEnd),
)


def call(call_id: str, name: str = "echo", **arguments: JsonValue) -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


def says(
    *blocks: str | ToolCall, stop_reason: StopReason | None = None, error: str | None = None
) -> AssistantMessage:
    content = tuple(TextContent(text=b) if isinstance(b, str) else b for b in blocks)
    calls = any(isinstance(block, ToolCall) for block in content)
    return AssistantMessage(
        content=content,
        stop_reason=stop_reason or ("tool_use" if calls else "stop"),
        error_message=error,
    )


def result(call: ToolCall, text: str, *, is_error: bool = False) -> ToolResultMessage:
    return ToolResultMessage(
        tool_call_id=call.id,
        tool_name=call.name,
        content=(TextContent(text=text),),
        is_error=is_error,
    )


def echo(call: ToolCall) -> str:
    return f"{call.name} {call.id}"


class Tools:
    """An executor that looks a call up in a table of functions, and remembers what it ran."""

    def __init__(self, table: Mapping[str, Callable[[ToolCall], Any]] | None = None) -> None:
        self.table = table or {}
        self.ran: list[str] = []
        self.arguments: list[dict[str, JsonValue]] = []

    async def __call__(
        self, call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> Any:
        self.ran.append(call.id)
        self.arguments.append(call.arguments)
        output = self.table.get(call.name, echo)(call)
        return await output if isinstance(output, Awaitable) else output


class Run:
    """One run of the loop, what it told, and what it left behind."""

    def __init__(
        self,
        *responses: Response,
        hooks: LoopHooks,
        tools: Tools | None = None,
        execute: ToolExecutor | None = None,
        check: Callable[[ToolCall], ToolCall] = no_schema,
        signal: AbortSignal | None = None,
        max_turns: int = 10,
        sequential: Sequence[str] = (),
    ) -> None:
        self.context = Context(messages=[user_text("开始")])
        self.tools = tools or Tools()
        self.signal = signal or AbortSignal()
        self.events: list[AgentEvent] = []
        self.generator: AsyncGenerator[AgentEvent, None] = run_agent_loop(
            self.context,
            model=create_scripted_model(responses),
            tools=Toolset(execute=execute or self.tools, check=check, sequential=sequential),
            hooks=hooks,
            max_turns=max_turns,
            signal=self.signal,
        )

    async def whole(self) -> "Run":
        """Run to the end, and check what every run owes."""
        with anyio.fail_after(10):
            async for event in self.generator:
                self.events.append(event)
        assert_balanced(self.events)
        assert_well_formed(self.context.messages)
        return self

    @property
    def end(self) -> AgentEnd:
        end = self.events[-1]
        assert isinstance(end, AgentEnd)
        return end

    @property
    def told(self) -> list[str]:
        """The history behind the first line of the user."""
        return told(self.context.messages)[1:]

    @property
    def blocked(self) -> list[str]:
        return [e.call.id for e in self.events if isinstance(e, ToolExecutionEnd) and e.blocked]


def told(messages: Sequence[Message]) -> list[str]:
    lines = []
    for message in messages:
        match message:
            case ToolResultMessage():
                mark = "error" if message.is_error else "result"
                lines.append(f"{mark} {message.tool_call_id}: {message_text(message)}")
            case _:
                calls = "".join(f"[{one.id}]" for one in tool_calls(message))
                lines.append(f"{message.role}: {message_text(message)}{calls}")
    return lines


def assert_balanced(events: list[AgentEvent]) -> None:
    assert isinstance(events[0], AgentStart)
    assert isinstance(events[-1], AgentEnd)
    for first, last in PAIRS:
        depth = 0
        for event in events:
            depth += isinstance(event, first) - isinstance(event, last)
            assert depth >= 0
        assert depth == 0, f"{first.__name__} without its end"


def assert_well_formed(messages: Sequence[Message]) -> None:
    """Every call has exactly one result, in call order, right behind its message."""
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, ToolResultMessage):
            assert waiting, "a result without a call"
            assert message.tool_call_id == waiting.pop(0)
        else:
            assert not waiting, f"calls without a result: {waiting}"
            waiting = [one.id for one in tool_calls(message)]
    assert not waiting, f"calls without a result: {waiting}"
