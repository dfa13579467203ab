"""An extension that asks before something happens: what may run, what may not, what is asked.

Copy it to ~/.config/mini-agent/extensions/ and change the patterns. They are no wall: a
shell command can be written in a thousand ways. So what no pattern names is asked, and
where nobody can be asked, the answer is no.
"""

import json
from collections.abc import Iterable
from fnmatch import fnmatchcase
from posixpath import normpath

from mini_agent.extensions.api import Api
from mini_agent.extensions.events import BeforeCall, Block, SessionStart
from mini_agent.messages import ToolCall
from mini_agent.text import one_line

DENY = (
    *("bash *rm *-*r*", "bash *sudo *", "write .env", "edit .env"),
    *("write *mini-agent/extensions/*", "edit *mini-agent/extensions/*"),  # code that would run
)
"""Never. A pattern is the tool, a blank, and what it is about; `*` stands for anything."""

ALLOW = ("read *", "ls *", "grep *", "find *", "note *")
"""Without a question. (For bash name whole commands: `bash ls*` lets `ls; rm x` through, too.)"""

ASK = ("* *.env", "* *.env.*")
"""A question all the same: keys stand in such files, and a look shows them to the model."""

QUESTION = "要执行 {what} 吗？[y 这一次 / a 一直 / 其他：不] "


def setup(api: Api) -> None:
    """Ask about every call that the patterns do not decide."""
    always: set[str] = set()
    """What the user has allowed for good, on this branch of the session."""

    async def rebuild(event: SessionStart) -> None:
        always.clear()
        for entry in api.entries():
            if isinstance(entry, dict) and entry["answer"] == "a":
                always.add(str(entry["what"]))

    async def gate(event: BeforeCall) -> Block | None:
        what = describe(event.call)
        if matches(what, DENY):
            return Block("这是明令禁止的。")
        if what in always or (matches(what, ALLOW) and not matches(what.lower(), ASK)):
            return None
        answer = api.ask(QUESTION.format(what=one_line(what)))
        api.append_entry({"what": what, "answer": answer})
        if answer is None:
            return Block("没有人可以问。")
        if answer.strip() == "a":
            always.add(what)
        return None if answer.strip() in ("y", "a") else Block("用户没有同意。")

    api.on(SessionStart, rebuild)
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
