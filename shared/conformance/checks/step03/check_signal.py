"""`abort.AbortSignal`: a wish to stop that ends waits, and does nothing else."""

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from anyio.lowlevel import checkpoint

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject

pytestmark = read("abort")

WAIT = "with signal.scope(): await sleep_forever(); signal.abort() from another task"


class Waiters:
    """Tasks that wait for ever, each `with signal.scope()`."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self.signal = subject.get("abort.AbortSignal")()
        self.went_on: list[int] = []
        """The waiters that got behind their wait, by number."""

    async def wait(self, number: int) -> None:
        """Be one of them."""
        with self.signal.scope():
            await anyio.sleep_forever()
        self.went_on.append(number)

    async def run(self, count: int, *, aborts: int = 1) -> None:
        """Let `count` of them wait; when all do, abort."""
        with judge.in_time(self._subject.patience, called=WAIT):
            async with anyio.create_task_group() as group:
                for number in range(count):
                    group.start_soon(self.wait, number)
                await wait_all_tasks_blocked()
                for _ in range(aborts):
                    self.signal.abort()


def test_begins_unaborted(subject: Subject) -> None:
    """A new signal is not aborted."""
    came = subject.get("abort.AbortSignal")().aborted
    judge.holds(came is False, called="AbortSignal().aborted", came=came, wanted="False")


def test_stays_aborted(subject: Subject) -> None:
    """After abort() it is aborted, for good; to abort it again changes nothing."""
    signal, seen = subject.get("abort.AbortSignal")(), []
    for _ in range(2):
        signal.abort()
        seen.append(signal.aborted)
    judge.same(seen, [True, True], called="signal.abort() twice; signal.aborted after each")


@pytest.mark.parametrize("aborts", [1, 2], ids=["once", "twice"])
async def test_ends_every_wait(subject: Subject, aborts: int) -> None:
    """An abort ends all waits there are; nothing is raised, what stands behind them goes on."""
    waiters = Waiters(subject)
    await waiters.run(2, aborts=aborts)
    judge.holds(
        sorted(waiters.went_on) == [0, 1],
        called=f"two tasks, each: {WAIT}",
        came=f"{len(waiters.went_on)} of them went on",
        wanted="both go on",
    )


async def test_wait_after_the_abort(subject: Subject) -> None:
    """Where the signal is aborted already, a wait ends as soon as it begins."""
    waiters = Waiters(subject)
    waiters.signal.abort()
    with judge.in_time(subject.patience, called=f"signal.abort(); {WAIT}"):
        await waiters.wait(0)


async def test_disturbs_nothing_afterwards(subject: Subject) -> None:
    """Behind a wait, ended or not, an abort touches nobody: other awaits go on as usual."""
    waiters = Waiters(subject)
    with anyio.CancelScope() as here:
        with waiters.signal.scope():
            await checkpoint()
        waiters.signal.abort()
        await waiters.wait(0)
        await checkpoint()
        waiters.went_on.append(1)
    judge.holds(
        waiters.went_on == [0, 1] and not here.cancelled_caught,
        called="a wait that ends by itself; signal.abort(); a wait that is cut short; an await",
        came=f"{len(waiters.went_on)} of 2 places reached",
        wanted="the end, undisturbed",
    )


async def test_cancellation_passes(subject: Subject) -> None:
    """A cancellation from outside passes through a wait: it is no abort."""
    waiters = Waiters(subject)
    with judge.in_time(subject.patience, called=WAIT):
        async with anyio.create_task_group() as group:
            group.start_soon(waiters.wait, 0)
            await wait_all_tasks_blocked()
            group.cancel_scope.cancel()
    judge.holds(
        waiters.went_on == [] and not waiters.signal.aborted,
        called="with signal.scope(): await sleep_forever(); the task is cancelled",
        came=f"it went on: {bool(waiters.went_on)}, aborted: {waiters.signal.aborted}",
        wanted="a task that ends there, and a signal that is not aborted",
    )


async def test_errors_pass(subject: Subject) -> None:
    """What goes wrong inside of a wait comes out of it."""
    came = "no error"
    try:
        with subject.get("abort.AbortSignal")().scope():
            raise KeyError("from inside")
    except KeyError:
        came = "KeyError"
    judge.same(came, "KeyError", called='with signal.scope(): raise KeyError("from inside")')
