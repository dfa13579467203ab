"""`lab task STEP [N]`."""

from typing import Annotated

import typer

from lab.commands.options import Lang, StepName


def task(
    step: StepName,
    number: Annotated[
        int | None,
        typer.Argument(metavar="[N]", help="One task, by its number. Without it, all are listed."),
    ] = None,
    run: Annotated[
        bool, typer.Option("--run", help="Run it in a clean copy, and compare with the record.")
    ] = False,
    solution: Annotated[
        bool, typer.Option("--solution", help="Show the change that the task makes.")
    ] = False,
    language: Lang = None,
) -> None:
    """List the practice tasks of a step, or show one; run it, or show its solution."""
    from lab import texts
    from lab.contract import find_step
    from lab.errors import LabError
    from lab.practice.pages import list_tasks, show_solution, show_task, try_task

    wanted = find_step(step)
    if number is None:
        if run or solution:
            raise LabError(texts.WHICH_TASK.format(step=wanted.id))
        list_tasks(wanted, language)
        return
    if solution:
        show_solution(wanted, number, language)
    if run:
        raise typer.Exit(try_task(wanted, number, language))
    if not solution:
        show_task(wanted, number, language)
