"""The program as its users start it: which extensions run, and who is asked."""

import os
import subprocess
import sys
from pathlib import Path

import mini_agent
import pexpect
import pytest

STEP = Path(mini_agent.__file__).parents[1]
EXAMPLES = STEP / "mini_agent" / "examples"
SHOUT = """
def setup(api):
    async def run(argument):
        return {name!r} + argument

    api.command({name!r}, run)
"""


class Place:
    """A working folder and a home in which nobody has been before."""

    def __init__(self, root: Path) -> None:
        self.work = root / "work"
        self.work.mkdir()
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(STEP),
            "PYTHONDONTWRITEBYTECODE": "1",
            "XDG_CONFIG_HOME": str(root / "config"),
            "XDG_STATE_HOME": str(root / "state"),
        }
        self.user = root / "config" / "mini-agent" / "extensions"
        self.project = self.work / ".mini-agent" / "extensions"

    def run(self, *options: str, typed: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "mini_agent", *options],
            cwd=self.work,
            env=self.environment,
            input=typed,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def write(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(SHOUT.format(name=name), encoding="utf-8")
    return path


def test_the_users_extensions_run_and_those_of_a_project_do_not(place: Place) -> None:
    write(place.user, "mine")
    write(place.project, "theirs")
    done = place.run(typed="/mine x\n/theirs x\n")
    assert "你> minex\n" in done.stdout
    assert "theirsx" not in done.stdout
    assert done.stderr == (
        "（项目自带的扩展没有加载：theirs.py。信任这个项目，就加上 --trust-project）\n"
    )


def test_the_user_can_trust_a_project_and_name_a_file(place: Place) -> None:
    write(place.project, "theirs")
    other = write(place.work / "elsewhere", "other")
    done = place.run("--trust-project", f"--extension={other}", typed="/theirs x\n/other y\n")
    assert "你> theirsx\n" in done.stdout
    assert "你> othery\n" in done.stdout
    assert done.stderr == ""


def test_without_a_terminal_nobody_is_asked_and_no_line_is_taken_for_an_answer(
    place: Place,
) -> None:
    gate = EXAMPLES / "permission_gate.py"
    done = place.run(f"--extension={gate}", typed="记下三件事\ny\n")
    assert "拦下> 没有执行：扩展 permission_gate 不允许。没有人可以问。" in done.stdout
    assert list(place.work.iterdir()) == []
    assert "（本次对话共 6 条消息）" in done.stdout  # the "y" was said to the model
    assert done.stderr == ""


def test_at_a_terminal_the_user_is_asked_and_ctrl_c_is_a_no_that_ends_the_turn(
    place: Place,
) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "mini_agent", f"--extension={EXAMPLES / 'permission_gate.py'}"],
        cwd=str(place.work),
        env=place.environment,
        encoding="utf-8",
        timeout=20,
    )
    child.expect_exact("你> ")
    child.sendline("记下三件事")
    child.expect_exact("其他：不] ")
    child.sendintr()
    child.expect_exact("拦下>")
    child.expect_exact("（已中止）")
    child.expect_exact("你> ")
    assert list(place.work.iterdir()) == []
    child.sendline("记下三件事")
    child.expect_exact("其他：不] ")
    child.sendline("y")
    child.expect_exact("记好了。")
    child.expect_exact("你> ")
    assert [path.name for path in place.work.iterdir()] == ["todo.txt"]
    child.sendeof()
    child.expect_exact("再见。")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
