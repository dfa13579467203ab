"""A line with a slash in front: a command, or a message that only looks like one."""

import re
from collections.abc import Collection
from difflib import get_close_matches

COMMAND = re.compile(r"/([a-z][a-z-]*)")

UNKNOWN = "没有 /{name} 这个命令{nearest}。要把这句话原样说出去，就在前面多写一个 /。"
NEAREST = "，最接近的是 /{name}"


def unknown_command(line: str, known: Collection[str]) -> str | None:
    """Return what to tell the user about a command that is not among `known`; None: it is none.

    A path such as `/usr/bin` is no command. A slip of the fingers must not become a message.
    """
    found = COMMAND.fullmatch(line.strip().partition(" ")[0])
    if found is None or found[1] in known:
        return None
    near = get_close_matches(found[1], known, n=1)
    return UNKNOWN.format(name=found[1], nearest=NEAREST.format(name=near[0]) if near else "")


def as_message(line: str) -> str:
    """Return what `line` says to the agent: `//tmp` says `/tmp`."""
    return line.lstrip().removeprefix("/") if line.lstrip().startswith("//") else line
