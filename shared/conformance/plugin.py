"""The pytest plugin that points the suite at one folder, and writes down what it finds.

The file of results begins with the number of checks. A line per check follows when it
begins ("unfinished") and another one when it is done: whatever the folder's code does to
this process, one can see how far the run came.
"""

import gc
import inspect
import sys
import warnings
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.report import (
    Outcome,
    Result,
    append_result,
    begin_results,
    names_of,
    read_results,
)
from conformance.support.chapters import where
from conformance.support.judge import (
    MAX_SHOWN,
    CheckFailed,
    PartMissing,
    SuiteFault,
    TooLate,
    limited,
    shortened,
)
from conformance.support.subject import PATIENCE, Subject
from conformance.support.tracebacks import where_it_broke
from lab.contract import Step, find_step

STUB = "NotImplementedError"
"""What the body of a stub raises, wherever that comes out. What is not there yet is not wrong."""

FOUND = pytest.StashKey[tuple[Outcome, str]]()
SUBJECT = pytest.StashKey[Subject]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that `conformance.suite` passes."""
    parser.addoption("--step", required=True)
    parser.addoption("--folder", required=True, type=Path)
    parser.addoption("--results", required=True, type=Path)
    parser.addoption("--patience", default=PATIENCE, type=float)
    parser.addoption("--loadable", action="store_true")
    parser.addoption("--check", action="append", dest="checks", help="Run this one; repeatable.")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers."""
    config.addinivalue_line("markers", "read(topic): where a learner reads on when it fails")
    config.addinivalue_line("markers", "until(step): owed up to and including this step")
    config.addinivalue_line("markers", "program: looks at a program from outside")


@pytest.fixture(scope="session")
def subject(pytestconfig: pytest.Config) -> Subject:
    """Return the folder under test."""
    return _subject(pytestconfig)


@pytest.fixture(scope="session")
def reference(pytestconfig: pytest.Config) -> Subject:
    """Return the step's own implementation, to compare with."""
    step = _step(pytestconfig)
    return Subject(step=step, folder=step.folder)


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run every async check on both backends."""
    return str(request.param)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Look at the package first: if it cannot be loaded, that explains all the rest.

    An async check gets a time limit.
    """
    wanted = config.getoption("checks")
    if wanted:
        items[:] = [item for item in items if names_of(short_id(item)) & set(wanted)]
    items.sort(key=lambda item: item.path.stem != "check_package")
    for item in items:
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            item.obj = limited(item.obj, lambda: float(config.getoption("--patience")))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Begin the file of results, or go on behind what an earlier process wrote into it.

    Each check has a name of its own, and says where to read on.
    """
    if unmarked := [item.nodeid for item in session.items if not item.get_closest_marker("read")]:
        raise pytest.UsageError(f"without `pytestmark = read(...)`: {', '.join(unmarked)}")
    names = Counter(short_id(item) for item in session.items)
    if doubled := [name for name, count in names.items() if count > 1]:
        raise pytest.UsageError(f"names that stand for two checks: {', '.join(doubled)}")
    results: Path = session.config.getoption("--results")
    if not results.exists():
        begin_results(results, len(session.items))
        return
    _, heard = read_results(results)
    done = {result.id for result in heard}
    session.items[:] = [item for item in session.items if short_id(item) not in done]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what this step does not owe."""
    if reason := _not_owed(item):
        pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write down that a check begins, and how it ended.

    The time to try all imports belongs to no check: its time limit begins behind that.
    """
    _write(item, "unfinished")
    if not _not_owed(item) and not item.get_closest_marker("program"):
        with suppress(Exception):  # the check that needs it will say so
            _ = _subject(item.config).imported
    done = yield
    if item.stash[FOUND][0] in ("failed", "late"):
        _forget_leftovers()
    _write(item, *item.stash[FOUND])
    return done


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep the first outcome of the three phases of a check that is not a pass."""
    try:
        report = yield
    except Exception as error:  # what a package has left behind can break into anything
        call.excinfo = call.excinfo or pytest.ExceptionInfo.from_exception(error)
        report = _plain_report(item, call)
    if item.stash.get(FOUND, ("passed", ""))[0] == "passed":
        item.stash[FOUND] = _outcome(item, report, call.excinfo.value if call.excinfo else None)
    return report


