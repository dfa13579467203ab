"""Run every demo and compare it with its recorded output: the main job of CI."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from rich.console import Console
from rich.progress import Progress

from lab import texts
from lab.contract import Step, built_steps
from lab.programs import DEMO, Finished, run_program
from lab.visible import hint, visible_diff

PARALLEL = 4


@dataclass(frozen=True, kw_only=True)
class Verified:
    """One step's demo, run and compared."""

    step: Step
    trouble: str
    """What is wrong with it; empty: it is as recorded."""


def verify_all() -> bool:
    """Verify every built step, report on standard output, and tell whether all are well."""
    steps = built_steps()
    done = _verify_with_progress(steps)
    for result in done:
        print(f"{'ok ' if not result.trouble else 'BAD'}  {result.step.id}")
        if result.trouble:
            print(result.trouble)
    good = sum(not result.trouble for result in done)
    print(texts.VERIFIED.format(good=good, all=len(steps)))
    return good == len(steps) > 0


def _verify_with_progress(steps: Sequence[Step]) -> list[Verified]:
    errors = Console(stderr=True)
    with (
        Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress,
        ThreadPoolExecutor(PARALLEL) as pool,
    ):
        bar = progress.add_task(texts.VERIFYING, total=len(steps))
        waiting = [pool.submit(verify_step, step) for step in steps]
        for _ in as_completed(waiting):
            progress.advance(bar)
    return [future.result() for future in waiting]


def verify_step(step: Step) -> Verified:
    """Run one demo, guarded and in a clean environment, and compare."""
    if not step.expected.is_file():
        return Verified(step=step, trouble=texts.NOT_RECORDED.format(step=step.id))
    finished = run_program(step.folder, DEMO, guarded=True)
    trouble = trouble_with(finished)
    wanted = step.expected.read_bytes()
    if not trouble and finished.stdout != wanted:
        trouble = visible_diff(wanted, finished.stdout) + hint(wanted, finished.stdout)
    return Verified(step=step, trouble=trouble)


def trouble_with(finished: Finished) -> str:
    """Say what keeps a run of a demo from being compared or recorded; empty: nothing does."""
    if finished.timed_out:
        return texts.DEMO_HUNG
    if finished.flooded:
        return texts.DEMO_FLOODED
    if finished.exit_code != 0 or finished.stderr:
        errors = finished.stderr.decode("utf-8", errors="replace").strip()
        return texts.DEMO_FAILED.format(code=finished.exit_code, errors=errors)
    if finished.left_behind:
        return texts.DEMO_LEFT_FILES.format(names=", ".join(finished.left_behind))
    if not finished.stdout:
        return texts.DEMO_SILENT
    return ""
