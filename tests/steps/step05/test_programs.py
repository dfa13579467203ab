"""The interactive entry: which folder is the workspace, and who gets the user's lines (case D8)."""

import os
import subprocess
import sys
from pathlib import Path

STEP = Path.cwd()
"""These tests run in the step's own folder."""

EATER = """
from mini_agent.console import ask, console
from mini_agent.messages import AssistantMessage, ToolCall, TextContent, message_text
from mini_agent.scripted_model import create_scripted_model
from mini_agent.shell import run_shell
from mini_agent.tools.builtin import create_builtin_tools
from mini_agent.tools.registry import Registry
from mini_agent.tools.workspace import Workspace
from pathlib import Path

def heard(context):
    text = "听到：" + message_text(context.messages[-1])
    return AssistantMessage(content=(TextContent(text=text),))

cat = ToolCall(id="t1", name="bash", arguments={"command": "cat; read x"})
model = create_scripted_model([
    AssistantMessage(content=(cat,), stop_reason="tool_use"),
    AssistantMessage(content=(TextContent(text="读完了"),)),
    heard,
])
registry = Registry(create_builtin_tools(Workspace(Path.cwd())))
with console():
    run_shell(ask, model, tools=registry.toolset)
"""


def talk(
    *arguments: str, typed: str, folder: Path = STEP, temporary: Path
) -> subprocess.CompletedProcess[str]:
    temporary.mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(STEP), "TMPDIR": str(temporary)},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )


def test_a_folder_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    chat = ("-m", "mini_agent", "--workspace", str(tmp_path / "ws"))
    done = talk(*chat, typed="记下三件事\n", temporary=tmp_path / "tmp")
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.name for path in (tmp_path / "ws").iterdir()] == ["todo.txt"]
    assert list((tmp_path / "tmp").iterdir()) == []


def test_the_working_folder(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    chat = ("-m", "mini_agent")
    talk(*chat, typed="记下三件事\n", folder=tmp_path / "ws", temporary=tmp_path / "tmp")
    assert [path.name for path in (tmp_path / "ws").iterdir()] == ["todo.txt"]


def test_never_the_programs_own_folder(tmp_path: Path) -> None:
    before = sorted(path.name for path in STEP.iterdir())
    done = talk("-m", "mini_agent", typed="记下三件事\n看看待办\n", temporary=tmp_path / "tmp")
    assert "一共三件。" in done.stdout
    assert sorted(path.name for path in STEP.iterdir()) == before
    (scratch,) = (tmp_path / "tmp").iterdir()
    assert [path.name for path in scratch.iterdir()] == ["todo.txt"]  # nobody's work is lost


def test_a_scratch_folder_that_stayed_empty_is_removed(tmp_path: Path) -> None:
    talk("-m", "mini_agent", typed="你好\n", temporary=tmp_path / "tmp")
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    chat = ("-m", "mini_agent", "--workspace", str(tmp_path / "no"))
    done = talk(*chat, typed="你好\n", temporary=tmp_path / "tmp")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"没有这个文件夹：{tmp_path / 'no'}" in done.stderr


def test_a_command_does_not_eat_the_next_line(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", EATER],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(STEP)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write("第一句\n")
        process.stdin.flush()
        while "工具> bash" not in process.stdout.readline():
            pass
        process.stdin.write("下一句\n")  # while the command is running
        process.stdin.close()
        assert "听到：下一句" in process.stdout.read()
