"""Time limits for what runs inside of the suite's own process.

The limit that pytest itself has is no help there: it ends what computes, but not always what
waits inside of an event loop.
"""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from anyio import move_on_after

from conformance.support.judge import CheckFailed
from conformance.support.subject import Subject

ONE_CALL, ONE_CHECK = 0.25, 0.6
"""The parts of a program's patience that they may take: there is nothing in them to wait for."""

Check = Callable[..., Coroutine[Any, Any, None]]


@contextmanager
def in_time(subject: Subject, *, called: str, read: str) -> Iterator[None]:
    """Cancel what is awaited inside when it takes too long, and fail the check."""
    with _limit(ONE_CALL * subject.patience, called=called, read=read):
        yield


def limited(check: Check, patience: Callable[[], float]) -> Check:
    """Return an async check that fails when it takes too long, whatever it waits for."""

    @wraps(check)
    async def run(**fixtures: Any) -> None:
        title = (check.__doc__ or "").split("\n")[0]
        if subject := fixtures.get("subject"):
            _ = subject.imported  # tried now, and not at the expense of this check
        with _limit(ONE_CHECK * patience(), called=title, read="the code that it calls"):
            await check(**fixtures)

    return run


@contextmanager
def _limit(seconds: float, *, called: str, read: str) -> Iterator[None]:
    with move_on_after(seconds) as scope:
        yield
    if scope.cancel_called:  # whether the cancellation came out again, or was swallowed
        raise CheckFailed(
            called=called,
            came=f"no end within {seconds:g} s; it was cancelled",
            wanted="an end: nobody waits for anything here",
            read=read,
        )
