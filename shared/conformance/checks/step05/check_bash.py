"""`bash`: a command in the workspace, and nothing of it left behind."""

import os
import re
import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from anyio import wait_all_tasks_blocked

from conformance.support.chapters import read
from conformance.support.subject import Subject
from conformance.support.workspace import BuiltinTools, ToolAnswer

pytestmark = read("bash")

SECRETS = ("OPENAI_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "AWS_SECRET_ACCESS_KEY")

HOLD = "exec 9>alive; sleep 20 & "
"""Open the pipe of `life_sign`, and start a program in the background that holds it, too."""

TO_DIE = 0.25
"""The part of a program's patience that one may take to die after it was killed."""

NUMBERS = 200_000
"""How many lines of output are too many."""


@pytest.fixture
def tools(subject: Subject, tmp_path: Path) -> BuiltinTools:
    """Return an empty workspace."""
    return BuiltinTools(subject, tmp_path)


@contextmanager
def life_sign(tools: BuiltinTools) -> Iterator[int]:
    """Lend the reading end of a pipe in the workspace that ends when the last writer is dead."""
    os.mkfifo(tools.root / "alive")
    reader = os.open(tools.root / "alive", os.O_RDONLY | os.O_NONBLOCK)
    try:
        yield reader
    finally:
        os.close(reader)


def expect_dead(subject: Subject, told: ToolAnswer, reader: int) -> None:
    """Fail unless nothing of the command holds the pipe any more, a moment later."""
    poll = select.poll()
    poll.register(reader, select.POLLIN)
    told.holds(
        poll.poll(1000 * TO_DIE * subject.patience),
        came=f"{told.text}\nand a process that still runs",
        wanted="no process of it left",
    )


async def test_output_and_exit_code(tools: BuiltinTools) -> None:
    """The model reads the output of both streams and the exit code; one that fails is an error."""
    good = await tools.use("bash", command="echo 出; echo 错 >&2")
    good.holds(
        not good.is_error and "出" in good.text and "错" in good.text and "0" in good.text,
        wanted="the output, and exit code 0",
    )
    bad = await tools.use("bash", command="echo 出; exit 43")
    bad.holds(
        bad.is_error and "出" in bad.text and "43" in bad.text,
        wanted="an error with the output and exit code 43",
    )


async def test_no_input(tools: BuiltinTools) -> None:
    """A command has nothing to read: who asks for input finds its end at once."""
    told = await tools.use("bash", command="cat; echo done")
    told.holds(not told.is_error and "done" in told.text, wanted="done, without waiting")


async def test_working_folder(tools: BuiltinTools) -> None:
    """Each command begins in the workspace with a shell of its own: `cd` does not last."""
    await tools.use("bash", command="cd /; LEFT=over; export LEFT")
    told = await tools.use("bash", command='pwd -P; echo "[$LEFT]"')
    told.holds(
        str(tools.root.resolve()) in told.text and "[]" in told.text,
        wanted=f"{tools.root.resolve()}, and []",
    )


async def test_time_limit(subject: Subject, tools: BuiltinTools) -> None:
    """A command that takes too long is ended, with all that it has started."""
    with life_sign(tools) as reader:
        told = await tools.use("bash", command=f"{HOLD}echo begun; sleep 20", timeout=0.5)
        told.holds(told.is_error and "begun" in told.text, wanted="an error, and the output so far")
        expect_dead(subject, told, reader)


async def test_background(subject: Subject, tools: BuiltinTools) -> None:
    """What a command leaves in the background holds up nobody, and ends with it."""
    with life_sign(tools) as reader:
        told = await tools.use("bash", command=f"{HOLD}echo begun")
        told.holds(not told.is_error and "begun" in told.text, wanted="the output, soon")
        expect_dead(subject, told, reader)


async def test_abort(subject: Subject, tools: BuiltinTools) -> None:
    """An abort ends the command at once."""
    signal = subject.get("abort.AbortSignal")()
    heard: list[ToolAnswer] = []

    async def run() -> None:
        heard.append(await tools.use("bash", command="sleep 20", signal=signal))

    async with anyio.create_task_group() as group:
        group.start_soon(run)
        await wait_all_tasks_blocked()
        signal.abort()
    heard[0].holds(heard[0].is_error, wanted="an error that tells of the abort")


@pytest.mark.parametrize("seconds", [0, -1, 1e12], ids=str)
async def test_odd_time_limit(tools: BuiltinTools, seconds: float) -> None:
    """A time limit that is none is refused, and the command is not run."""
    told = await tools.use("bash", command="touch ran", timeout=seconds)
    told.holds(
        told.is_error and "timeout" in told.text and not (tools.root / "ran").exists(),
        wanted="an error that names timeout, and no run",
    )


async def test_no_secrets(
    subject: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys, tokens and passwords of the user are not in the environment of a command."""
    for name in SECRETS:
        monkeypatch.setenv(name, "geheim")
    monkeypatch.setenv("HARMLESS", "harmlos")
    told = await BuiltinTools(subject, tmp_path).use("bash", command="env")
    told.holds(
        "geheim" not in told.text and "harmlos" in told.text,
        wanted="an environment without secrets, and with all the rest",
    )


async def test_no_program_of_the_folder(
    subject: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that lies in the workspace runs by its path alone, whatever PATH says."""
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")
    tools = BuiltinTools(subject, tmp_path)
    stranger = tools.root / "date"
    stranger.write_text("#!/bin/sh\necho stranger\n", encoding="utf-8")
    stranger.chmod(0o755)
    told = await tools.use("bash", command="date +ours; ./date")
    told.holds(
        told.text.startswith("ours\nstranger\n"),
        wanted="ours, from the system's own program; then stranger, which was called by its path",
    )


async def test_long_output(tools: BuiltinTools) -> None:
    """Of a long output the model reads the end; all of it is in a file, which it is told."""
    told = await tools.use("bash", command=f"seq {NUMBERS}")
    size = len(told.text.encode())
    told.holds(
        size < 64 * 1024 and f"\n{NUMBERS}\n" in told.text,
        came=f"{size} bytes, which end with {told.text[-200:]!r}",
        wanted=f"the end of the output, {NUMBERS} included, in less than 64 KiB",
    )
    named = [Path(name) for name in re.findall(r"/[A-Za-z0-9_./-]+", told.text)]
    kept = [path.read_text("utf-8") for path in named if path.is_file()]
    wanted = "".join(f"{number}\n" for number in range(1, NUMBERS + 1))
    told.holds(
        kept == [wanted],
        came=f"named: {[str(path) for path in named]}; "
        f"in the file: {[len(text) for text in kept]} characters",
        wanted=f"one file, with all {len(wanted)} characters in it",
    )
    for path in named:
        path.unlink(missing_ok=True)
