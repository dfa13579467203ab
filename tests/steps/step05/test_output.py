"""What a tool brings back can be kept and sent: it is never longer than a request can carry."""

import pytest
from mini_agent.results import ToolOutput
from mini_agent.tools.output import limited

ENDLESS = "好\n" * 1_000_000
MARK = "\n[结果太长：共 4000000 字节，只保留了前 16000 字节]"


@pytest.mark.parametrize(
    "output", [None, "", "好", ToolOutput(text="好"), ToolOutput(text="好", details="坏")]
)
def test_what_is_short_stays_as_it_is(output: ToolOutput | str | None) -> None:
    assert limited(output) == output


def test_what_is_far_too_long_is_cut() -> None:
    text = limited(ENDLESS)
    assert isinstance(text, str)
    assert len(text.encode()) < 110_000
    assert text.endswith(MARK)


def test_text_and_details_are_cut_each_by_itself() -> None:
    assert limited(ToolOutput(text=ENDLESS, details="短")) == ToolOutput(
        text=str(limited(ENDLESS)), details="短"
    )
    assert limited(ToolOutput(text="短", details=ENDLESS)) == ToolOutput(
        text="短", details=str(limited(ENDLESS))
    )


def test_half_a_surrogate_pair_is_no_obstacle() -> None:
    assert limited("\ud83d") == "\ud83d"  # what becomes of it, `results.py` decides
    text = limited("\ud83d\n" + ENDLESS)
    assert isinstance(text, str)
    assert text.encode().endswith(b"]")


@pytest.mark.parametrize("value", [7, b"\xff", {"a": 1}])
def test_what_is_no_text_is_left_for_the_results_to_refuse(value: object) -> None:
    assert limited(value) is value  # type: ignore[arg-type]  # that is the point
