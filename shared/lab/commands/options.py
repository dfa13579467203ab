"""Arguments that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

StepName = Annotated[
    str, typer.Argument(metavar="STEP", help="2, 02, step02 or step02-fake-model.")
]
Folder = Annotated[
    Path | None,
    typer.Argument(metavar="[DIR]", help="A folder of your own; without it the course's own."),
]
