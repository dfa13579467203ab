"""`lab check STEP [DIR]`."""

from typing import Annotated

import typer

from lab.commands.options import Folder, StepName


def check(
    step: StepName,
    folder: Folder = None,
    select: Annotated[
        str, typer.Option("--only", metavar="TEXT", help="Only the checks whose name holds TEXT.")
    ] = "",
) -> None:
    """Hold a folder to what the step owes: its transcript, its shell, its contracts."""
    from conformance.report import render
    from conformance.suite import check as run_suite
    from lab.contract import find_step

    wanted = find_step(step)
    report = run_suite(wanted, (folder or wanted.folder).expanduser(), select=select)
    print(render(report))
    raise typer.Exit(report.verdict.exit_code)
