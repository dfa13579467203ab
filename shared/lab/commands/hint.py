"""`lab hint STEP N`."""

from typing import Annotated

import typer

from lab.commands.options import Lang, StepName, TaskNumber


def hint(
    step: StepName,
    number: TaskNumber,
    rung: Annotated[
        int, typer.Option(min=1, max=3, help="1: where to look. 2: what to do. 3: how exactly.")
    ] = 1,
    language: Lang = None,
) -> None:
    """Give a hint for a practice task, and not more than asked for."""
    from lab.contract import find_step
    from lab.practice.pages import show_hint

    show_hint(find_step(step), number, rung, language)
