"""`lab hint STEP N` and `lab hint SITTING`."""

from typing import Annotated

import typer

from lab.commands.options import Lang

Rung = Annotated[
    int | None,
    typer.Option(min=1, max=3, help="1: where to look. 2: what to do. 3: how exactly."),
]


def hint(
    step: Annotated[
        str, typer.Argument(metavar="STEP", help="2, 02, step02, ...; or a sitting, like 02.1.")
    ],
    number: Annotated[
        int | None, typer.Argument(metavar="[N]", help="The number of a practice task.")
    ] = None,
    rung: Rung = None,
    language: Lang = None,
) -> None:
    """Give a hint for a sitting or a practice task, and not more than asked for."""
    from lab.contract import find_step
    from lab.practice.hints import show_hint_of_sitting
    from lab.practice.pages import show_hint

    if number is None:
        show_hint_of_sitting(step, rung or 1, language)
    else:
        show_hint(find_step(step), number, rung or 1, language)
