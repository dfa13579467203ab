"""Extensions that decide about calls: who may say no, and about which arguments."""

from typing import Any

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.extensions import (
    ExtendedHarness,
    Setup,
    answering,
    blocked_in,
    listening,
    raising,
)
from conformance.support.model import Call, Says
from conformance.support.subject import Subject

pytestmark = read("extensions")


def before_call(subject: Subject) -> Any:
    """Return the event at which gates decide."""
    return subject.get("extensions.events.BeforeCall")


def blocking(subject: Subject, reason: str = "") -> Setup:
    """Return a gate that always says no."""
    return answering(before_call(subject), subject.get("extensions.events.Block")(reason))


async def test_first_block_wins(subject: Subject) -> None:
    """The first gate that blocks decides: the model reads its reason, and nobody else is asked."""
    asked: list[str] = []

    def gate(name: str, answer: object) -> Setup:
        async def handler(event: Any) -> object:
            asked.append(name)
            return answer

        return listening(before_call(subject), handler)

    block = subject.get("extensions.events.Block")
    harness = ExtendedHarness(
        subject,
        g1=gate("g1", None),
        g2=gate("g2", block("不许删")),
        g3=gate("g3", block("别")),
    )
    run = harness.run(Says(Call("t1")), Says("好"))
    await run.play()
    run.holds(
        asked == ["g1", "g2"] and run.tools.begun == [] and blocked_in(run) == ["t1"],
        came=f"asked: {asked}, run: {run.tools.begun}, blocked: {blocked_in(run)}",
        wanted="asked: g1, g2; nothing that is run; t1 blocked",
    )
    run.holds("不许删" in run.history[2], wanted="an error for t1 that says 不许删")


async def test_block_without_a_reason(subject: Subject) -> None:
    """A block without a reason gets a text of its own, which names who has blocked."""
    told: list[str] = []
    for reason in ("因为危险", ""):
        run = ExtendedHarness(subject, guard=blocking(subject, reason)).run(
            Says(Call("t1")), Says("好")
        )
        await run.play()
        told.append(run.history[2])
    judge.holds(
        "guard" in told[1] and told[1] != told[0].replace("因为危险", ""),
        called="two runs with an extension guard: Block('因为危险'), then Block('')",
        came="\n".join(told),
        wanted="texts that name guard; the second one is not the first with a hole in it",
    )


async def test_no_answer_overrides_a_block(subject: Subject) -> None:
    """Nothing that another gate answers turns a block into a yes, before it or behind it."""
    change = subject.get("extensions.events.ChangeArguments")({"path": "b.txt"})
    for answer in (None, change, True, "allow"):
        other = answering(before_call(subject), answer)
        for first, second in ((blocking(subject), other), (other, blocking(subject))):
            run = ExtendedHarness(subject, g1=first, g2=second).run(Says(Call("t1")), Says("好"))
            run.called = f"{run.called}; one blocks, the other answers {answer!r}"
            await run.play()
            run.holds(
                run.tools.begun == [] and blocked_in(run) == ["t1"],
                came=f"run: {run.tools.begun}, blocked: {blocked_in(run)}",
                wanted="nothing that is run; t1 blocked",
            )


async def test_raising_gate_blocks(subject: Subject) -> None:
    """A gate that raises has said no; the model reads whose fault it is, the user hears of it."""
    harness = ExtendedHarness(subject, guard=raising(before_call(subject)))
    run = harness.run(Says(Call("t1")), Says("好"))
    await run.play()
    run.holds(
        run.tools.begun == [] and blocked_in(run) == ["t1"] and "guard" in run.history[2],
        wanted="an error for t1 that names guard, and no tool that is run",
    )
    run.holds(
        any("guard" in line and "坏了" in line for line in harness.told),
        came=f"the user was told {harness.told}",
        wanted="a line for the user with guard and 坏了",
    )