def _plain_report(item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
    """Return a report of a phase that has failed, made without pytest's own ways to show it."""
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords={},
        outcome="failed",
        longrepr=repr(call.excinfo and call.excinfo.value),
        when="call" if call.when == "collect" else call.when,
    )


def _forget_leftovers() -> None:
    """Let go of what a failed check has left open: no later check shall be blamed for it."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda unraisable: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()
    finally:
        sys.unraisablehook = hook


def _outcome(
    item: pytest.Item, report: pytest.TestReport, error: BaseException | None
) -> tuple[Outcome, str]:
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    folder: Path = item.config.getoption("--folder")
    match error:
        case _ if report.passed:
            return "passed", ""
        case pytest.skip.Exception():
            return "not-owed", str(error)
        case PartMissing():
            return "missing", str(error)
        case NotImplementedError():
            last = where_it_broke(error, folder).splitlines()[-1].strip()
            return "missing", shortened(last, MAX_SHOWN)
        case CheckFailed(came=came) if STUB in str(came):  # the loop has made a result of it
            return "missing", f"a body: {STUB}"
        case CheckFailed():
            outcome: Outcome = "late" if isinstance(error, TooLate) else "failed"
            return outcome, str(replace(error, read=error.read or _where(item)))
        case SuiteFault() | None:
            return "broken", shortened(report.longreprtext, MAX_SHOWN)
        case pytest.fail.Exception() if "Timeout" in str(error):
            return "late", str(_failure(item, error, folder))
        case _:
            return "failed", str(_failure(item, error, folder))


def _failure(item: pytest.Item, error: BaseException, folder: Path) -> CheckFailed:
    """Describe an exception that the check did not expect, by the folder's own lines."""
    came = where_it_broke(error, folder)
    if isinstance(error, pytest.fail.Exception) and "Timeout" in str(error):
        came = "\n".join(["no answer within the time limit", *came.splitlines()[1:]])
    named = "\n  at " in came
    return CheckFailed(
        called=_title(item),
        came=came,
        wanted="an answer, and no exception",
        read="the lines named above" if named else _where(item),
    )


def _where(item: pytest.Item) -> str:
    """Say where to read on about what a check asks for."""
    marker = item.get_closest_marker("read")
    assert marker is not None  # pytest_collection_finish has looked
    return where(marker.args[0])


def _write(item: pytest.Item, outcome: Outcome, detail: str = "") -> None:
    result = Result(
        id=short_id(item),
        title=_title(item),
        since=_since(item),
        program=item.get_closest_marker("program") is not None,
        outcome=outcome,
        detail=detail,
    )
    append_result(item.config.getoption("--results"), result)


def _subject(config: pytest.Config) -> Subject:
    """Return the folder under test: one for all checks, so that each thing is tried once."""
    if SUBJECT not in config.stash:
        config.stash[SUBJECT] = Subject(
            step=_step(config),
            folder=config.getoption("--folder"),
            patience=config.getoption("--patience"),
            loadable=config.getoption("--loadable"),
        )
    return config.stash[SUBJECT]


def _step(config: pytest.Config) -> Step:
    return find_step(config.getoption("--step"))


def _not_owed(item: pytest.Item) -> str:
    """Say why the step does not owe a check, or return an empty text."""
    number = _step(item.config).number
    if number < _since(item):
        return f"owed from step {_since(item):02} on"
    ended = item.get_closest_marker("until")
    if ended and number > ended.args[0]:
        return f"owed until step {ended.args[0]:02}"
    return ""


def _since(item: pytest.Item) -> int:
    """Return the step from which on a check is owed: the folder that it lies in."""
    return int(item.path.parent.name.removeprefix("step"))


def _title(item: pytest.Item) -> str:
    function = getattr(item, "function", None)
    doc = inspect.getdoc(function) if function else None
    return (doc or item.name).splitlines()[0]


def short_id(item: pytest.Item) -> str:
    """Return the name of a check: file and function without the boilerplate."""
    return f"{item.path.stem.removeprefix('check_')}::{item.name.removeprefix('test_')}"
