"""The command line as a whole: help, exit codes, pipes, and no traceback for anybody."""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.contract import ROOT, find_step, planned_steps
from lab.errors import Exit
from tests.support import Checkout, Ran

Lab = Callable[..., Ran]


def test_help_names_every_command_and_exit_code(lab: Lab) -> None:
    ran = lab("--help")
    assert ran.code == 0
    for command in ("demo", "chat", "check", "verify", "record", "list", "doctor", "bench"):
        assert f"\n  {command} " in ran.out
    text = " ".join(ran.out.split())
    for code in Exit:
        assert f" {code.value} " in text.partition("Exit codes:")[2]


def test_the_table_of_exit_codes_is_complete() -> None:
    rows = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    assert [f"| {code.value} |" for code in Exit] == [row[:5] for row in rows if row[2:3].isdigit()]


def test_list(lab: Lab) -> None:
    ran = lab("list")
    assert (ran.code, ran.err) == (0, "")
    steps = [line.split()[0] for line in ran.out.splitlines()]
    assert steps == [step.id for step in planned_steps()]


def test_demo_is_the_demos_alone(lab: Lab) -> None:
    ran = lab("demo", "2")
    wanted = find_step("02").expected.read_text(encoding="utf-8")
    assert (ran.code, ran.out, ran.err) == (0, wanted, "")


def test_chat_takes_its_lines_from_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lab", "chat", "01"],
        input="你好\n",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0
    assert "你> 助手> 你说的是：你好\n\n你> 再见。\n" in done.stdout


def test_chat_works_in_the_folder_of_its_user(tmp_path: Path) -> None:
    for name in ("anyio.py", "mini_agent.py"):  # what lies there must not be run
        (tmp_path / name).write_text("raise SystemExit('a file of the folder was run')\n")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "lab", "chat", "05"],
        cwd=tmp_path,
        input="记下三件事：买菜、写周报、还书\n",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "已新建 todo.txt" in done.stdout
    assert (tmp_path / "todo.txt").is_file()


def test_a_workspace_that_is_named_in_the_checkout_is_the_users_own() -> None:
    with tempfile.TemporaryDirectory(dir=ROOT / ".cache") as folder:
        name = Path(folder).relative_to(ROOT)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "lab", "chat", "05", "--", "--workspace", str(name)],
            cwd=ROOT,
            input="记下三件事：买菜、写周报、还书\n",
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert (Path(folder) / "todo.txt").is_file()


