"""Observers: whatever happens to them, what they watch goes on, and the others see it all."""

import asyncio
from collections.abc import Callable

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from mini_agent.agent_events import AgentEnd, MessageEnd, ToolExecutionEnd, TurnEnd
from mini_agent.extensions.api import Api
from mini_agent.extensions.events import OBSERVED, BeforeCall, Block, SessionStart
from mini_agent.extensions.observers import observed, tell
from mini_agent.messages import AssistantMessage

from tests.steps.step07.extensions import (
    Handle,
    Harness,
    Setup,
    answering,
    listening,
    raising,
)
from tests.steps.step07.support import Run, call, says

SCRIPT = (says("看", call("t1")), says("好"))
START = SessionStart(reason="new")


def recorder(seen: list[str], name: str, *events: type) -> Setup:
    async def handler(event: object) -> None:
        seen.append(f"{name} {type(event).__name__}")

    def setup(api: Api) -> None:
        for event in events:
            api.on(event, handler)

    return setup


def watched(harness: Harness, run: Run) -> Run:
    run.generator = observed(run.generator, harness.extensions, signal=run.signal)
    return run


async def test_observers_are_told_of_ends_in_the_order_in_which_they_came() -> None:
    seen: list[str] = []
    harness = Harness(a=recorder(seen, "a", *OBSERVED), b=recorder(seen, "b", *OBSERVED))
    plain = await Run(*SCRIPT, hooks=harness.hooks()).whole()
    run = await watched(harness, Run(*SCRIPT, hooks=harness.hooks())).whole()
    assert run.events == plain.events
    assert seen == [
        f"{name} {event}"
        for event in (
            *("MessageEnd", "ToolExecutionEnd", "TurnEnd", "MessageEnd", "TurnEnd", "AgentEnd"),
        )
        for name in ("a", "b")
    ]


@pytest.mark.parametrize(
    "error", [ValueError("坏了"), SystemExit(2), asyncio.CancelledError()], ids=repr
)
async def test_one_that_raises_harms_nobody(error: BaseException) -> None:
    seen: list[str] = []
    harness = Harness(
        a=raising(MessageEnd, error), b=recorder(seen, "b", MessageEnd), c=answering(TurnEnd, None)
    )
    run = await watched(harness, Run(*SCRIPT, hooks=harness.hooks())).whole()
    assert seen == ["b MessageEnd"] * 2
    assert run.end == AgentEnd(reason="completed")
    assert len(harness.told) == 1
    assert harness.told[0].startswith("（扩展 a 在 MessageEnd 出错：")


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_ctrl_c_is_no_trouble_of_an_extension(backend: str) -> None:
    harness = Harness(a=raising(SessionStart, KeyboardInterrupt()))

    async def main() -> None:
        await tell(START, harness.extensions, signal=harness.signal)

    with pytest.raises(KeyboardInterrupt):
        anyio.run(main, backend=backend)
    assert harness.told == []


async def test_an_observer_has_no_answer_to_give() -> None:
    harness = Harness(a=answering(ToolExecutionEnd, Block("不行")))
    run = await watched(harness, Run(*SCRIPT, hooks=harness.hooks())).whole()
    assert run.told[1] == "result t1: echo t1"
    assert harness.told == ["（扩展 a 在 ToolExecutionEnd 出错：回答了 Block，这里不能这样回答）"]


async def test_one_that_hangs_is_left_behind_when_its_time_is_up() -> None:
    async def hang(event: object) -> None:
        await anyio.sleep_forever()

    seen: list[str] = []
    harness = Harness(limit=0.2, a=listening(TurnEnd, hang), b=recorder(seen, "b", TurnEnd))
    await watched(harness, Run(*SCRIPT, hooks=harness.hooks())).whole()
    assert seen == ["b TurnEnd"] * 2
    assert harness.told == ["（扩展 a 在 TurnEnd 出错：超过 0.2 秒没有做完）"]


