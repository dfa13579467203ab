"""`rules.RULES`: the script that both entries share."""

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject

pytestmark = read("rules")


def test_every_rule_can_be_reached(subject: Subject) -> None:
    """No rule stands behind the fallback, where it would never be reached."""
    rules = subject.get("rules.RULES")
    fallbacks = [place for place, rule in enumerate(rules) if rule.match is None]
    judge.holds(
        fallbacks == [len(rules) - 1],
        called="rules.RULES, the places of the rules without a match",
        came=f"{fallbacks} of {len(rules)} rules",
        wanted="one fallback, in the last place",
    )


def test_rules_cannot_change(subject: Subject) -> None:
    """The script is a tuple: what both entries share, neither can change."""
    rules = subject.get("rules.RULES")
    judge.holds(
        isinstance(rules, tuple),
        called="type(rules.RULES)",
        came=type(rules).__name__,
        wanted="a tuple",
    )
