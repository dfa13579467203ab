"""What a failure shows, and what it keeps to itself."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from conformance.support import judge
from conformance.support.chapters import PLACES
from conformance.support.judge import CheckFailed, PartMissing
from conformance.support.tracebacks import own_lines
from conformance.support.transcript import keywords_of, phrases, second_script
from lab.contract import ROOT, Step, built_steps, find_step
from lab.docs.page import read_page
from lab.visible import visible_diff

STEPS = (find_step("01"), find_step("02"))


def test_a_diff_of_endless_output_stays_short() -> None:
    wanted = b"one\ntwo\n"
    assert len(visible_diff(wanted, b"one\n" * 1_000_000)) < 2_000
    assert len(visible_diff(wanted, b"o" * 1_000_000)) < 2_000


def test_a_traceback_is_cut_to_the_lines_of_the_folder(tmp_path: Path) -> None:
    mine = tmp_path / "mini_agent" / "demo.py"
    text = (
        "Traceback (most recent call last):\n"
        '  File "<frozen runpy>", line 198, in _run_module_as_main\n'
        '  File "/usr/lib/python3/guard.py", line 3, in main\n'
        "    runpy.run_module(module)\n"
        "    ~~~~~~~~~~~~~~~~^^^^^^^^\n"
        f'  File "{mine}", line 4, in <module>\n'
        "    [][0]\n"
        "IndexError: list index out of range\n"
    )
    assert own_lines(text, tmp_path) == (
        "Traceback (most recent call last):\n"
        '  File "mini_agent/demo.py", line 4, in <module>\n'
        "    [][0]\n"
        "IndexError: list index out of range"
    )


def test_a_comparison_shows_what_it_compared() -> None:
    with pytest.raises(CheckFailed) as failed:
        judge.same(" 甲", "甲", called="answer()")
    assert str(failed.value).split("\n")[:3] == [
        "called  answer()",
        "came    ' 甲'",
        "wanted  '甲'",
    ]


@pytest.mark.parametrize(
    ("came", "wanted", "shown"),
    [
        (range(5000), [*range(4000), 0, *range(4001, 5000)], ("number 4001 of 5000: 4000", ": 0")),
        (range(5000), range(4999), ("number 5000 of 5000: 4999", "only 4999")),
    ],
)
def test_of_long_lists_the_first_difference_is_shown(
    came: Iterable[int], wanted: Iterable[int], shown: tuple[str, str]
) -> None:
    with pytest.raises(CheckFailed) as failed:
        judge.same(list(came), list(wanted), called="list()")
    assert failed.value.came == shown[0]
    assert failed.value.wanted.endswith(shown[1])


def test_a_part_that_is_missing_is_no_refusal() -> None:
    def missing() -> None:
        raise PartMissing("mini_agent/messages.py")

    with pytest.raises(PartMissing):
        judge.refused(missing, called="UserMessage()")


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_most_of_the_second_script_stands_nowhere(step: Step) -> None:
    shown = step.expected.read_text(encoding="utf-8").split("\n")
    typed = {line.removeprefix("你> ") for line in shown}
    unseen = [line for line in second_script(step) if line not in typed]
    assert len(unseen) >= 4 * len(phrases(step))


@pytest.mark.parametrize("step", built_steps(), ids=lambda step: step.id)
def test_no_line_is_typed_that_two_keywords_fit(step: Step) -> None:
    for line in second_script(step):
        fitting = [word for word in keywords_of(step.folder) if word in line]
        assert len(fitting) <= 1 or line in phrases(step), (line, fitting)


@pytest.mark.parametrize("step", built_steps()[1:], ids=lambda step: step.id)
def test_every_keyword_of_a_reference_is_known(step: Step) -> None:
    source = (step.folder / "mini_agent" / "rules.py").read_text(encoding="utf-8")
    assert keywords_of(step.folder) >= set(re.findall(r'match="([^"\\]+)"', source))


@pytest.mark.parametrize("place", [place for pair in PLACES.values() for place in pair])
def test_a_place_to_read_on_is_there(place: str) -> None:
    file, _, anchor = place.partition("#")
    assert anchor in read_page((ROOT / file).read_text(encoding="utf-8")).anchors
