"""Peak memory while a command prints 200 MB, beside that of a command that prints nothing."""

import multiprocessing
import resource
import sys
import tempfile
from pathlib import Path

import anyio
from mini_agent.abort import AbortSignal
from mini_agent.results import ToolError
from mini_agent.tools.bash import BashArgs, create_bash
from mini_agent.tools.workspace import Workspace

from lab.bench.measure import compare

SINCE = 5
TARGET = "at most 1.1 times the limit"
LIMIT = "the same process with a command that prints nothing"
UNIT = "kB"


def run(command: str) -> None:
    """Run one command through the tool, its full output in a folder that goes away."""
    with tempfile.TemporaryDirectory() as folder:
        bash = create_bash(Workspace(Path(folder)), output_folder=Path(folder))

        async def call() -> None:
            try:
                await bash(
                    BashArgs(command=command), signal=AbortSignal(), on_update=lambda text: None
                )
            except ToolError as error:
                sys.exit(str(error))

        anyio.run(call)


def peak(command: str) -> float:
    """Return the peak memory of a process of its own that runs `command`, in kilobytes."""
    queue: multiprocessing.Queue[int] = multiprocessing.Queue()

    def work() -> None:
        run(command)
        queue.put(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    found = queue.get()
    process.join()
    return float(found)


if __name__ == "__main__":
    compare(
        lambda: peak("true"), lambda: peak("head -c 200000000 /dev/zero | tr '\\0' x"), rounds=3
    )
