"""Many turns with one tool call each: what two workloads share."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import anyio
from mini_agent.abort import AbortSignal
from mini_agent.agent_loop import run_agent_loop
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


class Arguments(BaseModel):
    """What the tool of the limit wants."""

    city: str


def asks(number: int) -> AssistantMessage:
    """Return the assistant message of one turn."""
    call = ToolCall(id=f"call-{number}", name="weather", arguments={"city": "北京"})
    return AssistantMessage(content=(call,), stop_reason="tool_use")


def bare_turns(count: int) -> list[Message]:
    """Make the messages of all turns, and validate the arguments, without any harness."""
    history: list[Message] = [user_text("问")]
    for number in range(count):
        message = asks(number)
        (call,) = message.content
        assert isinstance(call, ToolCall)
        text = Arguments.model_validate(call.arguments).city
        result = ToolResultMessage(
            tool_call_id=call.id, tool_name=call.name, content=(TextContent(text=text),)
        )
        history += (message, result)
    return history


async def run_turns(count: int) -> list[Message]:
    """Let the loop make the same turns."""
    number = 0

    async def model(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        nonlocal number
        number += 1
        yield StreamStart()
        yield StreamDone(message=asks(number))

    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        return Arguments.model_validate(call.arguments).city

    context = Context(messages=[user_text("问")])
    run = run_agent_loop(context, model=model, execute=execute, max_turns=count)
    async with aclosing(run):
        async for _ in run:
            pass
    assert len(context.messages) == 1 + 2 * count
    return context.messages


def compare_turns(count: int) -> None:
    """Measure `count` turns in one run."""
    compare(
        timed(lambda: bare_turns(count)),
        timed(lambda: anyio.run(run_turns, count)),
        units=count,
    )
