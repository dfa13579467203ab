"""What a failure shows, and what it keeps to itself."""

import re
from pathlib import Path

import pytest

from conformance.support.chapters import PLACES
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
