"""What is shown of a run: all of it on the screen, the answer alone, or its events."""

import json
import re
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, redirect_stdout
from typing import Literal, TypeAlias

from ..agent_events import AgentEnd, AgentEvent, MessageEnd
from ..messages import AssistantMessage, message_text
from ..render import render_run
from ..text import escape_controls
from .screen import typewriter_for

Output: TypeAlias = Literal["screen", "plain", "answer", "json"]

PLAIN = "在终端里也不排版、不用颜色；环境变量 NO_COLOR 只去掉颜色"


def add_output_options(command: ArgumentParser) -> None:
    """Add the options that choose. None of them given: the screen."""
    choice = command.add_mutually_exclusive_group()
    choice.add_argument(
        "-p",
        "--print",
        dest="output",
        action="store_const",
        const="answer",
        default="screen",
        help="标准输出只有最后的回答，其余都在标准错误",
    )
    choice.add_argument(
        "--json",
        dest="output",
        action="store_const",
        const="json",
        help="标准输出是事件，一行一个 JSON 对象",
    )

    command.add_argument("--plain", action="store_true", default=SUPPRESS, help=PLAIN)


def output_of(options: Namespace) -> Output:
    """Return what the user has chosen."""
    output: Output = getattr(options, "output", "screen")
    return "plain" if output == "screen" and options.plain else output


async def show_run(
    run: AsyncGenerator[AgentEvent, None], output: Output, *, notify: Callable[[str], None]
) -> AgentEnd:
    """Show `run` as the user has chosen, and return how it ended; see `render_run`."""
    match output:
        case "screen":
            with typewriter_for(notify) as typewriter:
                return await render_run(run, notify=notify, typewriter=typewriter)
        case "plain":
            return await render_run(run, notify=notify)
        case "answer":
            return await _print_answer(run, notify)
        case "json":
            return await _print_events(run)


async def _print_answer(
    run: AsyncGenerator[AgentEvent, None], notify: Callable[[str], None]
) -> AgentEnd:
    answer = ""

    async def listened() -> AsyncGenerator[AgentEvent, None]:
        nonlocal answer
        async with aclosing(run):
            async for event in run:
                if isinstance(event, MessageEnd) and isinstance(event.message, AssistantMessage):
                    answer = message_text(event.message)
                yield event

    with redirect_stdout(sys.stderr):
        end = await render_run(listened(), notify=notify)
    # A script gets the text as it is; a terminal would obey what stands in it.
    print(escape_controls(answer) if sys.stdout.isatty() else answer)
    return end


async def _print_events(run: AsyncGenerator[AgentEvent, None]) -> AgentEnd:
    """Print a line for each event: {"event": its name, and its fields}. Chapter 09 lists them."""
    from pydantic import TypeAdapter  # noqa: PLC0415  # only who wants JSON waits for it

    adapter: TypeAdapter[AgentEvent] = TypeAdapter(AgentEvent)
    async with aclosing(run):
        async for event in run:
            fields = adapter.dump_python(event, mode="json")
            print(json.dumps({"event": name_of(event), **fields}), flush=True)
            if isinstance(event, AgentEnd):
                return event
    raise RuntimeError("the run ended without `AgentEnd`")


def name_of(event: AgentEvent) -> str:
    """Return the name of an event, like "text_delta"."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()
