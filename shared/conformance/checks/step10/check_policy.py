"""The permission policy, as data: what may run, what is asked, what must not run at all."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import PureRun
from conformance.support.subject import Subject

pytestmark = read("policy")

CASES: dict[str, tuple[str, tuple[dict[str, str], ...], bool, str]] = {
    "asks before a change": ("ask", (), True, "ask"),
    "a look needs nothing": ("ask", (), False, "allow"),
    "a rule allows": (
        "ask",
        ({"verdict": "allow", "tool": "write", "about": "a.*"},),
        True,
        "allow",
    ),
    "a rule for another file": ("ask", ({"verdict": "allow", "about": "b.*"},), True, "ask"),
    "a rule for another tool": ("ask", ({"verdict": "allow", "tool": "edit"},), True, "ask"),
    "a rule of another folder": ("ask", ({"verdict": "allow", "folder": "/v"},), True, "ask"),
    "a rule asks about a look": ("ask", ({"verdict": "ask", "about": "a.*"},), False, "ask"),
    "ask beats allow": ("ask", ({"verdict": "allow"}, {"verdict": "ask"}), True, "ask"),
    "deny beats allow": ("ask", ({"verdict": "deny"}, {"verdict": "allow"}), True, "deny"),
    "yolo": ("yolo", ({"verdict": "ask"},), True, "allow"),
    "deny beats yolo": ("yolo", ({"verdict": "deny", "tool": "write"},), True, "deny"),
    "read-only": ("read-only", ({"verdict": "allow"},), True, "deny"),
    "read-only, and a look": ("read-only", (), False, "allow"),
}
"""Mode, rules, whether the tool changes something, and what holds for writing a.txt in /w."""


def policy(subject: Subject, mode: str, *rules: dict[str, str], file: Path | None = None) -> Any:
    """Return a policy with these rules."""
    rule = subject.get("runs.policy.Rule")
    made = tuple(rule(**fields) for fields in rules)
    return subject.get("runs.policy.Policy")(mode=mode, rules=made, file=file)


@pytest.mark.parametrize("name", CASES)
def test_verdict(subject: Subject, name: str) -> None:
    """A rule that says no wins; else the mode, and what rules say about tool, path and folder."""
    mode, rules, changing, wanted = CASES[name]
    given = policy(subject, mode, *rules)
    came = given.verdict(PureRun(subject).action(), "/w", changing=changing)
    judge.same(came, wanted, called=f"Policy(mode={mode!r}, rules={list(rules)}).verdict(a.txt)")


def test_kept(subject: Subject, tmp_path: Path) -> None:
    """A rule that is kept is in the user's file, beside those that were there, for the next run."""
    file = tmp_path / "deep" / "permissions.json"
    rule, read_rules = subject.get("runs.policy.Rule"), subject.get("runs.policy.read_rules")
    rules = [rule(verdict="allow", about=about, folder="/w") for about in ("a", "b")]
    before = read_rules(file)
    for one in rules:
        policy(subject, "ask", file=file).keep([one])
    judge.holds(
        (before, read_rules(file)) == ((), tuple(rules)),
        called="Policy(file=...).keep(...), twice; read_rules(the file) before, after",
        came=[before, read_rules(file)],
        wanted="no rules, then both",
    )


@pytest.mark.parametrize("about", [".env", "deep/.env", ".env.local", "prod.env"])
def test_files_with_keys(subject: Subject, about: str) -> None:
    """To look into a file like `.env` is asked about, unless a rule allows it."""
    look = replace(PureRun(subject).action(), tool="read", about=about)
    asks = policy(subject, "ask").verdict(look, "/w", changing=False)
    rule = {"verdict": "allow", "about": about}
    allowed = policy(subject, "ask", rule).verdict(look, "/w", changing=False)
    judge.same(
        [asks, allowed],
        ["ask", "allow"],
        called=f"Policy(mode='ask', rules=...).verdict(a look at {about}), without a rule and with "
        f"{rule}",
    )
