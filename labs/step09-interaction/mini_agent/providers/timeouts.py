"""How long to wait for a server."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio


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
