"""The protocol between a run and its user, as pure functions: `(state, input, now) -> state`.

Each of them adds one event or raises `InputRefused`. Not here: reading, writing, asking the
time (`runner.py`); which questions are good enough for the user (`clarification.py`).
"""

from datetime import datetime

from .approvals import Action
from .context import answer_as_context_source as answer_as_context_source
from .run_events import (
    ApprovalDecided,
    ConstraintAdded,
    GoalChanged,
    RunCancelled,
    RunEnded,
    RunResumed,
    UserInputExpired,
    UserInputReceived,
    UserInputRequested,
)
from .run_fold import record
from .run_state import AgentState
from .user_input import (
    InputRefused,
    UserInputAnswer,
    UserInputRequest,
    UserSteering,
    is_expired,
)

LONGEST_INPUT = 20_000
"""Characters that the user may say at once."""


def wait_for_user_input(
    state: AgentState,
    request: UserInputRequest,
    *,
    now: datetime,
    decision: str | None = None,
    action: Action | None = None,
) -> AgentState:
    """Let the run wait for `request`: a state, and not a function that has yet to return.

    Raises:
        InputRefused: it waits already, or is over.
    """
    event = UserInputRequested(request=request, decision=decision, action=action)
    return record(state, event, now=now)


def apply_user_answer(state: AgentState, answer: UserInputAnswer, *, now: datetime) -> AgentState:
    """Let the run go on with `answer`.

    Raises:
        InputRefused: it is none to the pending question, or too late, or says nothing.
    """
    pending = _expect(state, answer.request_id, now=now)
    if pending.kind == "approval":
        raise InputRefused("approval_required", "这是审批，一段话不算数：用 approve 或者 deny")
    _require_text(answer.content)
    return record(state, UserInputReceived(answer=answer), now=now)


def approve(state: AgentState, request_id: str, *, now: datetime) -> AgentState:
    """Allow the pending action, once.

    Raises:
        InputRefused: it is not this one that is pending, or it is too late.
    """
    return _decide(state, ApprovalDecided(request_id=request_id, granted=True), now=now)


def deny(state: AgentState, request_id: str, *, now: datetime, reason: str = "") -> AgentState:
    """Refuse the pending action; errors as for `approve`."""
    event = ApprovalDecided(request_id=request_id, granted=False, reason=reason)
    return _decide(state, event, now=now)


def apply_user_steering(state: AgentState, steering: UserSteering, *, now: datetime) -> AgentState:
    """Add a constraint, change the goal, or cancel.

    Raises:
        InputRefused: it is meant for another run, was applied before, says nothing, or the
            run is over.
    """
    if steering.run_id != state.run_id or steering.id in state.applied_inputs:
        raise InputRefused("unexpected_user_input", "这条输入属于别的运行，或者已经生效过")
    if state.status in ("completed", "cancelled"):
        raise InputRefused("unexpected_user_input", f"运行已经结束（{state.status}）")
    _require_text(steering.text)
    pending_id = state.pending_user_input.id if state.pending_user_input else None
    match steering.type:
        case "constraint":
            return record(
                state,
                ConstraintAdded(input_id=steering.id, constraint=steering.text),
                now=now,
            )
        case "goal_change":
            return record(
                state,
                GoalChanged(
                    input_id=steering.id, goal=steering.text, withdrawn_request_id=pending_id
                ),
                now=now,
            )
        case "cancel":
            return record(
                state,
                RunCancelled(
                    input_id=steering.id, reason=steering.text, closed_request_id=pending_id
                ),
                now=now,
            )


def resume(state: AgentState, *, now: datetime) -> AgentState:
    """Let the run go on where it stands: its process died, it failed, or nobody answered in time.

    Raises:
        InputRefused: it still waits for the user, or is over, or has used up its budget.
    """
    pending = state.pending_user_input
    if pending is not None:
        if not is_expired(pending, now):
            raise InputRefused("user_input_already_pending", "它还在等用户")
        return record(state, UserInputExpired(request_id=pending.id), now=now)
    if state.model_calls >= state.budget:
        raise InputRefused("budget_exhausted", f"{state.budget} 次模型调用已经用完")
    return record(state, RunResumed(), now=now)


def end(state: AgentState, event: RunEnded, *, now: datetime) -> AgentState:
    """Let the run be over."""
    return record(state, event, now=now)


def _decide(state: AgentState, event: ApprovalDecided, *, now: datetime) -> AgentState:
    _expect(state, event.request_id, now=now)
    return record(state, event, now=now)


def _expect(state: AgentState, request_id: str, *, now: datetime) -> UserInputRequest:
    pending = state.pending_user_input
    if pending is None or pending.id != request_id:
        known = f"在等的是 {pending.id}" if pending else f"运行现在是 {state.status}，什么也不等"
        raise InputRefused("unexpected_user_input", f"不在等 {request_id}：{known}")
    if is_expired(pending, now):
        raise InputRefused("expired_user_input", f"{request_id} 已经过期；用 resume 不带回答接着做")
    return pending


def _require_text(text: str) -> None:
    if not text.strip():
        raise InputRefused("empty_user_input", "不能是空的")
    if len(text) > LONGEST_INPUT:
        raise InputRefused("unexpected_user_input", f"太长了，最多 {LONGEST_INPUT} 个字符")
