"""`lab doctor`."""


def doctor() -> None:
    """Look at Python, encoding, terminal, write access and line ends, with the remedy for each."""
    import typer

    from lab.doctor import examine
    from lab.errors import Exit

    findings = examine()
    for finding in findings:
        print(finding)
    raise typer.Exit(Exit.OK if all(finding.ok for finding in findings) else Exit.SETUP)
