"""Whatever a folder does to the suite, the suite keeps its head."""

from pathlib import Path

import pytest

from conformance.report import Verdict, render
from conformance.suite import PROCESSES, check
from conformance.support.judge import MAX_SHOWN
from conformance.support.subject import Subject
from lab.contract import find_step
from tests.conformance.folders import copy_step

HANGS = """\
with open({starts!r}, "a", encoding="utf-8") as starts:
    starts.write("*")
while True:
    pass
"""

MESSAGES = "mini_agent/messages.py"
USER_TEXT = "    return UserMessage(content=(TextContent(text=text),))\n"


def with_user_text(folder: Path, body: str) -> Path:
    """Copy step 02 with another body of `user_text`."""
    file = copy_step(find_step("02"), folder) / MESSAGES
    text = file.read_text(encoding="utf-8")
    assert text.count(USER_TEXT) == 1
    file.write_text(text.replace(USER_TEXT, body), encoding="utf-8")
    return folder


@pytest.mark.parametrize("folder", ["nowhere", "a file", "empty", "without a package"])
def test_what_is_no_folder_of_a_step_is_a_set_up_problem(folder: str, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "without a package" / "src").mkdir(parents=True)
    report = check(find_step("01"), tmp_path / folder)
    assert report.verdict is Verdict.SETUP
    assert folder in report.trouble
    first_line = f"set-up problem: step01-hello-cli, folder {tmp_path / folder}"
    assert render(report).split("\n")[0] == first_line


@pytest.mark.parametrize("name", ["random.py", "types.py", "lab/__init__.py", "anyio.py"])
def test_a_file_that_hides_a_module_is_named_first(name: str, tmp_path: Path) -> None:
    folder = copy_step(find_step("02"), tmp_path / "my-agent")
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("raise ImportError('mine')\n", encoding="utf-8")
    report = check(find_step("02"), folder)
    assert report.verdict is Verdict.SETUP
    assert f"{name.partition('/')[0]} in {folder} hides" in render(report).split("\n\n")[1]
    assert report.results == []


def test_programs_of_the_suite_cannot_be_hidden(tmp_path: Path) -> None:
    folder = copy_step(find_step("01"), tmp_path / "my-agent")
    for name in ("json", "random", "tempfile", "conformance"):
        (folder / f"{name}.py").write_text("raise ImportError('mine')\n", encoding="utf-8")
    subject = Subject(step=find_step("01"), folder=folder)
    assert [name for name, it in subject.imported.items() if it.error] == []
    assert subject.console("lines", b"a\n").stdout == b"> 'a'\n> no more\n> None\n"


def test_a_selection_that_finds_nothing_is_a_set_up_problem() -> None:
    report = check(find_step("01"), find_step("01").folder, select="nosuchcheck")
    assert report.verdict is Verdict.SETUP
    assert "the suite compared nothing" in report.trouble


def test_what_the_step_does_not_owe_is_no_success() -> None:
    report = check(find_step("01"), find_step("01").folder, select="check_messages")
    assert {result.outcome for result in report.results} == {"not-owed"}
    assert report.verdict is Verdict.SETUP


