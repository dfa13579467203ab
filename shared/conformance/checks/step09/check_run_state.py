"""What a run is: a status with a table of moves, and a state that its events alone make up."""

from itertools import product

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import PureRun, at, shown
from conformance.support.subject import Subject

pytestmark = read("run state")

STATUSES = {"running", "waiting", "completed", "failed", "cancelled"}
MOVES = {
    *(("running", after) for after in ("waiting", "completed", "failed", "cancelled")),
    *(("waiting", "running"), ("waiting", "cancelled")),
    *(("failed", "running"), ("failed", "cancelled")),
}


def test_table(subject: Subject) -> None:
    """The table of moves holds every status: what is completed or cancelled stays so."""
    table = subject.get("runs.state.TRANSITIONS")
    came = {(before, after) for before, afters in table.items() for after in afters}
    judge.holds(
        set(table) == STATUSES and came == MOVES,
        called="runs.state.TRANSITIONS",
        came=sorted(came),
        wanted=repr(sorted(MOVES)),
    )


def test_moves(subject: Subject) -> None:
    """Only a run that is running calls a model, asks, or ends; otherwise nothing changes."""
    run = PureRun(subject)
    states = {
        "running": run.new(),
        "waiting": run.wait(),
        "completed": run.ended("completed"),
        "failed": run.ended("failed"),
        "cancelled": run.tell(run.new(), "Cancel"),
    }
    events = {
        "a model call": lambda state: run.record(state, "ModelCalled"),
        "a question": lambda state: run.wait(state, run.request("ask-2")),
        "an end": lambda state: run.record(state, "RunEnded", status="failed", reason="why"),
    }
    for (status, state), (what, event) in product(states.items(), events.items()):
        pending = (status, what) == ("waiting", "a question")
        refused = "user_input_already_pending" if pending else "illegal_transition"
        code = "accepted" if status == "running" else refused
        run.expect_refused(state, event, code, called=f"{what} in a run that is {status}")


def test_fold(subject: Subject) -> None:
    """A state is the fold over its events: each prefix, read from the disk, gives it again."""
    run = PureRun(subject)
    called = run.record(run.new(), "ModelCalled")
    asked = run.wait(called, run.request(options=("甲", "乙")), decision="名字")
    answered = run.reply(asked)
    expiring = run.wait(run.record(answered, "ModelCalled"), run.request("ask-2", expires=5))
    expired = run.tell(expiring, "Resume", seconds=5)
    failed = run.record(expired, "RunEnded", status="failed", reason="error：断线")
    resumed = run.tell(failed, "Resume", budget=20)
    over = run.tell(resumed, "Cancel", reason="算了")
    run.expect_fold(called, asked, answered, expiring, expired, failed, resumed, over)


def test_fold_of_a_session(subject: Subject) -> None:
    """The log of a session gives its run again, and none of a run that has lost an event."""
    run = PureRun(subject)
    state = run.record(run.record(run.reply(run.wait()), "ModelCalled"), "ModelCalled")
    start = subject.get("sessions.session.Session").start
    session = start(subject.get("sessions.store.MemoryStore")(), "s")
    for entry in state.unsaved:
        session.add_custom("run", subject.get("runs.events.to_data")(entry))
    entries = list(session.entries())
    read = subject.get("runs.log.runs_of")
    for length in range(1, len(entries) + 1):
        came = read(entries[:length])["s-1"]
        judge.holds(
            came is not None and came.number == length and not came.unsaved,
            called=f"runs_of(the first {length} entries)",
            came="no sound run" if came is None else f"event {came.number}, {shown(came)}",
            wanted=f"the state after event {length}, with nothing left to store",
        )
    for lost in range(1, len(entries) - 1):
        judge.holds(
            read(entries[:lost] + entries[lost + 1 :])["s-1"] is None,
            called=f"runs_of(...), where event {lost + 1} is missing",
            came="a run",
            wanted="None: what is missing could be an answer",
        )


def test_late(subject: Subject) -> None:
    """What time it is comes from outside: the same words a year later are the same events."""
    run = PureRun(subject)
    late = 365 * 86_400
    came = run.reply(run.wait(), seconds=late)
    judge.same(
        came.decisions[-1].answer.received_at,
        at(late),
        called="apply(a run that waits, an answer, now=a year later); when the answer came",
    )
