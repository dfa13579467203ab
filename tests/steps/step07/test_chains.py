"""Chains: each one sees what the one before made of it, and the original stays what it was."""

import anyio
import pytest
from mini_agent.extensions.events import AfterCall, ChangeInput, ChangeResult, Handled, Input
from mini_agent.extensions.gates import RESULT_FAILED
from mini_agent.extensions.input import take_input
from mini_agent.hooks import LoopHooks
from mini_agent.messages import ToolResultMessage, message_text
from mini_agent.results import UNCHECKED, ToolError, ToolOutput

from tests.steps.step07.extensions import Harness, answering, listening, raising
from tests.steps.step07.support import Run, Tools, call, says


async def test_without_extensions_there_are_no_hooks() -> None:
    assert Harness().hooks() == LoopHooks()


# Results.


async def louder(event: AfterCall) -> object:
    return ChangeResult(message_text(event.result) + "！")


async def test_each_one_sees_the_result_that_the_one_before_has_made() -> None:
    def fail(call: object) -> str:
        raise ToolError("没有")

    harness = Harness(a=listening(AfterCall, louder), b=listening(AfterCall, louder))
    run = await Run(
        says(call("t1"), call("t2", "fail")),
        says("好"),
        hooks=harness.hooks(),
        tools=Tools({"fail": fail}),
    ).whole()
    assert run.told[1:3] == ["result t1: echo t1！！", "error t2: 没有！！"]


@pytest.mark.parametrize("is_error", [True, False])
async def test_one_can_turn_an_error_into_none_and_back(is_error: bool) -> None:
    harness = Harness(a=answering(AfterCall, ChangeResult("改", is_error=is_error)))
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert run.told[1] == ("error t1: 改" if is_error else "result t1: 改")


async def test_what_the_user_was_to_see_goes_with_the_text_that_it_belonged_to() -> None:
    harness = Harness(a=answering(AfterCall, ChangeResult("***")))
    tools = Tools({"echo": lambda call: ToolOutput(text="密码", details="密码是 1234")})
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks(), tools=tools).whole()
    changed = run.context.messages[2]
    assert isinstance(changed, ToolResultMessage)
    assert changed.details is None


async def test_one_that_fails_leaves_an_error_that_names_it() -> None:
    harness = Harness(
        a=listening(AfterCall, louder),
        b=raising(AfterCall, ValueError("坏了")),
        c=answering(AfterCall, ChangeResult("没事")),
    )
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert run.told[1] == "error t1: " + UNCHECKED.format(error=RESULT_FAILED.format(name="b"))
    assert harness.told == ["（扩展 b 在 AfterCall 出错：ValueError: 坏了）"]


async def test_whoever_looks_at_a_result_gets_a_copy() -> None:
    async def spoil(event: AfterCall) -> None:
        event.call.arguments["path"] = "b"

    harness = Harness(a=listening(AfterCall, spoil))
    run = await Run(says(call("t1", path="a")), says("好"), hooks=harness.hooks()).whole()
    assert run.context.messages[1] == says(call("t1", path="a"))


# What the user types.


async def test_the_line_of_the_user_goes_through_all_of_them() -> None:
    async def louder(event: Input) -> object:
        return ChangeInput(event.text + "！")

    harness = Harness(
        a=listening(Input, louder),
        b=raising(Input, ValueError("坏了")),
        c=answering(Input, None),
        d=listening(Input, louder),
    )
    assert await take_input("你好", harness.extensions, signal=harness.signal) == "你好！！"
    assert harness.told == ["（扩展 b 在 Input 出错：ValueError: 坏了）"]


async def test_the_first_one_that_deals_with_the_line_ends_it() -> None:
    harness = Harness(a=answering(Input, Handled("记下了")), b=raising(Input, ValueError("坏了")))
    taken = await take_input("你好", harness.extensions, signal=harness.signal)
    assert taken == Handled("记下了")
    assert harness.told == []


async def test_a_line_that_was_blanked_goes_nowhere() -> None:
    harness = Harness(a=answering(Input, ChangeInput(" \n")))
    assert await take_input("你好", harness.extensions, signal=harness.signal) == Handled()


async def test_an_abort_leaves_the_line_as_it_is() -> None:
    async def hang(event: Input) -> None:
        harness.signal.abort()
        await anyio.sleep_forever()

    harness = Harness(limit=60, a=listening(Input, hang))
    with anyio.fail_after(10):
        assert await take_input("你好", harness.extensions, signal=harness.signal) == "你好"
