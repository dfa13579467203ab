"""Find the workloads, run one in a step's folder, and say what came out."""

import importlib
import json
import os
import pkgutil
import statistics
import subprocess
import sys
from dataclasses import asdict, dataclass
from types import ModuleType

from lab import texts
from lab.bench import workloads
from lab.bench.measure import median_ratio
from lab.contract import Step
from lab.errors import Exit, LabError


@dataclass(frozen=True, kw_only=True)
class Figure:
    """What one workload showed on one step."""

    workload: str
    step: str
    units: int
    limit_seconds: float
    """Median of all rounds, as is `ours_seconds`."""

    ours_seconds: float
    ratio: float
    """Median of ours / limit, pair by pair."""

    target: str

    def __str__(self) -> str:
        """Return it as one line."""
        each = self.ours_seconds / self.units
        return (
            f"{self.step:<22} {self.workload:<14} {self.ratio:6.2f} x limit"
            f"  ({_time(each)} each, limit {_time(self.limit_seconds / self.units)};"
            f" aim: {self.target})"
        )

    def as_json(self) -> str:
        """Return it as one line of JSON."""
        return json.dumps(asdict(self))


def names() -> list[str]:
    """Return the names of all workloads."""
    return sorted(module.name for module in pkgutil.iter_modules(workloads.__path__))


def workload(name: str) -> ModuleType:
    """Return the module of a workload: `SINCE`, `TARGET`, `LIMIT`, and its docstring.

    Raises:
        LabError: no such workload; the message lists those there are.
    """
    if name not in names():
        raise LabError(texts.UNKNOWN_WORKLOAD.format(name=name, known=", ".join(names())))
    return importlib.import_module(f"{workloads.__name__}.{name}")


def measure(name: str, step: Step) -> Figure:
    """Run one workload on one step, in a process of its own.

    Raises:
        LabError: the workload failed.
    """
    module = workload(name)
    done = subprocess.run(
        [sys.executable, str(module.__file__)],
        cwd=step.folder,
        env={**os.environ, "PYTHONPATH": str(step.folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        message = texts.WORKLOAD_FAILED.format(name=name, step=step.id, errors=done.stderr.strip())
        raise LabError(message, code=Exit.WRONG)
    found = json.loads(done.stdout.splitlines()[-1])
    return Figure(
        workload=name,
        step=step.id,
        units=found["units"],
        limit_seconds=statistics.median(found["limit"]),
        ours_seconds=statistics.median(found["ours"]),
        ratio=median_ratio(found["limit"], found["ours"]),
        target=module.TARGET,
    )


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
