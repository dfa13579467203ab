"""Cold start of a step's demo, beside the bare imports that it cannot do without."""

import subprocess
import sys

from lab.bench.measure import compare, timed

SINCE = 1
TARGET = "at most 1.3 times the limit (02 on)"
LIMIT = "a process that imports asyncio, anyio's backend and pydantic.BaseModel"

IMPORTS = "import asyncio, anyio, anyio._backends._asyncio; from pydantic import BaseModel"


def run(*arguments: str) -> None:
    """Run one interpreter to its end."""
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    compare(
        timed(lambda: run("-c", IMPORTS)),
        timed(lambda: run("-m", "mini_agent.demo")),
        rounds=11,
    )
