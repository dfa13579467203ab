"""Where others may take part in a run: four places in the loop, each of them optional.

Not here: who hangs there, and by which rules. For extensions that is `extensions/gates.py`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple

from .abort import AbortSignal
from .messages import AssistantMessage, ToolCall, ToolResultMessage

T = TypeVar("T")
Args = TypeVarTuple("Args")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopHooks:
    """Functions that the loop calls on its way. None: nobody is asked, and it costs nothing.

    What they get is the run's own: they must not change it. An abort cuts each of them
    short. The first three decide what runs and what is told, so one that raises is taken
    for a no; the last one must not raise.
    """

    after_message: Callable[[AssistantMessage], Awaitable[str | None]] | None = None
    """A complete answer is there, and none of its calls has run. A text refuses them all:
    it is what each of them gets as its result."""

    before_call: Callable[[ToolCall], Awaitable[ToolCall | ToolResultMessage]] | None = None
    """May this call run? Asked about one call after the other, before any tool starts, and only
    if the arguments fit. Pass the call on, with other arguments perhaps; or answer in its place."""

    after_call: Callable[[ToolCall, ToolResultMessage], Awaitable[ToolResultMessage]] | None = None
    """A call has run, with the arguments that it has here. What this returns is its result."""

    stop_after_turn: (
        Callable[[AssistantMessage, tuple[ToolResultMessage, ...]], Awaitable[str | None]] | None
    ) = None
    """Is it enough? A text ends the run; it becomes the detail of `AgentEnd`."""


NO_HOOKS = LoopHooks()


async def consult(
    hook: Callable[[*Args], Awaitable[T]] | None, *args: *Args, signal: AbortSignal
) -> T | None:
    """Return what `hook` says; None if there is none, or the user wants to stop."""
    if hook is None or signal.aborted:
        return None
    answer: T | None = None
    with signal.scope():
        answer = await hook(*args)
    return answer  # noqa: RET504  # an abort leaves the block without an answer
