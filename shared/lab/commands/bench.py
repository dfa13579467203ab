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
    from lab.bench.runner import find_workload, measure, workloads
    from lab.contract import built_steps, find_step

    if name is None:
        for known in workloads().values():
            print(f"{known.name:<16} {known.title}")
        return
    workload = find_workload(name)
    for one in [find_step(step)] if step else built_steps():
        if one.number >= workload.since:
            figure = measure(workload, one)
            print(figure.as_json() if as_json else figure, flush=True)
