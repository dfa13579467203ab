"""What an extension gets in its hand: `setup(api)` is called once, and all it can do goes by `api`.

First what the harness writes down about each one, and what it lends to all of them. Not
here: what it makes of that (`registry.py`).
"""

import re
from collections.abc import Awaitable, Callable
from copy import deepcopy
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import Any, TypeVar

from pydantic import JsonValue

from ..sessions.entries import CustomEntry
from ..sessions.session import Session
from ..tools.tool import Tool, spec_of
from .events import EVENTS
from .handlers import Handler, HandlerTimeout

Event = TypeVar("Event")

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
"""What the name of a command or a tool looks like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What a line does that begins with "/" and this name."""

    name: str
    extension: str
    """The name of the extension that brings it along."""

    run: Callable[[str], Awaitable[str | None]]
    """Gets what stands behind the name. What it returns is shown to the user."""

    summary: str = ""
    """What it does, for the list that `/help` shows."""


@dataclass(slots=True, kw_only=True)
class Extension:
    """What one extension has registered, in the order in which it did."""

    name: str
    handlers: list[Handler] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    tools: list[Tool[Any]] = field(default_factory=list)

    replacing: set[str] = field(default_factory=set)
    """The names of those tools that may take the place of a built-in one."""

    is_set_up: bool = False


@dataclass(slots=True, kw_only=True)
class ExtensionContext:
    """What the harness lends to all extensions."""

    notify: Callable[[str], None]
    """Tells the user something that is no part of the conversation."""

    ask: Callable[[str], str | None] | None = None
    """Asks the user. None: there is nobody to ask."""

    handler_timeout: HandlerTimeout = field(default_factory=HandlerTimeout)
    session: Session | None = None


class Api:
    """The harness, as one extension sees it."""

    def __init__(self, extension: Extension, context: ExtensionContext) -> None:
        """Belong to `extension`."""
        self._extension = extension
        self._context = context

    def on(
        self, event: type[Event], handler: Callable[[Event], Awaitable[object]]
    ) -> Callable[[], None]:
        """Call `handler`, an `async def`, at each `event`; return a function that ends it.

        Both work at any time, also while an event is on its way: whoever is new gets the
        next one, and whoever has ended gets nothing any more. (A call is not let through
        before all gates have seen it, the new ones included.)

        Raises:
            ValueError: there is no such event, or `handler` is no `async def`.
        """
        if event not in EVENTS:
            raise ValueError(f"there is no event {event!r}")
        _check_async(handler)
        new = Handler(extension=self._extension.name, event=event, function=handler)
        self._extension.handlers.append(new)

        def off() -> None:
            if new in self._extension.handlers:
                self._extension.handlers.remove(new)

        return off

    def command(
        self, name: str, run: Callable[[str], Awaitable[str | None]], *, summary: str = ""
    ) -> None:
        """Let the user type `/name`. Only in `setup`.

        Raises:
            ValueError: no such name is possible, or `run` is no `async def`.
            RuntimeError: `setup` is over.
        """
        self._check_name(name)
        _check_async(run)
        command = Command(name=name, extension=self._extension.name, run=run, summary=summary)
        self._extension.commands.append(command)

    def tool(self, tool: Tool[Any], *, replaces_builtin: bool = False) -> None:
        """Offer `tool` to the model. Only in `setup`.

        `replaces_builtin` says that it may take the place of a built-in tool of this name.

        Raises:
            Exception: it is no tool of which a model could be told.
            RuntimeError: `setup` is over.
        """
        self._check_name(tool.name)
        spec_of(tool)  # better now than in front of the model
        self._extension.tools.append(tool)
        if replaces_builtin:
            self._extension.replacing.add(tool.name)

    def notify(self, text: str) -> None:
        """Tell the user something that is no part of the conversation."""
        self._context.notify(text)

    def ask(self, question: str) -> str | None:
        """Ask the user, and wait. Everything waits: the prompt is alone on the screen.

        None: there is no terminal and so nobody to ask, or the user left without an answer.
        """
        if self._context.ask is None:
            return None
        with self._context.handler_timeout.stopped():
            return self._context.ask(question)

    def append_entry(self, data: JsonValue) -> None:
        """Store `data` in the session, where only this extension finds it again.

        Raises:
            ValueError: it is no JSON.
            SessionError: it could not be stored.
            RuntimeError: there is no session yet: `SessionStart` tells when there is.
        """
        if self._context.session is None:
            raise RuntimeError("there is no session yet")
        self._context.session.add_custom(self._kind, data)

    def entries(self) -> list[JsonValue]:
        """Return what this extension has remembered on the branch that the session is on."""
        entries = self._context.session.branch() if self._context.session is not None else []
        own = (e for e in entries if isinstance(e, CustomEntry) and e.kind == self._kind)
        return [deepcopy(entry.data) for entry in own]

    @property
    def _kind(self) -> str:
        return f"extension/{self._extension.name}"

    def _check_name(self, name: str) -> None:
        if self._extension.is_set_up:
            raise RuntimeError("commands and tools are registered in `setup`, and not later")
        if not NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a possible name")


def _check_async(function: object) -> None:
    if not iscoroutinefunction(function):
        raise ValueError(f"{function!r} is no `async def`")
