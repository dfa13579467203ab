"""Run a practice task in a clean copy of its step, and compare with what is recorded."""

import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lab import texts
from lab.contract import Step, files_in
from lab.errors import Exit, LabError
from lab.practice.patches import MalformedPatch, PatchDoesNotFit, apply_patch
from lab.practice.tasks import HANGS, Outcome, Run, Task, shown
from lab.practice.terminal import play
from lab.programs import Finished, run_program
from lab.visible import visible_diff

TRACEBACK = re.compile(r"(Traceback \(most recent call last\):\n)(?:[ \t].*\n)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What a run did, in the terms of an `Outcome`."""

    transcript: str
    stderr: str
    ends: int | str
    surprise: str = ""
    """Why keys could not be pressed as the task says; empty if they could."""


def this_python() -> str:
    """Return the running version as tasks name it, like "3.11"."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


@contextmanager
def changed_copy(step: Step, task: Task) -> Iterator[Path]:
    """Lend a copy of the step with the task's change made; it is gone afterwards.

    Raises:
        LabError: the change does not fit the step; task file, step file and line are named.
    """
    with tempfile.TemporaryDirectory(prefix="lab-task-") as scratch:
        folder = Path(scratch) / step.id
        for name in files_in(step.folder):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(step.folder / name, folder / name)
        _make_change(task, step, folder)
        yield folder


def _make_change(task: Task, step: Step, folder: Path) -> None:
    try:
        if task.change.patch:
            apply_patch(task.change.patch, folder)
    except MalformedPatch as error:
        problem = texts.BAD_TASK.format(file=shown(task.file), problem=f"change.patch: {error}")
        raise LabError(problem, code=Exit.SETUP) from error
    except PatchDoesNotFit as error:
        problem = texts.STALE_PATCH.format(file=shown(task.file), step=step.id, problem=error)
        raise LabError(problem, code=Exit.SETUP) from error
    for name, text in task.change.files.items():
        if (folder / name).exists():
            problem = texts.TASK_FILE_EXISTS.format(name=name, step=step.id)
            problem = texts.BAD_TASK.format(file=shown(task.file), problem=problem)
            raise LabError(problem, code=Exit.SETUP)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode("utf-8"))


def observe(run: Run, folder: Path) -> Observed:
    """Carry out one run in a changed copy, on a pipe or on a terminal."""
    if run.presses:
        played = play(
            folder, run.module, run.presses, arguments=run.arguments, timeout=run.time_limit
        )
        return Observed(
            transcript=readable(played.screen),
            stderr="",
            ends=HANGS if played.timed_out else _ending(played.exit_code),
            surprise=played.surprise,
        )
    finished = _feed(run, folder)
    return Observed(
        transcript=readable(finished.stdout),
        stderr=readable(finished.stderr),
        ends=_ending(finished.exit_code) if finished.ended_by_itself else HANGS,
    )


def _feed(run: Run, folder: Path) -> Finished:
    stdin = run.stdin.encode("utf-8")
    if not run.stays_open:
        return run_program(
            folder, run.module, stdin=stdin, arguments=run.arguments, timeout=run.time_limit
        )
    theirs, ours = os.pipe()
    with os.fdopen(theirs, "rb") as reader, os.fdopen(ours, "wb", buffering=0) as writer:
        writer.write(stdin)
        return run_program(
            folder, run.module, stdin=reader, arguments=run.arguments, timeout=run.time_limit
        )


def _ending(exit_code: int) -> int | str:
    return exit_code if exit_code >= 0 else signal.Signals(-exit_code).name


def readable(output: bytes) -> str:
    """Return output as text, each traceback folded: its frames become one line, "  ...".

    The frames name files of this machine, and differ between versions of Python;
    what was raised does not.
    """
    return TRACEBACK.sub(r"\1  ...\n", output.decode("utf-8", errors="backslashreplace"))


def differences(observed: Observed, outcome: Outcome) -> list[str]:
    """Return what is not as recorded, ready to print; empty if all of it is."""
    found = [observed.surprise] if observed.surprise else []
    for name in ("transcript", "stderr"):
        wanted, came = getattr(outcome, name), getattr(observed, name)
        if wanted != came:
            found.append(f"{name}\n{visible_diff(wanted.encode(), came.encode())}")
    if observed.ends != outcome.ends:
        found.append(texts.ENDED_OTHERWISE.format(wanted=outcome.ends, came=observed.ends))
    return found
