"""How `lab` ends: its exit codes, and the error that carries one."""

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of every `lab` command. The table in CONTRIBUTING.md shows the same."""

    OK = 0
    """All is well."""

    WRONG = 1
    """Something was compared or run, and it is not as it should be."""

    USAGE = 2
    """The call cannot be carried out as given: unknown step, refused overwrite, bad option."""

    NOT_YET = 3
    """A part that the step asks for is not there yet. Expected while one is building it."""

    SETUP = 4
    """The folder or the environment is not fit to run anything: nothing was compared."""

    RECORDED = 5
    """Something was written. Look at it, then compare in a run of its own."""


class LabError(Exception):
    """Raised when a command cannot go on; the message says what to do about it."""

    def __init__(self, message: str, *, code: Exit = Exit.USAGE) -> None:
        super().__init__(message)
        self.code = code
