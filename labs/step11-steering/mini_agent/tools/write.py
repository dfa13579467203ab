"""The tool `write`: a whole file at once."""

from pydantic import Field

from ..abort import AbortSignal
from ..results import ToolOutput
from .replace_file import look, replace_file
from .tool import Arguments
from .workspace import Workspace, require_file


class WriteArgs(Arguments):
    """The arguments of `write`."""

    path: str = Field(description="要写的文件，相对于工作区")
    content: str = Field(description="文件的全部新内容")


def write(workspace: Workspace, args: WriteArgs, signal: AbortSignal) -> ToolOutput:
    """Make `args.content` all that the file holds, byte for byte; missing folders are made."""
    real = workspace.locate(args.path)
    data = args.content.encode()
    with workspace.changing(real, signal, create=True) as folder:
        before = look(folder, real.name)
        if before is not None:
            require_file(before, args.path)
        replace_file(folder, real.name, [data], before=before)
    name = workspace.name(real)
    done = "新建" if before is None else "覆盖"
    return ToolOutput(text=f"已{done} {name}（{len(data)} 字节）。")
