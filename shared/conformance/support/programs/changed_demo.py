"""The demo of the package under test, after what it answers was changed: `... changed_demo PART`.

Whatever the demo then says comes out of the package, and not out of a stored text.
"""

import inspect
import runpy
import sys
from importlib import import_module
from typing import Any

MARK = "（换个说法）"
"""What every answer has behind it, or every piece of one."""


def main() -> None:
    """Change the part that the first argument names, then become the demo."""
    PARTS[sys.argv.pop(1)]()
    runpy.run_module("mini_agent.demo", run_name="__main__", alter_sys=True)


def change_respond() -> None:
    """Change what step 01 answers."""
    module: Any = import_module("mini_agent.respond")
    respond = module.respond
    module.respond = lambda text: respond(text) + MARK


def change_rules() -> None:
    """Change the replies of all rules."""
    module: Any = import_module("mini_agent.rules")
    module.RULES = tuple(map(_changed, module.RULES))


def _changed(rule: Any) -> Any:
    if not rule.reply:
        return rule
    names = inspect.signature(type(rule)).parameters
    fields = {name: getattr(rule, name) for name in names}
    return type(rule)(**{**fields, "reply": rule.reply + MARK})


def change_deltas() -> None:
    """Change each piece of text that any model streams."""
    module: Any = import_module("mini_agent.stream")

    class Changed(module.TextDelta):  # type: ignore[misc]  # known when it runs
        """A piece of text with a mark behind it."""

        def __init__(self, *, text: str, **fields: Any) -> None:
            super().__init__(text=text + MARK, **fields)

    module.TextDelta = Changed


PARTS = {"respond": change_respond, "rules": change_rules, "stream": change_deltas}

if __name__ == "__main__":
    main()
