"""`lab demo STEP`."""

from lab.commands.options import StepName


def demo(step: StepName) -> None:
    """Run the demo of a step. Its output is the demo's alone."""
    from lab.contract import find_step
    from lab.programs import DEMO, become

    become(find_step(step).folder, DEMO, called=f"lab demo {step}")
