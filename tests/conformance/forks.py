"""The suite, loaded once, on any number of folders: a fork of its process for each.

A new process takes longer to load pytest and the checks than to run one of them, and a
table of mutants is long. The module is both ends: a plugin for the suite's process, which
waits for jobs instead of running its checks, and `Forks`, which starts it and hands jobs over.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

import pytest

from conformance import plugin, suite
from conformance.report import Result, read_results
from conformance.support.subject import PATIENCE
from lab.contract import ROOT, Step
from lab.programs import clean_environment


class Forks:
    """A process with the suite loaded in it."""

    def __init__(self) -> None:
        self._scratch = tempfile.TemporaryDirectory(prefix="lab-forks-")
        home = Path(self._scratch.name)
        self._results = home / "results"
        jobs, to_jobs = os.pipe()
        from_done, done = os.pipe()
        self._to_jobs, self._from_done = (
            open(to_jobs, "w", encoding="utf-8"),
            open(from_done, encoding="utf-8"),
        )
        options = ("--jobs", str(jobs), "--done", str(done))
        required = ("--step", "", "--folder", "", "--results", str(self._results))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *suite.PYTEST, "-p", __name__, *options, *required],
            cwd=home,
            env={**clean_environment(home), **suite.BARE, "PYTHONPATH": str(ROOT)},
            pass_fds=(jobs, done),
            stdout=subprocess.DEVNULL,
        )
        os.close(jobs)
        os.close(done)

    def check(
        self, step: Step, folder: Path, names: set[str], *, patience: float = PATIENCE
    ) -> list[Result]:
        """Run some checks on a folder: "messages" for a file of them, "messages::role" for one."""
        options = {"step": step.id, "folder": str(folder), "patience": patience}
        job = {"options": options, "names": sorted(names)}
        print(json.dumps(job), file=self._to_jobs, flush=True)
        assert self._from_done.readline() == "done\n", "the suite's process has ended"
        collected, results = read_results(self._results)
        assert len(results) == collected > 0
        return results

    def close(self) -> None:
        """Let the process end."""
        self._to_jobs.close()
        self._from_done.close()
        self._process.wait()
        self._scratch.cleanup()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--jobs", type=int)
    parser.addoption("--done", type=int)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Run the jobs that come, one after the other, until there are no more."""
    import trio  # noqa: F401  # loaded here, it is there in every fork

    jobs, done = session.config.getoption("--jobs"), session.config.getoption("--done")
    with open(jobs, encoding="utf-8") as jobs, open(done, "w", encoding="utf-8") as done:
        for job in map(json.loads, jobs):
            child = os.fork()
            if child == 0:
                _run(session, **job)
            os.waitpid(child, 0)
            print("done", file=done, flush=True)
    return True


def _run(session: pytest.Session, options: dict[str, Any], names: list[str]) -> NoReturn:
    """Run the named checks in this process, and end it."""
    config = session.config
    config.option.step, config.option.patience = options["step"], options["patience"]
    config.option.folder = Path(options["folder"])
    config.option.loadable = not any(name.startswith("package") for name in names)
    session.items = [item for item in session.items if _names(item) & set(names)]
    config.getoption("--results").unlink()  # what the run before has found
    plugin.pytest_collection_finish(session)
    for item, following in zip(session.items, [*session.items[1:], None], strict=True):
        config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    os._exit(0)


def _names(item: pytest.Item) -> set[str]:
    """Return the names that select a check: its own, and that of its file."""
    name = plugin.short_id(item).partition("[")[0]
    return {name, name.partition("::")[0]}