def test_a_step_knows_what_one_types_to_start_it(tmp_path: Path) -> None:
    """The commands that it shows can be typed where its user is."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "lab", "chat", "09", "--", "--help"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout.startswith("usage: lab chat 09 -- ")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("demo", "99"), Exit.USAGE, "there is no step '99'. Known steps: step01-hello-cli"),
        (("chat", "x"), Exit.USAGE, "there is no step 'x'"),
        (("check", "2", "no/such/folder"), Exit.SETUP, "there is no folder no/such/folder"),
        (("bench", "nonsense"), Exit.USAGE, "there is no workload 'nonsense'"),
        (("record",), Exit.USAGE, "Missing argument 'STEP'"),
        (("nonsense",), Exit.USAGE, "No such command 'nonsense'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_bad_calls(lab: Lab, arguments: tuple[str, ...], code: Exit, says: str) -> None:
    ran = lab(*arguments)
    assert ran.code == code
    assert says in ran.out + ran.err
    assert "Traceback" not in ran.out + ran.err


def test_a_folder_without_a_package(checkout: Checkout) -> None:
    ran = checkout.lab("check", "2", str(checkout.root / "labs"))
    assert ran.code == Exit.SETUP
    assert ran.out.startswith("set-up problem: ")
    assert "holds no `mini_agent` package" in ran.out


@pytest.mark.parametrize("command", ["list", "--help", "diff 01 02"])
def test_a_reader_that_goes_away(command: str) -> None:
    shell = f"{shlex.quote(sys.executable)} -m lab {command} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


def test_chinese_in_a_c_locale(lab: Lab) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = lab("task", "02", "3", "--lang", "zh", **plain)
    assert ran.code == 0
    assert "让模型说出它收到了多少条消息" in ran.out


def test_bench_lists_its_workloads_without_a_step(lab: Lab) -> None:
    ran = lab("bench")
    assert ran.code == 0
    assert {"cold_start", "turns", "deltas", "append"} <= {
        line.split()[0] for line in ran.out.splitlines()
    }


def test_bench_compares_in_one_run(lab: Lab) -> None:
    import json

    ran = lab("bench", "abort_stream", "--step", "04", "--json")
    assert ran.code == 0, ran.err
    figure = json.loads(ran.out)
    assert figure["step"] == "step04-agent-loop"
    assert figure["ratio"] > 0 < figure["limit_median"]


def test_doctor(lab: Lab) -> None:
    ran = lab("doctor")
    names = [line[5:17].strip() for line in ran.out.splitlines() if line[:2] in ("ok", "BA")]
    assert names == [
        *("python", "environment", "variables", "encoding", "terminal"),
        *("write access", "home", "line ends", "git"),
    ]


@pytest.mark.parametrize(
    ("variables", "found", "remedy"),
    [
        ({"PYTHONSAFEPATH": "1"}, "PYTHONSAFEPATH keeps `python -m", "unset PYTHONSAFEPATH"),
        ({"ALL_PROXY": "socks5://127.0.0.1:9"}, "ALL_PROXY is a SOCKS proxy", "unset ALL_PROXY"),
        ({"PYTHONPATH": "{old}"}, "PYTHONPATH hides pydantic, typing", "unset PYTHONPATH"),
        ({"XDG_STATE_HOME": "{old}/file/x"}, "/file cannot be written to", "export HOME=FOLDER"),
    ],
    ids=["safe path", "proxy", "old packages", "no folder for sessions"],
)
def test_doctor_names_the_variable(
    lab: Lab, tmp_path: Path, variables: dict[str, str], found: str, remedy: str
) -> None:
    (tmp_path / "pydantic").mkdir()
    (tmp_path / "pydantic/__init__.py").write_text("raise SystemExit('an old pydantic')")
    (tmp_path / "typing.py").touch()
    (tmp_path / "file").touch()
    ran = lab("doctor", **{name: value.format(old=tmp_path) for name, value in variables.items()})
    assert ran.code == Exit.SETUP
    bad = ran.out.splitlines()
    place = next(place for place, line in enumerate(bad) if line.startswith("BAD"))
    assert found in bad[place]
    assert f"remedy: {remedy}" in bad[place + 1]


def test_doctor_does_without_git_and_without_write_bits(checkout: Checkout) -> None:
    for place in (checkout.root / "shared", checkout.root):
        place.chmod(0o555)
    ran = checkout.lab("doctor", PATH="/nonexistent")
    checkout.root.chmod(0o755)
    assert "ok   git          not installed; only lab carry needs it" in ran.out
    assert "ok   write access" in ran.out


def test_what_a_user_has_set_for_everyday_work(checkout: Checkout) -> None:
    old = checkout.root / "old"
    (old / "pydantic").mkdir(parents=True)
    (old / "pydantic/__init__.py").write_text("raise SystemExit('an old pydantic')")
    path = f"{old}{os.pathsep}{checkout.root / 'shared'}"
    python = [sys.executable, "-m", "lab"]
    for arguments, stdin in ((["demo", "02"], ""), (["chat", "02"], "/exit\n")):
        done = subprocess.run(
            [*python, *arguments],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": path, "PYTHONSAFEPATH": "1"},
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), arguments


def test_doctor_names_the_remedy(checkout: Checkout) -> None:
    record = checkout.root / "labs/step01-hello-cli/expected-output.txt"
    record.write_bytes(record.read_bytes().replace(b"\n", b"\r\n"))
    ran = checkout.lab("doctor", LC_ALL="C", PYTHONCOERCECLOCALE="0")
    assert ran.code == Exit.SETUP
    assert "CRLF in the recorded output of step01-hello-cli" in ran.out
    assert "remedy: git config core.autocrlf false" in ran.out
    assert "remedy: export LC_ALL=C.UTF-8" in ran.out
