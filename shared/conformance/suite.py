"""Run the suite on a folder: the one way in, for `lab check` and for the suite's own tests."""

import ast
import sys
import tempfile
import time
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from conformance.report import Report, Result, append_result, names_of, read_results
from conformance.speed import SLOW, slowness
from conformance.support.subject import PATIENCE
from lab import texts
from lab.bilingual import Language
from lab.contract import Step
from lab.programs import Finished, run_program

CHECKS = Path(__file__).parent / "checks"
CHINESE = Path(__file__).parent / "titles.zh.toml"
TIME_LIMIT, CHECK_LIMIT = 300, 10
"""Seconds for a whole run, and for a single check, on an idle machine."""

PYTEST = (
    *("-c", str(CHECKS / "pytest.ini"), "--rootdir", str(CHECKS), "-q", "--no-header"),
    *("-p", "anyio.pytest_plugin", "-p", "pytest_timeout", "-p", "no:cacheprovider"),
    *("-p", "conformance.plugin", "--assert=plain", "--tb=short", str(CHECKS)),
)
"""The arguments of every run."""

PROCESSES = 5
"""How often the suite goes on in a new process, when a check has ended the one that it ran in."""

NEEDED = {"lab", "conformance", "anyio", "dotenv", "filelock", "httpx2", "pathspec", "pydantic"}
"""Modules that are installed, and that the suite or a step imports."""

