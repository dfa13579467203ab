"""From an abort in mid-stream to the end of the run, beside an event that wakes a task."""

from contextlib import aclosing
from time import perf_counter

import anyio
from mini_agent.abort import AbortSignal
from mini_agent.agent_events import AgentEnd
from mini_agent.agent_loop import run_agent_loop
from mini_agent.execution import NO_TOOLS
from mini_agent.fake_model import FakeRule, create_fake_model
from mini_agent.messages import Context, user_text

from lab.bench.measure import compare
from lab.bench.wake import wake_up

SINCE = 4
TARGET = "0.5 ms"
LIMIT = "setting an event that another task waits for"


async def abort_while_streaming() -> float:
    """Abort while the model waits for its next piece; return the seconds until `AgentEnd`."""
    signal = AbortSignal()
    model = create_fake_model([FakeRule(reply="字" * 3000)], delay=10.0)
    context = Context(messages=[user_text("说")])
    run = run_agent_loop(context, model=model, tools=NO_TOOLS, max_turns=1, signal=signal)
    pressed = 0.0

    async def press() -> None:
        nonlocal pressed
        await anyio.wait_all_tasks_blocked()
        pressed = perf_counter()
        signal.abort()

    async with anyio.create_task_group() as group, aclosing(run):
        group.start_soon(press)
        async for event in run:
            if isinstance(event, AgentEnd):
                return perf_counter() - pressed
    raise AssertionError("the run did not end")


if __name__ == "__main__":
    compare(lambda: anyio.run(wake_up), lambda: anyio.run(abort_while_streaming), rounds=21)
