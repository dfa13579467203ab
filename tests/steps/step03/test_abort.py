"""The abort signal: it ends waits, and nothing else."""

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from anyio.lowlevel import checkpoint
from mini_agent.abort import AbortSignal


async def wait_until_cut_short(signal: AbortSignal, log: list[str]) -> None:
    with signal.scope():
        await anyio.sleep_forever()
    log.append("went on")


async def test_an_abort_ends_every_wait() -> None:
    signal, log = AbortSignal(), list[str]()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(wait_until_cut_short, signal, log)
            group.start_soon(wait_until_cut_short, signal, log)
            await wait_all_tasks_blocked()
            assert log == []
            signal.abort()
    assert log == ["went on", "went on"]


async def test_a_second_abort_changes_nothing() -> None:
    signal, log = AbortSignal(), list[str]()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(wait_until_cut_short, signal, log)
            await wait_all_tasks_blocked()
            signal.abort()
            signal.abort()
    await checkpoint()  # nothing is left that would cancel us here
    assert signal.aborted
    assert log == ["went on"]


async def test_a_wait_after_the_abort_does_not_begin() -> None:
    signal, log = AbortSignal(), list[str]()
    signal.abort()
    with anyio.fail_after(5):
        await wait_until_cut_short(signal, log)
        await wait_until_cut_short(signal, log)
    assert log == ["went on", "went on"]


async def test_an_abort_leaves_alone_who_does_not_wait() -> None:
    signal = AbortSignal()
    with signal.scope():
        await checkpoint()
    assert not signal._waits  # a long conversation must not pile up waits that are over
    signal.abort()
    await checkpoint()


async def test_what_the_wait_raises_comes_out() -> None:
    with pytest.raises(KeyError), AbortSignal().scope():
        raise KeyError


async def test_cancellation_from_outside_is_no_abort() -> None:
    signal, log = AbortSignal(), list[str]()
    with anyio.CancelScope() as outside:
        async with anyio.create_task_group() as group:
            group.start_soon(wait_until_cut_short, signal, log)
            await wait_all_tasks_blocked()
            outside.cancel()
    assert outside.cancelled_caught
    assert log == []
    assert not signal.aborted
