"""The `lab` command: run, check, compare and grow the steps of the course."""
