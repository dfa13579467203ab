"""The built-in tools of the package under test, at work in a folder of their own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.lowlevel import checkpoint_if_cancelled

from conformance.support.judge import expect
from conformance.support.patience import in_time
from conformance.support.subject import Subject


@dataclass(frozen=True, kw_only=True)
class Told:
    """What came of one call."""

    text: str
    """For the model: the output, or why there is none."""

    is_error: bool
    details: str | None
    called: str
    read: str

    def expect(self, truth: object, *, wanted: str, came: object = None) -> None:
        """Fail the check unless `truth` holds; what came is by default what the model was told."""
        kind = "an error" if self.is_error else "a result"
        shown = f"{kind}: {self.text[:600]}" if came is None else came
        expect(truth, called=self.called, came=shown, wanted=wanted, read=self.read)


class Desk:
    """A workspace with a folder around it that no tool may enter, and the tools."""

    def __init__(self, subject: Subject, around: Path, *, read: str) -> None:
        self.around = around
        self.root = around / "work"
        self.root.mkdir()
        self._subject = subject
        self._read = read
        workspace = subject.get("tools.workspace.Workspace")(self.root)
        tools = subject.get("tools.builtin.create_builtin_tools")(workspace)
        self.registry = subject.get("tools.registry.Registry")(tools)

    async def use(self, tool: str, /, *, signal: Any = None, **arguments: Any) -> Told:
        """Call a tool through the registry, as the agent loop does."""
        return await use(
            self._subject,
            self.registry,
            tool,
            arguments,
            signal=signal,
            read=self._read,
        )


async def use(
    subject: Subject,
    registry: Any,
    tool: str,
    arguments: dict[str, Any],
    *,
    read: str,
    signal: Any = None,
) -> Told:
    """Call a tool of any registry; whatever it raises is what the model would be told."""
    call = subject.get("messages.ToolCall")(id="t1", name=tool, arguments=arguments)
    signal = signal or subject.get("abort.AbortSignal")()
    called = f"registry.execute({tool}: {_shown(arguments)})"
    output, failure = None, ""
    with in_time(subject, called=called, read=read):
        try:
            output = await registry.execute(call, signal=signal, on_update=lambda text: None)
        except Exception as error:  # the loop turns it into an error result
            failure = str(error) or type(error).__name__
        await checkpoint_if_cancelled()  # a tool that swallows it is late all the same
    if failure:
        return Told(text=failure, is_error=True, details=None, called=called, read=read)
    text = output if isinstance(output, str) else getattr(output, "text", None) or ""
    details = getattr(output, "details", None)
    return Told(text=text, is_error=False, details=details, called=called, read=read)


def _shown(arguments: dict[str, Any]) -> str:
    text = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return text if len(text) <= 300 else f"{text[:300]}..."
