"""The built-in tools of the package under test, at work in a folder of their own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.lowlevel import checkpoint_if_cancelled

from conformance.support import judge
from conformance.support.judge import Observed
from conformance.support.subject import Subject


@dataclass(frozen=True, kw_only=True)
class ToolAnswer(Observed):
    """What came of one call."""

    text: str
    """For the model: the output, or why there is none."""

    is_error: bool
    details: str | None
    called: str

    def outcome(self) -> str:
        """Return what the model was told."""
        return f"{'an error' if self.is_error else 'a result'}: {self.text[:600]}"


class BuiltinTools:
    """A workspace with a folder around it that no tool may enter, and the tools."""

    def __init__(self, subject: Subject, around: Path) -> None:
        self.around = around
        self.root = around / "work"
        self.root.mkdir()
        self._subject = subject
        workspace = subject.get("tools.workspace.Workspace")(self.root)
        tools = subject.get("tools.builtin.create_builtin_tools")(workspace)
        self.registry = subject.get("tools.registry.Registry")(tools)

    async def use(self, tool: str, /, *, signal: Any = None, **arguments: Any) -> ToolAnswer:
        """Call a tool through the registry, as the agent loop does."""
        return await use(
            self._subject,
            self.registry,
            tool,
            arguments,
            signal=signal,
        )


async def use(
    subject: Subject,
    registry: Any,
    tool: str,
    arguments: dict[str, Any],
    *,
    signal: Any = None,
) -> ToolAnswer:
    """Call a tool of any registry; whatever it raises is what the model would be told."""
    call = subject.get("messages.ToolCall")(id="t1", name=tool, arguments=arguments)
    signal = signal or subject.get("abort.AbortSignal")()
    called = f"registry.execute({tool}: {_shown(arguments)})"
    output, failure = None, ""
    with judge.in_time(subject.patience, called=called):
        try:
            output = await registry.execute(call, signal=signal, on_update=lambda text: None)
        except Exception as error:  # the loop turns it into an error result
            failure = str(error) or type(error).__name__
        await checkpoint_if_cancelled()  # a tool that swallows it is late all the same
    if failure:
        return ToolAnswer(text=failure, is_error=True, details=None, called=called)
    text = output if isinstance(output, str) else getattr(output, "text", None) or ""
    details = getattr(output, "details", None)
    return ToolAnswer(text=text, is_error=False, details=details, called=called)


def _shown(arguments: dict[str, Any]) -> str:
    text = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return text if len(text) <= 300 else f"{text[:300]}..."
