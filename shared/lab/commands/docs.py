"""`lab docs`."""

from typing import Annotated

import typer


def docs(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; show what is not true any more.")
    ] = False,
    no_run: Annotated[
        bool, typer.Option("--no-run", help="Leave out the commands and their outputs.")
    ] = False,
) -> None:
    """Fill the generated parts of chapters and READMEs from the source."""
    from lab.contract import ROOT
    from lab.docs.check import check_documents
    from lab.docs.fill import fill_documents

    work = check_documents if check else fill_documents
    raise typer.Exit(work(ROOT, run=not no_run))
