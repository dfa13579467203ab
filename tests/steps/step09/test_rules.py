"""Which questions are good; what the model is told."""

from dataclasses import dataclass, replace

import pytest
from mini_agent.runs.briefing import ContextSource, assemble, briefing
from mini_agent.runs.clarification import RequestArgs, normal_form, rejection_reason
from mini_agent.runs.events import ModelCalled, RunEnded
from mini_agent.runs.interaction import apply, wait_for_user_input
from mini_agent.runs.reducer import record
from mini_agent.runs.state import AgentState
from mini_agent.runs.user_input import MAX_INPUT, Resume

from tests.steps.step09.support import START, answer, at, new_state, request

LOOKS = {"look": '{"pattern": "名字|负责人"}', "readme": '{"path": "README.md"}', "ls": "{}"}


def asked(state: AgentState, **changed: object) -> str | None:
    values = {
        "question": "用哪个名字？",
        "reason": "要写进文件",
        "decision": "名字",
        "changes": "implementation",
        "checked": ("look",),
    }
    args = RequestArgs.model_validate(values | changed)
    return rejection_reason(args, state, looks=LOOKS, can_look=True)


GOOD: tuple[dict[str, object], ...] = (
    {},
    {"question": "用 SQLite 还是 Postgres？", "decision": "数据库", "checked": ("ls",)},
    {
        "question": "存在哪里？",
        "decision": "SQLite/Postgres",
        "options": ("SQLite", "Postgres"),
        "checked": ("ls",),
    },
    {
        "question": "图标用 https://a.example/x?b=1&c=2 这个地址的吗？",
        "decision": "图标地址",
        "options": ("用", "不用"),
    },
    {"question": "README.md 里的名字要改吗？", "decision": "改名", "checked": ("readme",)},
    {"question": "第 1. 版还是第 2 版的名字？"},
)


@pytest.mark.parametrize("changed", GOOD)
def test_a_good_question_is_asked(changed: dict[str, object]) -> None:
    assert asked(new_state(), **changed) is None


@dataclass(frozen=True)
class Poor:
    id: str
    changed: dict[str, object]
    why: str


POOR = (
    Poor("blank", {"question": " "}, "不能是空的"),
    Poor("decision of punctuation", {"decision": "？！"}, "不能是空的"),
    Poor("vague", {"question": "接下来怎么办？"}, "太笼统"),
    Poor("casual", {"question": "随便问问，名字呢？"}, "太笼统"),
    Poor("a whole plan", {"question": "第一步。" * 750}, "太长"),
    Poor("a long reason", {"reason": "因" * 501}, "太长"),
    Poor("two questions", {"question": "用哪个名字？放哪里？"}, "一次只解决一个决定"),
    Poor("two decisions", {"decision": "名字、位置"}, "一次只解决一个决定"),
    Poor(
        "a plan in disguise",
        {"question": "名字这样行吗：1. 建库 2. 建表 3. 写入 4. 测试"},
        "单子",
    ),
    Poor("a list of lines", {"question": "名字行吗\n- 甲\n- 乙"}, "单子"),
    Poor("one option", {"options": ("甲",)}, "2 到"),
    Poor("seven options", {"options": tuple("甲乙丙丁戊己庚")}, "2 到"),
    Poor("an empty option", {"options": ("甲", " ")}, "都要有字"),
    Poor("the same option twice", {"options": ("甲", "甲 ")}, "相同"),
    Poor("nothing checked", {"checked": ()}, "先用只读工具"),
    Poor("checked something unknown", {"checked": ("elsewhere",)}, "先用只读工具"),
    Poor("checked something else", {"checked": ("ls",)}, "查的是别的东西"),
    Poor("a file unseen", {"question": "README 里写的负责人是谁？"}, "没有查过它"),
    Poor("a path unseen", {"question": "src/a.py 里用哪个名字？"}, "没有查过它"),
)


@pytest.mark.parametrize("poor", POOR, ids=lambda poor: poor.id)
def test_a_poor_question_is_handed_back(poor: Poor) -> None:
    assert poor.why in (asked(new_state(), **poor.changed) or "")


def waiting(question: str = "用哪个名字？", decision: str = "名字") -> AgentState:
    asked = replace(request(), question=question)
    return wait_for_user_input(new_state(), asked, now=START, decision=normal_form(decision))


def settled(text: str = "王芳") -> AgentState:
    return apply(waiting(), answer(text=text), now=at(1))


def test_a_decision_is_asked_about_once() -> None:
    assert "已经回答过：王芳" in (asked(settled(), decision=" 名字。") or "")


def test_no_question_while_one_is_pending() -> None:
    assert (asked(waiting()) or "").startswith("user_input_already_pending")


def test_without_tools_to_look_with_nothing_need_be_checked() -> None:
    args = RequestArgs(question="哪个？", reason="要", decision="名字", changes="acceptance")
    assert rejection_reason(args, new_state(), looks={}, can_look=False) is None


def source(name: str, priority: int) -> ContextSource:
    return ContextSource(id=name, kind="goal", label=name, content="x" * 8, priority=priority)


def test_the_least_important_pieces_are_left_out_whole_and_said_to_be() -> None:
    pieces = [source("c", 1), source("a", 3), source("b", 2), source("d", 1)]
    whole = assemble(pieces)
    assert [line for line in whole.split() if "x" not in line] == ["a", "b", "c", "d"]
    cut = assemble(pieces, 25)
    assert (cut.count("x" * 8), "还有 2 条" in cut) == (2, True)
    assert assemble([source("kept", 95)], 0) == "kept\nxxxxxxxx"


def test_what_the_model_is_told_after_an_answer() -> None:
    assert briefing(settled()) == (
        "接着做。刚刚发生的事：\n用户回答了：用哪个名字？\n王芳\n\n目标：\n整理待办"
    )


def test_a_run_that_has_just_begun_is_told_nothing_more() -> None:
    assert briefing(new_state()) is None


def test_the_longest_answer_reaches_the_model_whole() -> None:
    text = "长" * MAX_INPUT
    assert text in (briefing(settled(text)) or "")


def test_all_that_has_happened_since_the_last_call_is_told() -> None:
    state = record(settled(), RunEnded(status="failed", reason="error：断了"), now=at(2))
    state = apply(state, Resume(budget=30), now=at(3))
    told = briefing(state) or ""
    assert all(word in told for word in ("王芳", "error：断了", "30"))
    assert briefing(record(state, ModelCalled(), now=at(4))) is None


def test_earlier_answers_are_told_again_the_newest_first() -> None:
    state = record(settled("旧的"), ModelCalled(), now=at(2))
    second = replace(request("ask-2"), question="放哪里？")
    state = wait_for_user_input(state, second, now=at(3), decision="位置")
    told = briefing(apply(state, answer("ask-2", "这里"), now=at(4))) or ""
    assert told.index("这里") < told.index("旧的")
