"""Run a function that blocks, without blocking anybody else."""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from anyio import Event
from anyio.from_thread import run_sync
from anyio.lowlevel import current_token

T = TypeVar("T")


async def run_blocking(function: Callable[[], T]) -> T:
    """Run `function` in a daemon thread of its own, and return or raise what it does.

    When this wait is cancelled, the thread is left behind: nothing can stop it. It goes
    on working, its result reaches nobody, and it does not hold up the end of the program.
    """
    outcome: Future[T] = Future()
    ended = Event()
    loop = current_token()

    def work() -> None:
        try:
            outcome.set_result(function())
        except BaseException as error:  # noqa: BLE001  # raised again by whoever waits
            outcome.set_exception(error)
        with suppress(RuntimeError):  # left behind, and the event loop is no more
            run_sync(ended.set, token=loop)

    Thread(target=work, daemon=True).start()
    await ended.wait()
    return outcome.result()
