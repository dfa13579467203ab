"""The pytest plugin that points the suite at one folder, and writes down what it found."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lab.contract import find_step

from conformance.failure import CheckFailed, PartMissing
from conformance.report import Outcome, Result
from conformance.subject import Subject, where_it_broke

RESULTS = pytest.StashKey[dict[str, Result]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that `conformance.suite` passes."""
    parser.addoption("--step", required=True)
    parser.addoption("--folder", required=True, type=Path)
    parser.addoption("--results", required=True, type=Path)


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers."""
    config.addinivalue_line("markers", "since(step): owed from this step on")
    config.addinivalue_line("markers", "until(step): owed up to and including this step")
    config.addinivalue_line("markers", "program: looks at a program from outside")
    config.stash[RESULTS] = {}


@pytest.fixture(scope="session")
def subject(pytestconfig: pytest.Config) -> Subject:
    """Return the folder under test."""
    return Subject(
        step=find_step(pytestconfig.getoption("--step")),
        folder=pytestconfig.getoption("--folder"),
    )


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run every async check on both backends."""
    return str(request.param)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what this step does not owe."""
    number = find_step(item.config.getoption("--step")).number
    first, last = _since(item), _until(item)
    if number < first:
        pytest.skip(f"owed from step {first:02} on")
    if last is not None and number > last:
        pytest.skip(f"owed until step {last:02}")


def _since(item: pytest.Item) -> int:
    marker = item.get_closest_marker("since")
    if marker is None:
        raise pytest.UsageError(f"{item.nodeid} does not say since which step it is owed")
    return int(marker.args[0])


def _until(item: pytest.Item) -> int | None:
    marker = item.get_closest_marker("until")
    return int(marker.args[0]) if marker else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Keep the worst outcome of the three phases of a check."""
    report: pytest.TestReport = yield
    found = _outcome(item, report, call.excinfo)
    if found is not None and (report.when == "call" or report.outcome != "passed"):
        outcome, detail = found
        known = item.config.stash[RESULTS].get(item.nodeid)
        if known is None or known.outcome == "passed":
            item.config.stash[RESULTS][item.nodeid] = Result(
                id=short_id(item),
                title=_title(item),
                since=_since(item),
                program=item.get_closest_marker("program") is not None,
                outcome=outcome,
                detail=detail,
            )
    return report  # type: ignore[return-value]  # pluggy wrappers return through the generator


def _outcome(
    item: pytest.Item, report: pytest.TestReport, raised: pytest.ExceptionInfo[Any] | None
) -> tuple[Outcome, str] | None:
    if report.passed:
        return "passed", ""
    if report.skipped:
        return "not-owed", str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""
    error = raised.value if raised else None
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    folder: Path = item.config.getoption("--folder")
    match error:
        case PartMissing():
            return "missing", str(error)
        case NotImplementedError():
            return "missing", where_it_broke(error, folder).splitlines()[-1].strip()
        case CheckFailed():
            return "failed", str(error)
        case LookupError() | None:
            return "broken", report.longreprtext
        case _ if "Timeout" in str(error):
            return "failed", f"called  {_title(item)}\ncame    no answer within the time limit"
        case _:
            failure = CheckFailed(
                called=_title(item),
                came=where_it_broke(error, folder),
                wanted="no exception",
                read="the lines named above",
            )
            return "failed", str(failure)


def _title(item: pytest.Item) -> str:
    function = getattr(item, "function", None)
    doc = inspect.getdoc(function) if function else None
    return (doc or item.name).splitlines()[0]


def short_id(item: pytest.Item) -> str:
    """Return the name of a check: file and function without the boilerplate."""
    return f"{item.path.stem.removeprefix('check_')}::{item.name.removeprefix('test_')}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the results, one JSON line each."""
    lines = (result.model_dump_json() for result in session.config.stash[RESULTS].values())
    path: Path = session.config.getoption("--results")
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
