"""The interactive entry with one line and the fake model, in CPU time, beside bare imports."""

from pathlib import Path

from lab.bench.measure import compare, process_cpu

SINCE = 2
TARGET = "at most 1.3 times the limit (02 to 04), 1.4 times (05 on)"
LIMIT = "the CPU time of the imports: asyncio, anyio's backend, from 05 on pydantic.BaseModel"

IMPORTS = "import asyncio, anyio, anyio._backends._asyncio"
HAS_TOOLS = Path("mini_agent/tools").is_dir()

if __name__ == "__main__":
    imports = f"{IMPORTS}; from pydantic import BaseModel" if HAS_TOOLS else IMPORTS
    compare(
        lambda: process_cpu("-c", imports),
        lambda: process_cpu("-m", "mini_agent", typed="你好\n/exit\n".encode()),
        rounds=11,
    )
