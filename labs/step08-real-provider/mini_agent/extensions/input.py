"""What extensions make of a line of the user before the agent gets it: commands, then changes."""

from contextlib import suppress

from ..abort import AbortSignal
from ..slash import as_message
from .api import Command
from .events import ChangeInput, Handled, Input
from .handlers import WRONG_ANSWER, HandlerFailed, call_extension
from .registry import Extensions

ABORTED = "（已中止）"


async def take_input(line: str, extensions: Extensions, *, signal: AbortSignal) -> str | Handled:
    """Return what the model is to get for `line`, unless an extension deals with it.

    An extension that fails, or is cut short, has changed nothing.
    """
    name, _, argument = line.strip().partition(" ")
    command = extensions.commands.get(name[1:]) if name.startswith("/") else None
    if command is not None:
        return await _run(command, argument.strip(), extensions, signal)
    return await _change(as_message(line), extensions, signal)


async def _run(
    command: Command, argument: str, extensions: Extensions, signal: AbortSignal
) -> Handled:
    """Run a command. It may take its time: the user has asked for it, and can end it."""
    answer: object = None
    try:
        with signal.scope():
            answer = await call_extension(command.run, argument)
        if not isinstance(answer, str | None):
            raise HandlerFailed(WRONG_ANSWER.format(kind=type(answer).__name__))
    except HandlerFailed as error:
        extensions.report(command.extension, f"的命令 /{command.name} 出错：{error}")
    shown = answer if isinstance(answer, str) else ""
    return Handled(ABORTED if signal.aborted else shown)


async def _change(line: str, extensions: Extensions, signal: AbortSignal) -> str | Handled:
    for handler in extensions.in_turn(Input):
        answer: object = None
        with signal.scope(), suppress(HandlerFailed):
            answer = await extensions.ask(handler, Input(text=line))
        if isinstance(answer, ChangeInput):
            line = answer.text
        if isinstance(answer, Handled):
            return answer
    return line if line.strip() else Handled()
