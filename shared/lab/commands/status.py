"""`lab status [DIR ...]`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from lab.bilingual import preferred_language
from lab.commands.options import Lang


def status(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[DIR]...", help="Workspaces, or folders that hold them."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page, too.")
    ] = None,
    language: Lang = None,
) -> None:
    """Show how far workspaces are: your own, or those of a class."""
    from conformance.status import as_html, as_json, as_text, exit_code_of, rows_for
    from lab.practice.place import workspace_around

    language = language or preferred_language(os.environ)
    here = workspace_around(Path.cwd()) or Path.cwd()
    rows = rows_for(folders or [here], language)
    print(as_json(rows) if json else as_text(rows, language))
    if html:
        html.write_text(as_html(rows, language), encoding="utf-8")
    raise typer.Exit(exit_code_of(rows))
