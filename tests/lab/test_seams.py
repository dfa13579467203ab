"""The contract says what the bytes say; a difference of each kind is caught."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from lab.contract import LABS, Early, Step, built_steps, planned_steps, read_contract
from lab.errors import LabError
from lab.seams.drift import find_drifts
from tests.support import Checkout, Ran

ONE, TWO = "step01-hello-cli", "step02-fake-model"


@pytest.fixture
def labs(tmp_path: Path) -> Path:
    """Return a copy of all steps, to plant drift in."""
    return shutil.copytree(LABS, tmp_path / "labs", ignore=shutil.ignore_patterns("__pycache__"))


def drifts(labs: Path, *, first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    """Return the drift of a copy whose steps 01 and 02 are declared differently."""
    one, two, *others = read_contract(labs / "contract.toml")
    course = [one.model_copy(update=first), two.model_copy(update=second), *others]
    return [str(drift) for drift in find_drifts(course, labs) if drift.step in (ONE, TWO)]


def declared(number: int) -> Step:
    return planned_steps()[number - 1]


def append(labs: Path, file: str, text: str = "# one more line\n") -> None:
    with (labs / file).open("a", encoding="utf-8") as stream:
        stream.write(text)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A difference planted in a copy of the steps, and what is said about it."""

    id: str
    spoil: Callable[[Path], object] = lambda labs: None
    first: dict[str, Any] = field(default_factory=dict)
    """Declared differently in step 01."""
    second: dict[str, Any] = field(default_factory=dict)
    """Declared differently in step 02."""
    says: list[str]


