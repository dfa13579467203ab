"""The plan and its evidence, and what a change of course does to them."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from mini_agent.results import ToolError
from mini_agent.runs.approvals import Approval
from mini_agent.runs.briefing import briefing
from mini_agent.runs.events import EffectEnded, EffectStarted, ModelCalled, PlanRevised
from mini_agent.runs.interaction import apply, wait_for_user_input
from mini_agent.runs.plan import (
    TaskPlan,
    plan_after_constraint,
    plan_after_goal_change,
    revised_plan,
)
from mini_agent.runs.policy import Rule
from mini_agent.runs.reducer import record
from mini_agent.runs.state import AgentState, pending_effects
from mini_agent.runs.user_input import MAX_INPUT, Cancel, InputRefused, Resume, Steering

from tests.steps.step09.support import START, answer, at, new_state, request
from tests.steps.step09.test_rules import asked, settled
from tests.steps.step10.support import action, yes
from tests.steps.step11.support import cancel, constraint, goal, step

DONE = step("a", "done", "look", files=("a.txt",))


def revise(plan: TaskPlan, *steps: Any, digest: str | None = "1") -> TaskPlan:
    return revised_plan(
        plan, steps, reason="做", digests={"a.txt": digest}, results={"look", "run"}
    )


def planned(*steps: Any) -> TaskPlan:
    return revise(TaskPlan(), *steps)


def test_done_needs_the_result_of_a_call_of_this_run() -> None:
    for poor in (step("a", "done"), step("a", "done", "elsewhere"), step("a", "done", "look", "x")):
        with pytest.raises(ToolError, match=r"证明|没有这样成功的调用"):
            planned(poor)
    (finished,) = planned(DONE).steps
    assert finished.evidence is not None
    assert (finished.evidence.results, finished.evidence.goal_version) == (("look",), 1)
    assert finished.evidence.files[0].digest == "1"


def test_a_file_that_does_not_exist_is_no_evidence() -> None:
    with pytest.raises(ToolError, match="不存在"):
        revise(TaskPlan(), DONE, digest=None)


def test_one_step_in_progress_and_one_of_each_name() -> None:
    with pytest.raises(ToolError, match="in_progress"):
        planned(step("a", "in_progress"), step("b", "in_progress"))
    with pytest.raises(ToolError, match="id 相同"):
        planned(step("a"), step("a"))


def test_a_finished_step_neither_disappears_nor_is_done_again() -> None:
    plan = planned(DONE, step("b"))
    with pytest.raises(ToolError, match="不能消失"):
        revise(plan, step("b"))
    with pytest.raises(ToolError, match="已经做完"):
        revise(plan, step("a"))
    again = revise(plan, step("a", "done"))
    assert (again.steps, again.version) == (planned(DONE).steps, 3)


def test_the_same_goal_keeps_evidence_of_a_file_that_went_on_changing() -> None:
    assert revise(planned(DONE), step("a", "done"), digest="2").steps[0].status == "done"


@pytest.mark.parametrize(
    ("acceptance", "digest"), [("别的条件", "1"), ("看得到", "2"), ("看得到", None)]
)
def test_another_goal_takes_old_evidence_only_unchanged(acceptance: str, digest: str) -> None:
    plan = plan_after_goal_change(planned(DONE), "别的")
    kept = revise(plan, step("a", "done"))
    assert kept.steps[0].evidence == plan.steps[0].evidence
    assert kept.steps[0].status == "done"
    with pytest.raises(ToolError, match="证据"):
        revise(plan, step("a", "done", acceptance=acceptance), digest=digest)
    again = revise(plan, step("a", "in_progress", acceptance=acceptance), digest=digest)
    assert again.steps[0].status == "in_progress"


def test_evidence_without_a_file_is_bound_to_its_goal() -> None:
    plan = planned(step("a", "done", "run"))
    assert revise(plan, step("a", "done")).steps[0].status == "done"
    with pytest.raises(ToolError, match="证据"):
        revise(plan_after_goal_change(plan, "别的"), step("a", "done"))


def test_what_a_change_of_course_does_to_a_plan() -> None:
    plan = planned(DONE, step("b", "in_progress"))
    constrained = plan_after_constraint(plan, "不要改 b")
    assert (constrained.version, constrained.steps) == (3, plan.steps)
    changed = plan_after_goal_change(plan, "别的")
    assert (changed.version, changed.goal_version) == (3, 2)
    assert [one.status for one in changed.steps] == ["invalid", "invalid"]
    assert changed.steps[0].evidence == plan.steps[0].evidence
    assert changed.open_steps == changed.steps
    assert revise(changed, step("c")).steps == (replace(step("c"), evidence=None),)


def waiting() -> AgentState:
    return wait_for_user_input(new_state(), request(), now=START, decision="名字")


def test_a_constraint_keeps_goal_and_question() -> None:
    state = apply(waiting(), constraint(), now=at(1))
    assert (state.status, state.goal_version, state.constraints) == ("waiting", 1, ("不要改 b",))
    assert state.plan.version == 2
    assert state.pending_user_input == request()


def test_a_goal_change_withdraws_the_question_and_says_so() -> None:
    state = apply(waiting(), goal(), now=at(1))
    assert (state.status, state.goal, state.goal_version) == ("running", "另一件事", 2)
    assert (state.plan.version, state.plan.goal_version) == (2, 2)
    event = state.unsaved[-1].event
    assert event.type == "goal_changed"
    assert event.withdrawn_request_id == "ask-1"
    with pytest.raises(InputRefused):
        apply(state, answer(), now=at(2))


@pytest.mark.parametrize("said", [constraint(), goal(), cancel()])
def test_steering_is_applied_once_and_says_something(said: Steering) -> None:
    once = apply(new_state(), said, now=at(1))
    assert said.id in once.taken_inputs
    field = {"constraint": "text", "goal_change": "goal", "cancel": "reason"}[said.type]
    changed: Any = partial(replace, said)  # which field it has depends on its class
    over = apply(new_state(), Cancel(), now=at(1))
    cases: tuple[tuple[AgentState, Any, str], ...] = (
        (once, said, "unexpected_user_input"),
        (new_state(), changed(**{field: " "}), "empty_user_input"),
        (new_state(), changed(**{field: "长" * (MAX_INPUT + 1)}), "user_input_too_long"),
        (over, replace(said, id="other"), ""),
    )
    for state, again, code in cases:
        with pytest.raises(InputRefused) as refused:
            apply(state, again, now=at(2))
        assert code in ("", refused.value.code)


def test_a_decision_is_asked_about_once_for_each_goal() -> None:
    assert "已经回答过" in (asked(settled()) or "")
    assert asked(apply(settled(), goal(), now=at(2))) is None


def test_effects_of_an_old_goal_wait_for_a_verdict() -> None:
    state = record(new_state(), EffectStarted(effect_id="w", tool="w", about="a"), now=START)
    state = record(state, EffectEnded(effect_id="w", is_error=False), now=START)
    assert not pending_effects(state)
    changed = apply(state, goal(), now=at(1))
    assert [effect.id for effect in pending_effects(changed)] == ["w"]
    assert changed.effects == state.effects


def approved() -> AgentState:
    asked = request(kind="approval")
    state = wait_for_user_input(new_state(), asked, now=START, actions=(action(),))
    return apply(state, yes(state, "run"), now=at(1))


def test_an_approval_of_an_old_goal_runs_nothing_by_itself() -> None:
    before = approved()
    assert [one.id for one in before.due] == ["ask-1/1"]
    assert before.granted == (Rule(verdict="allow", tool="write", about="{}", folder="/w"),)
    changed = apply(before, goal(), now=at(2))
    assert (changed.due, changed.granted) == ((), ())
    assert isinstance(changed.approvals[0], Approval)
    assert changed.approvals == before.approvals  # the same action may still use it


def test_what_the_model_is_told() -> None:
    state = apply(settled(), constraint(), now=at(2))
    plan = revise(state.plan, step("a", "in_progress"))
    state = record(state, PlanRevised(plan=plan), now=at(3))
    assert briefing(state) == (
        "接着做。刚刚发生的事：\n用户回答了：用哪个名字？\n王芳\n"
        "用户加了限制：不要改 b\n按它修订计划。\n\n"
        "目标（第 1 版）：\n整理待办\n\n"
        "限制：\n- 不要改 b\n\n"
        "计划（第 3 版，做）：\n- [在做] a a（验收：看得到）"
    )


@pytest.mark.parametrize("said", [constraint("长" * MAX_INPUT), goal("长" * MAX_INPUT)])
def test_what_was_accepted_is_told_whole_and_stays(said: Steering) -> None:
    """Faults 75 and 76: neither length nor a process in between takes it away."""
    state = apply(waiting(), said, now=at(1))
    if state.status == "waiting":
        state = apply(state, answer(text="长" * MAX_INPUT), now=at(2))
    else:
        state = apply(state, Resume(), now=at(2))
    assert (briefing(state) or "").count("长" * MAX_INPUT) >= 2
    later = apply(record(state, ModelCalled(), now=at(3)), Resume(), now=at(4))
    assert "长" * MAX_INPUT in (briefing(later) or "")
