"""The calls of one message: together or one by one, each with its result, in call order."""

import asyncio
from typing import Any

import anyio
from anyio.lowlevel import checkpoint

from conformance.support.chapters import read
from conformance.support.history import fault_in_history
from conformance.support.model import Call, Says
from conformance.support.run import Run, ToolUse
from conformance.support.subject import Subject

pytestmark = read("execution")

THREE = (Call("t1"), Call("t2"), Call("t3"))


async def test_results_in_call_order(subject: Subject) -> None:
    """Whichever tool is done first: the results come in the order of the calls."""
    done = {call.id: anyio.Event() for call in THREE}
    waits_for = {"t1": "t2", "t2": "t3"}

    async def tool(use: ToolUse) -> str:
        if following := waits_for.get(use.call.id):
            await done[following].wait()
        done[use.call.id].set()
        return f"{use.call.id} is done"

    run = Run(subject, Says(*THREE), Says("好"), tools={"echo": tool})
    await run.play()
    results = [f"result {call.id}: {call.id} is done" for call in THREE]
    run.holds(
        run.tools.ended == ["t3", "t2", "t1"] and run.history[2:5] == results,
        wanted="\n".join(results),
    )


async def test_tools_run_together(subject: Subject) -> None:
    """The calls of a message run at the same time: two that wait for each other both end."""
    here = {"t1": anyio.Event(), "t2": anyio.Event()}

    async def meet(use: ToolUse) -> str:
        here[use.call.id].set()
        for event in here.values():
            await event.wait()
        return "见到了"

    calls = Says(Call("t1", "meet"), Call("t2", "meet"))
    run = Run(subject, calls, Says("好"), tools={"meet": meet}, sequential={"note"})
    await run.play()
    run.expect_history(
        "assistant: [t1][t2]", "result t1: 见到了", "result t2: 见到了", "assistant: 好"
    )


async def test_tool_that_wants_no_other(subject: Subject) -> None:
    """If one call of a message wants no other beside it, all its calls run one by one, in order."""
    together: list[int] = []

    async def tool(use: ToolUse) -> str:
        await checkpoint()
        together.append(len(run.tools.begun) - len(run.tools.ended))
        return "好"

    calls = Says(Call("t1"), Call("t2", "note"), Call("t3"))
    tools = {"echo": tool, "note": tool}
    run = Run(subject, calls, Says("好"), tools=tools, sequential={"note"})
    await run.play()
    run.holds(
        together == [1, 1, 1] and run.tools.begun == ["t1", "t2", "t3"],
        came=f"tools at work at the same time: {together}; begun: {run.tools.begun}",
        wanted="one at a time, t1, t2, t3",
    )


async def test_one_fails(subject: Subject, anyio_backend_name: str) -> None:
    """One that raises costs the others nothing: each keeps its own result, under its own id."""
    quick_is_done = anyio.Event()

    async def slow(use: ToolUse) -> str:
        await quick_is_done.wait()
        return "慢"

    async def fails(use: ToolUse) -> str:
        raise ValueError

    async def quick(use: ToolUse) -> str:
        quick_is_done.set()
        return "快"

    async def cancels(use: ToolUse) -> str:
        raise asyncio.CancelledError if anyio_backend_name == "asyncio" else RuntimeError

    tools = {"slow": slow, "fails": fails, "quick": quick, "cancels": cancels}
    calls = [Call(f"t{number}", name) for number, name in enumerate(tools, start=1)]
    run = Run(subject, Says(*calls), Says("好"), tools=tools)
    await run.play()
    came = [(result.tool_call_id, result.tool_name, result.is_error) for result in run.results]
    run.holds(
        came == [(call.id, call.name, call.name in ("fails", "cancels")) for call in calls]
        and (run.history[2], run.history[4]) == ("result t1: 慢", "result t3: 快"),
        wanted="results of t1 (慢), t3 (快), errors of t2 and t4, in the order of the calls",
    )


async def test_ids_become_unique(subject: Subject) -> None:
    """Calls whose id is empty or taken get one of their own: none is lost, each has its result."""
    twice = (Call("t1"), Call("t1"), Call(""), Call(""))
    run = Run(subject, Says(*twice), Says(Call("t1")), Says("好"))
    await run.play()
    fault = fault_in_history(run.context.messages)
    ids = [result.tool_call_id for result in run.results]
    run.holds(
        not fault and len(ids) == 5 and sorted(run.tools.begun) == sorted(ids) and ids[0] == "t1",
        came="\n".join([fault, *run.history]).strip(),
        wanted="5 calls that are run, with 5 ids, the first one still t1, each with its result",
    )


async def test_ids_of_earlier_runs_are_taken(subject: Subject) -> None:
    """An id that stands in the history is taken, even if the call was one of an earlier run."""
    first = Run(subject, Says(Call("t1")), Says("好"))
    await first.play()
    second = Run(subject, Says(Call("t1")), Says("好"))
    second.context.messages[:0] = first.context.messages
    await second.play()
    fault = fault_in_history(second.context.messages)
    second.holds(
        not fault, came="\n".join([fault, *second.history]), wanted="another id for the second call"
    )


async def test_progress_is_shown_at_once(subject: Subject) -> None:
    """What a tool tells of its progress is shown while it runs, with the call it belongs to."""
    shown: list[Any] = []

    async def tool(use: ToolUse) -> str:
        use.on_update("一半")
        shown.extend(run.updates)
        return "好"

    run = Run(subject, Says(Call("t1")), Says("好"), tools={"echo": tool})
    await run.play()
    run.holds(
        shown == run.updates == [("t1", "一半")],
        came=f"shown while it ran: {shown}; afterwards: {run.updates}",
        wanted="[('t1', '一半')] while it runs, and nothing more afterwards",
    )
