"""`hooks.LoopHooks`: three places in the loop where others take part, and what each may do."""

from typing import Any

from anyio import sleep_forever
from anyio.lowlevel import checkpoint

from conformance.support.chapters import read
from conformance.support.extensions import blocked_in, hooked_run, result_for
from conformance.support.model import Call, Says
from conformance.support.run import ToolUse
from conformance.support.subject import Subject

pytestmark = read("hooks")

TWO = (Call("t1"), Call("t2"))
THREE = (*TWO, Call("t3"))


async def test_refusal_of_a_message(subject: Subject) -> None:
    """A text of `after_message` is what each call gets, none of them runs, and the run goes on."""

    async def refuse(message: Any) -> str | None:
        return "一次一件" if message.content[0].type == "tool_call" else None

    run = hooked_run(subject, Says(*TWO), Says("好"), after_message=refuse)
    await run.play()
    run.holds(
        run.tools.begun == [] and blocked_in(run) == ["t1", "t2"],
        came=f"run: {run.tools.begun}, blocked: {blocked_in(run)}",
        wanted="nothing that is run; t1 and t2 blocked",
    )
    run.expect_history(
        "assistant: [t1][t2]", "error t1: 一次一件", "error t2: 一次一件", "assistant: 好"
    )


async def test_asked_before_any_tool_starts(subject: Subject) -> None:
    """`before_call` is asked about one call after the other, in their order, before any runs."""
    order: list[str] = []

    async def ask(call: Any) -> Any:
        order.append(f"ask {call.id}")
        await checkpoint()
        order.append(f"asked {call.id}")
        return call

    def tool(use: ToolUse) -> None:
        order.append("run")

    run = hooked_run(subject, Says(*TWO), Says("好"), before_call=ask, tools={"echo": tool})
    await run.play()
    wanted = ["ask t1", "asked t1", "ask t2", "asked t2", "run", "run"]
    run.same(order, wanted)


async def test_other_arguments(subject: Subject) -> None:
    """What `before_call` passes on is what runs, and its result says so.

    The message that is kept is the one that the model has sent.
    """
    ran: list[Any] = []

    async def change(call: Any) -> Any:
        return Call(call.id, call.name, {"path": "b.txt"}).of(subject)

    sent = Says(Call("t1", arguments={"path": "a.txt"}))
    tools = {"echo": lambda use: ran.append(use.call.arguments)}
    run = hooked_run(subject, sent, Says("好"), before_call=change, tools=tools)
    await run.play()
    kept = run.context.messages[1].content[0].arguments
    run.holds(
        ran == [{"path": "b.txt"}] and kept == {"path": "a.txt"},
        came=f"run with {ran}, in the history {kept}",
        wanted="run with [{'path': 'b.txt'}], in the history {'path': 'a.txt'}",
    )
    run.holds(
        "b.txt" in run.history[2],
        came=run.history[2],
        wanted="a result that names the arguments which ran: b.txt",
    )


async def test_answer_in_place_of_a_tool(subject: Subject) -> None:
    """`before_call` may answer itself: the tool is not run; an error as the answer is a block."""

    async def answer(call: Any) -> Any:
        if call.id == "t2":
            return call
        return result_for(subject, call, "早知道了", is_error=call.id == "t3")

    run = hooked_run(subject, Says(*THREE), Says("好"), before_call=answer)
    await run.play()
    run.expect_history(
        "assistant: [t1][t2][t3]",
        "result t1: 早知道了",
        "result t2: echo t2",
        "error t3: 早知道了",
        "assistant: 好",
    )
    run.holds(
        run.tools.begun == ["t2"] and blocked_in(run) == ["t3"],
        came=f"run: {run.tools.begun}, blocked: {blocked_in(run)}",
        wanted="t2 run, t3 blocked",
    )


async def test_raising_is_a_no(subject: Subject) -> None:
    """A `before_call` that raises blocks the call that it was asked about, and no other."""

    async def ask(call: Any) -> Any:
        if call.id == "t2":
            raise ValueError("坏了")
        return call

    run = hooked_run(subject, Says(*THREE), Says("好"), before_call=ask)
    await run.play()
    run.holds(
        sorted(run.tools.begun) == ["t1", "t3"] and blocked_in(run) == ["t2"],
        came=f"run: {run.tools.begun}, blocked: {blocked_in(run)}",
        wanted="t1 and t3 run, t2 blocked",
    )
    run.expect_whole(reason="completed")


async def test_arguments_are_checked_twice(subject: Subject) -> None:
    """What does not fit is not even asked about; what a hook has changed is checked again."""
    asked: list[str] = []

    def check(call: Any) -> Any:
        if not isinstance(call.arguments.get("n"), int):
            raise ValueError("n 应为整数")
        return call

    async def spoil(call: Any) -> Any:
        asked.append(call.id)
        return call if call.id == "t2" else Call(call.id, arguments={"n": "坏"}).of(subject)

    calls = (Call("t1"), Call("t2", arguments={"n": 1}), Call("t3", arguments={"n": 1}))
    run = hooked_run(subject, Says(*calls), Says("好"), check=check, before_call=spoil)
    await run.play()
    run.holds(
        asked == ["t2", "t3"] and run.tools.begun == ["t2"],
        came=f"asked about {asked}, run: {run.tools.begun}",
        wanted="asked about t2 and t3; of these t2 is run, whose arguments still fit",
    )


async def test_other_result(subject: Subject) -> None:
    """What `after_call` returns is the result; if it raises, the tool's is not passed on."""

    async def look(call: Any, result: Any) -> Any:
        if call.id == "t2":
            raise ValueError("坏了")
        return result_for(subject, call, "删去了")

    run = hooked_run(subject, Says(*TWO), Says("好"), after_call=look)
    await run.play()
    first, second = run.history[2:4]
    run.holds(
        first == "result t1: 删去了" and second.startswith("error t2: ") and "echo" not in second,
        wanted="result t1: 删去了, an error for t2 without the output `echo t2`",
    )


async def test_one_result_each(subject: Subject) -> None:
    """Whatever a hook answers, each call has exactly one result, under its own id and name."""
    odd = [None, True, "好", Call("t9").of(subject), Call("t1", "other").of(subject)]
    odd += [
        result_for(subject, Call("t9"), "别人的"),
        result_for(subject, Call("t1", "x"), "别人的"),
    ]
    for answer in odd:

        async def before(call: Any, answer: Any = answer) -> Any:
            return answer

        async def after(call: Any, result: Any, answer: Any = answer) -> Any:
            return answer

        for hook in ({"before_call": before}, {"after_call": after}):
            run = hooked_run(subject, Says(Call("t1")), Says("好"), **hook)
            run.called = f"{run.called}, which answers {answer!r}"[:300]
            await run.play()
            run.expect_whole(reason="completed")
            run.holds(run.results[0].is_error, wanted="an error: that is no answer to this call")


async def test_abort_cuts_a_hook_short(subject: Subject) -> None:
    """An abort ends the wait for a hook: the run ends, and each call has its result."""

    async def hang(*asked: Any) -> None:
        await sleep_forever()

    for hook in ("after_message", "before_call", "after_call"):
        run = hooked_run(subject, Says(*TWO), Says("好"), **{hook: hang})
        await run.play_until_stuck(run.signal.abort)
        run.expect_whole(reason="aborted")
