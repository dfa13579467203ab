from pathlib import Path

import pytest

from conformance.report import Result
from conformance.speed import slowness
from lab.contract import find_step
from tests.conformance.folders import copy_step
from tests.conformance.forks import Forks
from tests.conformance.mutants import MUTANTS, Mutant

CHEAP = {
    *("messages", "fake_model", "rules", "shell", "respond", "package"),
    *("abort", "signal", "outcome", "render", "conversation", "text"),
    *("tool_messages", "scripted_model", "agent_events", "agent_loop", "thinking", "tool_lines"),
    *("tool_results", "execution", "aborted_run", "left_run", "blocking"),
}
"""Files of checks of which all are run on a mutant, and only the named ones may fail."""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"step{mutant.step} {mutant.id}")
def test_a_mutant_is_caught_by_its_checks(mutant: Mutant, forks: Forks, tmp_path: Path) -> None:
    step = find_step(mutant.step)
    folder = copy_step(step, tmp_path / "my-agent")
    file = folder / mutant.file
    text = file.read_bytes().decode("utf-8")
    assert text.count(mutant.old) == 1, f"{mutant.old!r} must stand in {mutant.file} once"
    file.write_bytes(text.replace(mutant.old, mutant.new).encode())

    names = {name.partition("::")[0] for name in mutant.checks} & CHEAP
    wanted = names | set(mutant.checks)
    results = forks.check(step, folder, wanted, patience=mutant.patience)
    if failing(results) != set(mutant.checks):  # once more, as patiently as this machine needs
        results = forks.check(step, folder, wanted, patience=2 * slowness() * mutant.patience)

    assert failing(results) == set(mutant.checks), results
    assert {result.outcome for result in results} <= {"passed", "failed", "late", "not-owed"}


def failing(results: list[Result]) -> set[str]:
    """Return the names of the checks that see a fault."""
    return {one.id.partition("[")[0] for one in results if one.outcome in ("failed", "late")}


def test_mutants_have_names_of_their_own() -> None:
    assert len({mutant.id for mutant in MUTANTS}) == len(MUTANTS)
