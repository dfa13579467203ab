"""A script in place of a keyboard: the only thing in which a demo differs from a real talk."""

from collections.abc import Callable, Iterable


def read_from(script: Iterable[str]) -> Callable[[str], str | None]:
    """Return an `ask` that takes the lines of `script`, and shows them as if they were typed."""
    lines = iter(script)

    def ask(prompt: str) -> str | None:
        line = next(lines, None)
        print(prompt if line is None else prompt + line)
        return line

    return ask
