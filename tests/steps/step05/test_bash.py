"""The tool `bash` (cases D8 and D10): what comes back, and that nothing is left running."""

import os
import resource
import shlex
import shutil
import signal as signals
import subprocess
import sys
import tracemalloc
from pathlib import Path

import anyio
import pytest
from mini_agent.abort import AbortSignal
from mini_agent.blocking import run_blocking
from mini_agent.results import INTERRUPTED, ToolError
from mini_agent.tools.bash import (
    BashArgs,
    absolute_path,
    create_bash,
    now_and_then,
    without_secrets,
)
from mini_agent.tools.bash_output import TAIL_LIMIT, BashOutput, remove_old_outputs
from mini_agent.tools.limits import LIMIT
from mini_agent.tools.run_command import Ended, Limits, run_command
from mini_agent.tools.workspace import Workspace

from .support import ignore_progress, names_below


@pytest.fixture
def output_folder(tmp_path: Path) -> Path:
    (tmp_path / "outputs").mkdir()
    return tmp_path / "outputs"


@pytest.fixture
def bash(workspace: Workspace, output_folder: Path) -> "Shell":
    return Shell(workspace, output_folder)


class Shell:
    """Runs commands and returns the text, whether it is a result or an error."""

    def __init__(self, workspace: Workspace, output_folder: Path) -> None:
        self.run = create_bash(workspace, output_folder=output_folder)

    async def __call__(
        self, command: str, *, seconds: float = 20, signal: AbortSignal | None = None
    ) -> str:
        args = BashArgs(command=command, timeout=seconds)
        try:
            output = await self.run(args, signal=signal or AbortSignal(), on_update=ignore_progress)
        except ToolError as error:
            return f"error: {error}"
        assert isinstance(output, str)
        return output


class Started:
    """Lets a command say that it has come to a point: by a pipe with a name."""

    def __init__(self, workspace: Workspace) -> None:
        self._pipe = workspace.root / "started"
        os.mkfifo(self._pipe)
        self.tell = "echo > started"

    async def wait(self) -> None:
        await run_blocking(self._pipe.read_bytes)


async def gone(mark: str) -> None:
    """Wait until no process has `mark` in its arguments. Who is killed takes a moment to die."""
    with anyio.fail_after(5):
        while running(mark):  # noqa: ASYNC110  # it is somebody else's child, and tells us nothing
            await anyio.sleep(0.02)


def running(mark: str) -> list[str]:
    """Return the processes with `mark` in their arguments; the dead that nobody buried are none."""
    done = subprocess.run(
        ["ps", "-A", "-o", "stat=,args="], capture_output=True, encoding="utf-8", check=True
    )
    lines = (line for line in done.stdout.splitlines() if mark in line)
    return [line for line in lines if not line.startswith("Z")]


async def test_the_output_and_the_exit_code(bash: Shell) -> None:
    assert await bash("echo 好") == "好\n[退出码 0]"
    assert await bash("true") == "（没有输出）\n[退出码 0]"
    assert await bash("echo out; echo err >&2; echo out2; exit 3") == (
        "error: out\nerr\nout2\n[退出码 3]"
    )
    assert await bash("nosuchcommand; kill -9 $$") == (
        "error: bash: line 1: nosuchcommand: command not found\n[被信号 9 终止]"
    )


async def test_each_command_begins_in_the_workspace(bash: Shell, workspace: Workspace) -> None:
    (workspace.root / "sub").mkdir()
    for command in ("cd sub && false", "cd sub", "export X=1; cd /"):
        await bash(command)
        assert await bash("pwd; echo $X") == f"{workspace.root}\n\n[退出码 0]"


async def test_there_is_no_input(bash: Shell) -> None:
    assert await bash("cat") == "（没有输出）\n[退出码 0]"
    assert await bash("read x; echo got:$x") == "got:\n[退出码 0]"


async def test_there_is_no_terminal(bash: Shell) -> None:
    text = await bash(f"{shlex.quote(sys.executable)} -c \"open('/dev/tty')\"")
    assert text.startswith("error: Traceback")
    assert "/dev/tty" in text


