"""The tool `bash`: run a command in the workspace.

Not here: whether it may run at all (step 07).
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import anyio
from pydantic import Field

from ..abort import AbortSignal
from ..results import INTERRUPTED, NO_OUTPUT, ToolError
from .bash_output import BashOutput
from .run_command import Ended, Limits, run_command
from .tool import Arguments, Execute
from .workspace import Workspace

PROGRESS_INTERVAL = 2.0
"""Seconds between two lines about what a long command is doing."""

SECRET = re.compile(r"key|token|secret|pass|credential|auth(?!_sock)|_pwd", re.IGNORECASE)
"""Names of variables that a command does not get to know: rather too many than too few.

`SSH_AUTH_SOCK` names a socket and holds no secret. A secret under an innocent name (a
password in `DATABASE_URL`) gets through.
"""


class BashArgs(Arguments):
    """The arguments of `bash`."""

    command: str = Field(description="要执行的命令")
    timeout: float = Field(
        default=120, gt=0, le=3600, allow_inf_nan=False, description="最多执行多少秒"
    )


def create_bash(
    workspace: Workspace,
    *,
    environment: Mapping[str, str] | None = None,
    output_folder: Path | None = None,
) -> Execute[BashArgs]:
    """Return the function that runs commands in one workspace.

    Args:
        workspace: Its root is the working folder of every command.
        environment: What commands get, apart from secrets. None: what this program has.
        output_folder: Where long outputs are kept. None: where the system keeps temporary files.
    """
    variables = without_secrets(os.environ if environment is None else environment)
    variables["PATH"] = absolute_path(variables.get("PATH", ""))
    shell = "bash" if shutil.which("bash", path=variables["PATH"]) else "sh"

    async def bash(
        args: BashArgs, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        if "\0" in args.command:
            raise ToolError("command 里不能有 NUL 字符。")
        output = BashOutput(output_folder)
        tell = now_and_then(on_update)
        try:
            ended = await run_command(
                [shell, "-c", args.command.encode()],
                folder=workspace.root,
                environment=variables,
                limits=Limits(seconds=args.timeout),
                signal=signal,
                on_output=lambda piece: tell(output.add(piece)),
            )
        except BaseException:
            output.discard()
            raise
        text = report(output, ended, time_limit=args.timeout)
        if ended.how != "exited" or ended.exit_code != 0:
            raise ToolError(text)
        return text

    return bash


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Return a copy of `environment` without the variables whose names speak of a secret."""
    return {name: value for name, value in environment.items() if not SECRET.search(name)}


def absolute_path(path: str) -> str:
    """Return the search path `path` without what is relative to the working folder.

    There a program named `ls` or `git` may be anybody's: the folder came from somewhere.
    """
    folders = [folder for folder in path.split(os.pathsep) if os.path.isabs(folder)]
    return os.pathsep.join(folders) or os.defpath


def now_and_then(
    on_update: Callable[[str], None], *, every: float = PROGRESS_INTERVAL
) -> Callable[[str], None]:
    """Return a function that passes on the last line of what it gets, once in `every` seconds."""
    told = anyio.current_time()

    def tell(text: str) -> None:
        nonlocal told
        now = anyio.current_time()
        if now - told >= every and text.strip():
            told = now
            on_update(text.strip().rsplit("\n", 1)[-1])

    return tell


def report(output: BashOutput, ended: Ended, *, time_limit: float) -> str:
    """Return what the model gets to read: the end of the output, and how it ended."""
    shown = output.finish()
    text = shown.decode().removesuffix("\n") or NO_OUTPUT
    return "\n".join([text, *left_out(shown, output), how_it_ended(ended, time_limit=time_limit)])


def left_out(shown: bytes, output: BashOutput) -> Iterator[str]:
    """Say how much is not shown, and where it is, if so."""
    missing = output.size - len(shown)
    if missing:
        where = f"全部输出在 {output.file}，用 bash 看" if output.file else "全部输出没能保存"
        yield f"[以上是结尾的 {len(shown)} 字节，省略了前面 {missing} 字节；{where}]"


def how_it_ended(ended: Ended, *, time_limit: float) -> str:
    """Return the line that closes every result."""
    match ended.how:
        case "timeout":
            return f"[超过 {time_limit:g} 秒，{INTERRUPTED}]"
        case "aborted":
            return f"[{INTERRUPTED}]"
        case "flood":
            return f"[输出多得失控，{INTERRUPTED}]"
        case "exited":
            code = ended.exit_code or 0
            return f"[被信号 {-code} 终止]" if code < 0 else f"[退出码 {code}]"
