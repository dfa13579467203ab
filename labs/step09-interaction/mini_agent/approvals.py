"""A permission is for one action and for one time: what an action is, and which approval fits it.

Not here: who asks for one (`run_permissions.py`).
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from .messages import ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What would be done, as the user is asked about it."""

    tool: str
    arguments: str
    """Canonical JSON: the same arguments are always the same text."""

    digest: str
    """Stands for all that the approval depends on; see `action_of`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What the user has decided about an action."""

    id: str
    """That of the request."""

    digest: str
    granted: bool
    goal_version: int
    """Under which goal it was decided."""

    decided_at: datetime

    spent_at: datetime | None = None
    """When the action began. None: it may still be used."""


def action_of(call: ToolCall, *, working_folder: str, content: str | None) -> Action:
    """Return the action that `call` is, in this folder and on this content of the file.

    Args:
        call: With its arguments as they will run.
        working_folder: Where it runs.
        content: A digest of what it applies to; None: it applies to no file.
    """
    arguments = canonical(call.arguments)
    everything = canonical([call.name, arguments, working_folder, content])
    return Action(
        tool=call.name,
        arguments=arguments,
        digest=sha256(everything.encode()).hexdigest(),
    )


def canonical(value: object) -> str:
    """Return `value` as JSON in which nothing is left to chance: no spaces, keys in order."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def usable(approvals: Iterable[Approval], digest: str) -> Approval | None:
    """Return the approval that lets the action with `digest` run, once."""
    return next(
        (one for one in approvals if one.granted and not one.spent_at and one.digest == digest),
        None,
    )


def denied(approvals: Iterable[Approval], digest: str, *, goal_version: int) -> bool:
    """Tell whether the user has said no to this very action, under this goal."""
    return any(
        not one.granted and one.digest == digest and one.goal_version == goal_version
        for one in approvals
    )


def spend(
    approvals: tuple[Approval, ...], approval_id: str, *, now: datetime
) -> tuple[Approval, ...]:
    """Return `approvals` with one of them used up.

    Raises:
        ValueError: there is no such approval that could be used.
    """
    if not any(one.id == approval_id and one.granted and not one.spent_at for one in approvals):
        raise ValueError(f"no approval {approval_id!r} to spend")
    return tuple(replace(one, spent_at=now) if one.id == approval_id else one for one in approvals)
