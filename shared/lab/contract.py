"""The course as data: `labs/contract.toml`, read and checked."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from lab import texts
from lab.errors import Exit, LabError

ROOT = Path(__file__).resolve().parents[2]
"""The top folder of the checkout."""

LABS = ROOT / "labs"


class Frozen(BaseModel):
    """What is read from a file: unchangeable, and no unknown field."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Early(Frozen):
    """Something that stands in a step before it is needed."""

    name: str
    """ "module.name" or "module.Class.field"."""

    wanted_by: str = Field(alias="for")
    """The id of the step that needs it."""

    why: str


class Sitting(Frozen):
    """A part of a step that is built in one go, and checked on its own."""

    id: str = ""
    """Like "05.1"; made from its place."""

    en: str
    zh: str
    build: tuple[str, ...]
    """New or changed files of the step, in the order in which to write them."""

    checks: tuple[str, ...]
    """What must hold then: "registry" for a file of checks, "registry::specs" for one."""

    minutes: int

    def text(self, language: str) -> str:
        """Return its title."""
        return self.zh if language == "zh" else self.en


class Step(Frozen):
    """One step of the course, as the contract declares it."""

    id: str
    """The name of its folder, like "step02-fake-model"."""

    en: str
    zh: str
    coming: bool = False
    """Planned: there is no folder yet."""

    new: dict[str, str] = {}
    changed: dict[str, str] = {}
    gone: dict[str, str] = {}
    """File, relative to the step's folder, to the reason; in reading order."""

    given: tuple[str, ...] = ()
    """Files, new or changed, that a learner need not write to understand the mechanism: they stand
    ready. The others are built."""

    sittings: tuple[Sitting, ...] = ()
    """The way through the step. Each file that is not given is built in one of them."""

    carried: tuple[str, ...] = ()
    surface: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    early: tuple[Early, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _number_sittings(cls, data: dict[str, Any]) -> dict[str, Any]:
        sittings = [
            {**sitting, "id": f"{data['id'][4:6]}.{place}"}
            for place, sitting in enumerate(data.get("sittings", ()), start=1)
        ]
        return {**data, "sittings": sittings}

    @model_validator(mode="after")
    def _each_file_is_met_once(self) -> "Step":
        own = {*self.new, *self.changed}
        met = Counter([*self.given, *(file for one in self.sittings for file in one.build)])
        wrong = {
            "neither new nor changed here": [file for file in met if file not in own],
            "both given and built, or built twice": [f for f, count in met.items() if count > 1],
        }
        if self.sittings:
            package = (file for file in own if file.startswith("mini_agent/"))
            wrong["in no sitting: put it under `build` of one, or under `given`"] = [
                file for file in package if file not in met
            ]
        for trouble, files in wrong.items():
            if files:
                raise ValueError(f"{self.id}: {trouble}: {', '.join(sorted(files))}")
        return self

    @property
    def number(self) -> int:
        """The step's number, from 1."""
        return int(self.id[4:6])

    @property
    def slug(self) -> str:
        """The id without its number, like "fake-model"."""
        return self.id[7:]

    @property
    def folder(self) -> Path:
        """Where the reference implementation of this step is."""
        return LABS / self.id

    @property
    def expected(self) -> Path:
        """The recorded output of its demo."""
        return self.folder / "expected-output.txt"

    @property
    def files(self) -> tuple[str, ...]:
        """Every file that the step has, in the order in which to read them."""
        return (*self.new, *self.changed, *self.carried)


@cache
def planned_steps() -> tuple[Step, ...]:
    """Return all steps of the course in order, those that are still coming included.

    Raises:
        LabError: the contract is missing, is not valid, or skips a number.
    """
    return read_contract(LABS / "contract.toml")


def read_contract(path: Path) -> tuple[Step, ...]:
    """Read one contract file; see `planned_steps`."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        steps = tuple(Step(id=name, **table) for name, table in tables.items())
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise LabError(
            texts.BAD_CONTRACT.format(path=path, error=error), code=Exit.SETUP
        ) from error
    wanted = [f"step{number:02}" for number in range(1, len(steps) + 1)]
    if [step.id[:6] for step in steps] != wanted:
        raise LabError(
            texts.BAD_CONTRACT.format(path=path, error="the steps must be numbered 01, 02, ..."),
            code=Exit.SETUP,
        )
    return steps


def built_steps() -> tuple[Step, ...]:
    """Return the steps that exist, in order. Never empty, and never guessed from the folders.

    Raises:
        LabError: the folders under `labs/` are not those that the contract names.
    """
    planned = planned_steps()
    built = tuple(step for step in planned if not step.coming)
    there = {path.name for path in LABS.iterdir() if path.is_dir()}
    if missing := [step.id for step in built if step.id not in there]:
        raise LabError(texts.STEP_FOLDER_MISSING.format(names=", ".join(missing)), code=Exit.SETUP)
    if extra := sorted(there - {step.id for step in planned}):
        raise LabError(texts.STEP_FOLDER_UNKNOWN.format(names=", ".join(extra)), code=Exit.SETUP)
    return built


def find_step(text: str) -> Step:
    """Return the step that `text` names: "2", "02", "step02" or "step02-fake-model".

    Raises:
        LabError: no such step, or it is still coming; the message lists the known ones.
    """
    wanted = text.strip().rstrip("/")
    for step in planned_steps():
        if wanted in {step.id, step.id[:6], step.id[4:6], str(step.number)}:
            if step.coming:
                raise LabError(texts.STEP_COMING.format(step=step.id, known=known_steps()))
            return step
    raise LabError(texts.UNKNOWN_STEP.format(step=text, known=known_steps()))


def known_steps() -> str:
    """Return the ids of the steps that exist, for a message."""
    return ", ".join(step.id for step in planned_steps() if not step.coming)


def step_before(step: Step) -> Step | None:
    """Return the step before `step`, or None for the first one."""
    return planned_steps()[step.number - 2] if step.number > 1 else None


def surface(step: Step) -> frozenset[str]:
    """Return every name that the suite may call in a package of this step."""
    return surface_after(planned_steps()[: step.number])


def surface_after(course: Iterable[Step]) -> frozenset[str]:
    """Return every name that the suite may call after these steps, the first one included."""
    names: set[str] = set()
    for step in course:
        modules = (file.removeprefix("mini_agent/").removesuffix(".py") for file in step.gone)
        gone = tuple(f"{module.replace('/', '.')}." for module in modules)
        kept = {name for name in names if not name.startswith(gone)}
        names = (kept - set(step.ended)) | set(step.surface)
    return frozenset(names)


def files_in(folder: Path) -> tuple[str, ...]:
    """Return the files of a step's folder, sorted, without caches and editor droppings."""
    skipped = re.compile(r"(^|/)(__pycache__|\.[^/]+|[^/]+\.egg-info|build|dist)(/|$)")
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return tuple(sorted(name for name in names if not skipped.search(name)))


def in_order(names: Iterable[str], step: Step) -> list[str]:
    """Sort file names into the reading order of `step`; unknown ones come last, by name."""
    order = {name: place for place, name in enumerate((*step.files, *step.gone))}
    return sorted(names, key=lambda name: (order.get(name, len(order)), name))
