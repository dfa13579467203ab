"""Find the workloads, run one in a step's folder, and say what came out."""

import ast
import json
import os
import statistics
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from lab import texts
from lab.bench.measure import median_ratio
from lab.contract import Step
from lab.errors import Exit, LabError

WORKLOADS = Path(__file__).with_name("workloads")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """What one workload showed on one step."""

    workload: str
    step: str
    units: int
    unit: str
    """Of the two medians: "s" or "kB"."""

    limit_median: float
    """Of all rounds, for all units of work together; so is `ours_median`."""

    ours_median: float
    ratio: float
    """Median of ours / limit, pair by pair."""

    target: str

    def __str__(self) -> str:
        """Return it as one line."""
        ours, limit = (
            _amount(median / self.units, self.unit)
            for median in (self.ours_median, self.limit_median)
        )
        return (
            f"{self.step:<22} {self.workload:<14} {self.ratio:6.2f} x limit"
            f"  ({ours} each, limit {limit}; aim: {self.target})"
        )

    def as_json(self) -> str:
        """Return it as one line of JSON."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, kw_only=True)
class Workload:
    """What a workload says of itself. It is read, not imported: it needs a step around it."""

    name: str
    file: Path
    title: str
    since: int
    """The first step that can run it."""

    target: str
    limit: str
    """What the limit is."""

    unit: str
    """What is measured: "s", or "kB" of memory."""


def workloads() -> dict[str, Workload]:
    """Return all workloads by name; helpers that they share begin with an underscore."""
    files = sorted(WORKLOADS.glob("[a-z]*.py"))
    return {file.stem: _read(file) for file in files}


def find_workload(name: str) -> Workload:
    """Return the workload called `name`.

    Raises:
        LabError: no such workload; the message lists those there are.
    """
    known = workloads()
    if name not in known:
        raise LabError(texts.UNKNOWN_WORKLOAD.format(name=name, known=", ".join(known)))
    return known[name]


def _read(file: Path) -> Workload:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    says = {
        statement.targets[0].id: ast.literal_eval(statement.value)
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id in ("SINCE", "TARGET", "LIMIT", "UNIT")
    }
    return Workload(
        name=file.stem,
        file=file,
        title=(ast.get_docstring(tree) or "").splitlines()[0],
        since=says["SINCE"],
        target=says["TARGET"],
        limit=says["LIMIT"],
        unit=says.get("UNIT", "s"),
    )


def measure(workload: Workload, step: Step) -> Figure:
    """Run one workload on one step, in a process of its own.

    Raises:
        LabError: the workload failed.
    """
    done = subprocess.run(
        [sys.executable, str(workload.file)],
        cwd=step.folder,
        env={**os.environ, "PYTHONPATH": str(step.folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        message = texts.WORKLOAD_FAILED.format(
            name=workload.name, step=step.id, errors=done.stderr.strip()
        )
        raise LabError(message, code=Exit.WRONG)
    found = json.loads(done.stdout.splitlines()[-1])
    return Figure(
        workload=workload.name,
        step=step.id,
        units=found["units"],
        unit=workload.unit,
        limit_median=statistics.median(found["limit"]),
        ours_median=statistics.median(found["ours"]),
        ratio=median_ratio(found["limit"], found["ours"]),
        target=workload.target,
    )


def _amount(amount: float, unit: str) -> str:
    return _time(amount) if unit == "s" else f"{amount:.0f} {unit}"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
