"""Cold start of a step's demo in CPU time, beside the bare imports that it cannot do without."""

from lab.bench.measure import compare, process_cpu

SINCE = 1
TARGET = "at most 1.3 times the limit (02 to 04)"
LIMIT = "the CPU time of a process that imports asyncio and anyio's backend"

IMPORTS = "import asyncio, anyio, anyio._backends._asyncio"

if __name__ == "__main__":
    compare(
        lambda: process_cpu("-c", IMPORTS),
        lambda: process_cpu("-m", "mini_agent.demo"),
        rounds=11,
    )
