"""Record a demo's output: shown always, written only when told so."""

import os
import sys

from lab import texts
from lab.contract import Step
from lab.errors import Exit, LabError
from lab.programs import DEMO, run_program
from lab.verify import trouble_with
from lab.visible import visible_diff


def record_demo(step: Step, *, write: bool) -> Exit:
    """Run the demo of `step`, show the difference to the recorded output, maybe record it.

    Returns `Exit.OK` if nothing differs, `Exit.WRONG` if something does and was
    not written, `Exit.RECORDED` if it was: a run that writes does not count as
    one that compares.

    Raises:
        LabError: asked to write in CI, or the demo did not end well; the old
            bytes are kept.
    """
    if write and os.environ.get("CI"):
        raise LabError(texts.NEVER_IN_CI)
    finished = run_program(step.folder, DEMO, guarded=True)
    if trouble := trouble_with(finished):
        raise LabError(
            texts.NOT_WORTH_RECORDING.format(step=step.id, trouble=trouble), code=Exit.WRONG
        )
    before = step.expected.read_bytes() if step.expected.is_file() else b""
    if finished.stdout == before:
        print(texts.RECORD_SAME.format(step=step.id))
        return Exit.OK
    print(visible_diff(before, finished.stdout, context=3, most=sys.maxsize))
    if not write:
        print(texts.RECORD_HOW.format(step=step.id))
        return Exit.WRONG
    step.expected.write_bytes(finished.stdout)
    print(texts.RECORDED.format(file=f"labs/{step.id}/{step.expected.name}"))
    return Exit.RECORDED
