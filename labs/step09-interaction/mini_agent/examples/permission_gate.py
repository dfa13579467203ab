"""An extension that asks before something happens: what may run, what may not, what is asked.

Copy it to ~/.config/mini-agent/extensions/ and change the patterns. They are no wall: a
shell command can be written in a thousand ways. So what no pattern names is asked: the run
waits until somebody approves or denies it, in this process or in another one.
"""

import json
from collections.abc import Iterable
from fnmatch import fnmatchcase
from posixpath import normpath

from mini_agent.extension_answers import Ask, Block
from mini_agent.extension_api import Api
from mini_agent.extension_events import BeforeCall
from mini_agent.messages import ToolCall

DENY = (
    *("bash *rm *-*r*", "bash *sudo *", "write .env", "edit .env"),
    *("write *mini-agent/extensions/*", "edit *mini-agent/extensions/*"),  # code that would run
)
"""Never. A pattern is the tool, a blank, and what it is about; `*` stands for anything."""

ALLOW = ("read *", "ls *", "grep *", "find *", "note *")
"""Without a question. (For bash name whole commands: `bash ls*` lets `ls; rm x` through, too.)"""

REASON = "没有一条规则允许它：{what}"


def setup(api: Api) -> None:
    """Have the user approve every call that the patterns do not decide."""

    async def gate(event: BeforeCall) -> Ask | Block | None:
        what = describe(event.call)
        if matches(what, DENY):
            return Block("这是明令禁止的。")
        return None if matches(what, ALLOW) else Ask(REASON.format(what=printable(what)))

    api.on(BeforeCall, gate)


def describe(call: ToolCall) -> str:
    """Return the tool and what the call is about, for the patterns and for the user."""
    match call.arguments:
        case {"command": str(command)}:
            return f"{call.name} {command}"
        case {"path": str(path)}:
            return f"{call.name} {normpath(path)}"
    return f"{call.name} {json.dumps(call.arguments, ensure_ascii=False)}"


def matches(what: str, patterns: Iterable[str]) -> bool:
    """Tell whether any of `patterns` names `what`."""
    return any(fnmatchcase(what, pattern) for pattern in patterns)


def printable(text: str) -> str:
    """Return `text` without anything that a terminal would obey instead of showing it."""
    return "".join(mark if mark.isprintable() else f"\\x{ord(mark):02x}" for mark in text)
