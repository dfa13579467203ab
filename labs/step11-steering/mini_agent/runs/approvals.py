"""A permission is for one action and for one time: what an action is, and which approval fits it.

Not here: which actions need one (`policy.py`), and the asking (`permissions.py`).
"""

import difflib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from ..messages import JsonObject, ToolCall
from ..results import ToolError
from ..tools.lf_view import LfView
from ..tools.replacement import find_changes
from ..tools.unified_diff import NO_LINE_END, unified_diff
from ..tools.workspace import Workspace

MAX_DIFF_LINES = 20_000
"""Above that, to find out what differs takes longer than anybody would wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What would be done, as the user is asked about it."""

    call_id: str
    tool: str
    arguments: JsonObject
    about: str
    """The path of the file, from the workspace and free of links; else the command, or all."""

    digest: str
    """Stands for all that the approval depends on; see `action_of`."""

    preview: str = ""
    """What it would change, for the user to see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What the user has decided about an action."""

    id: str
    request_id: str
    action: Action
    granted: bool
    goal_version: int
    """Under which goal it was decided."""

    decided_at: datetime
    reason: str = ""

    spent_at: datetime | None = None
    """When the action began. None: it may still be used."""

    report: str | None = None
    """What came out, when it was run from the record. None: it has not come to its end."""

    @property
    def is_due(self) -> bool:
        """It is granted, and nothing has been done about it."""
        return self.granted and self.spent_at is None and self.report is None


def action_of(call: ToolCall, workspace: Workspace | None, *, with_content: bool = True) -> Action:
    """Return the action that `call` is right now.

    Its digest holds the arguments, the folder, the place that a path really leads to, and what
    the file there holds. What a command or the tool of an extension reads, it does not hold;
    without `with_content`, neither what the file holds: for calls that only look.

    Raises:
        ToolError: the path leads nowhere.
    """
    path = call.arguments.get("path")
    about, content = describe_arguments(call.arguments), ""
    folder = "" if workspace is None else str(workspace.root)
    if workspace is not None and isinstance(path, str):
        real = workspace.locate(path)
        about, folder = workspace.name(real), str(real)
        data = _content(workspace, about) if with_content else b""
        content = "absent" if data is None else sha256(data).hexdigest()
    everything = canonical([call.name, call.arguments, folder, content])
    return Action(
        call_id=call.id,
        tool=call.name,
        arguments=call.arguments,
        about=about,
        digest=sha256(everything.encode(errors="surrogatepass")).hexdigest(),
    )


def call_of(action: Action) -> ToolCall:
    """Return the call that was asked about."""
    return ToolCall(id=action.call_id, name=action.tool, arguments=action.arguments)


def with_preview(action: Action, workspace: Workspace | None) -> Action:
    """Return `action` with all that the user has to see of it.

    Raises:
        ToolError: it could not be done as things are, so nobody need be asked.
    """
    match action:
        case Action(tool="bash", arguments={"command": str(command)}):
            preview = command
        case Action(tool="write", arguments={"content": str(content)}) if workspace is not None:
            before = _content(workspace, action.about)
            preview = diff(action.about, before, content.encode())
        case Action(tool="edit", arguments={"edits": list(edits)}) if workspace is not None:
            view = LfView(_content(workspace, action.about) or b"")
            pairs = [(edit["old_text"], edit["new_text"]) for edit in edits]
            preview = unified_diff(action.about, view, find_changes(view, pairs))
        case _:
            preview = json.dumps(action.arguments, ensure_ascii=False, indent=2)
    return replace(action, preview=preview)


def diff(name: str, before: bytes | None, after: bytes) -> str:
    """Return what changes in a file, as a unified diff; `before` is None if there was none."""
    old, new = _lines(before or b""), _lines(after)
    head = [f"--- a/{name}" if before is not None else "--- /dev/null", f"+++ b/{name}"]
    if len(old) + len(new) > MAX_DIFF_LINES:
        return "\n".join([*head, *(f"-{line}" for line in old), *(f"+{line}" for line in new)])
    lines = difflib.unified_diff(old, new, lineterm="")
    return "\n".join([*head, *list(lines)[2:]]) if old != new else f"{head[1]}（内容不变）"


def _lines(data: bytes) -> list[str]:
    """Return the lines of a file; the last one shows if it lacks its line end."""
    *whole, rest = data.decode(errors="replace").split("\n")
    return [*whole, f"{rest}\n{NO_LINE_END}"] if rest else whole


def describe_arguments(arguments: JsonObject) -> str:
    """Return what a call is about: its path, its command, or else all of it."""
    match arguments:
        case {"command": str(text)} | {"path": str(text)}:
            return text
    return canonical(arguments)


def canonical(value: object) -> str:
    """Return `value` as JSON in which nothing is left to chance: no spaces, keys in order."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def usable(approvals: Iterable[Approval], digest: str) -> Approval | None:
    """Return the approval that lets the action with `digest` run, once."""
    return next((one for one in approvals if one.is_due and one.action.digest == digest), None)


def denied(approvals: Iterable[Approval], digest: str, *, goal_version: int) -> Approval | None:
    """Return the no of the user to this very action, under this goal."""
    return next(
        (
            one
            for one in approvals
            if not one.granted and one.action.digest == digest and one.goal_version == goal_version
        ),
        None,
    )


def spend(
    approvals: tuple[Approval, ...], approval_id: str, *, now: datetime
) -> tuple[Approval, ...]:
    """Return `approvals` with one of them used up.

    Raises:
        ValueError: there is no such approval that could be used.
    """
    if not any(one.is_due and one.id == approval_id for one in approvals):
        raise ValueError(f"no approval {approval_id!r} to spend")
    return tuple(replace(one, spent_at=now) if one.id == approval_id else one for one in approvals)


def _content(workspace: Workspace, name: str) -> bytes | None:
    """Return what a file holds; None: there is no such file."""
    try:
        with workspace.open(name) as file:
            return file.read()
    except ToolError:
        return None
