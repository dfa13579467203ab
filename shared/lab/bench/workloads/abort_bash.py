"""From an abort to the end of the run while a command runs, and what is left of the command."""

import tempfile
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from time import perf_counter, sleep

import anyio
from mini_agent.abort import AbortSignal
from mini_agent.agent_events import AgentEnd
from mini_agent.agent_loop import run_agent_loop
from mini_agent.messages import AssistantMessage, Context, ToolCall, user_text
from mini_agent.stream import StreamDone, StreamEvent, StreamOptions, StreamStart
from mini_agent.tools.builtin import create_builtin_tools
from mini_agent.tools.registry import Registry
from mini_agent.tools.workspace import Workspace

from lab.bench.measure import compare
from lab.bench.wake import wake_up

SINCE = 5
TARGET = "5 ms, nothing left running"
LIMIT = "setting an event that another task waits for"

COMMAND = "echo $$ > pid; sleep 30.0137 & sleep 30.0138"


async def model(
    context: Context, /, *, options: StreamOptions | None = None
) -> AsyncGenerator[StreamEvent, None]:
    """Ask for the command."""
    call = ToolCall(id="call-1", name="bash", arguments={"command": COMMAND})
    yield StreamStart()
    yield StreamDone(message=AssistantMessage(content=(call,), stop_reason="tool_use"))


def pid_of(folder: Path) -> int:
    """Wait until the command has written its number, and return it."""
    file = folder / "pid"
    while not (file.exists() and file.read_text(encoding="utf-8").endswith("\n")):
        sleep(0.001)
    return int(file.read_text(encoding="utf-8"))


def is_running(process: int) -> bool:
    """Tell whether a process is there."""
    return Path(f"/proc/{process}").exists()


async def abort_while_bash_runs() -> float:
    """Abort while the command runs; return the seconds until `AgentEnd`."""
    with tempfile.TemporaryDirectory() as folder:
        tools = Registry(create_builtin_tools(Workspace(Path(folder))))
        signal = AbortSignal()
        pressed = 0.0

        async def press() -> None:
            nonlocal pressed
            await anyio.to_thread.run_sync(pid_of, Path(folder))
            pressed = perf_counter()
            signal.abort()

        context = Context(messages=[user_text("等")])
        run = run_agent_loop(context, model=model, tools=tools.toolset, max_turns=1, signal=signal)
        async with anyio.create_task_group() as group, aclosing(run):
            group.start_soon(press)
            async for event in run:
                if isinstance(event, AgentEnd):
                    seconds = perf_counter() - pressed
                    assert not is_running(pid_of(Path(folder)))
                    return seconds
    raise AssertionError("the run did not end")


if __name__ == "__main__":
    compare(lambda: anyio.run(wake_up), lambda: anyio.run(abort_while_bash_runs), rounds=11)
