"""Practice tasks as data: `docs/tasks/stepNN/N-slug.toml`, read and checked.

A task is a change to a step, one or more runs of the changed step, and what each
of them really does, by Python version. Not here: running them (`lab.practice.runs`).
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from lab import texts
from lab.bilingual import Bilingual
from lab.contract import ROOT, Frozen, Step
from lab.errors import Exit, LabError
from lab.practice.terminal import Press

TASKS = ROOT / "docs" / "tasks"

HANGS: Literal["hangs"] = "hangs"
"""How a run ends that is still going at its time limit, and has to be killed."""

FILE_NAME = re.compile(r"([1-9][0-9]*)-[a-z0-9-]+\.toml")


def _inside(name: str) -> str:
    if not name or name.startswith("/") or ".." in PurePosixPath(name).parts:
        raise ValueError("must be the name of a file below the step's folder")
    return name


FileName = Annotated[str, AfterValidator(_inside)]
PythonVersion = Annotated[str, StringConstraints(pattern=r"^3\.[0-9]+$")]
SignalName = Annotated[str, StringConstraints(pattern=r"^SIG[A-Z0-9]+$")]


class Change(Frozen):
    """What is done to a copy of the step before anything runs."""

    patch: str = ""
    """A unified diff of files that the step has; see `lab.practice.patches`."""

    files: dict[FileName, str] = Field(default={})
    """Whole new files, by their name below the step's folder."""

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not (self.patch or self.files):
            raise ValueError("needs a patch, or files, or both")
        return self


class Outcome(Frozen):
    """What a run really does, on some versions of Python. Recorded, not reasoned."""

    python: tuple[PythonVersion, ...] = Field(min_length=1)
    """The versions on which it was seen, like "3.11"."""

    transcript: str
    """What it prints; on a terminal, all that the screen shows. Tracebacks are folded."""

    stderr: str = ""
    """What it prints on standard error; on a terminal that is part of the transcript."""

    ends: Annotated[int, Field(ge=0, le=255)] | Literal["hangs"] | SignalName
    """The exit code, the signal that ends it, or "hangs"."""


class Run(Frozen):
    """One command in the changed copy: `python -m module`, with its input and its outcomes."""

    module: str
    arguments: tuple[str, ...] = ()
    stdin: str = ""
    """Written into a pipe, all at once."""

    stays_open: bool = False
    """The other end of that pipe is kept open after `stdin`: no end of input."""

    presses: tuple[Press, ...] = ()
    """If there are any, the program runs on a terminal instead, and these are the keys."""

    time_limit: float = Field(default=20, gt=0, le=60)
    """Seconds from its start until it counts as hanging and is killed."""

    outcomes: tuple[Outcome, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.presses and (self.stdin or self.stays_open):
            raise ValueError("presses mean a terminal: stdin and stays_open belong to a pipe")
        versions = [version for outcome in self.outcomes for version in outcome.python]
        if len(versions) != len(set(versions)):
            raise ValueError("a Python version stands in more than one outcome")
        return self

    def outcome_on(self, version: str) -> Outcome | None:
        """Return what it does on Python `version`, or None if that was never looked at."""
        return next((outcome for outcome in self.outcomes if version in outcome.python), None)


class Task(Frozen):
    """One practice task, as its file says."""

    file: Path
    number: int
    title: Bilingual
    goal: Bilingual
    wrong_turn: bool
    """The change is a mistake that learners really make, and is made here on purpose."""

    steps: tuple[Bilingual, ...] = Field(min_length=1)
    """What to do, in order."""

    notice: Bilingual
    """What to see in the outcome. Read it after the run."""

    hints: tuple[Bilingual, Bilingual, Bilingual]
    """Three rungs: where to look, what to do, how exactly."""

    change: Change
    runs: tuple[Run, ...] = Field(min_length=1)


def tasks_of(step: Step, *, folder: Path = TASKS) -> tuple[Task, ...]:
    """Return the tasks of a step, in order; empty if it has none yet.

    Raises:
        LabError: a file is not valid, or the numbers are not 1, 2, 3, ...
    """
    paths = (folder / step.id[:6]).glob("*.toml")
    tasks = sorted(map(read_task, paths), key=lambda task: task.number)
    for number, task in enumerate(tasks, start=1):
        if task.number != number:
            problem = texts.TASK_NUMBERING.format(wanted=number, found=task.number)
            raise _bad_task(task.file, [problem])
    return tuple(tasks)


def find_task(step: Step, number: int, *, folder: Path = TASKS) -> Task:
    """Return task `number` of a step.

    Raises:
        LabError: there is no such task; the message says which there are.
    """
    tasks = tasks_of(step, folder=folder)
    if not tasks:
        raise LabError(texts.NO_TASKS.format(step=step.id))
    if not 1 <= number <= len(tasks):
        raise LabError(texts.UNKNOWN_TASK.format(step=step.id, number=number, last=len(tasks)))
    return tasks[number - 1]


def read_task(path: Path) -> Task:
    """Read one task file.

    Raises:
        LabError: it is not valid; the message names the file and each field that is wrong.
    """
    name = FILE_NAME.fullmatch(path.name)
    if not name:
        raise _bad_task(path, [texts.TASK_FILE_NAME])
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return Task.model_validate({**table, "file": path, "number": int(name[1])})
    except ValidationError as error:
        raise _bad_task(path, map(_problem, error.errors())) from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _bad_task(path, [str(error)]) from error


def shown(path: Path) -> str:
    """Return how to name a file in a message: from the top of the checkout, if it is in there."""
    return (path.relative_to(ROOT) if path.is_relative_to(ROOT) else path).as_posix()


def _bad_task(path: Path, problems: Iterable[str]) -> LabError:
    lines = (texts.BAD_TASK.format(file=shown(path), problem=problem) for problem in problems)
    return LabError("\n".join(lines), code=Exit.SETUP)


def _problem(error: Any) -> str:
    """Say what pydantic found: the field as one would point at it, and what is wrong with it."""
    names = (f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in error["loc"])
    return f"{''.join(names).lstrip('.') or 'the file'}: {error['msg']}"
