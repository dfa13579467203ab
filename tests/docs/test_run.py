"""Commands run in order, in a clean copy, and a reader could see the same outputs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lab.docs.markers import parse
from lab.docs.run import Outcome, run_block, run_documents, run_session
from lab.docs.sandbox import Sandbox
from tests.docs.course import Course, make_course


def outputs(course: Course, *scripts: str) -> list[str]:
    return [outcome.output for outcome in run_session(course.root, tuple((s, 0) for s in scripts))]


def test_a_block_begins_where_the_one_before_ended(course: Course) -> None:
    assert outputs(course, "cd labs\n", "cd step01-one; pwd\n", "cat expected-output.txt\n") == [
        "",
        "~/mini-agent-harness-lab/labs/step01-one\n",
        "一\n",
    ]


def test_the_copy_holds_what_git_would_hold(course: Course) -> None:
    course.write(".gitignore", "*.log\n.env\ncache/\n")
    course.write(".env", "KEY=secret")
    course.write("cache/file", "")
    course.write(".git/config", "")
    course.write("new file.txt", "")
    assert outputs(course, "ls -A\n") == [".gitignore\n.venv\ndocs\nlabs\nnew file.txt\n"]


def test_nothing_of_the_checkout_is_changed(course: Course) -> None:
    before = course.read("labs/contract.toml")
    outputs(course, "echo '# more' >> labs/contract.toml\ncat labs/contract.toml\n")
    assert course.read("labs/contract.toml") == before


def test_python_and_lab_are_those_of_the_copy(course: Course) -> None:
    course.write("shared/lab/__init__.py", "")
    course.write("shared/lab/__main__.py", "print('the lab of the copy')\n")
    assert outputs(course, "python -c 'import lab, rich; print(lab.__file__)'\n", "lab\n") == [
        "~/mini-agent-harness-lab/shared/lab/__init__.py\n",
        "the lab of the copy\n",
    ]


def test_the_environment_is_clean(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    script = 'echo "$HOME $LANG $TMPDIR"\nenv | grep -c secret || true\ntty || true\n'
    assert outputs(course, script) == ["~ C.UTF-8 /tmp\n0\nnot a tty\n"]


def test_no_place_of_this_machine_is_left(course: Course) -> None:
    script = "python -c 'import os, sys; print(os.__file__, sys.executable)'\n"
    (output,) = outputs(course, script)
    minor = sys.version_info.minor
    assert output == (f"/usr/lib/python3.{minor}/os.py ~/mini-agent-harness-lab/.venv/bin/python\n")


def test_output_and_errors_in_the_order_of_a_terminal(course: Course) -> None:
    script = "python -c 'import sys; print(1); print(2, file=sys.stderr); print(3)'\n"
    assert outputs(course, script) == ["1\n2\n3\n"]


def test_control_characters_and_bad_bytes_are_shown(course: Course) -> None:
    assert outputs(course, "printf 'a\\r\\n\\033[1mb\\377\\tc'\n") == ["a␍\n␛[1mb\ufffd\tc"]


def test_a_block_ends_at_its_first_failure(course: Course) -> None:
    session = (("false\necho never\n", 1), ("echo on\n", 0), ("exit 3\n", 0), ("echo off\n", 0))
    assert run_session(course.root, session) == [
        Outcome(exit_code=1, output=""),
        Outcome(exit_code=0, output="on\n"),
        Outcome(exit_code=3, output=""),
    ]


def test_what_hangs_is_killed_and_so_is_what_it_started(tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path, tmp_path)
    sandbox.home.mkdir()
    os.mkfifo(tmp_path / "held")
    reader = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    script = "sleep 600 >held & echo waiting; wait\n"
    outcome, folder = run_block(script, tmp_path, sandbox, timeout=0.5)
    assert (outcome.output, outcome.timed_out, folder) == ("waiting\n", True, tmp_path)
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""  # the pipe ends when nobody holds it any more
    os.close(reader)


def test_what_goes_on_in_the_background_does_not_hold_up(course: Course) -> None:
    assert outputs(course, "sleep 60 &\necho done\n") == ["done\n"]


def test_unpacked_inside_another_repository_and_no_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("labs/\n*.toml\n", encoding="utf-8")
    course = make_course(tmp_path / "我的 课程")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/bash").symlink_to(shutil.which("bash") or "/bin/bash")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    plain = "LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0"
    script = f"cd labs; echo *; {plain} python -c 'import pydantic'\n"
    assert outputs(course, script) == ["contract.toml step01-one step02-two\n"]


def test_both_languages_share_a_run_and_a_file_of_both_has_two(course: Course) -> None:
    script = "cd labs; python -c 'import uuid; print(uuid.uuid4())'"
    block = f"<!-- lab:commands -->\n```bash\n{script}\n```\n"
    skipped = '<!-- lab:commands skip="why not" -->\n```bash\nfalse\n```\n'
    texts = {
        "docs/en/x.md": skipped + block,
        "docs/zh/x.md": skipped + block,
        "labs/step01-one/README.md": f"{block}\n<!-- lab:lang zh -->\n\n{block}",
    }
    documents = [parse(name, text, kinds=()) for name, text in texts.items()]
    outcomes = run_documents(course.root, documents)
    assert set(outcomes) == {
        ("docs/en/x.md", 1),
        ("docs/zh/x.md", 1),
        ("labs/step01-one/README.md", 0),
        ("labs/step01-one/README.md", 1),
    }
    assert {outcome.exit_code for outcome in outcomes.values()} == {0}
    assert len({outcome.output for outcome in outcomes.values()}) == 1
