"""`lab list`."""


def list_steps() -> None:
    """List the steps of the course, one line each on what is new."""
    from lab import texts
    from lab.contract import built_steps, planned_steps

    built = built_steps()
    for step in planned_steps():
        mark = "" if step in built else texts.COMING
        print(f"{step.id:<22} {mark}{step.en}")