@pytest.mark.parametrize(
    "command",
    [
        "sleep 30.0133 | cat",
        "trap '' TERM; sleep 30.0134; sleep 30.0134",
        "bash -c 'sleep 30.0135 & sleep 30.0136'",
    ],
)
async def test_a_timeout_ends_all_of_it(bash: Shell, command: str) -> None:
    with anyio.fail_after(10):
        text = await bash(command, seconds=0.2)
    assert text == f"error: （没有输出）\n[超过 0.2 秒，{INTERRUPTED}]"
    await gone("sleep 30.013")


async def test_a_timeout_keeps_what_was_said(bash: Shell) -> None:
    with anyio.fail_after(10):
        text = await bash("echo 好; exec sleep 30.0137", seconds=1)
    assert text == f"error: 好\n[超过 1 秒，{INTERRUPTED}]"


@pytest.mark.parametrize("cut_short_by_the_loop", [True, False])
async def test_an_abort_ends_all_of_it_and_keeps_the_output(
    bash: Shell, workspace: Workspace, cut_short_by_the_loop: bool
) -> None:
    signal, texts = AbortSignal(), list[str]()
    started = Started(workspace)
    command = f"trap '' TERM; echo 好; sleep 30.0141 & {started.tell}; sleep 30.0142"

    async def work() -> None:
        if cut_short_by_the_loop:
            with signal.scope():
                texts.append(await bash(command, signal=signal))
        else:
            texts.append(await bash(command, signal=signal))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(work)
            await started.wait()
            signal.abort()
    assert texts == [f"error: 好\n[{INTERRUPTED}]"]
    await gone("sleep 30.014")


async def test_cancellation_from_outside_ends_all_of_it(
    bash: Shell, workspace: Workspace, output_folder: Path
) -> None:
    started, texts = Started(workspace), list[str]()

    async def work() -> None:
        texts.append(await bash(f"sleep 30.0151 & {started.tell}; sleep 30.0152"))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(work)
            await started.wait()
            group.cancel_scope.cancel()
    assert texts == []  # it went, instead of making a result of it
    await gone("sleep 30.015")
    assert names_below(output_folder) == []


async def test_a_child_in_the_background_does_not_hold_it_up(bash: Shell) -> None:
    with anyio.fail_after(10):
        assert await bash("sleep 30.0161 & echo 好") == "好\n[退出码 0]"
    await gone("sleep 30.016")


async def test_what_a_child_in_the_background_says_soon_is_heard(workspace: Workspace) -> None:
    heard = list[bytes]()
    ended = await run_command(
        ["bash", "-c", "(sleep 0.1; echo late) & echo 好"],
        folder=workspace.root,
        environment={"PATH": os.environ["PATH"]},
        # It does not wait as long as that: the output ends before.
        limits=Limits(seconds=20, quiet_interval=10),
        signal=AbortSignal(),
        on_output=heard.append,
    )
    assert ended == Ended(how="exited", exit_code=0)
    assert b"".join(heard) == "好\nlate\n".encode()


async def test_a_child_that_has_left_the_group_does_not_hold_it_up(
    bash: Shell, workspace: Workspace
) -> None:
    """It stays, as the description says of no other."""
    if shutil.which("setsid") is None:
        pytest.skip("this system has no setsid")
    left = f"setsid bash -c 'echo $$ > {workspace.root}/pid; exec sleep 30.0171' & "
    with anyio.fail_after(10):
        assert await bash(f"{left}while ! [ -s pid ]; do :; done; echo 好") == "好\n[退出码 0]"
    os.kill(int((workspace.root / "pid").read_text(encoding="utf-8")), signals.SIGKILL)


async def test_nothing_is_left_after_fifty_runs(bash: Shell, output_folder: Path) -> None:
    await bash("true")  # whatever the event loop opens once
    before = open_descriptors()
    for run in range(50):
        await bash("sleep 30.0181 | cat & false" if run % 10 == 0 else "seq 10 | cat >&2; false")
    await gone("sleep 30.018")
    assert open_descriptors() == before
    assert names_below(output_folder) == []


