"""How long it takes at least until a task hears of something: the limit of the aborts."""

from time import perf_counter

import anyio


async def wake_up() -> float:
    """Set an event that another task waits for; return the seconds until that task runs."""
    pressed, heard = anyio.Event(), 0.0

    async def wait() -> None:
        nonlocal heard
        await pressed.wait()
        heard = perf_counter()

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        await anyio.wait_all_tasks_blocked()
        start = perf_counter()
        pressed.set()
    return heard - start
