"""What a run is: a status that moves, and a state that its events alone make up."""

from itertools import product
from typing import Any

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import PureRun, shown
from conformance.support.subject import Subject

pytestmark = read("run state")


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


def test_event(subject: Subject) -> None:
    """An event makes another state, the next in number; the one before stays what it was."""
    run = PureRun(subject)
    began = run.new()
    called = run.record(began, "ModelCalled")
    ended = run.record(called, "RunEnded", status="completed", reason="why")
    came = [(state.number, state.model_calls, state.status) for state in (began, called, ended)]
    judge.holds(
        came == [(1, 0, "running"), (2, 1, "running"), (3, 1, "completed")],
        called="record(run, ModelCalled), record(that, RunEnded)",
        came=f"number, model calls and status: {came}",
        wanted="1, 0, running; 2, 1, running; 3, 1, completed",
    )


def test_fold(subject: Subject) -> None:
    """A state is the fold over its events: each prefix, read from the disk, gives it again."""
    run = PureRun(subject)
    states = [run.record(run.new(), "ModelCalled")]

    def then(after: Any, *args: Any, **fields: Any) -> None:
        states.append(after(states[-1], *args, **fields))

    then(run.wait, run.request(options=("甲", "乙")), decision="名字")
    then(run.reply)
    then(run.wait, run.request("ask-2", expires=5))
    then(run.tell, "Resume", seconds=5)
    if subject.step.number >= 10:
        then(run.wait_for_approval)
        then(run.tell, "Approve", request_id="ask-1", scope="run")
        effect = {"effect_id": "w", "tool": "write", "about": "a.txt"}
        effect["approval_id"] = states[-1].approvals[0].id
        then(run.record, "EffectStarted", **effect)
        then(run.wait_for_approval)
        then(run.tell, "Deny", request_id="ask-1", reason="不行")
    if subject.step.number >= 11:
        then(run.wait)
        then(run.steer, "Constraint", "不要改 a", name="in-1")
        then(run.steer, "GoalChange", "别的", name="in-2")
    then(run.record, "RunEnded", status="failed", reason="error：断线")
    then(run.tell, "Resume", budget=20)
    then(run.tell, "Cancel", reason="算了")
    run.expect_fold(*states)


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
