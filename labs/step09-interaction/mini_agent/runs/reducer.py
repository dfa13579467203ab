"""From events to state: the same events always give the same state, at every prefix."""

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from . import events
from .state import AgentState, Decision, transition
from .user_input import InputRefused, UserInputAnswer, UserInputRequest


def begin(run_id: str, event: events.RunStarted, *, now: datetime) -> AgentState:
    """Return the state of a new run, with its first event in `unsaved`."""
    entry = events.RunEntry(run_id=run_id, number=1, at=now, event=event)
    return replace(started(run_id, event), unsaved=(entry,))


def record(state: AgentState, event: events.RunEvent, *, now: datetime) -> AgentState:
    """Return the state after `event`, with the event in `unsaved`.

    Raises:
        InputRefused: the event is not possible in this state.
    """
    entry = events.RunEntry(run_id=state.run_id, number=state.number + 1, at=now, event=event)
    return replace(reduce(state, entry), unsaved=(*state.unsaved, entry))


def reduce(state: AgentState, entry: events.RunEntry) -> AgentState:
    """Return the state after an event.

    Raises:
        InputRefused: the event is not possible in this state.
        ValueError: the event is not the next one.
    """
    event = entry.event
    if entry.number != state.number + 1:
        raise ValueError(f"event {entry.number} cannot follow event {state.number}")
    # Each group of events is a match of its own, complete by type check.
    if isinstance(event, events.WaitEvent):
        after = _wait(state, event)
    else:
        after = _live(replace(state, run_id=entry.run_id), event)
    news = () if isinstance(event, events.ModelCalled) else (*state.news, event)
    return replace(after, number=entry.number, news=news)


def started(run_id: str, event: events.RunStarted) -> AgentState:
    """Return the state of a run that has just begun."""
    return AgentState(
        run_id=run_id,
        goal=event.goal,
        budget=event.budget,
        working_folder=event.working_folder,
        model=event.model,
        extensions=event.extensions,
        answer_within=event.answer_within,
        number=1,
        news=(event,),
    )


def _live(state: AgentState, event: events.LifeEvent) -> AgentState:
    match event:
        case events.RunStarted():
            raise ValueError("a run begins once")
        case events.RunForked():
            return state
        case events.RunMoved(working_folder=folder, model=model, extensions=extensions):
            return replace(state, working_folder=folder, model=model, extensions=extensions)
        case events.BudgetRaised(budget=budget):
            return replace(state, budget=budget)
        case events.RunResumed() if state.status == "failed":
            return transition(state, "running", reason="resumed")
        case events.RunResumed():
            return _running(state)
        case events.ModelCalled():
            return replace(_running(state), model_calls=state.model_calls + 1)
        case events.RunCancelled(reason=reason):
            return transition(_nothing_pending(state), "cancelled", reason=reason)
        case events.RunEnded(status=status, reason=reason):
            return transition(_running(state), status, reason=reason)
        case _:
            assert_never(event)


def _wait(state: AgentState, event: events.WaitEvent) -> AgentState:
    match event:
        case events.UserInputRequested(request=request, decision=decision):
            if state.pending_user_input is not None:
                raise InputRefused("user_input_already_pending", "已经有一个请求在等用户")
            waiting = transition(state, "waiting", reason="user_input_required")
            return replace(waiting, pending_user_input=request, pending_decision=decision)
        case events.UserInputReceived(answer=answer):
            return _settled(state, _pending(state, answer.request_id), answer)
        case events.UserInputExpired(request_id=request_id):
            return _settled(state, _pending(state, request_id), None)
        case _:
            assert_never(event)


def _settled(
    state: AgentState, request: UserInputRequest, answer: UserInputAnswer | None
) -> AgentState:
    """Let the run go on with the answer, or without one."""
    decision = Decision(name=state.pending_decision or "", request=request, answer=answer)
    settled = replace(_nothing_pending(state), decisions=(*state.decisions, decision))
    return transition(settled, "running", reason="user_input")


def _nothing_pending(state: AgentState) -> AgentState:
    return replace(state, pending_user_input=None, pending_decision=None)


def _running(state: AgentState) -> AgentState:
    if state.status != "running":
        raise InputRefused("illegal_transition", f"运行现在是 {state.status}，不是 running")
    return state


def _pending(state: AgentState, request_id: str) -> UserInputRequest:
    pending = state.pending_user_input
    if pending is None or pending.id != request_id:
        raise InputRefused("unexpected_user_input", f"不在等 {request_id}")
    return pending
