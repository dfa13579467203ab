"""A run that is left by whoever listened, or cancelled from outside: its history stays whole."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import anyio
from anyio import wait_all_tasks_blocked

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.model import Call, Says
from conformance.support.run import Run, stuck_run
from conformance.support.subject import Subject

pytestmark = read("agent loop")

SAYS = (Says("看", Call("t1"), Call("t2")), Says(Call("t3")), Says("好"))


async def test_consumer_leaves(subject: Subject) -> None:
    """Whoever stops listening, at whatever event, leaves a history in which nothing is missing."""
    whole = Run(subject, *SAYS)
    await whole.play()
    for seen in range(1, len(whole.events)):
        run = Run(subject, *SAYS)
        with judge.in_time(subject.patience, called=run.called):
            async with aclosing(run.start()) as events:
                run.events = [await anext(events) for _ in range(seen)]
        run.called = f"{run.called}; left behind the event {seen}, {run.name_of(run.last)}"
        run.expect_closed()
        run.expect_whole()
        known = {result.tool_call_id for result in run.results if not result.is_error}
        run.holds(
            known == set(run.tools.ended),
            came=f"run: {sorted(run.tools.ended)}, results of {sorted(known)}",
            wanted="the results of all that was run",
        )


async def test_cancelled_in_a_tool(subject: Subject) -> None:
    """Cancelled while tools run, the run tells no event more, and all its calls have results."""
    run = stuck_run(subject, sequential=True)
    await play_and_cancel(run)
    run.expect_whole()
    last = run.name_of(run.last)
    run.holds(
        last == "ToolExecutionStart" and not run.signal.aborted,
        came=f"the last event {last}, aborted: {run.signal.aborted}",
        wanted="no event behind the last ToolExecutionStart, and no abort",
    )


async def test_cancelled_in_an_answer(subject: Subject) -> None:
    """Cancelled while the model answers, the run tells no event more, and keeps no half answer."""
    run = Run(subject, model=_endless(subject))
    await play_and_cancel(run)
    last = run.name_of(run.last)
    run.holds(
        last == "StreamStart" and run.history == ["user: 开始"],
        came=f"the last event {last}. The history:\n" + "\n".join(run.history),
        wanted="no event behind the StreamStart, and the user's line alone",
    )


async def play_and_cancel(run: Run) -> None:
    """Play a run; when nothing moves any more, cancel it from outside.

    Raises:
        CheckFailed: the cancellation did not come out of it.
    """
    outside = anyio.CancelScope()

    async def play() -> None:
        with outside:
            await run.play()

    async with anyio.create_task_group() as group:
        group.start_soon(play)
        await wait_all_tasks_blocked()
        outside.cancel()
    run.expect_closed()
    run.holds(outside.cancelled_caught, wanted="a cancellation that comes out of the run")


def _endless(subject: Subject) -> Any:
    """Return a model that begins to answer, and then waits for ever."""

    async def stream(context: Any, /, *, options: Any = None) -> AsyncGenerator[Any, None]:
        yield subject.get("stream.StreamStart")()
        await anyio.sleep_forever()

    return stream
