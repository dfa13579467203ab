"""Which step is meant, and what the contract must hold to be used."""

from pathlib import Path

import pytest

from lab import contract
from lab.contract import find_step, planned_steps, read_contract, surface
from lab.errors import Exit, LabError


@pytest.mark.parametrize("text", ["2", "02", "step02", "step02-fake-model", " 02 ", "step02/"])
def test_a_step_has_four_names(text: str) -> None:
    assert find_step(text).id == "step02-fake-model"


@pytest.mark.parametrize("text", ["", "0", "12", "002", "fake-model", "step2", "../step02"])
def test_an_unknown_step_lists_the_known_ones(text: str) -> None:
    with pytest.raises(LabError, match="Known steps: step01-hello-cli, ") as caught:
        find_step(text)
    assert caught.value.code == Exit.USAGE
    assert "step11-steering" in str(caught.value)


def test_eleven_steps_by_name() -> None:
    assert [step.slug for step in planned_steps()] == [
        "hello-cli",
        "fake-model",
        "streaming",
        "agent-loop",
        "tools",
        "sessions",
        "extensions",
        "real-provider",
        "interaction",
        "approvals",
        "steering",
    ]


def test_a_step_that_is_coming_is_no_step_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "contract.toml"
    file.write_text('[step01-one]\nen = "a"\nzh = "b"\ncoming = true\n', encoding="utf-8")
    steps = read_contract(file)
    monkeypatch.setattr(contract, "planned_steps", lambda: steps)
    with pytest.raises(LabError, match="step01-one is planned, but not built yet"):
        find_step("1")


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        '[step01-one]\nen = "a"\n',
        '[step01-one]\nen = "a"\nzh = "b"\nodd = 1\n',
        '[step02-two]\nen = "a"\nzh = "b"\n',
    ],
)
def test_a_bad_contract_is_a_clear_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "contract.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(LabError, match="cannot be used") as caught:
        read_contract(file)
    assert caught.value.code == Exit.SETUP


def test_names_leave_the_surface() -> None:
    names = {number: surface(find_step(str(number))) for number in (1, 2, 3)}
    assert "respond.respond" in names[1]
    assert "respond.respond" not in names[2]  # its file is gone
    assert "fake_model.CompleteFn" in names[2]
    assert "fake_model.CompleteFn" not in names[3]  # it has ended
    assert "console.ask" in names[3]


def test_what_is_given_is_new_there(tmp_path: Path) -> None:
    contract = tmp_path / "contract.toml"
    contract.write_text(
        '[step01-a]\nen = "a"\nzh = "a"\ngiven = ["x.py"]\nnew = { "y.py" = "because" }\n',
        encoding="utf-8",
    )
    with pytest.raises(LabError, match=r"step01-a: neither new nor changed here: x\.py"):
        read_contract(contract)


def test_most_of_what_is_new_is_built() -> None:
    for step in planned_steps():
        built = [file for file in step.new if file.endswith(".py") and file not in step.given]
        assert built, step.id
