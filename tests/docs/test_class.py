"""The workflow for a class: what it runs is there to be run."""

import yaml  # type: ignore[import-untyped]  # only read here

from lab.cli import app
from lab.contract import ROOT


def test_the_workflow_runs_commands_of_the_lab() -> None:
    text = (ROOT / "docs" / "class" / "check.yml").read_text(encoding="utf-8")
    steps = yaml.safe_load(text)["jobs"]["check"]["steps"]
    ran = [step["run"].split() for step in steps if "run" in step]
    commands = [words[1] for words in ran if words[0].endswith("/lab")]
    known = {str(command.name or command.callback.__name__) for command in app.registered_commands}  # type: ignore[union-attr]  # each has one
    assert commands == ["check", "status"]
    assert set(commands) <= known
    assert (ROOT / next(words[1] for words in ran if words[0] == "python")).is_file()
