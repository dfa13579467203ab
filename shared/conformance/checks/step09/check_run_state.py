"""What a run is: a status with a table of moves, and a state that its events alone make up."""

from collections.abc import Callable
from itertools import product
from typing import Any

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import START, PureRun, at, shown
from conformance.support.subject import Subject
from conformance.support.values import as_json, from_json

pytestmark = read("run state")

STATUSES = ("running", "waiting", "completed", "failed", "cancelled")
MOVES = {
    *(("running", after) for after in ("waiting", "completed", "failed", "cancelled")),
    *(("waiting", "running"), ("waiting", "cancelled")),
    *(("failed", "running"), ("failed", "cancelled")),
}


def states(subject: Subject) -> dict[str, Any]:
    """Return a run in each status."""
    move = subject.get("runs.state.transition")
    running = PureRun(subject).new()
    others = (s for s in STATUSES if s != "running")
    return {"running": running} | {s: move(running, s, reason="r", at=START) for s in others}


def test_moves(subject: Subject) -> None:
    """From each status a run can go where the table says, and nowhere else.

    A move that is not possible raises, and changes nothing.
    """
    run, move = PureRun(subject), subject.get("runs.state.transition")

    def moving(after: str) -> Callable[[Any], Any]:
        return lambda state: move(state, after, reason="why", at=at(1))

    for (before, state), after in product(states(subject).items(), STATUSES):
        called = f"transition({before}, {after!r}, ...)"
        if (before, after) not in MOVES:
            run.expect_refused(
                state,
                moving(after),
                "illegal_transition",
                called=called,
            )
            continue
        moved = moving(after)(state)
        last = moved.transitions[-1]
        judge.holds(
            (moved.status, last.before, last.after, last.reason) == (after, before, after, "why")
            and state.status == before,
            called=called,
            came=f"{moved.status}, recorded: {last}; the state before is {state.status}",
            wanted=f"{after}, recorded with its reason; the state before stays {before}",
        )


def test_table(subject: Subject) -> None:
    """The table of moves holds every status, and is what `transition` goes by."""
    table = subject.get("runs.state.TRANSITIONS")
    came = {(before, after) for before, afters in table.items() for after in afters}
    judge.holds(
        set(table) == set(STATUSES) and came == MOVES,
        called="runs.state.TRANSITIONS",
        came=sorted(came),
        wanted=repr(sorted(MOVES)),
    )


def test_fold(subject: Subject) -> None:
    """A state is the fold over its events: replayed from their JSON, each prefix gives it again."""
    run = PureRun(subject)
    asked = run.wait(run.new(), decision="名字")
    limited = run.steer(asked, "constraint", "不要改 a", name="in-1")
    answered = run.reply(limited)
    approving = run.wait_for_approval(answered)
    approved = subject.get("interaction.approve")(approving, "ask-1", now=at(3))
    changed = run.steer(approved, "goal_change", "别的", name="in-2")
    expiring = run.wait(changed, run.request("ask-2", expires=5))
    expired = subject.get("interaction.resume")(expiring, now=at(5))
    over = run.steer(expired, "cancel", "算了", name="in-3")
    came = run.new()
    steps = (asked, limited, answered, approving, approved, changed, expiring, expired, over)
    for number, wanted in enumerate(steps, start=1):
        entry = from_json(subject.get("runs.events.RunEntry"), as_json(wanted.unsaved[number]))
        came = subject.get("runs.fold.record")(came, entry.event, now=entry.at)
        judge.holds(
            came == wanted and len(wanted.unsaved) == number + 1,
            called=f"record(...) of event {number + 1}, {entry.event.type}, read from its JSON",
            came=shown(came),
            wanted=shown(wanted),
        )


def test_fold_of_a_session(subject: Subject) -> None:
    """The log of a session gives its run again, and none of a run that has lost an event."""
    run = PureRun(subject)
    state = run.reply(run.steer(run.wait(run.new()), "constraint", "快"))
    session = subject.get("sessions.session.Session").start(
        subject.get("sessions.store.MemoryStore")(), "s"
    )
    for entry in state.unsaved:
        session.add_custom("run", as_json(entry))
    entries = list(session.entries())
    read = subject.get("runs.fold.runs_of")
    for length in range(1, len(entries) + 1):
        came = read(entries[:length])["s-1"]
        wanted = state.unsaved[length - 1].number
        judge.holds(
            came is not None and came.number == wanted and not came.unsaved,
            called=f"runs_of(the first {length} entries)",
            came="no sound run" if came is None else f"event {came.number}, {shown(came)}",
            wanted=f"the state after event {wanted}, with nothing left to store",
        )
    for lost in range(1, len(entries) - 1):
        came = read(entries[:lost] + entries[lost + 1 :])["s-1"]
        judge.holds(
            came is None,
            called=f"runs_of(...), where event {lost + 1} is missing",
            came="a run",
            wanted="None: what is missing could be the use of an approval",
        )
