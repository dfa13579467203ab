"""`lab seams`."""


def seams() -> None:
    """Compare every step, byte for byte, with what labs/contract.toml declares of it."""
    from lab.contract import built_steps, planned_steps
    from lab.seams.report import check_seams

    built_steps()  # refuses folders that the contract does not name, and the other way round
    check_seams(planned_steps())
