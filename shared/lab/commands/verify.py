"""`lab verify`."""


def verify() -> None:
    """Run every step's demo, in parallel, and compare it with its record, byte for byte."""
    import typer

    from lab.errors import Exit
    from lab.verify import verify_all

    raise typer.Exit(Exit.OK if verify_all() else Exit.WRONG)