CASES = [
    Case(
        id="a carried file changed",
        spoil=lambda labs: append(labs, f"{TWO}/mini_agent/console.py"),
        says=[
            f"{TWO}: mini_agent/console.py: declared carried, found changed. "
            f"Copy it from {ONE}, or declare it in [{TWO}.changed], with its reason."
        ],
    ),
    Case(
        id="an undeclared file",
        spoil=lambda labs: append(labs, f"{TWO}/mini_agent/extra.py"),
        says=[
            f"{TWO}: mini_agent/extra.py: declared nothing, found new. "
            f"Delete it, or declare it in [{TWO}.new], with its reason."
        ],
    ),
    Case(
        id="a declared new file is missing",
        spoil=lambda labs: (labs / TWO / "mini_agent/rules.py").unlink(),
        says=[
            f"{TWO}: mini_agent/rules.py: declared new, found nothing. "
            "Write it, or take it out of labs/contract.toml.",
            f"{TWO}: rules.RULES: declared as surface, found no such name. "
            "Define it there, or take it out of `surface`.",
        ],
    ),
    Case(
        id="a changed file is missing",
        spoil=lambda labs: (labs / TWO / "expected-output.txt").unlink(),
        says=[
            f"{TWO}: expected-output.txt: declared changed, found gone. "
            f"Write it, or declare it in [{TWO}.gone], with its reason."
        ],
    ),
    Case(
        id="declared changed but identical",
        spoil=lambda labs: shutil.copy(labs / ONE / "pyproject.toml", labs / TWO),
        says=[
            f"{TWO}: pyproject.toml: declared changed, found carried. "
            f"Change it, or list it once in [{TWO}], under carried."
        ],
    ),
    Case(
        id="a gone file is still there",
        spoil=lambda labs: shutil.copy(
            labs / ONE / "mini_agent/respond.py", labs / TWO / "mini_agent"
        ),
        says=[
            f"{TWO}: mini_agent/respond.py: declared gone, found carried. "
            f"Delete it, or list it once in [{TWO}], under carried."
        ],
    ),
    Case(
        id="step 01 is compared with nothing",
        spoil=lambda labs: append(labs, f"{ONE}/notes.md"),
        second={"gone": {**declared(2).gone, "notes.md": "not needed"}},
        says=[
            f"{ONE}: notes.md: declared nothing, found new. "
            f"Delete it, or declare it in [{ONE}.new], with its reason."
        ],
    ),
    Case(
        id="declared twice",
        second={"carried": (*declared(2).carried, "mini_agent/demo.py")},
        says=[
            f"{TWO}: mini_agent/demo.py: declared changed and carried, found changed. "
            f"Declare it in [{TWO}.changed], with its reason."
        ],
    ),
    Case(
        id="a file without a reason",
        second={"gone": {"mini_agent/respond.py": " "}},
        says=[
            f"{TWO}: mini_agent/respond.py: declared gone, found no reason. "
            "Say why in labs/contract.toml."
        ],
    ),
    Case(
        id="a name on the surface that does not exist",
        second={"surface": (*declared(2).surface, "messages.Nobody")},
        says=[
            f"{TWO}: messages.Nobody: declared as surface, found no such name. "
            "Define it there, or take it out of `surface`."
        ],
    ),
    Case(
        id="a name on the surface that is only imported",
        second={"surface": (*declared(2).surface, "shell.Context")},
        says=[
            f"{TWO}: shell.Context: declared as surface, found no such name. "
            "Define it there, or take it out of `surface`."
        ],
    ),
    Case(
        id="a name of an earlier surface that is lost",
        spoil=lambda labs: append(labs, f"{ONE}/mini_agent/demo.py", "OLD = 1\n"),
        first={"surface": (*declared(1).surface, "demo.OLD")},
        says=[
            f"{TWO}: demo.OLD: declared as surface of an earlier step, found no such name. "
            "Define it there, or list it under `ended`."
        ],
    ),
    Case(
        id="a name of an earlier surface that has ended",
        spoil=lambda labs: append(labs, f"{ONE}/mini_agent/demo.py", "OLD = 1\n"),
        first={"surface": (*declared(1).surface, "demo.OLD")},
        second={"ended": ("demo.OLD",)},
        says=[],
    ),
    Case(
        id="an end without a beginning",
        second={"ended": ("demo.OLD",)},
        says=[
            f"{TWO}: demo.OLD: declared as ended, found that it was not on the surface. "
            "Take it out of `ended`, or correct it."
        ],
    ),
    Case(
        id="placed early, and renamed since",
        spoil=lambda labs: None,
        second={
            "early": (
                Early(name="messages.Context.prompt", **{"for": "step05-tools"}, why="to come"),
                Early(name="messages.Context.messages", **{"for": "step05-tools"}, why="to come"),
            )
        },
        says=[
            f"{TWO}: messages.Context.prompt: declared early for step05-tools, "
            "found no such name. "
            "Name what stands there (module.name or module.Class.field), or remove the entry."
        ],
    ),
    Case(
        id="placed early for a step that is not in the contract",
        second={"early": (Early(name="shell.run_shell", **{"for": "step05-toys"}, why="fun"),)},
        says=[
            f"{TWO}: shell.run_shell: declared early for step05-toys, "
            "found no later step of this name. Name a later step, or remove the entry."
        ],
    ),
    Case(
        id="placed early for the step itself, without a reason",
        second={"early": (Early(name="shell.run_shell", **{"for": TWO}, why=""),)},
        says=[
            f"{TWO}: shell.run_shell: declared early, found no reason. "
            "Say why in labs/contract.toml.",
            f"{TWO}: shell.run_shell: declared early for {TWO}, "
            "found no later step of this name. Name a later step, or remove the entry.",
        ],
    ),
]


def test_the_contract_says_what_the_bytes_say() -> None:
    assert find_drifts(planned_steps(), LABS) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_planted_drift_is_caught(labs: Path, case: Case) -> None:
    case.spoil(labs)
    assert drifts(labs, first=case.first, second=case.second) == case.says


def test_a_module_that_is_not_python(labs: Path) -> None:
    append(labs, f"{TWO}/mini_agent/rules.py", "def\n")
    with pytest.raises(LabError, match=r"step02-fake-model/mini_agent/rules\.py:13 is not Python"):
        find_drifts(planned_steps(), labs)


def test_one_line_per_step(lab: Callable[..., Ran], snapshot: SnapshotAssertion) -> None:
    ran = lab("seams")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split(":")[0] for line in ran.out.splitlines()] == [s.id for s in built_steps()]
    assert ran.out == snapshot


def test_drift_ends_with_1_and_names_the_file(checkout: Checkout) -> None:
    append(checkout.root / "labs", f"{TWO}/mini_agent/console.py")
    ran = checkout.lab("seams")
    assert ran.code == 1
    assert ran.err.splitlines()[:2] == [
        "lab: labs/contract.toml and the steps do not agree, differences: 2",  # to 01, and from 03
        f"  {TWO}: mini_agent/console.py: declared carried, found changed. "
        f"Copy it from {ONE}, or declare it in [{TWO}.changed], with its reason.",
    ]
