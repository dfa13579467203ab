"""From calls to results: run the tools that a message asks for, together or one by one.

Not here: which tools there are. They come in as one function.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from anyio import create_task_group

from .abort import AbortSignal
from .errors import FOREIGN_ERRORS, is_outer_cancellation
from .hooks import LoopHooks
from .messages import ToolCall, ToolResultMessage
from .results import (
    INTERRUPTED,
    UNCHECKED,
    WITHHELD,
    ToolError,
    ToolOutput,
    check_arguments,
    describe,
    error_result,
    naming_arguments,
    result_of,
    tool_result,
)


class ToolExecutor(Protocol):
    """All the tools there are, as one function: it runs a call and returns what came out."""

    async def __call__(
        self, call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> ToolOutput | str | None:
        """Run `call`.

        It fails by raising, whatever it likes; a `ToolError` is for the model to read as
        it stands. None and an empty text say that there is nothing to say.

        An abort cancels it at whatever it awaits, so it need not look at `signal`. What
        blocks belongs into `run_blocking`. `on_update` tells the user how far it has
        come; any thread may call it.
        """


async def no_tools(
    call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
) -> str:
    """Be a harness without tools."""
    raise ToolError(f"没有名为 {call.name} 的工具；这里一个工具也没有。")


def ignore_progress(call: ToolCall, text: str) -> None:
    """Do nothing with the progress of a tool."""


def no_schema(call: ToolCall) -> ToolCall:
    """Check a call of a tool of which nothing is known."""
    check_arguments(call)
    return call


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolset:
    """All the tools there are, as one value, and how to run them."""

    execute: ToolExecutor = no_tools

    sequential: Collection[str] = ()
    """Names of tools that want no other beside them: a message that calls one of these has
    its calls run one by one, any other one all at once."""

    check: Callable[[ToolCall], ToolCall] = no_schema
    """Returns a call with its arguments as they will run, before a hook gets to see it. It
    raises `ToolError` if they do not fit."""

    on_update: Callable[[ToolCall, str], None] = ignore_progress
    """Gets the progress of a tool while it runs."""


NO_TOOLS = Toolset()


@dataclass(slots=True, kw_only=True)
class Batch:
    """The calls of one message, and what has become of them so far."""

    calls: Sequence[ToolCall]
    tools: Toolset
    signal: AbortSignal
    hooks: LoopHooks = field(default_factory=LoopHooks)

    outcomes: dict[str, ToolResultMessage | None] = field(default_factory=dict)
    """By call id. Missing: it has not started. None: it has started, and not ended."""

    final: dict[str, ToolCall] = field(default_factory=dict)
    """By call id: the call as the hooks let it pass. Missing: as the model sent it."""

    blocked: set[str] = field(default_factory=set)
    """The ids of the calls that the hooks did not let pass."""

    changed: set[str] = field(default_factory=set)
    """The ids of the calls that the hooks let pass with other arguments."""

    async def run(self) -> None:
        """Run all calls. Nothing leaves but a cancellation from outside, and Ctrl-C."""
        alone = any(call.name in self.tools.sequential for call in self.calls)
        if len(self.calls) > 1 and not alone:
            async with create_task_group() as group:
                for call in self.calls:
                    group.start_soon(self._run_call, call)
        else:
            for call in self.calls:
                await self._run_call(call)

    async def _run_call(self, call: ToolCall) -> None:
        if self.signal.aborted or call.id in self.outcomes:
            return

        def show(text: str) -> None:
            if self.outcomes[call.id] is None and not self.signal.aborted:
                self.tools.on_update(call, text)  # later than that, the user is elsewhere

        self.outcomes[call.id] = None
        final = self.final.get(call.id, call)
        with self._owing_a_result(call):
            check_arguments(final)
            output = await self.tools.execute(final, signal=self.signal, on_update=show)
            self.outcomes[call.id] = tool_result(call, output)
        result = self.outcomes[call.id]
        if self.hooks.after_call is not None and result is not None:
            self.outcomes[call.id] = error_result(call, WITHHELD)  # until the hook lets it pass
            with self._owing_a_result(call, failed=UNCHECKED):
                passed = await self.hooks.after_call(final, result)
                self.outcomes[call.id] = result_of(call, passed)

    @contextmanager
    def _owing_a_result(self, call: ToolCall, *, failed: str = "{error}") -> Iterator[None]:
        try:
            with self.signal.scope():
                yield
        except FOREIGN_ERRORS as error:
            # The border that owes a result: whatever goes wrong in a tool is news for the model.
            if is_outer_cancellation(error):
                raise
            self.outcomes[call.id] = error_result(call, failed.format(error=describe(error)))

    def answer(self, call: ToolCall, result: ToolResultMessage) -> None:
        """Take `result` in place of running `call`; an error means that it is blocked."""
        self.outcomes[call.id] = result_of(call, result)
        if result.is_error:
            self.blocked.add(call.id)

    def settle(self, *, unstarted: str) -> tuple[ToolResultMessage, ...]:
        """Return exactly one result per call, in call order; `unstarted` for those not begun.

        From here on a tool that was left behind reaches nobody any more.
        """
        return tuple(self._settle_call(call, unstarted) for call in self.calls)

    def _settle_call(self, call: ToolCall, unstarted: str) -> ToolResultMessage:
        has_begun, result = call.id in self.outcomes, self.outcomes.get(call.id)
        if result is None:
            result = error_result(call, INTERRUPTED if has_begun else unstarted)
            self.outcomes[call.id] = result
        if has_begun and call.id in self.changed:
            return naming_arguments(result, self.final[call.id])
        return result
