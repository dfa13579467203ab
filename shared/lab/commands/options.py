"""Arguments that several commands take."""

from pathlib import Path
from typing import Annotated, Literal

import typer

StepName = Annotated[
    str, typer.Argument(metavar="STEP", help="2, 02, step02 or step02-fake-model.")
]
Folder = Annotated[
    Path | None,
    typer.Argument(metavar="[DIR]", help="A folder of your own; without it the course's own."),
]
Lang = Annotated[
    Literal["en", "zh"] | None,
    typer.Option("--lang", help="The language of the texts; without it, that of the locale."),
]
TaskNumber = Annotated[int, typer.Argument(metavar="N", help="The number of a practice task.")]
