"""All extensions together: who is there, what they have brought along, what went wrong.

An extension is a function `setup(api)`. Not here: where it comes from (`loader.py`),
and what follows from what its functions answer (`gates.py`).
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from inspect import iscoroutine
from typing import Any

from ..errors import FOREIGN_ERRORS
from ..results import describe
from ..text import one_line
from ..tools.tool import Tool
from .api import Api, Command, Extension, ExtensionContext
from .handlers import Handler, HandlerFailed, call_handler


class ExtensionError(Exception):
    """Raised when an extension cannot be set up. The message is for the user."""


class Extensions:
    """Those that have been set up, in this order."""

    def __init__(
        self,
        context: ExtensionContext,
        *,
        tools: Iterable[Tool[Any]] = (),
        commands: Collection[str] = (),
    ) -> None:
        """Begin with none. `tools` are the built-in ones; `commands` are taken names."""
        self.context = context
        self.tools = {tool.name: tool for tool in tools}
        self.commands: dict[str, Command] = {}
        self._builtin_commands = frozenset(commands)
        self._all: dict[str, Extension] = {}
        self._tool_owners: dict[str, str] = {}
        self._told: set[tuple[str, str]] = set()

    def add(self, name: str, setup: Callable[[Api], object]) -> None:
        """Set up an extension. What it registers under a name that is taken is left out.

        Raises:
            ExtensionError: there is one of this name, or `setup` failed. Then it is as though
                it had never been there.
        """
        if name in self._all:
            raise ExtensionError("已经有一个同名的扩展")
        extension = Extension(name=name)
        try:
            returned = setup(Api(extension, self.context))
        except FOREIGN_ERRORS as error:  # the border of an extension: the others are still to come
            raise ExtensionError(describe(error)) from error
        if iscoroutine(returned):
            returned.close()
            raise ExtensionError("setup 不能是 async def")
        extension.is_set_up = True
        self._all[name] = extension
        for tool in extension.tools:
            self._take_tool(tool, extension)
        for command in extension.commands:
            self._take_command(command)

    @property
    def names(self) -> list[str]:
        """Who is there."""
        return list(self._all)

    def handlers(self, event: type) -> list[Handler]:
        """Return who listens to `event` right now, in the order in which to call them."""
        everybody = (handler for one in self._all.values() for handler in one.handlers)
        return [handler for handler in everybody if handler.event is event]

    def in_turn(self, event: type) -> Iterator[Handler]:
        """Yield who listens to `event`, one after the other, but for those ended meanwhile."""
        for handler in self.handlers(event):
            if handler in self.handlers(event):
                yield handler

    async def ask(self, handler: Handler, event: object) -> Any:
        """Return the answer of `handler` to `event`.

        Raises:
            HandlerFailed: there is none. The user has been told, once for each trouble.
        """
        try:
            return await call_handler(handler, event, self.context.handler_timeout)
        except HandlerFailed as error:
            if (handler.extension, str(error)) not in self._told:
                self._told.add((handler.extension, str(error)))
                self.report(handler.extension, f"在 {handler.event.__name__} 出错：{error}")
            raise

    def report(self, name: str, trouble: str) -> None:
        """Tell the user what is wrong with an extension."""
        self.context.notify(f"（扩展 {name} {one_line(trouble)}）")

    def _take_tool(self, tool: Tool[Any], extension: Extension) -> None:
        trouble = f"的工具 {tool.name} 没有启用："
        owner = self._tool_owners.get(tool.name)
        if owner is not None:
            self.report(extension.name, f"{trouble}扩展 {owner} 已有同名的")
        elif tool.name in self.tools and tool.name not in extension.replacing:
            self.report(extension.name, f"{trouble}它没有说要替换内置工具")
        else:
            self.tools[tool.name] = tool
            self._tool_owners[tool.name] = extension.name

    def _take_command(self, command: Command) -> None:
        trouble = f"的命令 /{command.name} 没有启用："
        if command.name in self._builtin_commands:
            self.report(command.extension, f"{trouble}这是内置命令的名字")
        elif command.name in self.commands:
            owner = self.commands[command.name].extension
            self.report(command.extension, f"{trouble}扩展 {owner} 已有同名的")
        else:
            self.commands[command.name] = command
