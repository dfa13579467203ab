"""Type-check everything: `python -m lab.typecheck`. One run per step, since all share one name."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lab.contract import ROOT, Step, built_steps

PARALLEL = 2

Job = tuple[str, Path, tuple[str, ...]]
"""The name of the cache, the working folder, what to check there."""


def main() -> None:
    """Run mypy on the tools and on every step; end with 1 if any run complains."""
    jobs: list[Job] = [("shared", ROOT, ("shared", "tests"))]
    jobs += [(step.id, step.folder, ("mini_agent", *_beside(step))) for step in built_steps()]
    with ThreadPoolExecutor(PARALLEL) as pool:
        good = list(pool.map(lambda job: _mypy(*job), jobs))
    sys.exit(0 if all(good) else 1)


def _beside(step: Step) -> list[str]:
    """Return what stands elsewhere and imports this step's package: its tests, the workloads."""
    folders = [ROOT / "tests" / "steps" / step.id[:6]]
    if step == built_steps()[-1]:
        folders.append(ROOT / "shared" / "lab" / "bench" / "workloads")
    return [str(folder) for folder in folders if folder.is_dir()]


def _mypy(name: str, folder: Path, targets: tuple[str, ...]) -> bool:
    config, cache = ROOT / "pyproject.toml", ROOT / ".cache" / "mypy" / name
    command = [sys.executable, "-m", "mypy", f"--config-file={config}", f"--cache-dir={cache}"]
    if folder == ROOT:
        command += ["--exclude", "^tests/steps/|/bench/workloads/"]
    done = subprocess.run(
        [*command, *targets], cwd=folder, capture_output=True, text=True, check=False
    )
    print(f"{name}: {done.stdout.strip()}{done.stderr.strip()}")
    return done.returncode == 0


if __name__ == "__main__":
    main()
