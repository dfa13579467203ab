"""What may go wrong in somebody else's code, and what is none of its business.

For the borders behind which there is such code, like the one between the loop and a tool.
"""

import asyncio  # noqa: TID251  # anyio has no word for a cancellation, and for who asked for it
from collections.abc import Iterator
from typing import TypeVar

from anyio import get_cancelled_exc_class

E = TypeVar("E", bound=Exception)

FOREIGN_ERRORS = (Exception, SystemExit, asyncio.CancelledError)
"""All that such code may raise, and that becomes a result. Ctrl-C is not among it."""


def is_outer_cancellation(error: BaseException) -> bool:
    """Tell a cancellation of our task from a `CancelledError` that such code raised by itself.

    Only asyncio leaves room for that question: nobody but trio can raise the one of trio.
    """
    if not isinstance(error, get_cancelled_exc_class()):
        return False
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def leaves(group: BaseExceptionGroup[E]) -> Iterator[E]:
    """Yield the errors in a group, and in the groups in it."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from leaves(error)
        else:
            yield error
