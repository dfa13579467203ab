"""What is sent is well formed, whatever was recorded; the record stays as it is."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mini_agent.messages import (
    AssistantMessage,
    Message,
    ToolCall,
    ToolResultMessage,
    message_text,
    tool_calls,
    user_text,
)
from mini_agent.sessions.repair import effect_unknown, open_calls, repair, what_was_amiss

from tests.steps.step06.support import called, result, said

U, A = user_text("做吧"), said("好了")


def unknown(call_id: str) -> ToolResultMessage:
    return effect_unknown(ToolCall(id=call_id, name="read", arguments={}))


@dataclass(frozen=True, kw_only=True)
class Case:
    id: str
    record: list[Message]
    sent: list[Message]


WELL_FORMED: list[Message] = [U, called("a", "b"), result("a"), result("b"), A]

CASES = [
    Case(id="nothing", record=[], sent=[]),
    Case(id="well formed", record=WELL_FORMED, sent=WELL_FORMED),
    Case(
        id="the end is missing",
        record=[U, called("a", "b"), result("a")],
        sent=[U, called("a", "b"), result("a"), unknown("b")],
    ),
    Case(id="no result at all", record=[U, called("a")], sent=[U, called("a"), unknown("a")]),
    Case(
        id="the user spoke instead",
        record=[U, called("a"), U, A],
        sent=[U, called("a"), unknown("a"), U, A],
    ),
    Case(
        id="the user spoke in between",
        record=[U, called("a"), U, result("a"), A],
        sent=[U, called("a"), result("a"), U, A],
    ),
    Case(
        id="in another order",
        record=[U, called("a", "b"), result("b"), result("a")],
        sent=[U, called("a", "b"), result("a"), result("b")],
    ),
    Case(id="a result without a call", record=[U, result("x"), A], sent=[U, A]),
    Case(
        id="a result before its call",
        record=[result("a"), called("a")],
        sent=[called("a"), unknown("a")],
    ),
    Case(
        id="two results for one call",
        record=[U, called("a"), result("a", "first"), result("a", "second")],
        sent=[U, called("a"), result("a", "first")],
    ),
    Case(
        id="one id twice in an answer",
        record=[U, called("a", "a"), result("a", "first"), result("a", "second")],
        sent=[U, called("a", "a-2"), result("a", "first"), result("a-2", "second")],
    ),
    Case(
        id="an id that comes again later",
        record=[U, called("a"), called("a"), result("a", "second"), A],
        sent=[U, called("a"), unknown("a"), called("a-2"), result("a-2", "second"), A],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_repair(case: Case) -> None:
    record = list(case.record)

    assert repair(record) == case.sent
    assert record == case.record


def test_what_was_amiss_is_counted() -> None:
    record: list[Message] = [
        *(U, result("x"), called("a", "b")),
        *(result("a"), result("a", "again"), A),
    ]
    assert what_was_amiss(WELL_FORMED, repair(WELL_FORMED)) == ""
    assert what_was_amiss(record, repair(record)) == (
        "2 条结果没有对应的调用，没有发给模型；1 个调用没有结果，补上了「效果未知」"
    )


def test_the_result_of_a_lost_call_says_that_its_effect_is_unknown() -> None:
    lost = unknown("a")

    assert (lost.tool_call_id, lost.tool_name, lost.is_error) == ("a", "read", True)
    assert "可能已经生效" in message_text(lost)


def test_open_calls_are_those_of_the_last_answer() -> None:
    assert open_calls([]) == []
    assert open_calls(WELL_FORMED) == []
    assert [call.id for call in open_calls([U, called("a", "b", "c"), result("b")])] == ["a", "c"]
    assert open_calls([U, called("a"), A]) == []


ANY = st.lists(
    st.one_of(
        st.just(U),
        st.lists(st.sampled_from("abc"), max_size=3).map(lambda ids: called(*ids)),
        st.builds(result, st.sampled_from("abcd"), st.text("xy", max_size=2)),
    ),
    max_size=12,
)


@given(ANY)
def test_whatever_was_recorded_each_call_is_followed_by_its_result(record: list[Message]) -> None:
    sent = repair(record)

    expected: list[str] = []
    ids: list[str] = []
    for message in sent:
        if isinstance(message, ToolResultMessage):
            assert message.tool_call_id == expected.pop(0)
        else:
            assert expected == []
        if isinstance(message, AssistantMessage):
            expected = [call.id for call in tool_calls(message)]
            ids += expected
    assert expected == []
    assert len(set(ids)) == len(ids)
    assert repair(sent) == sent
    assert [asked_for(m) for m in sent if asked_for(m)] == [
        asked_for(m) for m in record if asked_for(m)
    ]


def asked_for(message: Message) -> list[object]:
    """Return what stays of a message whatever becomes of ids; of a result nothing."""
    match message:
        case ToolResultMessage():
            return []
        case AssistantMessage():
            return ["assistant", *(call.arguments for call in tool_calls(message))]
        case _:
            return [message]
