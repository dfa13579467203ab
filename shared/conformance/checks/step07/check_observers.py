"""Extensions that only watch: whatever becomes of them, the run goes on undisturbed."""

from typing import Any

from conformance.support.chapters import read
from conformance.support.extensions import ExtendedHarness, listening, raising
from conformance.support.model import Call, Says
from conformance.support.subject import Subject

pytestmark = read("extensions")

OBSERVED = ("MessageEnd", "ToolExecutionEnd", "TurnEnd", "AgentEnd")


async def test_observers_are_isolated(subject: Subject) -> None:
    """An observer that raises harms nobody: the next one hears it all, the user hears whose fault.

    The same trouble is told once, however often it happens.
    """
    heard: list[str] = []

    def watch(api: Any) -> None:
        for name in OBSERVED:

            async def note(event: Any, name: str = name) -> None:
                heard.append(name)

            api.on(subject.get(f"agent_events.{name}"), note)

    broken = raising(subject.get("agent_events.MessageEnd"))
    harness = ExtendedHarness(subject, broken=broken, watch=watch)
    run = harness.run(Says(Call("t1")), Says("好"))
    await harness.play_observed(run)
    wanted = [name for name, _ in run.named_events if name in OBSERVED]
    run.same(heard, wanted)
    run.expect_whole(reason="completed")
    run.holds(
        len(harness.told) == 1 and "broken" in harness.told[0] and "坏了" in harness.told[0],
        came=f"the user was told {harness.told}",
        wanted="one line that names broken and says 坏了",
    )


async def test_observers_get_copies(subject: Subject) -> None:
    """What an observer does to an event that it was given changes neither run nor history."""

    async def spoil(event: Any) -> None:
        for block in event.message.content:
            if block.type == "tool_call":
                block.arguments["cmd"] = "rm"

    harness = ExtendedHarness(
        subject, spoil=listening(subject.get("agent_events.MessageEnd"), spoil)
    )
    run = harness.run(Says(Call("t1", arguments={"cmd": "ls"})), Says("好"))
    await harness.play_observed(run)
    kept = run.context.messages[1].content[0].arguments
    run.same(kept, {"cmd": "ls"})


EVENTS = ("AfterMessage", "BeforeCall", "AfterCall", "MessageEnd", "ToolExecutionEnd", "TurnEnd")


async def test_ended_while_on_its_way(subject: Subject) -> None:
    """Whoever ends a subscription, also while its event is on the way, has ended it: no call."""
    heard: list[str] = []

    def ends_the_next(api: Any) -> None:
        for name in EVENTS:
            place = "agent_events" if name.endswith("End") else "extensions.events"

            async def end(event: Any, name: str = name) -> None:
                ends[name]()

            async def note(event: Any, name: str = name) -> None:
                heard.append(name)

            api.on(subject.get(f"{place}.{name}"), end)
            ends[name] = api.on(subject.get(f"{place}.{name}"), note)

    ends: dict[str, Any] = {}
    harness = ExtendedHarness(subject, one=ends_the_next)
    run = harness.run(Says(Call("t1")), Says("好"))
    await harness.play_observed(run)
    run.holds(heard == [], came=f"called all the same: {heard}", wanted="none of them called")
