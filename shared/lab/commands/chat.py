"""`lab chat STEP`."""

from pathlib import Path
from typing import Annotated

import typer

from lab.commands.options import StepName


def chat(
    step: StepName,
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Passed on to the step; put `--` before options.")
    ] = None,
) -> None:
    """Talk with a step: its interactive entry, in this terminal and in the folder you are in."""
    from lab.contract import ROOT, find_step
    from lab.programs import CHAT, become

    package, words = find_step(step).folder, arguments or []
    # In the checkout nobody means the checkout, unless he says so: a path is his own.
    in_checkout = Path.cwd().resolve().is_relative_to(ROOT)
    names_one = any(word.startswith("--workspace") for word in words)
    become(
        package,
        CHAT,
        *words,
        called=f"lab chat {step} --",
        working_folder=package if in_checkout and not names_one else None,
    )