def open_descriptors() -> int:
    return len(os.listdir("/dev/fd"))


def only_file(folder: Path) -> tuple[str, tuple[int, int, bytes]]:
    """Return the path of the file in `folder`; its size, mode and content."""
    (path,) = folder.iterdir()
    return str(path), (path.stat().st_size, path.stat().st_mode & 0o777, path.read_bytes())


async def test_a_long_output_is_kept_in_a_file(bash: Shell, output_folder: Path) -> None:
    text = await bash("yes 中文 | head -c 5000000; echo 末尾; exit 3")
    *lines, notice, code = text.split("\n")
    assert len(text.encode()) <= LIMIT.bytes
    assert lines[-2:] == ["中文", "中\ufffd末尾"]  # it is `head` that cut a character
    assert "\ufffd" not in "".join(lines[:-1])
    assert code == "[退出码 3]"
    shown = len("\n".join(lines).removeprefix("error: ").encode()) + 1
    assert notice.startswith(f"[以上是结尾的 {shown} 字节，省略了前面 {5_000_008 - shown} 字节；")
    name, (size, mode, content) = only_file(output_folder)
    assert f"全部输出在 {name}，" in notice
    assert (size, mode) == (5_000_007, 0o600)
    assert content.endswith("末尾\n".encode())


async def test_the_file_is_there_also_if_only_lines_are_too_many(
    bash: Shell, output_folder: Path
) -> None:
    text = await bash("seq 3000")
    assert text.startswith("1001\n")
    name, (size, _, _) = only_file(output_folder)
    assert name in text
    assert size == 13_893


async def test_no_file_is_named_that_is_not_there(bash: Shell, output_folder: Path) -> None:
    text = await bash(f"seq 3000; rm {output_folder}/*")
    assert "全部输出没能保存" in text
    assert str(output_folder) not in text


async def test_a_short_output_leaves_no_file(bash: Shell, output_folder: Path) -> None:
    await bash("seq 2000")
    assert names_below(output_folder) == []


async def test_bytes_that_are_no_text(bash: Shell) -> None:
    assert await bash(r"printf '\xff\xfe\xe4\xb8'") == "\ufffd\ufffd\ufffd\n[退出码 0]"
    text = await bash(r"yes $'\xff' | head -c 200000")
    assert len(text.encode()) <= LIMIT.bytes
    assert text.endswith("[退出码 0]")


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_pieces_may_end_within_a_character(output_folder: Path, size: int) -> None:
    text = "你好，🎉é世界" * 3
    output = BashOutput(output_folder)
    data = text.encode()
    said = [output.add(data[n : n + size]) for n in range(0, len(data), size)]
    assert "".join(said) == text
    assert output.finish().decode() == text


def test_the_tail_begins_between_two_characters(output_folder: Path) -> None:
    for length in range(65_000, 70_000, 97):
        output = BashOutput(output_folder)
        output.add("中".encode() * length)
        assert set(output.finish().decode()) == {"中"}
        output.discard()


def test_memory_does_not_grow_with_the_output(output_folder: Path) -> None:
    output, piece = BashOutput(output_folder), "中文\n".encode() * 9000
    tracemalloc.start()
    for _ in range(3000):  # 189 MB
        output.add(piece)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000
    assert len(output.finish()) <= TAIL_LIMIT.bytes
    assert output.size == 3000 * len(piece)
    assert output.file is not None
    assert output.file.stat().st_size == output.size


