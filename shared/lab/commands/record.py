"""`lab record STEP`."""

from typing import Annotated

import typer

from lab.commands.options import StepName


def record(
    step: StepName,
    write: Annotated[
        bool, typer.Option("--write", help="Write the new output. Without it, only show it.")
    ] = False,
) -> None:
    """Run a step's demo again and show how its output differs from the recorded one."""
    from lab.contract import find_step
    from lab.record import record_demo

    raise typer.Exit(record_demo(find_step(step), write=write))
