"""Many turns with one tool call each: what several workloads share."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import anyio
from mini_agent.abort import AbortSignal
from mini_agent.agent_loop import run_agent_loop
from mini_agent.execution import Toolset
from mini_agent.messages import (
    AssistantMessage,
    Context,
    Message,
    TextContent,
    ToolCall,
    ToolResultMessage,
    user_text,
)
from mini_agent.stream import StreamDone, StreamEvent, StreamOptions, StreamStart
from pydantic import BaseModel

from lab.bench.measure import compare, timed

Validate = Callable[[ToolCall], str]
"""Checks the arguments of a call, and returns the city that they name."""


class Weather(BaseModel):
    """What the tool of the limit wants."""

    city: str


def validated(call: ToolCall) -> str:
    """Return the city that `call` names."""
    return Weather.model_validate(call.arguments).city


async def execute(
    call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
) -> str:
    """Be the tool."""
    return validated(call)


def asks(number: int) -> AssistantMessage:
    """Return the assistant message of one turn."""
    call = ToolCall(id=f"call-{number}", name="weather", arguments={"city": "北京"})
    return AssistantMessage(content=(call,), stop_reason="tool_use")


def bare_turns(count: int, validate: Validate) -> list[Message]:
    """Make the messages of all turns, and validate the arguments, without any harness."""
    history: list[Message] = [user_text("问")]
    for number in range(count):
        message = asks(number)
        (call,) = message.content
        assert isinstance(call, ToolCall)
        result = ToolResultMessage(
            tool_call_id=call.id, tool_name=call.name, content=(TextContent(text=validate(call)),)
        )
        history += (message, result)
    return history


async def run_turns(count: int, tools: Toolset) -> list[Message]:
    """Let the loop make the same turns."""
    number = 0

    async def model(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        nonlocal number
        number += 1
        yield StreamStart()
        yield StreamDone(message=asks(number))

    context = Context(messages=[user_text("问")])
    run = run_agent_loop(context, model=model, tools=tools, max_turns=count)
    async with aclosing(run):
        async for _ in run:
            pass
    assert len(context.messages) == 1 + 2 * count
    return context.messages


def compare_turns(
    count: int, *, tools: Toolset | None = None, validate: Validate = validated
) -> None:
    """Measure `count` turns in one run."""
    tools = tools or Toolset(execute=execute)
    compare(
        timed(lambda: bare_turns(count, validate)),
        timed(lambda: anyio.run(run_turns, count, tools)),
        units=count,
    )
