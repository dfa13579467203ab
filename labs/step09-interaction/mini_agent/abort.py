"""A user's wish to stop, as a value that is passed down to whoever is at work.

Not here: Ctrl-C. `ctrl_c.py` turns the key into a call of `abort`.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from anyio import CancelScope


class AbortSignal:
    """Says whether the user wants the work to stop, and ends the waits that stand in the way.

    An abort is no exception: whoever works looks at `aborted` between two pieces
    of work, and puts every wait that may take long into `scope`.
    """

    def __init__(self) -> None:
        self.aborted = False
        """True from the first `abort` on, for good. A thread may read it too."""

        self._waits: set[CancelScope] = set()

    def abort(self) -> None:
        """Ask for the stop. To ask again changes nothing. Only from the event loop's thread."""
        self.aborted = True
        for scope in self._waits:
            scope.cancel()

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Let an abort end the `await` inside. Nothing is raised: look at `aborted` behind it.

        Put it around a single wait. Never `yield` from inside: the abort would then
        hit whoever happens to be running, and that is the consumer.
        """
        with CancelScope() as scope:
            self._waits.add(scope)
            try:
                if self.aborted:
                    scope.cancel()
                yield
            finally:
                self._waits.discard(scope)
