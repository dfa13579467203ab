"""`lab check [STEP] [DIR]`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from lab.bilingual import preferred_language
from lab.commands.options import Folder, Lang


def check(
    step: Annotated[
        str | None, typer.Argument(metavar="[STEP]", help="Without it, that of the workspace.")
    ] = None,
    folder: Folder = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="A sitting, a check or a file of checks."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All that the step owes, and not sitting by sitting.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Again whenever a file changes.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The result as JSON.")] = False,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write it as JUnit XML, too.")
    ] = None,
    language: Lang = None,
) -> None:
    """Hold a folder to a step: a workspace to its next sitting, any other folder to everything."""
    from conformance.checking import Wanted, check_once, watched
    from lab.practice.place import find_place

    place = find_place(step, folder)
    wanted = Wanted(
        place=place,
        only=tuple(only or ()),
        everything=everything,
        json=json,
        language=language or preferred_language(os.environ),
    )
    if watch:
        watched(wanted)
    checked = check_once(wanted)
    print(checked.text)
    if junit:
        junit.write_text(checked.junit, encoding="utf-8")
    raise typer.Exit(checked.code)
