"""What the tests of extensions share: a harness for them, and what it told the user."""

from collections.abc import Awaitable, Callable
from typing import Any

from mini_agent.abort import AbortSignal
from mini_agent.execution import no_schema
from mini_agent.extensions.api import Api, ExtensionContext
from mini_agent.extensions.gates import ExtensionHooks
from mini_agent.extensions.handlers import HandlerTimeout
from mini_agent.extensions.registry import Extensions
from mini_agent.hooks import LoopHooks
from mini_agent.messages import ToolCall
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore
from mini_agent.tools.tool import Arguments, Tool

Setup = Callable[[Api], object]
Handle = Callable[[Any], Awaitable[object]]


class Told(list[str]):
    """Takes what the user is told."""

    def __call__(self, text: str) -> None:
        self.append(text)


class Harness:
    """Extensions that have been set up, and what the user heard of them."""

    def __init__(
        self,
        *,
        limit: float = 5.0,
        ask: Callable[[str], str | None] | None = None,
        tools: tuple[Tool[Any], ...] = (),
        commands: tuple[str, ...] = (),
        **setups: Setup,
    ) -> None:
        self.told = Told()
        self.session = Session.start(MemoryStore(), "s1")
        self.host = ExtensionContext(
            notify=self.told, ask=ask, handler_timeout=HandlerTimeout(limit), session=self.session
        )
        self.extensions = Extensions(self.host, tools=tools, commands=commands)
        self.signal = AbortSignal()
        for name, setup in setups.items():
            self.extensions.add(name, setup)

    def hooks(self, check: Callable[[ToolCall], ToolCall] = no_schema) -> LoopHooks:
        return ExtensionHooks(self.extensions, check=check).loop_hooks()


def listening(event: type, handler: Handle) -> Setup:
    """Return an extension that calls `handler` at `event`."""
    return lambda api: api.on(event, handler)


def answering(event: type, answer: object) -> Setup:
    """Return an extension that always gives the same answer."""

    async def handler(event: object) -> object:
        return answer

    return listening(event, handler)


def raising(event: type, error: BaseException) -> Setup:
    """Return an extension that always fails."""

    async def handler(event: object) -> object:
        raise error

    return listening(event, handler)


class NoArgs(Arguments):
    """No arguments."""


def tool(name: str, output: str = "") -> Tool[NoArgs]:
    """Return a tool that always says the same."""

    async def execute(args: NoArgs, /, **_: object) -> str:
        return output or name

    return Tool(name=name, description="", parameters=NoArgs, execute=execute)
