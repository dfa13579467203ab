"""`lab diff FROM TO [FILE]`."""

from pathlib import Path
from typing import Annotated

import typer


def diff(
    start: Annotated[str, typer.Argument(metavar="FROM", help="The earlier step.")],
    end: Annotated[str, typer.Argument(metavar="TO", help="The later step, any distance away.")],
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="Only this file, like demo.py.")
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option("--html", metavar="PAGE", help="Write a page for a browser instead."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write the page even if PAGE exists.")
    ] = False,
) -> None:
    """Show what changes from one step to another, in the order in which to teach it.

    On a pipe it is a plain patch: `lab diff 01 02 | patch -p1`, said in a copy of step 01,
    makes step 02 of it.
    """
    from lab.contract import find_step, planned_steps
    from lab.seams.diff import show_diff, steps_between, write_page

    path = steps_between(planned_steps(), find_step(start), find_step(end))
    if page is None:
        show_diff(path, file)
    else:
        write_page(page, path, file, force=force)
