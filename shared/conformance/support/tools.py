"""All the tools of a run as one function, as the package under test wants them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any


@dataclass(frozen=True)
class Use:
    """What a tool gets when it is run."""

    call: Any
    signal: Any
    on_update: Callable[[str], None]


class Tools:
    """An executor that looks a call up in a table, and remembers what it ran.

    A tool may return its output or an awaitable of it. One that is not in the table
    says its own name and the id of its call.
    """

    def __init__(self, table: Mapping[str, Callable[[Use], Any]] | None = None) -> None:
        self._table = table or {}
        self.begun: list[str] = []
        """The ids of the calls that were taken up, in that order."""

        self.ended: list[str] = []
        """The ids of those that are over, however they ended."""

    async def __call__(self, call: Any, /, *, signal: Any, on_update: Callable[[str], None]) -> Any:
        """Run a call."""
        self.begun.append(call.id)
        try:
            output = self._table.get(call.name, _echo)(Use(call, signal, on_update))
            return await output if isawaitable(output) else output
        finally:
            self.ended.append(call.id)


def _echo(use: Use) -> str:
    return f"{use.call.name} {use.call.id}"
