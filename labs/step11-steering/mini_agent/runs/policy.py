"""The permission policy, as data: what may run, what is asked, what must not run at all.

Not here: the question, and what becomes of the answer (`permissions.py`).
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from glob import escape
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from ..sessions.disk import make_folder
from .approvals import Action

Mode = Literal["ask", "yolo", "read-only"]
"""Ask before something is changed; ask nothing; change nothing."""

Verdict = Literal["allow", "ask", "deny"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What holds for some calls. In a pattern `*` stands for anything, `/` included."""

    verdict: Verdict
    tool: str = "*"

    about: str = "*"
    """A pattern of what the call is about: its path, from the workspace, or its command."""

    folder: str | None = None
    """The workspace in which it holds. None: in all of them."""


RULES: TypeAdapter[tuple[Rule, ...]] = TypeAdapter(
    tuple[Rule, ...], config={"extra": "forbid", "strict": True, "defer_build": True}
)


KEEPS_KEYS = (Rule(verdict="ask", about="*.env"), Rule(verdict="ask", about="*.env.*"))
"""Files with keys in them. To look into one is asked about, too, unless a rule allows it."""


class BadPolicy(Exception):
    """Raised when the file of rules cannot be used. The message is for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The user's rules, and what holds where none of them does."""

    mode: Mode = "yolo"
    rules: tuple[Rule, ...] = ()

    file: Path | None = None
    """Where a rule for always is kept. None: there is no such place."""

    def verdict(
        self, action: Action, folder: str, *, changing: bool, granted: Iterable[Rule] = ()
    ) -> Verdict:
        """Return what holds for a call.

        Args:
            action: What it would do.
            folder: The workspace.
            changing: The tool may change something.
            granted: What the user has allowed for the run.
        """
        said = {rule.verdict for rule in self.rules if matches(rule, action, folder)}
        if "deny" in said or (changing and self.mode == "read-only"):
            return "deny"
        if self.mode == "yolo" or any(matches(rule, action, folder) for rule in granted):
            return "allow"
        if "ask" in said:
            return "ask"
        asks = changing or any(matches(rule, action, folder) for rule in KEEPS_KEYS)
        return "ask" if asks and "allow" not in said else "allow"

    def keep(self, rules: Iterable[Rule]) -> "Policy":
        """Return the policy with more rules, which are on the disk when this returns.

        Raises:
            OSError: they could not be written; the file is as it was.
        """
        new = tuple(rule for rule in rules if rule not in self.rules)
        if self.file is not None and new:
            whole = (*read_rules(self.file), *new)
            make_folder(self.file.parent)
            draft = self.file.with_suffix(".new")
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(RULES.dump_json(whole, indent=2) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.file)
        return replace(self, rules=(*self.rules, *new))


def matches(rule: Rule, action: Action, folder: str) -> bool:
    """Tell whether `rule` names such a call."""
    is_here = rule.folder is None or rule.folder == folder
    return is_here and fnmatchcase(action.tool, rule.tool) and fnmatchcase(action.about, rule.about)


def rule_for(action: Action, folder: str) -> Rule:
    """Return the rule that allows this: the same command, or the same tool on the same file."""
    return Rule(
        verdict="allow", tool=escape(action.tool), about=escape(action.about), folder=folder
    )


def rules_file(environment: Mapping[str, str], home: Path) -> Path:
    """Return where a user keeps rules: never in a project, which may come from anybody."""
    config = Path(environment.get("XDG_CONFIG_HOME", ""))
    if not config.is_absolute():  # unset, or not what the XDG specification allows
        config = home / ".config"
    return config / "mini-agent" / "permissions.json"


def read_rules(file: Path) -> tuple[Rule, ...]:
    """Return the rules in `file`, which need not exist.

    Raises:
        BadPolicy: they cannot be read. A rule that says no must not be lost in silence.
    """
    try:
        return RULES.validate_json(file.read_bytes())
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadPolicy(f"权限规则 {file} 读不了：{error.strerror}") from error
    except ValidationError as error:
        loc = json.dumps(error.errors()[0]["loc"])
        raise BadPolicy(f"权限规则 {file} 不对：{error.errors()[0]['msg']}（{loc}）") from error
