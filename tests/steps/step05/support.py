"""Short ways to use the tools, and the files of cases from bug reports."""

from collections.abc import Callable
from pathlib import Path

from mini_agent.abort import AbortSignal
from mini_agent.messages import ToolCall
from mini_agent.results import ToolOutput
from mini_agent.tools.builtin import create_builtin_tools
from mini_agent.tools.edit import EditArgs, Replacement, edit
from mini_agent.tools.read import ReadArgs, read
from mini_agent.tools.registry import Registry
from mini_agent.tools.workspace import Workspace
from mini_agent.tools.write import WriteArgs, write
from pydantic import JsonValue

CASES = Path(__file__).resolve().parents[2] / "cases"


def put_case(workspace: Workspace, name: str) -> Path:
    """Put the file of a case into the workspace."""
    path = workspace.root / name
    path.write_bytes((CASES / name).read_bytes())
    return path


def read_text(workspace: Workspace, path: str, *, offset: int = 1, limit: int = 2000) -> str:
    args = ReadArgs(path=path, offset=offset, limit=limit)
    return read(workspace, args, AbortSignal()).text


def write_text(workspace: Workspace, path: str, content: str) -> str:
    return write(workspace, WriteArgs(path=path, content=content), AbortSignal()).text


def edit_text(workspace: Workspace, path: str, *edits: tuple[str, str]) -> ToolOutput:
    replacements = tuple(Replacement(old_text=old, new_text=new) for old, new in edits)
    return edit(workspace, EditArgs(path=path, edits=replacements), AbortSignal())


def names_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def ignore_progress(text: str) -> None:
    """Take progress, and tell nobody."""


async def use(
    workspace: Workspace,
    name: str,
    *,
    signal: AbortSignal | None = None,
    on_update: Callable[[str], None] = ignore_progress,
    **arguments: JsonValue,
) -> str:
    """Call a tool as the loop does, and return the text for the model."""
    registry = Registry(create_builtin_tools(workspace))
    call = ToolCall(id="t1", name=name, arguments=arguments)
    signal = signal or AbortSignal()
    output = await registry.execute(call, signal=signal, on_update=on_update)
    assert isinstance(output, ToolOutput)
    return output.text
