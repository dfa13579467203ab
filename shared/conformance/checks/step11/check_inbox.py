"""A run that is steered while it works: by other processes, and by what is typed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from anyio import sleep_forever

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import DONE, LOOK, RUN, PureRun, StoredRun, bash, question
from conformance.support.model import Says
from conformance.support.subject import Subject

pytestmark = read("inbox")

Post = Callable[..., None]


@pytest.fixture
def run(subject: Subject, tmp_path: Path) -> StoredRun:
    """Return a run that has an inbox."""
    return StoredRun(subject, tmp_path, inboxes=tmp_path / "inboxes")


@pytest.fixture
def post(subject: Subject, tmp_path: Path) -> Post:
    """Return what another process uses to say something to the run."""

    def post(command: str, *, to: str = RUN, **fields: str) -> None:
        said = subject.get(f"runs.user_input.{command}")(**fields)
        posted = subject.get("runs.inbox.Posted")(run_id=to, said=said)
        subject.get("runs.inbox.Inbox")(tmp_path / "inboxes", "s").post(posted)

    return post


def test_posted(subject: Subject, tmp_path: Path, post: Post) -> None:
    """What was posted to a run is read once, by whoever holds it; what is for another is not."""
    state = PureRun(subject).new()
    log = SimpleNamespace(current=state, state=state)
    inbox = subject.get("runs.inbox.Inbox")(tmp_path / "inboxes", "s")
    came = [[said.text for said in inbox.unread(log)]]
    post("Constraint", id="in-1", text="一")
    post("Constraint", id="in-2", text="二", to="another-1")
    came.append([said.text for said in inbox.unread(log)])
    log.state = replace(state, taken_inputs=frozenset({"in-1"}))
    came.append([said.text for said in inbox.unread(log)])
    judge.holds(
        came == [[], ["一"], []],
        called="unread(log) before two were posted, after it, and when the first was taken in",
        came=came,
        wanted="[[], [一], []]",
    )


async def test_between_turns(run: StoredRun, post: Post) -> None:
    """What is said while a tool runs stands before the next turn, is stored, and counts once."""
    run.during = lambda call_id: post("Constraint", id="in-1", text="不要改 a")
    state = await run.start(Says(LOOK), DONE)
    again = run.process().log.state
    run.holds(
        "不要改 a" in run.outcome()
        and state.constraints == again.constraints == ("不要改 a",)
        and state.status == "completed",
        wanted="one constraint, told to the model; the same when the inbox is read again",
    )
    told = [line for line in run.history if line.startswith("user: ")]
    run.holds(
        len(told) == 2 and "不要改 a" in told[1], came=told, wanted="the constraint, told once"
    )


async def test_at_the_end(run: StoredRun, post: Post) -> None:
    """What is said behind the last answer gets an answer of its own: the run is not over yet."""
    run.at_the_end = lambda: post("Constraint", id="in-1", text="不要改 a")
    state = await run.start(DONE, DONE)
    run.holds(
        (state.status, state.model_calls) == ("completed", 2) and "不要改 a" in run.told(1),
        wanted="completed in 2 calls, the constraint told in the second one",
    )


async def test_half_a_line(run: StoredRun, post: Post, tmp_path: Path) -> None:
    """Half a line of somebody who died in a write costs nothing but itself."""
    await run.start(Says(LOOK), Says(question()))
    post("Constraint", id="in-1", text="一")
    with (tmp_path / "inboxes" / "s.inbox").open("ab") as file:
        file.write(b'{"runId": "s-1", "sa')
    reading = run.process()  # while the line is half a line
    post("Constraint", id="in-2", text="二")
    post("Cancel", id="in-3", to="s-2", reason="另一次运行")
    reading.take_in()
    came = run.process().log.state.constraints
    judge.same(came, ("一", "二"), called="posted: 一, half a line, 二; what the run has taken in")


async def test_cancel(run: StoredRun, post: Post) -> None:
    """A cancel of another process ends what is being done, and not only the next turn."""

    async def hang(call_id: str) -> None:
        post("Cancel", id="in-1", reason="算了")
        await sleep_forever()

    run.during = hang
    state = await run.start(Says(bash("b1")), DONE)
    run.holds(
        (state.status, state.stop_reason, state.model_calls) == ("cancelled", "算了", 1)
        and state.effects[-1].outcome == "unknown",
        wanted="cancelled (算了) in the middle of b1, whose effect is unknown",
    )


async def test_typed(run: StoredRun, subject: Subject) -> None:
    """What is typed while the run works steers it; once it waits for an answer, it does not."""
    left: list[Any] = [subject.get("runs.user_input.Constraint")(text="只看")]

    def typed() -> list[Any]:
        said, left[:] = left[:], []
        return said

    def type_more(call_id: str) -> None:
        left.append(subject.get("runs.user_input.GoalChange")(goal="别的"))

    run.during = type_more
    state = await run.start(Says(LOOK), Says(question()), typed=typed)
    run.holds(
        (state.constraints, state.goal, state.status) == (("只看",), "别的", "waiting")
        and "只看" in run.told(1)
        and "别的" in run.told(1),
        wanted="the constraint and the goal told in the second call; then waiting",
    )
