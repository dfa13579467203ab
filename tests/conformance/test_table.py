"""Every check catches something: it is named by a mutant or by an imposter."""

import ast

from conformance.suite import CHECKS
from tests.conformance.imposters import IMPOSTERS
from tests.conformance.mutants import MUTANTS

EXEMPT: dict[str, str] = {
    "package::surface": "what it finds is missing, not wrong: see the imposter `the step before`",
}
"""Checks that no mutant and no imposter names, and why."""


def all_checks() -> set[str]:
    """Return the names of all checks, from their source."""
    return {
        f"{file.stem.removeprefix('check_')}::{node.name.removeprefix('test_')}"
        for file in CHECKS.glob("step*/check_*.py")
        for node in ast.parse(file.read_bytes()).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    }


def named() -> set[str]:
    """Return the checks that a mutant or an imposter names."""
    by_mutants = {name for mutant in MUTANTS for name in mutant.checks}
    return by_mutants | {name for imposter in IMPOSTERS for name in imposter.caught_by}


def test_every_check_catches_something() -> None:
    assert all_checks() - named() - set(EXEMPT) == set()


def test_nothing_is_named_that_is_not_there() -> None:
    assert (named() | set(EXEMPT)) - all_checks() == set()


def test_every_exemption_is_still_needed() -> None:
    assert set(EXEMPT) & named() == set()
