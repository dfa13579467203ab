"""`lab compare [STEP] [DIR]`."""

from typing import Annotated

import typer

from lab.commands.options import Folder


def compare(
    step: Annotated[
        str | None, typer.Argument(metavar="[STEP]", help="Without it, that of the workspace.")
    ] = None,
    folder: Folder = None,
    show: Annotated[
        bool, typer.Option("--show", help="Although it does not pass yet: this is the answer.")
    ] = False,
) -> None:
    """Show your code beside the reference, once it passes."""
    from conformance.report import Verdict
    from conformance.suite import check
    from lab import texts
    from lab.errors import Exit, LabError
    from lab.practice.compare import differences
    from lab.practice.place import find_place

    place = find_place(step, folder)
    if not show and check(place.step, place.folder).verdict is not Verdict.PASSED:
        raise LabError(texts.COMPARE_LATER, code=Exit.NOT_YET)
    print(differences(place.step, place.folder) or texts.COMPARE_SAME)
