"""`blocking.run_blocking`: a thread of its own for what blocks."""

import threading

import anyio

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject

pytestmark = read("blocking")


async def test_returns(subject: Subject) -> None:
    """run_blocking(function) returns what the function returns."""
    came = await subject.get("blocking.run_blocking")(lambda: 7)
    judge.same(came, 7, called="await run_blocking(lambda: 7)")


async def test_raises(subject: Subject) -> None:
    """What the function raises comes out of run_blocking."""
    came: object = "no error"
    try:
        await subject.get("blocking.run_blocking")(lambda: int("x"))
    except ValueError as error:
        came = error
    judge.holds(
        isinstance(came, ValueError),
        called='await run_blocking(lambda: int("x"))',
        came=came,
        wanted="the ValueError of int",
    )


async def test_thread_of_its_own(subject: Subject) -> None:
    """The function runs in a daemon thread: it blocks nobody, and does not hold up the exit."""
    came = await subject.get("blocking.run_blocking")(threading.current_thread)
    judge.holds(
        came is not threading.current_thread() and came.daemon,
        called="await run_blocking(threading.current_thread)",
        came=f"{came!r}, daemon: {came.daemon}",
        wanted="another thread than the one of the event loop, and a daemon",
    )


async def test_any_number_at_once(subject: Subject) -> None:
    """There is a thread for each: none has to wait until another one is done."""
    count = 50
    called = f"run_blocking(...), {count} times at once, each waiting for all others"
    together = threading.Barrier(count, timeout=subject.patience / 2)

    async def meet() -> None:
        await subject.get("blocking.run_blocking")(together.wait)

    with judge.in_time(subject.patience, called=called):
        async with anyio.create_task_group() as group:
            for _ in range(count):
                group.start_soon(meet)
