"""1,000 turns whose tool call the registry checks, beside the messages and arguments alone."""

import json
from collections.abc import Callable

from mini_agent.abort import AbortSignal
from mini_agent.messages import ToolCall
from mini_agent.tools.registry import Registry
from mini_agent.tools.tool import Arguments, Tool

from lab.bench.workloads._turns import compare_turns

SINCE = 5
TARGET = "at most 2 times the limit"
LIMIT = "the messages and the strictly validated arguments of the same turns"


class Weather(Arguments):
    """What the tool wants."""

    city: str


async def weather(
    args: Weather, /, *, signal: AbortSignal, on_update: Callable[[str], None]
) -> str:
    """Be the tool."""
    return args.city


def validated(call: ToolCall) -> str:
    """Return the city that `call` names, judged as strictly as the registry does."""
    return Weather.model_validate_json(json.dumps(call.arguments), strict=True).city


if __name__ == "__main__":
    tool = Tool(name="weather", description="", parameters=Weather, execute=weather)
    compare_turns(1_000, tools=Registry([tool]).toolset, validate=validated)
