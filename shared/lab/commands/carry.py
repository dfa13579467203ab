"""`lab carry FILE --from STEP`."""

from pathlib import Path
from typing import Annotated

import typer


def carry(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Like console.py.")],
    start: Annotated[
        str, typer.Option("--from", metavar="STEP", help="The step in which FILE was mended.")
    ],
    end: Annotated[
        str | None,
        typer.Option("--to", metavar="STEP", help="The last step to carry it to; else all."),
    ] = None,
    base: Annotated[
        Path | None,
        typer.Option("--base", metavar="FILE", help="FILE before the change; else git's HEAD."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would happen; write nothing.")
    ] = False,
) -> None:
    """Bring a mended file through all later steps: copied, or merged; all of them, or none."""
    from lab.contract import built_steps, find_step
    from lab.seams.carry import carry_file
    from lab.seams.diff import steps_between

    course, first = built_steps(), find_step(start)
    last = find_step(end) if end else course[-1]
    path = [first] if first == last else steps_between(course, first, last)
    raise typer.Exit(carry_file(file, path, base=base, dry_run=dry_run))
