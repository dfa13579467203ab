"""Others that take part in a run: by hooks, and as extensions with a host around them."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

from conformance.support.model import Says
from conformance.support.run import Run
from conformance.support.subject import Subject

Setup = Callable[[Any], object]
"""What an extension is: a function that gets the api."""


class ExtendedHarness:
    """A harness with extensions."""

    def __init__(
        self,
        subject: Subject,
        *,
        tools: Sequence[Any] = (),
        commands: Collection[str] = (),
        **setups: Setup,
    ) -> None:
        self.subject = subject
        self.told: list[str] = []
        """What the user heard that is no part of the conversation."""

        host = subject.get("extensions.api.ExtensionContext")(notify=self.told.append)
        make = subject.get("extensions.registry.Extensions")
        self.extensions = make(host, tools=tools, commands=commands)
        for name, setup in setups.items():
            self.extensions.add(name, setup)

    def run(
        self, *says: Says, check: Callable[[Any], Any] = lambda call: call, tools: Any = None
    ) -> Run:
        """Return a run in which they take part."""
        hooks = self.subject.get("extensions.gates.ExtensionHooks")(self.extensions, check=check)
        run = Run(self.subject, *says, tools=tools, hooks=hooks.loop_hooks(), check=check)
        run.called = f"{run.called}; extensions: {', '.join(self.extensions.names)}"
        return run

    async def play_observed(self, run: Run) -> None:
        """Take all events of a run behind those who observe it."""
        observed = self.subject.get("extensions.observers.observed")
        passed_on = observed(run.start(), self.extensions, signal=run.signal)
        async with aclosing(passed_on) as events:
            async for event in events:
                run.events.append(event)

    def load(
        self, folder: Path, *, trust_project: bool = False, chosen: Sequence[Path] = ()
    ) -> None:
        """Load the `chosen` files, and those in the folders `folder`/user and `folder`/project."""
        sources = self.subject.get("extensions.loader.Sources")(
            user_folder=folder / "user",
            project_folder=folder / "project",
            trust_project=trust_project,
            chosen=tuple(chosen),
        )
        self.subject.get("extensions.loader.load_extensions")(self.extensions, sources)


def listening(event: type, handler: Callable[[Any], Awaitable[object]]) -> Setup:
    """Return an extension that calls `handler` at `event`."""
    return lambda api: api.on(event, handler)


def answering(event: type, answer: object) -> Setup:
    """Return an extension that always gives the same answer."""

    async def handler(event: Any) -> object:
        return answer

    return listening(event, handler)


def raising(event: type) -> Setup:
    """Return an extension that always fails."""

    async def handler(event: Any) -> object:
        raise ValueError("坏了")

    return listening(event, handler)


def hooked_run(
    subject: Subject,
    *says: Says,
    check: Callable[[Any], Any] | None = None,
    tools: Any = None,
    **hooks: Any,
) -> Run:
    """Return a run with these fields of `LoopHooks`; `check` looks at a call's arguments."""
    made = subject.get("hooks.LoopHooks")(**hooks)
    run = Run(subject, *says, tools=tools, hooks=made, check=check)
    run.called = f"{run.called}; hooks: {', '.join(hooks)}"
    return run


def blocked_in(run: Run) -> list[str]:
    """Return the ids of the calls whose end says that they were blocked."""
    ends = (event for name, event in run.named_events if name == "ToolExecutionEnd")
    return [event.call.id for event in ends if event.blocked]


def result_for(subject: Subject, call: Any, text: str, *, is_error: bool = False) -> Any:
    """Return a result of `call`."""
    return subject.get("messages.ToolResultMessage")(
        tool_call_id=call.id,
        tool_name=call.name,
        content=(subject.get("messages.TextContent")(text=text),),
        is_error=is_error,
    )