async def test_an_abort_ends_the_wait_for_one_that_hangs_and_the_others_still_hear() -> None:
    async def hang(event: object) -> None:
        await anyio.sleep_forever()

    seen: list[str] = []

    async def hear(event: object) -> None:
        await anyio.lowlevel.checkpoint()  # an abort leaves it time for that
        seen.append(type(event).__name__)

    def setup(handler: Handle) -> Setup:
        def both(api: Api) -> None:
            api.on(MessageEnd, handler)
            api.on(AgentEnd, handler)

        return both

    harness = Harness(limit=60, a=setup(hang), b=setup(hear))
    run = watched(harness, Run(*SCRIPT, hooks=harness.hooks(), signal=harness.signal))
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(run.whole)
            await wait_all_tasks_blocked()
            harness.signal.abort()
    assert run.end == AgentEnd(reason="aborted")
    assert seen == ["MessageEnd", "AgentEnd"]


async def test_an_observer_gets_a_copy_that_it_may_spoil() -> None:
    seen: list[object] = []

    async def spoil(event: MessageEnd) -> None:
        assert isinstance(event.message, AssistantMessage)
        for block in event.message.content:
            block.__dict__.get("arguments", {})["path"] = "b"

    async def look(event: MessageEnd) -> None:
        seen.append(event.message)

    sent = says(call("t1", path="a"))
    harness = Harness(a=listening(MessageEnd, spoil), b=listening(MessageEnd, look))
    run = watched(harness, Run(sent, says("好"), hooks=harness.hooks()))
    await run.whole()
    assert run.context.messages[1] == seen[0] == says(call("t1", path="a"))
    assert run.tools.arguments == [{"path": "a"}]


# Subscribing and unsubscribing while an event is on its way.


async def test_whoever_ends_in_the_middle_of_an_event_gets_nothing_any_more() -> None:
    seen: list[str] = []
    offs: dict[str, Callable[[], None]] = {}

    def setup(name: str, ends: tuple[str, ...] = ()) -> Setup:
        async def handler(event: SessionStart) -> None:
            seen.append(name)
            for other in ends:
                offs[other]()
                offs[other]()  # once more is no error

        def set_up(api: Api) -> None:
            offs[name] = api.on(SessionStart, handler)

        return set_up

    harness = Harness(a=setup("a", ends=("a", "c")), b=setup("b"), c=setup("c"))
    for _ in range(2):
        await tell(START, harness.extensions, signal=harness.signal)
    assert seen == ["a", "b", "b"]


async def test_whoever_is_new_in_the_middle_of_an_event_gets_the_next_one() -> None:
    seen: list[str] = []

    def setup(api: Api) -> None:
        async def late(event: SessionStart) -> None:
            seen.append("late")

        async def early(event: SessionStart) -> None:
            seen.append("early")
            api.on(SessionStart, late)

        api.on(SessionStart, early)

    harness = Harness(a=setup)
    await tell(START, harness.extensions, signal=harness.signal)
    assert seen == ["early"]
    await tell(START, harness.extensions, signal=harness.signal)
    assert seen == ["early", "early", "late"]


async def test_a_gate_that_is_new_in_the_middle_of_a_decision_is_asked_too() -> None:
    def setup(api: Api) -> None:
        async def late(event: BeforeCall) -> object:
            return Block("后来的")

        async def early(event: BeforeCall) -> None:
            api.on(BeforeCall, late)

        api.on(BeforeCall, early)

    run = await Run(*SCRIPT, hooks=Harness(a=setup).hooks()).whole()
    assert run.tools.ran == []


async def test_a_gate_that_ends_another_one_in_the_middle_of_a_decision() -> None:
    offs: list[Callable[[], None]] = []

    async def early(event: BeforeCall) -> None:
        offs[0]()

    async def never(event: BeforeCall) -> object:
        raise AssertionError("it has ended")

    harness = Harness(
        a=listening(BeforeCall, early), b=lambda api: offs.append(api.on(BeforeCall, never))
    )
    run = await Run(*SCRIPT, hooks=harness.hooks()).whole()
    assert run.tools.ran == ["t1"]
    assert harness.told == []


# What can be listened to, and by whom.


async def sleepy(event: object) -> None:
    return None


def not_async(event: object) -> None:
    return None


@pytest.mark.parametrize(
    ("event", "handler", "text"),
    [(str, sleepy, "no event"), (MessageEnd, not_async, "no `async def`")],
)
def test_a_mistake_of_the_author_is_an_error_at_once(
    event: type, handler: Handle, text: str
) -> None:
    def setup(api: Api) -> None:
        with pytest.raises(ValueError, match=text):
            api.on(event, handler)

    Harness(a=setup)
