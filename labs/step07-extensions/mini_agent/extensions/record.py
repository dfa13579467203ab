"""What is known about an extension, and what the harness lends to all of them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from ..sessions.session import Session
from ..tools.tool import Tool
from .handlers import Handler, HandlerTimeout


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
