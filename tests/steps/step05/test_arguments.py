"""Arguments (case C4): judged strictly, with one kindness, and explained precisely."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from mini_agent.messages import JsonObject
from mini_agent.results import ToolError
from mini_agent.tools.arguments import validated
from mini_agent.tools.bash import BashArgs
from mini_agent.tools.edit import EditArgs, Replacement
from mini_agent.tools.read import ReadArgs
from mini_agent.tools.tool import Arguments
from pydantic import Field, JsonValue


class Sizes(Arguments):
    """Parameters of every kind."""

    count: int = 0
    ratio: float = 0
    deep: bool = False
    names: tuple[str, ...] = ()
    limits: dict[str, int] = Field(default_factory=dict)
    either: int | str = 0


@pytest.mark.parametrize(
    ("sent", "field", "taken"),
    [
        ({"count": "500"}, "count", 500),
        ({"count": " -5 "}, "count", -5),
        ({"count": 5.0}, "count", 5),
        ({"count": "5.0"}, "count", 5),
        ({"ratio": "0.5"}, "ratio", 0.5),
        ({"ratio": 1}, "ratio", 1.0),
        ({"deep": "true"}, "deep", True),
        ({"deep": "False"}, "deep", False),
        ({"names": '["a", "b"]'}, "names", ("a", "b")),
        ({"names": ["[1]"]}, "names", ("[1]",)),
        ({"limits": '{"a": 1}'}, "limits", {"a": 1}),
        ({"limits": {"a": "1"}}, "limits", {"a": 1}),
        ({"either": "500"}, "either", "500"),
    ],
)
def test_a_text_is_taken_for_what_it_says(
    sent: dict[str, JsonValue], field: str, taken: object
) -> None:
    copy = dict(sent)
    value = getattr(validated(sent, Sizes), field)
    assert value == taken
    assert type(value) is type(taken)
    assert sent == copy


def test_a_list_of_objects_may_come_as_text() -> None:
    sent: JsonObject = {"path": "a", "edits": '[{"old_text": "1", "new_text": "2"}]'}
    wanted = EditArgs(path="a", edits=(Replacement(old_text="1", new_text="2"),))
    assert validated(sent, EditArgs) == wanted
    sent = {"path": "a", "edits": ['{"old_text": "1", "new_text": "2"}']}
    assert validated(sent, EditArgs) == wanted


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (None, "- （全部参数）：应为 对象，收到的是 null"),
        ([], "- （全部参数）：应为 对象，收到的是 []"),
        (7, "- （全部参数）：应为 对象，收到的是 7"),
        ('{"path":"a.txt"}', r'- （全部参数）：应为 对象，收到的是 "{\"path\":\"a.txt\"}"'),
        ({}, "- path：缺少这个参数，收到的是 {}"),
        ({"path": 1}, "- path：应为 文本，收到的是 1"),
        ({"path": None}, "- path：应为 文本，收到的是 null"),
        ({"path": ["a"]}, '- path：应为 文本，收到的是 ["a"]'),
        ({"path": "a", "extra": 1}, "- extra：没有这个参数，只有 path、offset、limit"),
        ({"path": "a", "limit": True}, "- limit：应为 整数，收到的是 true"),
        ({"path": "a", "limit": "true"}, '- limit：应为 整数，收到的是 "true"'),
        ({"path": "a", "limit": "5.5"}, '- limit：应为 整数，收到的是 "5.5"'),
        ({"path": "a", "limit": "1e999"}, '- limit：应为 整数，收到的是 "1e999"'),
        ({"path": "a", "limit": ""}, '- limit：应为 整数，收到的是 ""'),
        ({"path": "a", "limit": None}, "- limit：应为 整数，收到的是 null"),
        ({"path": "a", "limit": 0}, "- limit：应为 greater than or equal to 1，收到的是 0"),
        ({"path": "a", "limit": "0"}, "- limit：应为 greater than or equal to 1，收到的是 0"),
    ],
)
def test_what_does_not_fit_is_named(sent: Any, message: str) -> None:
    with pytest.raises(ToolError) as caught:
        validated(sent, ReadArgs)
    assert str(caught.value) == f"参数不对，没有执行：\n{message}"


def test_the_path_to_a_field_is_written_as_one_would() -> None:
    edits: JsonValue = [{"old_text": "a", "new_text": "b"}, {"old_text": 1}]
    with pytest.raises(ToolError) as caught:
        validated({"path": "a", "edits": edits}, EditArgs)
    assert str(caught.value).splitlines()[1:] == [
        "- edits[1].old_text：应为 文本，收到的是 1",
        '- edits[1].new_text：缺少这个参数，收到的是 {"old_text": 1}',
    ]


def test_a_bool_is_no_number_and_a_number_is_no_bool() -> None:
    bad: list[JsonObject] = [{"count": True}, {"ratio": True}, {"deep": 1}, {"deep": "1"}]
    for sent in bad:
        with pytest.raises(ToolError, match="应为"):
            validated(sent, Sizes)


@pytest.mark.parametrize(
    "timeout", [0, -1, "0", float("nan"), "NaN", float("inf"), 3601, 1e308, ""]
)
def test_a_timeout_that_makes_no_sense_is_refused(timeout: JsonValue) -> None:
    with pytest.raises(ToolError, match="timeout：应为"):
        validated({"command": "true", "timeout": timeout}, BashArgs)


MEGABYTE: Mapping[str, Any] = {
    "a text": "x" * 1_000_000,
    "a text of emoji": "🎉" * 300_000,
    "a list": ["x"] * 300_000,
    "digits": "1" * 1_000_000,
    "brackets": "[" * 1_000_000,
    "an object": {str(n): "🎉" for n in range(100_000)},
    "a list as text": "[" + "1, " * 300_000 + "1]",
}


@pytest.mark.parametrize("kind", MEGABYTE)
def test_a_megabyte_is_explained_in_less_than_a_kilobyte(kind: str) -> None:
    value = MEGABYTE[kind]
    edits = [{"old_text": value, "new_text": 1}] * 10
    for sent in ({"path": value, "edits": edits}, {"path": value, "edits": value}, value):
        with pytest.raises(ToolError) as caught:
            validated(sent, EditArgs)
        assert len(str(caught.value).encode()) < 1000
        assert "没有执行" in str(caught.value)


def test_too_many_values_are_not_looked_at_one_by_one() -> None:
    crowd: JsonValue = ["x"] * 300_000
    for edits in (crowd, json.dumps(crowd)):
        with pytest.raises(ToolError, match="值太多，超过了 5000 个"):
            validated({"path": "a", "edits": edits}, EditArgs)


def test_a_megabyte_of_names() -> None:
    with pytest.raises(ToolError) as caught:
        validated({"🎉" * 300_000 + str(n): 1 for n in range(4)}, ReadArgs)
    assert len(str(caught.value).encode()) < 1000


def test_half_a_character_is_no_text() -> None:
    with pytest.raises(ToolError, match="Invalid JSON"):
        validated({"path": "\ud83d"}, ReadArgs)
