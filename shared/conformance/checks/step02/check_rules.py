"""`rules.RULES`: the script that both entries share."""

from conformance.support.chapters import where
from conformance.support.judge import expect
from conformance.support.subject import Subject


def test_every_rule_can_be_reached(subject: Subject) -> None:
    """No rule stands behind the fallback, where it would never be reached."""
    rules = subject.get("rules.RULES")
    fallbacks = [place for place, rule in enumerate(rules) if rule.match is None]
    expect(
        fallbacks == [len(rules) - 1],
        called="rules.RULES, the places of the rules without a match",
        came=f"{fallbacks} of {len(rules)} rules",
        wanted="one fallback, in the last place",
        read=where("rules"),
    )


def test_rules_cannot_change(subject: Subject) -> None:
    """The script is a tuple: what both entries share, neither can change."""
    rules = subject.get("rules.RULES")
    expect(
        isinstance(rules, tuple),
        called="type(rules.RULES)",
        came=type(rules).__name__,
        wanted="a tuple",
        read=where("rules"),
    )
