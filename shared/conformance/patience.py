"""A time limit for what runs inside of the suite's own process."""

from collections.abc import Iterator
from contextlib import contextmanager

from anyio import move_on_after

from conformance.failure import CheckFailed
from conformance.subject import Subject

SHARE = 0.25
"""The part of a program's patience that one call may take: there is nothing in it to wait for."""


@contextmanager
def in_time(subject: Subject, *, called: str, read: str) -> Iterator[None]:
    """Cancel what is awaited inside when it takes too long, and fail the check."""
    limit = SHARE * subject.patience
    with move_on_after(limit) as scope:
        yield
    if scope.cancelled_caught:
        raise CheckFailed(
            called=called,
            came=f"no end within {limit:g} s; it was cancelled",
            wanted="an end: nobody waits for anything here",
            read=read,
        )
