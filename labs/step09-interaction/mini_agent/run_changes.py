"""What each event changes in the state: one pure function for each that is more than a line.

Not here: which event calls which of them (`run_fold.py`).
"""

from dataclasses import replace
from datetime import datetime
from typing import Literal

from .approvals import Approval, spend
from .context import answer_as_context_source
from .plan import first_plan, plan_after_goal_change
from .run_events import (
    ApprovalDecided,
    EffectStarted,
    GoalChanged,
    PlanRevised,
    RunCancelled,
    RunEnded,
    RunStarted,
    UserInputReceived,
    UserInputRequested,
)
from .run_state import AgentState, Decision, Effect, transition
from .user_input import InputRefused, UserInputRequest


def started(event: RunStarted, run_id: str) -> AgentState:
    """Return the state of a run that has just begun."""
    return AgentState(
        run_id=run_id,
        goal=event.goal,
        plan=first_plan(event.goal),
        budget=event.budget,
        working_folder=event.working_folder,
        model=event.model,
        extensions=event.extensions,
        answer_within=event.answer_within,
        number=1,
    )


def running(state: AgentState) -> AgentState:
    """Return `state`, if it is one in which somebody works.

    Raises:
        InputRefused: it is not.
    """
    if state.status != "running":
        raise InputRefused("illegal_transition", f"运行现在是 {state.status}，不是 running")
    return state


def _nothing_pending(state: AgentState) -> AgentState:
    return replace(state, pending_user_input=None, pending_action=None, pending_decision=None)


def forked(state: AgentState, run_id: str, at: datetime) -> AgentState:
    """Return the state of the copy: no approval is copied, nor is a request for one."""
    copy = replace(state, run_id=run_id, approvals=())
    pending = copy.pending_user_input
    if pending is not None and pending.kind == "approval":
        return transition(_nothing_pending(copy), "running", reason="forked", at=at)
    return copy


def requested(state: AgentState, event: UserInputRequested, at: datetime) -> AgentState:
    """Let the run wait."""
    if state.pending_user_input is not None:
        raise InputRefused("user_input_already_pending", "已经有一个请求在等用户")
    waiting = transition(state, "waiting", reason=event.request.kind, at=at)
    return replace(
        waiting,
        pending_user_input=event.request,
        pending_action=event.action,
        pending_decision=event.decision,
    )


def _pending(state: AgentState) -> UserInputRequest:
    if state.pending_user_input is None:
        raise InputRefused("unexpected_user_input", "现在没有等用户的请求")
    return state.pending_user_input


def received(state: AgentState, event: UserInputReceived, at: datetime) -> AgentState:
    """Let the run go on with what the user said."""
    pending = _pending(state)
    source = answer_as_context_source(pending, event.answer)
    answered = replace(
        _nothing_pending(state),
        context_sources=(*state.context_sources, source),
        decisions=_with_decision(state, pending, event.answer.content),
    )
    return transition(answered, "running", reason="user_input_received", at=at)


def expired(state: AgentState, at: datetime) -> AgentState:
    """Let the run go on without."""
    pending = _pending(state)
    closed = replace(_nothing_pending(state), decisions=_with_decision(state, pending, None))
    return transition(closed, "running", reason="user_input_expired", at=at)


def _with_decision(
    state: AgentState, request: UserInputRequest, answer: str | None
) -> tuple[Decision, ...]:
    if state.pending_decision is None:
        return state.decisions
    settled = Decision(
        name=state.pending_decision,
        request_id=request.id,
        goal_version=state.goal_version,
        answer=answer,
    )
    return (*state.decisions, settled)


def decided(state: AgentState, event: ApprovalDecided, at: datetime) -> AgentState:
    """Let the run go on with a yes or a no."""
    pending = _pending(state)
    if state.pending_action is None:
        raise InputRefused("unexpected_user_input", "等着的不是审批")
    approval = Approval(
        id=pending.id,
        digest=state.pending_action.digest,
        granted=event.granted,
        goal_version=state.goal_version,
        decided_at=at,
    )
    decided = replace(_nothing_pending(state), approvals=(*state.approvals, approval))
    reason = "approved" if event.granted else "denied"
    return transition(decided, "running", reason=reason, at=at)


def effect_started(state: AgentState, event: EffectStarted, at: datetime) -> AgentState:
    """Note the effect, and use up its approval."""
    effect = Effect(id=event.effect_id, action=event.action, goal_version=state.goal_version)
    approvals = state.approvals
    if event.approval_id is not None:
        approvals = spend(approvals, event.approval_id, now=at)
    return replace(running(state), effects=(*state.effects, effect), approvals=approvals)


def effect_ended(
    state: AgentState, effect_id: str, outcome: Literal["done", "error"]
) -> AgentState:
    """Note how the effect came out."""
    effects = tuple(
        replace(one, outcome=outcome) if one.id == effect_id else one for one in state.effects
    )
    return replace(state, effects=effects)


def plan_revised(state: AgentState, event: PlanRevised, at: datetime) -> AgentState:
    """Take the new plan, and what it says about old effects."""
    decisions = {verdict.effect_id: verdict.decision for verdict in event.verdicts}
    effects = tuple(
        replace(one, decision=decisions[one.id], decided_for=state.goal_version)
        if one.id in decisions
        else one
        for one in state.effects
    )
    revised = replace(running(state), plan=event.plan, effects=effects)
    if event.request is None:
        return revised
    return requested(revised, UserInputRequested(request=event.request), at)


def goal_changed(state: AgentState, event: GoalChanged, at: datetime) -> AgentState:
    """Take another goal; what was pending is withdrawn."""
    changed = replace(
        _nothing_pending(state),
        goal=event.goal,
        goal_version=state.goal_version + 1,
        plan=plan_after_goal_change(state.plan, event.goal),
        applied_inputs=state.applied_inputs | {event.input_id},
    )
    if state.pending_user_input is None:
        return changed
    return transition(changed, "running", reason="goal_change", at=at)


def cancelled(state: AgentState, event: RunCancelled, at: datetime) -> AgentState:
    """End the run for good; what was pending is closed."""
    closed = replace(
        _nothing_pending(state),
        stop_reason=event.reason,
        applied_inputs=state.applied_inputs | {event.input_id},
    )
    return transition(closed, "cancelled", reason="cancel", at=at)


def ended(state: AgentState, event: RunEnded, at: datetime) -> AgentState:
    """End the run, or let it break off."""
    over = replace(running(state), stop_reason=event.reason)
    return transition(over, event.status, reason=event.reason, at=at)
