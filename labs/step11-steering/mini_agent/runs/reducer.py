"""From events to state: the same events always give the same state, at every prefix."""

from dataclasses import replace
from datetime import datetime
from typing import Literal, assert_never

from . import events
from .approvals import Approval, spend
from .plan import plan_after_constraint, plan_after_goal_change
from .policy import rule_for
from .state import TRANSITIONS, AgentState, Decision, Effect, transition
from .user_input import STOP_REASONS, InputRefused, UserInputAnswer, UserInputRequest


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
    elif isinstance(event, events.CourseEvent):
        after = _steer(state, event)
    elif isinstance(event, events.EffectEvent):
        after = _affect(state, event, entry.at)
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
        mode=event.mode,
        number=1,
        news=(event,),
    )


def _live(state: AgentState, event: events.LifeEvent) -> AgentState:
    match event:
        case events.RunStarted():
            raise ValueError("a run begins once")
        case events.RunForked():
            return _without_permissions(state)
        case events.RunMoved():
            return replace(
                state,
                working_folder=event.working_folder,
                model=event.model,
                extensions=event.extensions,
                mode=event.mode,
            )
        case events.BudgetRaised(budget=budget):
            return replace(state, budget=budget)
        case events.RunResumed() if state.status == "failed":
            return transition(state, "running", reason="resumed")
        case events.RunResumed():
            return _running(state)
        case events.ModelCalled():
            return replace(_running(state), model_calls=state.model_calls + 1)
        case events.RunCancelled(reason=reason):
            taken = state.taken_inputs | {event.input_id}
            closed = replace(_nothing_pending(state), taken_inputs=taken)
            return transition(closed, "cancelled", reason=reason)
        case events.RunEnded(status=status, reason=reason):
            return transition(_running(state), status, reason=reason)
        case _:
            assert_never(event)


def _wait(state: AgentState, event: events.WaitEvent) -> AgentState:
    match event:
        case events.UserInputRequested(request=request, decision=decision, actions=actions):
            if state.pending_user_input is not None:
                raise InputRefused("user_input_already_pending", "已经有一个请求在等用户")
            waiting = transition(state, "waiting", reason=STOP_REASONS[request.kind])
            return replace(
                waiting,
                pending_user_input=request,
                pending_decision=decision,
                pending_actions=actions,
            )
        case events.UserInputReceived(answer=answer):
            return _settled(state, _pending(state, answer.request_id), answer)
        case events.UserInputExpired(request_id=request_id):
            return _settled(state, _pending(state, request_id), None)
        case _:
            assert_never(event)


def _steer(state: AgentState, event: events.CourseEvent) -> AgentState:
    match event:
        case events.PlanRevised():
            return _revised(_running(state), event)
        case events.ConstraintAdded(constraint=constraint, input_id=input_id):
            return replace(
                _not_over(state),
                constraints=(*state.constraints, constraint),
                plan=plan_after_constraint(state.plan, constraint),
                taken_inputs=state.taken_inputs | {input_id},
            )
        case events.GoalChanged(goal=goal, input_id=input_id):
            changed = replace(
                _nothing_pending(_not_over(state)),
                goal=goal,
                goal_version=state.goal_version + 1,
                plan=plan_after_goal_change(state.plan, goal),
                granted=(),  # what was allowed for the run was allowed for its goal
                taken_inputs=state.taken_inputs | {input_id},
            )
            if state.status != "waiting":
                return changed
            return transition(changed, "running", reason="goal_change")
        case _:
            assert_never(event)


def _revised(state: AgentState, event: events.PlanRevised) -> AgentState:
    """Take the new plan, and what it says about old effects."""
    decisions = {verdict.effect_id: verdict.decision for verdict in event.verdicts}
    effects = tuple(
        replace(one, decision=decisions[one.id], decided_for=state.goal_version)
        if one.id in decisions
        else one
        for one in state.effects
    )
    revised = replace(state, plan=event.plan, effects=effects)
    if event.request is None:
        return revised
    return _wait(revised, events.UserInputRequested(request=event.request))


def _not_over(state: AgentState) -> AgentState:
    if not TRANSITIONS[state.status]:
        raise InputRefused("unexpected_user_input", f"运行已经结束（{state.status}）")
    return state


def _affect(state: AgentState, event: events.EffectEvent, at: datetime) -> AgentState:
    match event:
        case events.ApprovalDecided():
            return _decided(state, event, at)
        case events.EffectStarted(effect_id=effect_id, tool=tool, about=about):
            approvals = state.approvals
            if event.approval_id is not None:
                approvals = spend(approvals, event.approval_id, now=at)
            effect = Effect(id=effect_id, tool=tool, about=about, goal_version=state.goal_version)
            effects = (*state.effects, effect)
            return replace(_running(state), effects=effects, approvals=approvals)
        case events.EffectEnded(effect_id=effect_id, is_error=is_error):
            outcome: Literal["done", "error"] = "error" if is_error else "done"
            effects = tuple(
                replace(e, outcome=outcome) if (e.id, e.outcome) == (effect_id, "unknown") else e
                for e in state.effects
            )
            return replace(state, effects=effects)
        case events.ApprovalUsed(approval_id=used, report=report):
            approvals = tuple(
                replace(one, report=report) if one.id == used else one for one in state.approvals
            )
            return replace(state, approvals=approvals)
        case _:
            assert_never(event)


def _decided(state: AgentState, event: events.ApprovalDecided, at: datetime) -> AgentState:
    """Let the run go on with a yes or a no."""
    _pending(state, event.request_id)
    actions = state.pending_actions
    approvals = tuple(
        Approval(
            id=f"{event.request_id}/{number}",
            request_id=event.request_id,
            action=action,
            granted=event.granted,
            goal_version=state.goal_version,
            decided_at=at,
            reason=event.reason,
        )
        for number, action in enumerate(actions, start=1)
    )
    granted = state.granted
    if event.granted and event.scope != "once":
        granted = (*granted, *(rule_for(action, state.working_folder) for action in actions))
    decided = replace(
        _nothing_pending(state), approvals=(*state.approvals, *approvals), granted=granted
    )
    return transition(decided, "running", reason="approval")


def _without_permissions(state: AgentState) -> AgentState:
    """Return the state of a copy: no approval is copied, nor is a request for one."""
    copy = replace(state, approvals=(), granted=())
    pending = state.pending_user_input
    if pending is not None and pending.kind == "approval":
        return transition(_nothing_pending(copy), "running", reason="forked")
    return copy


def _settled(
    state: AgentState, request: UserInputRequest, answer: UserInputAnswer | None
) -> AgentState:
    """Let the run go on with the answer, or without one."""
    decision = Decision(
        name=state.pending_decision or "",
        request=request,
        goal_version=state.goal_version,
        answer=answer,
    )
    settled = replace(_nothing_pending(state), decisions=(*state.decisions, decision))
    return transition(settled, "running", reason="user_input")


def _nothing_pending(state: AgentState) -> AgentState:
    return replace(state, pending_user_input=None, pending_decision=None, pending_actions=())


def _running(state: AgentState) -> AgentState:
    if state.status != "running":
        raise InputRefused("illegal_transition", f"运行现在是 {state.status}，不是 running")
    return state


def _pending(state: AgentState, request_id: str) -> UserInputRequest:
    pending = state.pending_user_input
    if pending is None or pending.id != request_id:
        raise InputRefused("unexpected_user_input", f"不在等 {request_id}")
    return pending
