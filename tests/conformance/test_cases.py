"""Inputs from reports of others, in `tests/cases/`: what the suite says to each."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.report import Verdict, render
from conformance.suite import check
from conformance.support.process import TYPED
from lab.contract import ROOT, Step, built_steps, find_step
from tests.conformance.folders import bytes_in, copy_step
from tests.conformance.forks import Forks

CASES = Path(__file__).parents[1] / "cases"

CHANGED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "CRLF": (lambda text: text.replace(b"\n", b"\r\n"), "only the line ends differ: CRLF"),
    "no final newline": (lambda text: text[:-1], "+再见。[no line end]"),
    "a space at the end of a line": (
        lambda text: text.replace("你> 你好\n".encode(), "你> 你好 \n".encode()),
        "+你> 你好·⏎",
    ),
    "a no-break space": (
        lambda text: text.replace("助手> ".encode(), "助手>\u00a0".encode()),
        "助手>[U+00A0]你说的是：你好⏎",
    ),
    "a byte order mark": (lambda text: b"\xef\xbb\xbf" + text, "+[U+FEFF]Mini Agent Harness"),
    "a separate accent": (
        lambda text: text.replace(b"hello", "he\u0301llo".encode()),
        "he[U+0301]llo-cli",
    ),
}
"""What may happen to an expected output unseen, and how a report makes it visible."""

SHORTER = {
    "H1a-expected-crlf.txt": "␍⏎",
    "H1b-expected-no-final-newline.txt": "+再见。[no line end]",
    "H1c-expected-trailing-space.txt": "+你> 你好·⏎",
    "H1d-expected-nbsp.txt": "+助手>[U+00A0]你说的是：你好⏎",
}
"""The same from the files of the cases, which hold a shorter conversation."""


def failure_with(text: bytes, forks: Forks, folder: Path) -> str:
    """Put `text` in place of step 01's expected output, and return how the check fails."""
    step = find_step("01")
    (copy_step(step, folder) / "expected-output.txt").write_bytes(text)
    [result] = forks.check(step, folder, {"demo::own_expected_file"})
    assert result.outcome == "failed"
    return result.detail


@pytest.mark.parametrize("name", CHANGED)
def test_an_unseen_change_fails_and_can_be_seen(name: str, forks: Forks, tmp_path: Path) -> None:
    change, shown = CHANGED[name]
    text = find_step("01").expected.read_bytes()
    assert shown in failure_with(change(text), forks, tmp_path / "my-agent")


@pytest.mark.parametrize("name", SHORTER)
def test_a_case_file_fails_and_its_fault_can_be_seen(
    name: str, forks: Forks, tmp_path: Path
) -> None:
    failure = failure_with((CASES / name).read_bytes(), forks, tmp_path / "my-agent")
    assert SHORTER[name] in failure


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("CRLF, and lines after /exit", "A1d-crlf-exit.bin"),
        ("a byte order mark", "A1e-bom-exit.bin"),
    ],
)
def test_what_the_suite_types_is_what_the_case_says(name: str, file: str) -> None:
    assert TYPED[name] == (CASES / file).read_bytes()


def test_without_an_expected_output_nothing_passes_and_nothing_is_written(tmp_path: Path) -> None:
    folder = copy_step(find_step("01"), tmp_path / "my-agent")
    (folder / "expected-output.txt").unlink()
    files = bytes_in(folder)
    report = check(find_step("01"), folder, select="check_demo and (transcript or expected)")
    assert report.verdict is Verdict.NOT_YET
    assert report.missing_parts == ["expected-output.txt"]
    assert bytes_in(folder) == files


def test_a_missing_expected_output_excuses_no_fault(tmp_path: Path) -> None:
    folder = copy_step(find_step("01"), tmp_path / "my-agent")
    (folder / "expected-output.txt").unlink()
    (folder / "mini_agent" / "demo.py").write_text("print('你好')\n", encoding="utf-8")
    report = check(find_step("01"), folder, select="check_demo and (transcript or expected)")
    assert report.verdict is Verdict.WRONG


def test_without_a_recorded_output_of_the_reference_nothing_is_compared(tmp_path: Path) -> None:
    unrecorded = Step(id="step98-unrecorded", en="", zh="")
    report = check(unrecorded, copy_step(find_step("01"), tmp_path / "my-agent"))
    assert report.verdict is Verdict.SETUP
    assert "lab record step98-unrecorded" in report.trouble
    assert not unrecorded.folder.exists()


def test_line_ends_survive_a_clone_that_converts_them(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this checkout is not a git repository")
    converting = ("-c", "core.autocrlf=true", "-c", "core.eol=crlf")
    clone = ["git", *converting, "clone", "--quiet", "--no-local", "--depth=1", f"file://{ROOT}"]
    subprocess.run([*clone, str(tmp_path / "clone")], check=True, capture_output=True)
    outputs = [
        tmp_path / "clone" / "labs" / step.id / "expected-output.txt" for step in built_steps()
    ]
    assert [path for path in outputs if b"\r" in path.read_bytes()] == []


def test_rules_in_another_order_that_is_as_right_pass(tmp_path: Path) -> None:
    step = find_step("04")
    rules = copy_step(step, tmp_path / "my-agent") / "mini_agent" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(f"{text}\nRULES = (*RULES[4:-1], *RULES[3::-1], RULES[-1])\n", "utf-8")
    report = check(step, tmp_path / "my-agent", select="second_script or check_demo and transcript")
    assert report.verdict is Verdict.PASSED, render(report)


def test_a_line_that_is_answered_wrong_is_shown_with_both_answers(tmp_path: Path) -> None:
    step = find_step("04")
    rules = copy_step(step, tmp_path / "my-agent") / "mini_agent" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("北京是晴天", "北京是阴天"), encoding="utf-8")
    [failure] = check(step, tmp_path / "my-agent", select="second_script").failed
    called, rest = failure.detail.split("\ncame ")
    came, rest = rest.split("\nwanted")
    wanted, read = rest.split("\nread")
    assert "北京和上海" in called
    assert "北京是阴天" in came and "北京是晴天" in wanted
    assert "docs/en/04-agent-loop.md" in read and "01" not in read
