"""How long to wait for a server; and after a failure, whether to try again, and when.

Not here: which failures may pass. `failures.py` knows that.
"""

import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC

import anyio

from .failures import Failure

BACK_OFF = (1.0, 2.0, 4.0)
"""Seconds before each further try. There are no more tries than that."""

MAX_WAIT = 60.0
"""Seconds. A server that wants us to wait longer than this gets no further try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """How long to wait, in seconds, and by which clock."""

    connect: float = 10.0
    """For a connection."""

    idle: float = 120.0
    """For the next byte, the first one included: some models think for long."""

    sleep: Callable[[float], Awaitable[None]] = anyio.sleep

    now: Callable[[], float] = time.time
    """The time in seconds since 1970."""


def wait_before_retry(failure: Failure, *, retries: int, now: float) -> float | None:
    """Return the seconds to wait before the next try, or None if there should be none.

    What the server wants comes first, if it can be understood; then `BACK_OFF`.

    Args:
        failure: What happened.
        retries: How many further tries there have been.
        now: The time, in seconds since 1970.
    """
    if not failure.retryable or retries >= len(BACK_OFF):
        return None
    wanted = read_retry_after(failure.retry_after or "", now=now)
    wait = BACK_OFF[retries] if wanted is None else wanted
    return wait if wait <= MAX_WAIT else None


def read_retry_after(value: str, *, now: float) -> float | None:
    """Return the seconds that a `retry-after` header asks for, or None if it is neither form.

    It may be a number of seconds, or an HTTP date (RFC 9110, section 10.2.3); one that has
    passed means 0.
    """
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
        return float(value)
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  # only who is told a date waits

    try:
        date = parsedate_to_datetime(value)
        if date.tzinfo is None:  # "-0000": the time is UTC, and whose it is not known
            date = date.replace(tzinfo=UTC)
        return max(0.0, date.timestamp() - now)
    except (ValueError, OverflowError):  # no date, or one in the year 99999999999
        return None
