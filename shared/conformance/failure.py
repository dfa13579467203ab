"""How a check fails: with what was called, what came, what was wanted, where to read on."""

from collections.abc import Callable
from dataclasses import dataclass

from lab.visible import hint, visible_diff


@dataclass(kw_only=True, eq=False)
class CheckFailed(AssertionError):
    """Raised when the folder under test does not do what a check asks for."""

    called: str
    """What the check did, as one would type it; one line."""

    came: str
    wanted: str
    read: str
    """Where to read on: a chapter's heading, or a file of the step."""

    def __str__(self) -> str:
        """Return the four parts, one under the other."""
        return "\n".join(
            f"{label:<8}{text.replace(chr(10), chr(10) + ' ' * 8)}"
            for label, text in (
                ("called", self.called),
                ("came", self.came),
                ("wanted", self.wanted),
                ("read", self.read),
            )
        )


class PartMissing(Exception):
    """Raised when a part that the step asks for is not there yet."""


class SuiteFault(Exception):
    """Raised when the suite itself is wrong, and the folder under test is not to blame."""


def expect(truth: object, *, called: str, came: object, wanted: str, read: str) -> None:
    """Fail the check unless `truth` holds."""
    if not truth:
        came = came if isinstance(came, str) else repr(came)
        raise CheckFailed(called=called, came=came, wanted=wanted, read=read)


def expect_refusal(action: Callable[[], object], *, called: str, wanted: str, read: str) -> None:
    """Fail the check unless `action` raises."""
    try:
        came = action()
    except Exception:  # which error refuses it is the package's own affair
        return
    raise CheckFailed(called=called, came=f"no error, and {came!r}", wanted=wanted, read=read)


def expect_bytes(came: bytes, wanted: bytes, *, called: str, read: str, beside: str = "") -> None:
    """Fail the check unless both are the same bytes; the report shows where they part.

    Nothing is normalised: a line end, a final newline, a space at the end of a
    line, a look-alike character all count. What else came may be told as `beside`.
    """
    if came == wanted:
        return
    raise CheckFailed(
        called=called,
        came=visible_diff(wanted, came) + hint(wanted, came) + beside,
        wanted="the same bytes (`-` wanted, `+` came; ⏎ line end, · space, ␍ CR)",
        read=read,
    )
