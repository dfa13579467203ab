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
) -> None:
    """Make a workspace: the step before, and a list of what to build."""
    from lab.contract import find_step
    from lab.practice.workspace import start_workspace

    print(start_workspace(find_step(step), folder.expanduser()))