def test_a_full_disk_costs_the_file_and_not_the_tail(output_folder: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        output = BashOutput(output_folder)
        for _ in range(10):
            output.add(b"line\n" * 10_000)
        tail = output.finish()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert tail == b"line\n" * 2000
    assert output.file is None
    assert names_below(output_folder) == []


async def test_a_flood_is_stopped(workspace: Workspace) -> None:
    heard = list[int]()
    with anyio.fail_after(10):
        ended = await run_command(
            ["yes", "30.0191"],
            folder=workspace.root,
            environment={"PATH": os.environ["PATH"]},
            limits=Limits(seconds=20, output_bytes=1_000_000),
            signal=AbortSignal(),
            on_output=lambda piece: heard.append(len(piece)),
        )
    assert ended.how == "flood"
    assert 1_000_000 < sum(heard) < 1_200_000
    await gone("yes 30.0191")


SECRETS = {
    "ANTHROPIC_API_KEY": "x",
    "GITHUB_TOKEN": "x",
    "AWS_SECRET_ACCESS_KEY": "x",
    "DB_PASSWORD": "x",
    "MYSQL_PWD": "x",
    "npm_config__authToken": "x",
    "GOOGLE_APPLICATION_CREDENTIALS": "x",
    "MyApiKey": "x",
}
HARMLESS = {"PATH": "/bin:/usr/bin", "HOME": "/h", "PWD": "/p", "SSH_AUTH_SOCK": "/s", "LANG": "C"}


def test_secrets_go_by_their_names() -> None:
    assert without_secrets(SECRETS | HARMLESS) == HARMLESS


async def test_secrets_do_not_reach_a_command(workspace: Workspace) -> None:
    run = create_bash(workspace, environment=HARMLESS | {"ANTHROPIC_API_KEY": "sk-secret"})
    args = BashArgs(command="env; cat /proc/$$/environ 2>&1 | tr '\\0' '\\n'")
    text = await run(args, signal=AbortSignal(), on_update=ignore_progress)
    assert isinstance(text, str)
    assert "HOME=/h" in text
    assert "sk-secret" not in text


async def test_a_nul_is_refused(bash: Shell) -> None:
    assert await bash("echo a\0b") == "error: command 里不能有 NUL 字符。"


async def test_a_workspace_that_is_gone(bash: Shell, workspace: Workspace) -> None:
    workspace.root.rmdir()
    with pytest.raises(FileNotFoundError):
        await bash("true")


async def test_progress_is_the_last_line_now_and_then() -> None:
    said = list[str]()
    tell = now_and_then(said.append, every=0)
    for text in ("一\n二", "", "\n", "三\n"):
        tell(text)
    assert said == ["二", "三"]
    tell = now_and_then(said.append, every=1000)
    tell("四\n")
    assert said == ["二", "三"]


SEARCHED = {
    ".:/usr/bin": "/usr/bin",
    "/usr/bin:": "/usr/bin",
    ":/bin::/usr/bin": "/bin:/usr/bin",
    "bin:./x:../y:/bin": "/bin",
    "": os.defpath,
    ".": os.defpath,
}


@pytest.mark.parametrize("path", SEARCHED)
def test_no_program_is_looked_for_in_the_working_folder(path: str) -> None:
    assert absolute_path(path) == SEARCHED[path]


async def test_a_folder_lends_a_command_no_program(workspace: Workspace) -> None:
    """Neither the shell itself nor what it runs, wherever the user's search path would look."""
    for name in ("bash", "sh", "date"):
        file = workspace.root / name
        file.write_text("#!/bin/sh\necho stranger\n")
        file.chmod(0o755)
    run = create_bash(workspace, environment={"PATH": f".::{os.environ['PATH']}"})
    text = await run(
        BashArgs(command="date +ours"), signal=AbortSignal(), on_update=ignore_progress
    )
    assert text == "ours\n[退出码 0]"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux has it")
async def test_what_a_command_can_still_see(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment that our own process began with; what it was given later is not in there."""
    monkeypatch.setenv("LATER_API_KEY", "sk-later")
    command = "tr '\\0' '\\n' < /proc/$PPID/environ"
    run = create_bash(workspace)
    text = await run(BashArgs(command=command), signal=AbortSignal(), on_update=ignore_progress)
    assert isinstance(text, str)
    assert "PATH=" in text
    assert "sk-later" not in text


def test_old_outputs_go(tmp_path: Path) -> None:
    old, young = tmp_path / "mini-agent-old.txt", tmp_path / "mini-agent-young.txt"
    for file in (old, young):
        file.touch()
    os.utime(old, (0, 0))
    remove_old_outputs(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [young.name]
