"""What the tests of the loop share: tools that misbehave on order, and a look at a history."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any

from mini_agent.abort import AbortSignal
from mini_agent.agent_events import AgentEvent
from mini_agent.agent_loop import run_agent_loop
from mini_agent.execution import Toolset
from mini_agent.messages import (
    AssistantMessage,
    Context,
    Message,
    StopReason,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    message_text,
    tool_calls,
    user_text,
)
from mini_agent.scripted_model import Response, create_scripted_model
from pydantic import JsonValue


def call(call_id: str, name: str = "echo", **arguments: JsonValue) -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


def says(
    *blocks: str | ThinkingContent | ToolCall,
    stop_reason: StopReason | None = None,
    error: str | None = None,
) -> AssistantMessage:
    content = tuple(TextContent(text=b) if isinstance(b, str) else b for b in blocks)
    calls = any(isinstance(block, ToolCall) for block in content)
    return AssistantMessage(
        content=content,
        stop_reason=stop_reason or ("tool_use" if calls else "stop"),
        error_message=error,
    )


def echo(call: ToolCall) -> str:
    return f"{call.name} {call.id}"


class Tools:
    """An executor that looks a call up in a table of functions, and remembers what it ran."""

    def __init__(self, table: Mapping[str, Callable[[ToolCall], Any]] | None = None) -> None:
        self.table = table or {}
        self.ran: list[str] = []

    async def __call__(
        self, call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> Any:
        self.ran.append(call.id)
        result = self.table.get(call.name, echo)(call)
        return await result if isinstance(result, Awaitable) else result


def start(
    *responses: Response,
    tools: Tools | None = None,
    context: Context | None = None,
    signal: AbortSignal | None = None,
    max_turns: int = 10,
    sequential: tuple[str, ...] = (),
) -> tuple[Context, AsyncGenerator[AgentEvent, None]]:
    """Return a context of one user line, and a run on it that has not begun."""
    context = context or Context(messages=[user_text("开始")])
    run = run_agent_loop(
        context,
        model=create_scripted_model(responses),
        tools=Toolset(execute=tools or Tools(), sequential=sequential),
        max_turns=max_turns,
        signal=signal,
    )
    return context, run


def told(messages: list[Message]) -> list[str]:
    """Return a history in words, one message a line."""
    lines = []
    for message in messages:
        match message:
            case ToolResultMessage(tool_call_id=name, is_error=is_error):
                lines.append(f"{'error' if is_error else 'result'} {name}: {message_text(message)}")
            case _:
                calls = "".join(f"[{call.id}]" for call in tool_calls(message))
                lines.append(f"{message.role}: {message_text(message)}{calls}")
    return lines


def assert_well_formed(messages: list[Message]) -> None:
    """Every call has exactly one result, in call order, right behind its message."""
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, ToolResultMessage):
            assert waiting, "a result without a call"
            assert message.tool_call_id == waiting.pop(0)
        else:
            assert not waiting, f"calls without a result: {waiting}"
            waiting = [call.id for call in tool_calls(message)]
            assert message.content, "a message that says nothing"
    assert not waiting, f"calls without a result: {waiting}"
