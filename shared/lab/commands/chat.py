"""`lab chat STEP`."""

from typing import Annotated

import typer

from lab.commands.options import StepName


def chat(
    step: StepName,
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Passed on to the step; put `--` before options.")
    ] = None,
) -> None:
    """Talk with a step: its interactive entry, in this terminal."""
    from lab.contract import find_step
    from lab.programs import CHAT, become

    become(find_step(step).folder, CHAT, *(arguments or ()))
