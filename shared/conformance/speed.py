"""How fast this machine is right now, so that time alone never makes anybody wrong.

Every limit of the suite is meant for an idle machine and is stretched by what is measured here.
"""

import subprocess
import sys
import time

USUAL = 0.15
"""Seconds in which an idle machine starts Python and loads anyio; most need about half of it."""

SLOW = 1.5
"""From here on a program that took too long proves nothing."""

SLOWEST = 20.0
"""No limit is stretched any further: somebody waits for the answer."""

PROBE = (sys.executable, "-I", "-c", "import anyio, anyio._backends._asyncio")


def slowness() -> float:
    """Return how many times longer than usual this machine takes now, from 1 to `SLOWEST`."""
    begun = time.monotonic()
    try:
        subprocess.run(PROBE, check=False, timeout=USUAL * SLOWEST)
    except subprocess.TimeoutExpired:
        return SLOWEST
    return min(max(1.0, (time.monotonic() - begun) / USUAL), SLOWEST)
