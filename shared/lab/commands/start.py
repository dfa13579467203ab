"""`lab start STEP DIR`."""

from pathlib import Path
from typing import Annotated

import typer

from lab.commands.options import StepName


def start(
    step: StepName,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A new or empty folder, outside the checkout.")
    ],
    mine: Annotated[
        Path | None,
        typer.Option("--from", metavar="MINE", help="Your own step before, to go on from."),
    ] = None,
    bare: Annotated[
        bool, typer.Option("--bare", help="Without given files and stubs: build all of it.")
    ] = False,
) -> None:
    """Make a workspace: the step before, what is given, stubs, and a page that says what to do."""
    from lab.contract import find_step
    from lab.practice.workspace import start_workspace

    mine = mine.expanduser() if mine else None
    print(start_workspace(find_step(step), folder.expanduser(), mine=mine, bare=bare))