async def test_half_a_change_is_undone(subject: Subject) -> None:
    """A gate gets a copy: what it does to the arguments without saying so reaches nobody."""
    seen: list[Any] = []
    ran: list[Any] = []

    async def spoil(event: Any) -> None:
        event.call.arguments["cmd"] = "rm a.txt"
        if event.call.id == "t2":
            raise ValueError("坏了")

    async def look(event: Any) -> None:
        seen.append(dict(event.call.arguments))

    event = before_call(subject)
    harness = ExtendedHarness(subject, g1=listening(event, spoil), g2=listening(event, look))
    sent = (Call("t1", arguments={"cmd": "ls"}), Call("t2", arguments={"cmd": "ls"}))
    tools = {"echo": lambda use: ran.append(use.call.arguments)}
    run = harness.run(Says(*sent), Says("好"), tools=tools)
    await run.play()
    kept = [call.arguments for call in run.context.messages[1].content]
    run.holds(
        seen == ran == [{"cmd": "ls"}] and kept == [{"cmd": "ls"}] * 2,
        came=f"the next gate saw {seen}, run with {ran}, in the history {kept}",
        wanted="{'cmd': 'ls'} everywhere, and t2 blocked",
    )


async def test_siblings_are_unharmed(subject: Subject) -> None:
    """Beside a blocked call and one that a gate stumbled over, the others run as ever."""

    async def guard(event: Any) -> object:
        if event.call.id == "t1":
            return subject.get("extensions.events.Block")("不许")
        if event.call.id == "t3":
            raise ValueError("坏了")
        return None

    harness = ExtendedHarness(subject, guard=listening(before_call(subject), guard))
    calls = tuple(Call(f"t{number}") for number in range(1, 5))
    run = harness.run(Says(*calls), Says("好"))
    await run.play()
    run.holds(
        run.history[3] == "result t2: echo t2"
        and run.history[5] == "result t4: echo t4"
        and blocked_in(run) == ["t1", "t3"],
        wanted="results of t2 and t4; t1 and t3 blocked",
    )
    run.expect_whole(reason="completed")


async def test_unknown_tool(subject: Subject) -> None:
    """A call of a tool that does not exist goes through the gates like any other."""
    harness = ExtendedHarness(subject, guard=blocking(subject, "不认识"))
    registry = subject.get("tools.registry.Registry")([])
    run = harness.run(Says(Call("t1", "nosuchtool")), Says("好"), check=registry.prepare)
    await run.play()
    run.holds(
        blocked_in(run) == ["t1"] and "不认识" in run.history[2],
        wanted="an error for t1 that says 不认识: blocked, as the gate wanted it",
    )


async def test_decided_on_as_run(subject: Subject) -> None:
    """When a gate changes the arguments, those before it are asked again about the new ones."""

    async def no_rm(event: Any) -> object:
        dangerous = event.call.arguments["cmd"] == "rm"
        return subject.get("extensions.events.Block")("不许 rm") if dangerous else None

    change = subject.get("extensions.events.ChangeArguments")({"cmd": "rm"})
    event = before_call(subject)
    harness = ExtendedHarness(subject, g1=listening(event, no_rm), g2=answering(event, change))
    run = harness.run(Says(Call("t1", arguments={"cmd": "ls"})), Says("好"))
    await run.play()
    run.holds(
        run.tools.begun == [] and "不许 rm" in run.history[2],
        wanted="an error for t1 that says 不许 rm: what would run is no longer ls",
    )


async def test_raising_behind_a_call(subject: Subject) -> None:
    """If one that looks at results raises, the result is not passed on: it may hold a secret."""
    harness = ExtendedHarness(subject, guard=raising(subject.get("extensions.events.AfterCall")))
    run = harness.run(Says(Call("t1")), Says("好"), tools={"echo": lambda use: "秘密"})
    await run.play()
    run.holds(
        run.results[0].is_error and "秘密" not in run.history[2] and "guard" in run.history[2],
        wanted="an error for t1 that names guard, without what the tool has said",
    )