BARE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Whatever plugins are installed, the suite runs with those it names."""


def check(
    step: Step,
    folder: Path,
    *,
    select: str = "",
    names: Sequence[str] = (),
    patience: float = PATIENCE,
) -> Report:
    """Hold `folder` to what `step` owes.

    Every limit follows the speed of the machine. What was late is tried once more, alone, and so
    is what failed while the machine was slow.

    Args:
        step: Which step the folder claims to be.
        folder: Any folder with a `mini_agent` package in it; nothing in it is changed.
        select: A pytest `-k` expression; empty runs everything.
        names: Checks by name, as a report prints them, or files of checks; empty runs all.
        patience: Seconds until a program of the folder counts as endless, on an idle machine.
    """
    report = Report(step=step.id, folder=folder, number=step.number)
    report.trouble = _unfit(folder) or _without_reference(step)
    if report.trouble:
        return report
    arguments = [*PYTEST, "--step", step.id, "--folder", str(folder.resolve())]
    slow = slowness()
    chosen = [*(("-k", select) if select else ()), *_named(names)]
    finished = _run(report, [*arguments, *chosen], patience, slow)
    slow = max(slow, slowness())
    again = [one for one in report.results if _proves_nothing(one, slow)]
    if again and not finished.timed_out:
        second = report.model_copy()
        _run(second, [*arguments, *_named([result.id for result in again])], patience, slow)
        slow = max(slow, slowness())
        heard = {result.id: result for result in second.results}
        report.results = [heard.get(result.id, result) for result in report.results]
    if slow < SLOW:
        report.results = [_judged(result) for result in report.results]
    report.trouble = _trouble(report, finished, slow)
    return report


def _run(report: Report, arguments: Sequence[str], patience: float, slow: float) -> Finished:
    """Run checks, and fill in the report; go on behind a check that has ended its process."""
    limits = ("--patience", str(patience * slow), "--timeout", str(CHECK_LIMIT * slow))
    give_up = time.monotonic() + TIME_LIMIT * slow
    with tempfile.TemporaryDirectory(prefix="lab-check-") as scratch:
        results, process = Path(scratch) / "results.jsonl", 0
        while True:
            process += 1
            finished = run_program(
                *(Path(scratch), "pytest"),
                arguments=[*arguments, *limits, "--results", str(results)],
                environment=BARE,
                timeout=max(1, give_up - time.monotonic()),
            )
            report.collected, found = read_results(results)
            report.results = [_closed(result, finished) for result in found]
            cut_off = [result for result in report.results if result not in found]
            if finished.timed_out or not cut_off or process == PROCESSES:
                return finished
            for result in cut_off:
                append_result(results, result)


@cache
def all_titles() -> Mapping[str, str]:
    """Return what every check asks for, by its name without a case."""
    found = {}
    for file in sorted(CHECKS.glob("step*/check_*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                name, is_check = node.name.removeprefix("test_"), node.name.startswith("test_")
                if is_check:
                    title = (ast.get_docstring(node) or name).split("\n")[0]
                    found[f"{file.stem.removeprefix('check_')}::{name}"] = title
    return found


def titles_of(names: Collection[str], language: Language = "en") -> dict[str, str]:
    """Return the titles of some checks, or files of checks, by their names."""
    wanted = {name.partition("[")[0] for name in names}
    every = all_titles() if language == "en" else chinese_titles()
    return {one: every[one] for one in all_titles() if names_of(one) & wanted}


def chinese_titles() -> Mapping[str, str]:
    """Return what every check asks for in Chinese; see `all_titles`."""
    titles: dict[str, str] = tomllib.loads(CHINESE.read_text(encoding="utf-8"))
    return titles


def _named(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from ("--check", name)


def _proves_nothing(result: Result, slow: float) -> bool:
    return result.outcome == "late" or (result.outcome == "failed" and slow >= SLOW)


def _judged(result: Result) -> Result:
    """Return what a check has shown on a machine that was not slow: there, late is wrong."""
    return result.model_copy(update={"outcome": "failed"}) if result.outcome == "late" else result


def _unfit(folder: Path) -> str:
    """Say why `folder` cannot be checked at all, or return an empty text."""
    if not folder.exists():
        return texts.NO_FOLDER.format(folder=folder)
    if not folder.is_dir():
        return texts.NOT_A_FOLDER.format(folder=folder)
    if not (folder / "mini_agent").is_dir():
        return texts.NO_PACKAGE.format(folder=folder)
    return "\n".join(_hiding(folder))


def _hiding(folder: Path) -> Iterator[str]:
    """Say which files beside the package stand in the way of modules of other people."""
    for path in sorted(folder.iterdir()):
        is_package = (path / "__init__.py").is_file()
        if path.suffix != ".py" and not is_package:
            continue
        name = path.name if is_package else path.stem
        if name in sys.stdlib_module_names:
            what = f"Python's own module `{name}`"
        elif name in NEEDED:
            what = f"the module `{name}`, which is needed"
        else:
            continue
        yield texts.HIDES_PYTHON.format(file=path.name, folder=folder, what=what)


def _without_reference(step: Step) -> str:
    """Say so if there is nothing to compare with: no recorded output, or an empty one."""
    if step.expected.is_file() and step.expected.stat().st_size:
        return ""
    return texts.NOT_RECORDED.format(step=step.id)


def _closed(result: Result, finished: Finished) -> Result:
    """Turn a check of which no end was heard into a failure that says so."""
    if result.outcome != "unfinished":
        return result
    how = "ran on" if finished.timed_out else f"ended with exit code {finished.exit_code}"
    detail = texts.CHECK_CUT_OFF.format(title=result.title, how=how)
    outcome = "late" if finished.timed_out else "failed"
    return result.model_copy(update={"outcome": outcome, "detail": detail})


def _trouble(report: Report, finished: Finished, slow: float) -> str:
    if late := [result.id for result in report.results if result.outcome == "late"]:
        return texts.TOO_SLOW.format(slow=slow, names=", ".join(late))
    if finished.timed_out:
        return texts.SUITE_TIMED_OUT.format(seconds=round(TIME_LIMIT * slow))
    if len(report.results) == report.collected > 0:
        return ""
    if not report.results:
        output = (finished.stdout + finished.stderr).decode("utf-8", errors="replace")
        return texts.SUITE_RAN_NOTHING.format(output=output.strip()[-2000:])
    return texts.SUITE_CUT_SHORT.format(ran=len(report.results), all=report.collected)
