"""Bring a mended file through all later steps: all of them, or none."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lab import texts
from lab.contract import LABS, Step, files_in
from lab.errors import Exit, LabError
from lab.programs import DEMO, run_program
from lab.seams.changes import pick_file
from lab.seams.merge import Conflict, merge, version_at_head
from lab.verify import trouble_with
from lab.visible import hint, visible_diff

How = Literal["copied", "merged", "kept"]
"""copied: it was as before the change. merged: the step has a version of its own.
kept: the step has the change already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What happens to the file in one later step."""

    step: Step
    how: How
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What happens to the file in all of them. Nothing is written yet."""

    file: str
    carried: tuple[Carried, ...]
    gone_in: Step | None
    """The step that no longer has the file; there the way ends."""

    @property
    def to_write(self) -> list[Carried]:
        """The steps in which the file changes."""
        return [carried for carried in self.carried if carried.how != "kept"]


def carry_file(
    wanted: str,
    path: Sequence[Step],
    *,
    labs: Path = LABS,
    base: Path | None = None,
    dry_run: bool = False,
) -> Exit:
    """Bring the change of one file to later steps, run their demos, and say what happened.

    Args:
        wanted: The file; see `pick_file`.
        path: The step in which it was mended, then the steps to carry it to, in order.
        labs: The folder that holds the steps' folders.
        base: The file as it was before it was mended. None: as in the last commit.
        dry_run: Only say what would happen.

    Returns `Exit.OK` if nothing was to do or to write, `Exit.RECORDED` if
    something was written and the demos print what is recorded, `Exit.WRONG` if
    one does not.

    Raises:
        LabError: there is no such file, nothing to compare it with, or a
            conflict. Nothing was written.
    """
    source = path[0]
    file = pick_file(wanted, files_in(labs / source.id), where=source.id)
    if file in source.carried:
        print(texts.CARRY_NOT_ITS_HOME.format(file=file, step=source.id))
    before = _version_before(labs / source.id / file, base)
    if before == (labs / source.id / file).read_bytes():
        print(texts.CARRY_NOT_MENDED.format(file=file, step=source.id))
        return Exit.OK
    plan = plan_carry(file, path, labs=labs, before=before)
    for line in describe(plan):
        print(line)
    if not plan.to_write or dry_run:
        print(texts.CARRY_DRY_RUN if plan.to_write else texts.CARRY_NOTHING)
        return Exit.OK
    write_all(plan, labs)
    return _show_demos([carried.step for carried in plan.to_write], labs)


def plan_carry(file: str, path: Sequence[Step], *, labs: Path, before: bytes) -> Plan:
    """Work out the file's new content in every later step. Nothing is written.

    Raises:
        LabError: a conflict; the message names file and line, and says what to do.
    """
    mended = (labs / path[0].id / file).read_bytes()
    plan: list[Carried] = []
    for step in path[1:]:
        target = labs / step.id / file
        if not target.is_file():
            return Plan(file=file, carried=tuple(plan), gone_in=step)
        theirs = target.read_bytes()
        if theirs == before:
            plan.append(Carried(step=step, how="copied", content=mended))
        elif theirs == mended:
            plan.append(Carried(step=step, how="kept", content=mended))
        else:
            merged = merge(theirs, before, mended, names=(step.id, path[0].id))
            if isinstance(merged, Conflict):
                raise LabError(_conflict(file, step, path, merged), code=Exit.WRONG)
            how: How = "kept" if merged == theirs else "merged"
            plan.append(Carried(step=step, how=how, content=merged))
    return Plan(file=file, carried=tuple(plan), gone_in=None)


def write_all(plan: Plan, labs: Path) -> None:
    """Write the file in every step in which it changes.

    Raises:
        LabError: one of them cannot be written to; then none is.
    """
    targets = {labs / carried.step.id / plan.file: carried.content for carried in plan.to_write}
    refused = [str(target) for target in targets if not os.access(target, os.W_OK)]
    if refused:
        raise LabError(texts.CARRY_NOT_WRITABLE.format(names=", ".join(refused)))
    for target, content in targets.items():
        target.write_bytes(content)


def describe(plan: Plan) -> list[str]:
    """Return one line per later step."""
    lines = [texts.CARRIED[carried.how].format(step=carried.step.id) for carried in plan.carried]
    if plan.gone_in:
        lines.append(texts.CARRY_GONE.format(step=plan.gone_in.id, file=plan.file))
    return lines


def _version_before(file: Path, base: Path | None) -> bytes:
    """Return the file as it was before it was mended.

    Raises:
        LabError: there is no such version.
    """
    if base is None:
        before = version_at_head(file)
        if before is None:
            raise LabError(texts.CARRY_NO_BASE.format(file=file.name))
        return before
    try:
        return base.read_bytes()
    except OSError as error:
        raise LabError(texts.CARRY_BAD_BASE.format(path=base, error=error.strerror)) from error


def _conflict(file: str, step: Step, path: Sequence[Step], conflict: Conflict) -> str:
    """Return the message: where it is, what the two sides say, and the way on."""
    source, behind = path[0], path[path.index(step) - 1]
    first = texts.CARRY_UP_TO.format(file=file, source=source.number, behind=behind.number)
    return texts.CARRY_CONFLICT.format(
        place=f"labs/{step.id}/{file}:{conflict.line}",
        shown=conflict.shown,
        first="" if behind is source else first,
        file=file,
        number=step.number,
    )


def _show_demos(steps: Sequence[Step], labs: Path) -> Exit:
    """Run the demos of these steps and show what they print now. Nothing is recorded."""
    ending = Exit.RECORDED
    for step in steps:
        difference = demo_difference(labs / step.id)
        if difference:
            ending = Exit.WRONG
            print(texts.CARRY_DEMO_DIFFERS.format(step=step.id, difference=difference))
        else:
            print(texts.CARRY_DEMO_SAME.format(step=step.id))
    print(texts.CARRY_WRITTEN)
    return ending


def demo_difference(folder: Path) -> str:
    """Run a step's demo and say how it differs from its record; empty: it does not."""
    record = folder / "expected-output.txt"
    if not record.is_file():
        return texts.NOT_RECORDED.format(step=folder.name)
    finished = run_program(folder, DEMO, guarded=True)
    wanted = record.read_bytes()
    if trouble := trouble_with(finished):
        return trouble
    if finished.stdout == wanted:
        return ""
    return visible_diff(wanted, finished.stdout) + hint(wanted, finished.stdout)
