"""`lab bench`."""

from typing import Annotated

import typer


def bench(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One workload.")] = None,
    step: Annotated[
        str | None, typer.Option("--step", help="One step; without it every step that has it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON per figure.")] = False,
) -> None:
    """Measure the steps, each figure as a ratio to a limit of the same run. Without NAME: list."""
    from lab.bench.runner import measure, names, workload
    from lab.contract import built_steps, find_step

    if name is None:
        for known in names():
            print(f"{known:<16} {(workload(known).__doc__ or '').splitlines()[0]}")
        return
    steps = [find_step(step)] if step else list(built_steps())
    for one in steps:
        if one.number >= workload(name).SINCE:
            figure = measure(name, one)
            print(figure.as_json() if as_json else figure, flush=True)
