"""The rules one by one: which questions are good, which plans, which approvals; what is told."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from mini_agent.approvals import action_of
from mini_agent.briefing import briefing
from mini_agent.clarification import RequestArgs, normal_form, objection
from mini_agent.context import ContextSource, assemble
from mini_agent.file_state import digest_of
from mini_agent.inbox import Inbox
from mini_agent.interaction import apply_user_answer, apply_user_steering, wait_for_user_input
from mini_agent.plan import (
    TaskPlan,
    first_plan,
    plan_after_constraint,
    plan_after_goal_change,
)
from mini_agent.plan_revision import revised_plan
from mini_agent.results import ToolError
from mini_agent.run_state import AgentState
from mini_agent.tools.workspace import Workspace

from tests.steps.step09.support import START, answer, at, call, new_state, request, steering, step


def asked(state: AgentState, **changed: object) -> str | None:
    values = {
        "question": "用哪个名字？",
        "reason": "要写进文件",
        "decision": "名字",
        "changes": "implementation",
        "checked": ("look",),
    }
    args = RequestArgs.model_validate(values | changed)
    return objection(args, state, checked={"look"}, can_check=True)


def test_a_good_question_is_asked() -> None:
    assert asked(new_state()) is None


@dataclass(frozen=True)
class Poor:
    id: str
    changed: dict[str, object]
    why: str


POOR = (
    Poor("blank", {"question": " "}, "不能是空的"),
    Poor("vague", {"question": "接下来怎么办？"}, "太笼统"),
    Poor("a whole plan", {"question": "第一步。" * 750}, "太长"),
    Poor("two questions", {"question": "用哪个名字？放哪里？"}, "一次只解决一个决定"),
    Poor("two decisions", {"decision": "名字、位置"}, "一次只解决一个决定"),
    Poor("nothing checked", {"checked": ()}, "先用只读工具"),
    Poor("checked something else", {"checked": ("elsewhere",)}, "先用只读工具"),
)


@pytest.mark.parametrize("poor", POOR, ids=lambda poor: poor.id)
def test_a_poor_question_is_handed_back(poor: Poor) -> None:
    assert poor.why in (asked(new_state(), **poor.changed) or "")


def settled(content: str = "王芳") -> AgentState:
    state = wait_for_user_input(new_state(), request(), now=START, decision=normal_form("名字"))
    return apply_user_answer(state, answer(content=content), now=at(1))


def test_a_decision_is_asked_about_once_for_each_goal() -> None:
    assert "已经回答过：王芳" in (asked(settled(), decision=" 名字。") or "")
    other_goal = apply_user_steering(settled(), steering("goal_change", "别的"), now=at(2))
    assert asked(other_goal) is None


def test_no_question_while_one_is_pending() -> None:
    waiting = wait_for_user_input(new_state(), request(), now=START)
    assert (asked(waiting) or "").startswith("user_input_already_pending")


def test_without_tools_to_look_with_nothing_need_be_checked() -> None:
    args = RequestArgs(question="哪个？", reason="要", decision="名字", changes="acceptance")
    assert objection(args, new_state(), checked=(), can_check=False) is None


DONE = step("a", "done", checked="看过", files=("a.txt",))


def planned(*steps: object) -> TaskPlan:
    return revised_plan(first_plan("目标"), steps, reason="先做", digests={"a.txt": "1"})  # type: ignore[arg-type]  # steps, written short


def revise(plan: TaskPlan, *steps: object, digest: str | None = "1") -> TaskPlan:
    return revised_plan(plan, steps, reason="再做", digests={"a.txt": digest})  # type: ignore[arg-type]  # as above


def test_done_needs_evidence() -> None:
    with pytest.raises(ToolError, match="证据"):
        planned(step("a", "done"))
    (finished,) = planned(DONE).steps
    assert finished.evidence is not None
    assert (finished.evidence.acceptance, finished.evidence.files[0].digest) == ("看得到", "1")


def test_one_step_in_progress() -> None:
    with pytest.raises(ToolError, match="in_progress"):
        planned(step("a", "in_progress"), step("b", "in_progress"))


def test_a_finished_step_neither_disappears_nor_is_done_again() -> None:
    plan = planned(DONE, step("b"))
    with pytest.raises(ToolError, match="不能消失"):
        revise(plan, step("b"))
    with pytest.raises(ToolError, match="已经做完"):
        revise(plan, step("a"))
    assert revise(plan, step("a", "done")).steps == planned(DONE).steps
    assert revise(plan, step("a", "done")).version == 3


def test_the_same_goal_keeps_evidence_of_a_file_that_went_on_changing() -> None:
    assert revise(planned(DONE), step("a", "done"), digest="2").steps[0].status == "done"


@pytest.mark.parametrize(
    ("acceptance", "digest"), [("别的条件", "1"), ("看得到", "2"), ("看得到", None)]
)
def test_another_goal_takes_old_evidence_only_unchanged(acceptance: str, digest: str) -> None:
    plan = plan_after_goal_change(planned(DONE), "别的")
    kept = revise(plan, step("a", "done"))
    assert kept.steps[0].evidence == plan.steps[0].evidence
    with pytest.raises(ToolError, match="证据"):
        revise(plan, step("a", "done", acceptance=acceptance), digest=digest)
    again = revise(plan, step("a", "in_progress", acceptance=acceptance), digest=digest)
    assert again.steps[0].status == "in_progress"


def test_what_a_change_of_course_does_to_a_plan() -> None:
    plan = planned(DONE, step("b", "in_progress"))
    constrained = plan_after_constraint(plan, "不要改 b")
    assert (constrained.version, constrained.steps) == (3, plan.steps)
    changed = plan_after_goal_change(plan, "别的")
    assert (changed.version, changed.goal, changed.goal_version) == (3, "别的", 2)
    assert [one.status for one in changed.steps] == ["done", "invalid"]


def digest(tool: str = "write", folder: str = "/w", content: str = "1", **arguments: str) -> str:
    one = call("any", tool, **({"path": "a", "content": "x"} | arguments))
    return action_of(one, working_folder=folder, content=content).digest


def test_an_action_is_the_same_only_if_everything_is() -> None:
    swapped = call("other-id", "write", content="x", path="a")
    assert action_of(swapped, working_folder="/w", content="1").digest == digest()
    others = [
        digest("edit"),
        digest(folder="/v"),
        digest(content="2"),
        digest(path="b"),
    ]
    assert len({digest(), *others}) == 5


def test_a_digest_of_a_file_is_one_of_its_bytes(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    assert digest_of(workspace, "a") is None
    (tmp_path / "a").write_bytes(b"1")
    before = digest_of(workspace, "a")
    (tmp_path / "a").write_bytes(b"2")
    assert None not in (before, digest_of(workspace, "a"))
    assert before != digest_of(workspace, "a")
    assert digest_of(workspace, "../outside") is None


def source(name: str, priority: int) -> ContextSource:
    return ContextSource(id=name, kind="goal", label=name, content="x" * 8, priority=priority)


def test_the_least_important_pieces_are_dropped_whole() -> None:
    pieces = [source("c", 1), source("a", 3), source("b", 2), source("d", 1)]
    whole = assemble(pieces)
    assert [line for line in whole.split() if "x" not in line] == ["a", "b", "c", "d"]
    assert assemble(pieces, len(whole)) == whole
    assert assemble(pieces, len(whole) - 1) == whole[: whole.index("\n\nd")]
    assert assemble(pieces, 3) == ""


def test_what_the_model_is_told_after_an_answer() -> None:
    state = apply_user_steering(settled(), steering("constraint", "不要改 b"), now=at(2))
    assert briefing(state, "用户回答了问题。") == (
        "接着做。刚刚发生的事：\n用户回答了问题。\n\n"
        "目标（第 1 版）：\n整理待办\n\n"
        "用哪个名字？\n王芳\n\n"
        "限制：\n- 不要改 b\n\n"
        "计划（第 2 版，新的限制：不要改 b）：\n- 还没有步骤"
    )


def test_an_inbox_survives_half_a_line(tmp_path: Path) -> None:
    writer, reader = Inbox(tmp_path, "s"), Inbox(tmp_path, "s")
    assert reader.lines("s-1") == []
    writer.post(steering("constraint", "一"))
    with (tmp_path / "s.inbox").open("ab") as file:
        file.write(b'{"id": "in-2", ')
    assert [line.text for line in reader.lines("s-1")] == ["一"]
    writer.post(steering("constraint", "没了", name="in-3"))  # sticks to the half line
    writer.post(steering("cancel", "二", name="in-4"))
    writer.post(steering("cancel", "三", name="in-5", run_id="s-2"))
    assert [line.text for line in reader.lines("s-1")] == ["一", "二"]
