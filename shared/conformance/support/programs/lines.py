"""A program around the console of the package under test: `... lines MODE`.

Its answer to a line is how Python would write that line, so that nothing in it stays hidden.
"""

import os
import signal
import sys
from importlib import import_module
from typing import Any

SAMPLE = "✓ 🎉 你好"


def main() -> None:
    """Run the mode that the first argument names."""
    sys.path.insert(0, os.getcwd())  # here, and not before the imports above
    MODES[sys.argv[1]](import_module("mini_agent.console"))


def show_lines(console: Any) -> None:
    """Show every line until there are no more, then ask once again."""
    with console.console():
        while (line := console.ask("> ")) is not None:
            print(ascii(line))
        print("no more")
        print(ascii(console.ask("> ")))


def print_sample(console: Any) -> None:
    """Print what many an encoding cannot hold."""
    with console.console():
        print(SAMPLE)


def raise_inside(console: Any) -> None:
    """Raise an error that is none of the console's business."""
    with console.console():
        raise ValueError("from inside")


def compare_handlers(console: Any) -> None:
    """Tell whether Ctrl-C is handled after a question by whoever handled it before."""

    def mine(signum: int, frame: object) -> None:
        """Stand for the handler of a running turn."""

    with console.console():
        signal.signal(signal.SIGINT, mine)
        console.ask("> ")
        print("the same" if signal.getsignal(signal.SIGINT) is mine else "another one")


MODES = {
    "lines": show_lines,
    "sample": print_sample,
    "raise": raise_inside,
    "handlers": compare_handlers,
}

if __name__ == "__main__":
    main()
