"""Whatever a tool returns (case C8) can be kept and sent, and is the same in every run."""

import json
from datetime import date, datetime
from pathlib import PurePosixPath

import pytest
from mini_agent.results import ToolOutput
from mini_agent.tools.output import clean_output

LOOP: dict[str, object] = {}
LOOP |= {"me": LOOP, "list": [LOOP], "twice": [[1], [1]]}
SHARED = [1]
DEEP: object = "bottom"
for _ in range(10):
    DEEP = {"deeper": DEEP}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime(2024, 1, 2, 3, 4, 5), "2024-01-02 03:04:05"),
        (date(2024, 1, 2), "2024-01-02"),
        (b"\xff", r"\xff"),
        ("好".encode(), "好"),
        (PurePosixPath("a/b"), "a/b"),
        ({"b", "a", "c"}, '["a", "b", "c"]'),
        ({"nested": [frozenset({2, 1, "x"})]}, '{"nested": [["x", 1, 2]]}'),
        (float("nan"), "nan"),
        ([float("inf"), -0.5], '["inf", -0.5]'),
        (object(), "<object>"),
        (None, ""),
        ("", ""),
        ("\ud83d", "\ufffd"),
        ("\ud83d\ude00", "😀"),
        ({"\ud83d": "\udcff"}, '{"\ufffd": "\ufffd"}'),
        (LOOP, '{"me": "[又指回自身]", "list": ["[又指回自身]"], "twice": [[1], [1]]}'),
        ([SHARED, SHARED], "[[1], [1]]"),
        (DEEP, '{"deeper": ' * 10 + '"bottom"' + "}" * 10),
        ((1, {2: None}), '[1, {"2": null}]'),
        (True, "true"),
        (["一"], '["一"]'),
    ],
)
def test_it_becomes_text(value: object, text: str) -> None:
    output = clean_output(value)
    assert output == ToolOutput(text=text)
    output.text.encode()
    json.dumps(output.text, allow_nan=False)


def test_text_and_details_are_cleaned_and_not_mixed() -> None:
    output = clean_output(ToolOutput(text="for the model \ud83d", details="for the user \ud83d"))
    assert output == ToolOutput(text="for the model \ufffd", details="for the user \ufffd")


def test_what_is_far_too_long_is_cut() -> None:
    text = clean_output("好\n" * 1_000_000).text
    assert len(text.encode()) < 110_000
    assert text.endswith("\n[结果太长：共 4000000 字节，只保留了前 16000 字节]")
