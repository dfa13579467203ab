"""One function of an extension, called the careful way: with a copy, for a limited time.

Not here: what follows from a failure. That depends on the event (`gates.py`).
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio

from ..errors import FOREIGN_ERRORS, is_outer_cancellation
from ..results import describe

Argument = TypeVar("Argument")
T = TypeVar("T")

TIME_LIMIT = 5.0
"""Seconds that a function of an extension may take. Waiting for the user does not count.

It strikes where the function awaits. One that blocks the event loop cannot be stopped, but its
answer comes too late to count.
"""

TOO_SLOW = "超过 {limit:g} 秒没有做完"
WRONG_ANSWER = "回答了 {kind}，这里不能这样回答"


class HandlerFailed(Exception):
    """Raised when a function of an extension raises, takes too long, or gives a wrong answer."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Handler:
    """A function that an extension wants called at an event."""

    extension: str
    """The name of the extension."""

    event: type
    function: Callable[[Any], Awaitable[object]]


class HandlerTimeout:
    """How long functions of extensions may take, and a way to stop the clock."""

    def __init__(self, limit: float = TIME_LIMIT) -> None:
        self.limit = limit
        self._running: set[anyio.CancelScope] = set()

    @contextmanager
    def limited(self) -> Iterator[None]:
        """End the awaits inside when the time is up.

        Raises:
            HandlerFailed: it was, be it while something blocked the event loop.
        """
        with anyio.move_on_after(self.limit) as scope:
            self._running.add(scope)
            try:
                yield
            finally:
                self._running.discard(scope)
        if scope.cancelled_caught or anyio.current_time() > scope.deadline:
            raise HandlerFailed(TOO_SLOW.format(limit=self.limit))

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let the time that passes inside count for nobody. Nothing is awaited inside."""
        if not self._running:  # maybe there is not even an event loop
            yield
            return
        start = anyio.current_time()
        try:
            yield
        finally:
            for scope in self._running:
                scope.deadline += anyio.current_time() - start


async def call_handler(handler: Handler, event: Any, handler_timeout: HandlerTimeout) -> Any:
    """Return what `handler` answers to a copy of `event`.

    Raises:
        HandlerFailed: it raised, was too slow, or answered what the event does not allow.
    """
    with handler_timeout.limited():
        answer = await call_extension(handler.function, event)
        if answer is not None and not isinstance(answer, getattr(event, "answers", ())):
            raise HandlerFailed(WRONG_ANSWER.format(kind=type(answer).__name__))
        return answer


async def call_extension(function: Callable[[Argument], Awaitable[T]], argument: Argument) -> T:
    """Return what a function of an extension makes of a copy of `argument`.

    Raises:
        HandlerFailed: it raised.
    """
    try:
        return await function(deepcopy(argument))
    except FOREIGN_ERRORS as error:
        # The border of an extension: whatever goes wrong behind it, the harness goes on.
        if is_outer_cancellation(error):
            raise
        raise HandlerFailed(describe(error)) from error
