"""All tools behind the one function that the agent loop takes: look up, check, run, clean up."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ..abort import AbortSignal
from ..execution import Toolset
from ..messages import ToolCall, ToolSpec
from ..results import ToolError, ToolOutput, check_arguments
from .arguments import validated
from .limits import short
from .output import limited
from .tool import Arguments, Tool, spec_of


class Registry:
    """The tools that there are."""

    def __init__(self, tools: Iterable[Tool[Any]]) -> None:
        """Take `tools` in the order in which the model is told of them.

        Raises:
            ValueError: two of them have the same name.
        """
        self._tools: dict[str, Tool[Any]] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise ValueError(f"two tools are named {tool.name!r}")
            self._tools[tool.name] = tool

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is told."""
        return tuple(spec_of(tool) for tool in self._tools.values())

    @property
    def toolset(self) -> Toolset:
        """All of them for the loop. One that changes something wants no other beside it."""
        changing = frozenset(tool.name for tool in self._tools.values() if not tool.read_only)
        return Toolset(execute=self.execute, sequential=changing, check=self.prepare)

    def check(self, call: ToolCall) -> tuple[Tool[Any], Arguments]:
        """Return the tool that `call` names, and its arguments as that tool takes them.

        Raises:
            ToolError: there is no such tool, or the arguments do not fit.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            known = "、".join(self._tools)
            raise ToolError(f"没有名为 {short(call.name)} 的工具。现有的工具：{known}。")
        return tool, validated(call.arguments, tool.parameters)

    def prepare(self, call: ToolCall) -> ToolCall:
        """Return `call` with the arguments that its tool will get, for those who decide on it.

        A call of a tool that does not exist is returned as it is: `execute` will say so.

        Raises:
            ToolError: the arguments do not fit.
        """
        check_arguments(call)
        if call.name not in self._tools:
            return call
        _, args = self.check(call)
        return replace(call, arguments=args.model_dump(mode="json", by_alias=True))

    async def execute(
        self, call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> ToolOutput | str | None:
        """Run `call`, if it is a good one; see `ToolExecutor`.

        Raises:
            Exception: whatever the tool raises; a `ToolError` is for the model.
        """
        tool, args = self.check(call)
        return limited(await tool.execute(args, signal=signal, on_update=on_update))
