"""How a check judges, and how it fails: what was called, what came, what was wanted.

Where to read on stands once in a file of checks: `pytestmark = read("messages")`.
"""

from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

from anyio import move_on_after

from lab.visible import hint, visible_diff

MAX_SHOWN = 4000
"""Characters of each part of a failure that are shown, whatever a package has printed."""

ONE_CALL, ONE_CHECK = 0.25, 0.6
"""The parts of a program's patience that they may take: there is nothing in them to wait for."""

Check = Callable[..., Coroutine[Any, Any, None]]


@dataclass(kw_only=True, eq=False)
class CheckFailed(AssertionError):
    """Raised when the folder under test does not do what a check asks for."""

    called: str
    """What the check did, as one would type it; one line."""

    came: str
    wanted: str

    read: str = ""
    """Where to read on. Empty: where the check's own file says."""

    def __str__(self) -> str:
        """Return the four parts, one under the other."""
        parts = {
            "called": self.called,
            "came": self.came,
            "wanted": self.wanted,
            "read": self.read,
        }
        indented = (
            f"{label:<8}{shortened(text, MAX_SHOWN).replace(chr(10), chr(10) + ' ' * 8)}"
            for label, text in parts.items()
        )
        return "\n".join(indented)


class TooLate(CheckFailed):
    """Raised when something has not come to its end in time; on a slow machine that is no fault."""


class PartMissing(Exception):
    """Raised when a part that the step asks for is not there yet."""


class SuiteFault(Exception):
    """Raised when the suite itself is wrong, and the folder under test is not to blame."""


def same(came: object, wanted: object, *, called: str) -> None:
    """Fail the check unless both are equal; the report shows both."""
    if came != wanted:
        came_text, wanted_text = _value(came), _value(wanted)
        if len(came_text) + len(wanted_text) > MAX_SHOWN and isinstance(came, list | tuple):
            came_text, wanted_text = _first_difference(came, wanted)
        raise CheckFailed(called=called, came=came_text, wanted=wanted_text)


def holds(truth: object, *, called: str, came: object, wanted: str) -> None:
    """Fail the check unless `truth` holds; `wanted` says it in words."""
    if not truth:
        raise CheckFailed(called=called, came=shown(came), wanted=wanted)


def nothing(found: Iterable[str], *, called: str, wanted: str) -> None:
    """Fail the check and list what was found, unless it is nothing."""
    if lines := list(found):
        raise CheckFailed(called=called, came="\n".join(lines), wanted=wanted)


def refused(action: Callable[[], object], *, called: str, wanted: str = "an error") -> None:
    """Fail the check unless `action` raises."""
    try:
        came = action()
    except (PartMissing, SuiteFault, CheckFailed):
        raise
    except Exception:  # which error refuses it is the package's own affair
        return
    raise CheckFailed(called=called, came=f"no error, and {came!r}", wanted=wanted)


def same_bytes(came: bytes, wanted: bytes, *, called: str, beside: str = "") -> None:
    """Fail the check unless both are the same bytes; the report shows where they part.

    Nothing is normalised: a line end, a final newline, a space at the end of a
    line, a look-alike character all count. What else came may be told as `beside`.
    """
    if came != wanted:
        raise CheckFailed(
            called=called,
            came=visible_diff(wanted, came) + hint(wanted, came) + beside,
            wanted="the same bytes (`-` wanted, `+` came; ⏎ line end, · space, ␍ CR)",
        )


class Observed:
    """What was called, and what came of it: it needs no more to state how it fails."""

    called: str

    def outcome(self) -> object:
        """Return what a report shows as that which came."""
        raise NotImplementedError

    def holds(self, truth: object, *, wanted: str, came: object = None) -> None:
        """Fail the check unless `truth` holds."""
        outcome = self.outcome() if came is None else came
        holds(truth, called=self.called, came=outcome, wanted=wanted)

    def same(self, came: object, wanted: object) -> None:
        """Fail the check unless both are equal."""
        same(came, wanted, called=self.called)


def shown(value: object) -> str:
    """Return a value as a report shows it: lines as lines, all else as Python writes it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and value and all(isinstance(one, str) for one in value):
        text = ", ".join(map(repr, value))
        return f"[{text}]" if len(text) < 80 else "\n".join(value)
    return repr(value)


def _value(value: object) -> str:
    """Return one side of a comparison: a text of one line in quotes, so that its ends are seen."""
    return repr(value) if isinstance(value, str) and "\n" not in value else shown(value)


def _first_difference(came: Sequence[object], wanted: object) -> tuple[str, str]:
    """Return the first items in which two long sequences part, each with its place."""
    others = wanted if isinstance(wanted, list | tuple) else ()
    places = range(max(len(came), len(others)))
    place = next((at for at in places if [*came[at : at + 1]] != [*others[at : at + 1]]), 0)
    one, other = (
        f"number {place + 1} of {len(items)}: {items[place]!r}"
        if place < len(items)
        else f"only {len(items)}"
        for items in (came, others)
    )
    return one, other


def shortened(text: str, most: int) -> str:
    """Return a text, with its middle left out if it is longer than `most` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n... {len(text) - most} characters left out ...\n{text[-half:]}"


def brief(text: str, *, most: int = 60) -> str:
    """Return the beginning of a text, and how long it is, if there is no room for all of it."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


@contextmanager
def in_time(patience: float, *, called: str) -> Iterator[None]:
    """Cancel what is awaited inside when it takes too long for one call, and fail the check."""
    with _limit(ONE_CALL * patience, called=called):
        yield


def limited(check: Check, patience: Callable[[], float]) -> Check:
    """Return an async check that fails when it takes too long, whatever it waits for.

    The limit that pytest itself has is no help there: it ends what computes, but not
    always what waits inside of an event loop.
    """

    @wraps(check)
    async def run(**fixtures: Any) -> None:
        title = (check.__doc__ or "").split("\n")[0]
        if subject := fixtures.get("subject"):
            _ = subject.imported  # tried now, and not at the expense of this check
        with _limit(ONE_CHECK * patience(), called=title):
            await check(**fixtures)

    return run


@contextmanager
def _limit(seconds: float, *, called: str) -> Iterator[None]:
    with move_on_after(seconds) as scope:
        yield
    if scope.cancel_called:  # whether the cancellation came out again, or was swallowed
        raise TooLate(
            called=called,
            came=f"no end within {seconds:g} s; it was cancelled",
            wanted="an end: nobody waits for anything here",
        )