@pytest.mark.usefixtures("idle")
def test_a_program_that_hangs_is_tried_twice(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    folder = copy_step(find_step("01"), tmp_path / "my-agent")
    (folder / "mini_agent" / "__main__.py").write_text(HANGS.format(starts=str(starts)))
    report = check(find_step("01"), folder, select="check_chat", patience=3)
    assert starts.read_text(encoding="utf-8") == "**"  # and once more, alone
    assert report.verdict is Verdict.WRONG
    assert report.count("passed") == 0
    assert "no end within 3 s; it was ended, and is not run again" in render(report)


@pytest.mark.usefixtures("idle")
def test_a_program_that_hangs_on_a_terminal_is_tried_twice(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    folder = copy_step(find_step("01"), tmp_path / "my-agent")
    (folder / "mini_agent" / "__main__.py").write_text(HANGS.format(starts=str(starts)))
    report = check(find_step("01"), folder, select="check_terminal", patience=3)
    assert starts.read_text(encoding="utf-8") == "**"
    assert report.count("passed") == 0


def test_a_check_that_ends_the_process_ends_no_other(tmp_path: Path) -> None:
    folder = with_user_text(tmp_path / "my-agent", "    __import__('os')._exit(0)\n")
    report = check(find_step("02"), folder, select="check_messages")
    assert report.verdict is Verdict.WRONG
    failed = [result.id for result in report.failed]
    assert failed == ["messages::user_text", "messages::context_begins_empty"]
    assert report.count("passed") == len(report.results) - 2 == report.collected - 2
    assert "the process of the suite ended with exit code 0" in render(report)


def test_a_package_that_always_ends_the_process_is_given_up(tmp_path: Path) -> None:
    folder = with_user_text(tmp_path / "my-agent", "    __import__('os')._exit(0)\n")
    report = check(find_step("02"), folder, select="check_fake_model or check_shell")
    assert report.verdict is Verdict.WRONG
    assert len(report.failed) == len(report.results) == PROCESSES
    assert f"{PROCESSES} of {report.collected} checks ran" in render(report)


READS_TO_THE_END = """\
        process = await anyio.open_process(
            [shell, "-c", args.command], cwd=workspace.root, env=variables, stdin=-3, stderr=-2
        )
        output = b""
        with anyio.move_on_after(args.timeout), signal.scope():
            async for chunk in process.stdout:
                output += chunk
        async for chunk in process.stdout:
            output += chunk
        if await process.wait():
            raise ToolError(f"{output.decode()}[{process.returncode}]")
        return f"{output.decode()}[0]"
"""


def test_a_tool_that_reads_its_pipe_to_the_end_costs_only_the_checks_about_that(
    tmp_path: Path,
) -> None:
    folder = copy_step(find_step("05"), tmp_path / "my-agent")
    file = folder / "mini_agent" / "tools" / "bash.py"
    text = file.read_text(encoding="utf-8")
    start, end = text.index('        if "\\0" in args.command'), text.index("    return bash\n")
    file.write_text(f"{text[:start]}{READS_TO_THE_END}\n{text[end:]}", encoding="utf-8")
    report = check(find_step("05"), folder, select="check_bash or registry", patience=4)
    assert report.complete
    assert {result.id.partition("[")[0] for result in report.failed} <= {
        *("bash::time_limit", "bash::background", "bash::abort", "bash::long_output"),
    }


def test_a_package_that_interrupts_the_suite_is_no_success(tmp_path: Path) -> None:
    folder = with_user_text(tmp_path / "my-agent", "    raise KeyboardInterrupt\n")
    report = check(find_step("02"), folder, select="check_messages")
    assert report.verdict is Verdict.WRONG
    failed = [result.id for result in report.failed]
    assert failed == ["messages::user_text", "messages::context_begins_empty"]


def test_an_error_of_the_package_is_shown_with_its_own_lines(tmp_path: Path) -> None:
    folder = with_user_text(tmp_path / "my-agent", "    return {}['text']\n")
    report = check(find_step("02"), folder, select="messages and user_text")
    assert "KeyError: 'text'\n" in render(report)
    assert "in user_text: return {}['text']" in render(report)
    assert "conformance" not in render(report)


def test_a_part_that_is_still_to_be_written_is_not_wrong(tmp_path: Path) -> None:
    folder = with_user_text(tmp_path / "my-agent", "    raise NotImplementedError\n")
    report = check(find_step("02"), folder, select="messages and user_text")
    assert report.verdict is Verdict.NOT_YET
    assert "in user_text: raise NotImplementedError" in render(report)


FLOODS = 'print("x" * 1000)\n' * 3 + "while True:\n    print('x' * 1000)\n"


@pytest.mark.usefixtures("idle")
def test_nothing_that_a_package_prints_without_end_is_shown_whole(tmp_path: Path) -> None:
    folder = copy_step(find_step("01"), tmp_path / "my-agent")
    (folder / "mini_agent" / "respond.py").write_text(FLOODS, encoding="utf-8")
    select = "check_package or check_terminal or (check_chat and opening) or check_console"
    report = check(find_step("01"), folder, select=select, patience=2)
    assert report.verdict is Verdict.WRONG
    assert max(len(result.detail) for result in report.results) < 3 * MAX_SHOWN


def test_an_error_with_a_megabyte_of_text_is_cut(tmp_path: Path) -> None:
    for error in ("ValueError", "NotImplementedError"):
        body = f"    raise {error}('x' * 1_000_000)\n"
        folder = with_user_text(tmp_path / error, body)
        report = check(find_step("02"), folder, select="messages and user_text")
        assert len(render(report)) < 3 * MAX_SHOWN
