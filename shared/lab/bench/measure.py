"""Measure something of ours beside its limit, in turns, so that a slow minute hits both."""

import gc
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

ROUNDS = 5

Timed = Callable[[], float]
"""Do the work once and return the seconds that count."""


def timed(work: Callable[[], object]) -> Timed:
    """Return a `Timed` that takes the whole of `work` as what counts."""

    def run() -> float:
        gc.collect()
        start = perf_counter()
        work()
        return perf_counter() - start

    return run


def process_cpu(*arguments: str, typed: bytes = b"") -> float:
    """Run Python with `arguments` to its end; return the CPU seconds, user and system."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], input=typed, stdout=subprocess.DEVNULL, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def compare(limit: Timed, ours: Timed, *, units: int = 1, rounds: int = ROUNDS) -> None:
    """Run both in turns after a warm-up, and print one line of JSON with all the seconds.

    Args:
        limit: The least that such a task can take: the bare libraries, no harness.
        ours: The same task through the step.
        units: How many turns, pieces or lines one run handles.
        rounds: How often each is run.
    """
    limit()
    ours()
    pairs = [(limit(), ours()) for _ in range(rounds)]
    print(
        json.dumps({"units": units, "limit": [a for a, _ in pairs], "ours": [b for _, b in pairs]})
    )


def median_ratio(limit: Sequence[float], ours: Sequence[float]) -> float:
    """Return the median of the ratios ours / limit, pair by pair."""
    return statistics.median(b / a for a, b in zip(limit, ours, strict=True))
