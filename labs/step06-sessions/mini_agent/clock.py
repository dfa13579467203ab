"""The time, and ids that nobody has used: handed in from outside, so a test can choose them."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Tells the time, with its time zone."""

IdFactory = Callable[[], str]
"""Makes an id: another one at each call."""


def utc_now() -> datetime:
    """Return the time, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


def random_id() -> str:
    """Return an id that nobody else will think of: 16 hexadecimal digits."""
    return secrets.token_hex(8)
