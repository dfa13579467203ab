"""How far workspaces are: of one learner, or of a class; as a table, as JSON, as a page."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import datetime
from html import escape
from pathlib import Path

from conformance.report import Verdict
from conformance.sittings import look_at
from lab import texts
from lab.bilingual import Language
from lab.contract import files_in
from lab.errors import Exit, LabError
from lab.practice.place import PAGE, step_of_workspace

AT_ONCE = 2
"""Workspaces that are looked at side by side."""

WORST_FIRST = (Verdict.SETUP, Verdict.WRONG, Verdict.NOT_YET, Verdict.PASSED)

STYLE = "body{font-family:sans-serif}td,th{padding:.3em .8em;text-align:left}.wrong{color:#b00}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One workspace."""

    folder: str
    step: str = ""
    done: int = 0
    sittings: int = 0
    current: str = ""
    """The first sitting that is not done; empty: all are."""

    verdict: str = Verdict.SETUP.value
    first_fault: str = ""
    """The check that is wrong, or why nothing can be said."""

    changed: str = ""
    """When its package was last changed, in the local time zone."""

    @property
    def cells(self) -> tuple[str, ...]:
        """Return what a table shows of it."""
        progress = f"{self.done}/{self.sittings}" if self.sittings else ""
        now = " ".join(filter(None, (self.current, self.first_fault)))
        return self.folder, self.step, progress, self.verdict, now, self.changed


def rows_for(folders: Sequence[Path], language: Language) -> list[Row]:
    """Look at all workspaces among and directly below `folders`, in their order.

    One that cannot be looked at has a row all the same: the others do not wait for it.

    Raises:
        LabError: there is none.
    """
    found = [one for folder in folders for one in workspaces_in(folder.expanduser())]
    if not found:
        raise LabError(texts.NO_WORKSPACES.format(folders=", ".join(map(str, folders))))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda folder: row_of(folder, language), found))


def workspaces_in(folder: Path) -> Iterator[Path]:
    """Yield `folder`, or else the workspaces in it; a folder that is none of both as it is."""
    if (folder / PAGE).is_file() or not folder.is_dir():
        yield folder
        return
    below = sorted(one for one in folder.iterdir() if (one / PAGE).is_file())
    yield from below or (one for one in (folder,) if (one / "mini_agent").is_dir())


def row_of(folder: Path, language: Language) -> Row:
    """Check one workspace up to the first sitting that is not done."""
    try:
        step = step_of_workspace(folder)
        if step is None:
            return Row(folder=str(folder), first_fault=texts.NOT_A_WORKSPACE.format(folder=folder))
        progress = look_at(step, folder)
    except (LabError, OSError) as error:
        return Row(folder=str(folder), first_fault=str(error))
    current, report = progress.current, progress.report
    fault = next((one.id for one in report.faults), report.trouble)
    return Row(
        folder=str(folder),
        step=step.id,
        done=len(progress.done),
        sittings=len(step.sittings),
        current=f"{current.id} {current.text(language)}" if current else "",
        verdict=progress.verdict.value,
        first_fault=fault if progress.verdict in (Verdict.WRONG, Verdict.SETUP) else "",
        changed=last_change(folder),
    )


def last_change(folder: Path) -> str:
    """Return when a file of the package was last written to."""
    times = [(folder / name).stat().st_mtime for name in files_in(folder)]
    when = datetime.fromtimestamp(max(times, default=folder.stat().st_mtime)).astimezone()
    return when.isoformat(" ", "minutes")


def exit_code_of(rows: Sequence[Row]) -> Exit:
    """Return the exit code of `lab check` for the one that is worst off."""
    verdicts = {row.verdict for row in rows}
    return next(one for one in WORST_FIRST if one.value in verdicts).exit_code


def as_text(rows: Sequence[Row], language: Language) -> str:
    """Return a line for each workspace, in columns."""
    table = [texts.STATUS_COLUMNS[language], *(row.cells for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in table
    )
    return "\n".join(line.rstrip() for line in lines)


def as_json(rows: Sequence[Row]) -> str:
    """Return a list of objects, one for each workspace, with the fields of `Row`."""
    return json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2)


def as_html(rows: Sequence[Row], language: Language) -> str:
    """Return a page that needs nothing else."""
    head = "".join(f"<th>{escape(name)}</th>" for name in texts.STATUS_COLUMNS[language])
    body = "".join(
        f'<tr class="{row.verdict.split()[0]}">'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row.cells)
        + "</tr>\n"
        for row in rows
    )
    return (
        f'<!doctype html>\n<html lang="{language}"><meta charset="utf-8"><title>lab status</title>'
        f"<style>{STYLE}</style>\n<table><tr>{head}</tr>\n{body}</table></html>\n"
    )
