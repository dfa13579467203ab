"""A run that is aborted before, between or inside of its calls: it ends at once, and is whole."""

import threading
from typing import Any

import pytest

from conformance.support.chapters import read
from conformance.support.history import text_of
from conformance.support.model import Call, Says
from conformance.support.run import Run, ToolUse, stuck_run
from conformance.support.subject import Subject

pytestmark = read("aborted run")

TWO = Says("看", Call("t1"), Call("t2"))
BLOCKED = 1.5
"""Seconds that a tool blocks which nobody should wait for."""


async def test_before_the_run(subject: Subject) -> None:
    """Aborted before it begins, a run does nothing but say so; the user's line stays."""
    run = Run(subject, TWO)
    run.signal.abort()
    await run.play()
    run.holds(
        run.tools.begun == [] and run.history == ["user: 开始"] and run.end == "aborted",
        came=f"run: {run.tools.begun}, the reason {run.end}. The history:\n"
        + "\n".join(run.history),
        wanted="no tool run, the user's line, the reason aborted",
    )


@pytest.mark.parametrize("after", ["StreamStart", "MessageEnd", "ToolExecutionStart"])
async def test_before_the_tools(subject: Subject, after: str) -> None:
    """Aborted before the tools are taken up, the run starts none of them, and answers all calls."""
    run = Run(subject, TWO, Says("好"))

    def abort(name: str, event: Any) -> None:
        if name == after:
            run.signal.abort()

    await run.play(abort)
    run.holds(
        run.tools.begun == [] and len(run.script.requests) == 1,
        came=f"run: {run.tools.begun}, {len(run.script.requests)} calls of the model",
        wanted="no tool run, 1 call of the model",
    )
    run.expect_whole(reason="aborted")


@pytest.mark.parametrize("sequential", [False, True], ids=["together", "one by one"])
async def test_while_tools_wait(subject: Subject, sequential: bool) -> None:
    """Aborted while tools wait, the run ends: what was done is kept, the others are errors."""
    run = stuck_run(subject, sequential=sequential)
    await run.play_until_stuck(run.signal.abort)
    run.expect_whole(reason="aborted")
    run.holds(
        run.history[2:3] == ["result t1: echo t1"]
        and [r.is_error for r in run.results[1:]] == [True] * 2,
        wanted="the result of t1, errors of t2 and t3",
    )


async def test_started_or_not(subject: Subject) -> None:
    """The model can tell a call that was interrupted from one that never started."""
    run = stuck_run(subject, sequential=True)
    await run.play_until_stuck(run.signal.abort)
    texts = [text_of(result) for result in run.results[1:]]
    run.holds(
        len(texts) == 2 and all(texts) and texts[0] != texts[1],
        wanted="other words for t2, which was at work, than for t3, which never began",
    )


async def test_tool_that_blocks(subject: Subject) -> None:
    """A tool that blocks in `run_blocking` is left behind: the run ends while it is at work."""
    run_blocking = subject.get("blocking.run_blocking")
    release, done = threading.Event(), threading.Event()

    def block() -> str:
        release.wait(BLOCKED)
        done.set()
        return "太晚"

    run = Run(subject, Says(Call("t1")), tools={"echo": lambda use: run_blocking(block)})
    try:
        await run.play_until_stuck(run.signal.abort)
        left_behind = not done.is_set()
    finally:
        release.set()
    run.expect_whole(reason="aborted")
    run.holds(
        left_behind and [result.is_error for result in run.results] == [True],
        wanted=f"an error for t1 at once, and not what it brings back after {BLOCKED:g} s",
    )


async def test_after_the_tools(subject: Subject) -> None:
    """Aborted while a tool still does its work, the run keeps the result, and no turn follows."""

    def finish(use: ToolUse) -> str:
        use.signal.abort()
        return "做完了"

    run = Run(subject, Says(Call("t1")), Says("好"), tools={"echo": finish})
    await run.play()
    run.expect_history("assistant: [t1]", "result t1: 做完了")
    run.expect_whole(reason="aborted")
    run.same(f"calls of the model: {len(run.script.requests)}", "calls of the model: 1")
