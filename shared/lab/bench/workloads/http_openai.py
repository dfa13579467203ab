"""20,000 text deltas over loopback: OpenAI and the loop, beside the bare HTTP client."""

import json
from contextlib import aclosing

import anyio
import httpx2
from mini_agent.agent_loop import run_agent_loop
from mini_agent.execution import NO_TOOLS
from mini_agent.messages import Context, user_text
from mini_agent.providers.create import create_model
from mini_agent.stream import TextDelta

from lab.bench.measure import compare, timed
from lab.bench.workloads._wire import COUNT, openai_events, serving

SINCE = 8
TARGET = "at most 1.25 times the limit"
LIMIT = "the events of httpx2, and json.loads"


async def limit(address: str) -> None:
    """Read the events, and parse what they hold."""
    async with (
        httpx2.AsyncClient(verify=False) as client,
        client.stream("POST", f"{address}/chat/completions") as response,
    ):
        count = 0
        async for event in httpx2.EventSource(response):
            if event.data != "[DONE]":
                json.loads(event.data)
                count += 1
    assert count > COUNT


async def ours(address: str) -> None:
    """Let the loop ask the provider."""
    _, model = create_model(
        {"OPENAI_API_KEY": "sk-proj-0123456789abcdefghijklmnopqrstuv", "OPENAI_BASE_URL": address}
    )
    context = Context(messages=[user_text("说")])
    async with aclosing(run_agent_loop(context, model=model, tools=NO_TOOLS, max_turns=1)) as run:
        count = sum([1 async for event in run if isinstance(event, TextDelta)])
    assert count == COUNT


if __name__ == "__main__":
    with serving(openai_events()) as address:
        compare(
            timed(lambda: anyio.run(limit, address)),
            timed(lambda: anyio.run(ours, address)),
            units=COUNT,
        )
