"""Where the contract and the bytes of the steps do not agree."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lab import texts
from lab.contract import Step, in_order, surface_after
from lab.seams.changes import Change, compare_folders
from lab.seams.outline import defines


class Drift(NamedTuple):
    """A place where the contract and a step's folder do not agree."""

    step: str
    what: str
    """A file, or a name like "module.name"."""

    declared: str
    found: str
    remedy: str

    def __str__(self) -> str:
        """Return all of it in one line."""
        return texts.DRIFT.format(**self._asdict())


def find_drifts(course: Sequence[Step], labs: Path) -> list[Drift]:
    """Return every place where the contract and the bytes do not agree; see `check_seams`."""
    drifts: list[Drift] = []
    for before, step in built_pairs(course):
        drifts += _file_drifts(step, changes_of(before, step, labs), before)
        drifts += _empty_reasons(step)
        drifts += _surface_drifts(course[: step.number], labs)
        drifts += _early_drifts(step, course, labs)
    return drifts


def built_pairs(course: Sequence[Step]) -> list[tuple[Step | None, Step]]:
    """Return every built step behind the step before it."""
    built = [step for step in course if not step.coming]
    return list(zip([None, *built], built, strict=False))


def changes_of(before: Step | None, step: Step, labs: Path) -> dict[str, Change]:
    """Return what happened to every file from one step to the next; in step 01 all is new."""
    return compare_folders(labs / before.id if before else None, labs / step.id)


def package_of(step: Step, labs: Path) -> Path:
    """Return the folder of a step's package."""
    return labs / step.id / "mini_agent"


def _file_drifts(step: Step, changes: dict[str, Change], before: Step | None) -> Iterator[Drift]:
    declared = _declared_kinds(step)
    for file in in_order({*declared, *changes}, step):
        kinds = declared.get(file, ["nothing"])
        found = changes[file].kind if file in changes else "nothing"
        if kinds != [found]:
            yield Drift(
                step.id, file, " and ".join(kinds), found, _remedy(kinds, found, step, before)
            )


def _declared_kinds(step: Step) -> dict[str, list[str]]:
    """Return what the contract says of each file; more than one kind is a mistake in it."""
    kinds: dict[str, list[str]] = {}
    for kind, files in (
        ("new", step.new),
        ("changed", step.changed),
        ("gone", step.gone),
        ("carried", step.carried),
    ):
        for file in files:
            kinds.setdefault(file, []).append(kind)
    return kinds


def _remedy(kinds: list[str], found: str, step: Step, before: Step | None) -> str:
    """Say how to declare what is there, and where possible how to make it as declared."""
    remedy = texts.DECLARE_AS[found]
    alternative = texts.MAKE_IT.get((kinds[0], found)) if len(kinds) == 1 else None
    if alternative:
        remedy = f"{alternative}, or {remedy}"
    said = remedy.format(step=step.id, before=before.id if before else "")
    return f"{said[0].upper()}{said[1:]}."


def _empty_reasons(step: Step) -> Iterator[Drift]:
    reasons = [
        *((file, "new", why) for file, why in step.new.items()),
        *((file, "changed", why) for file, why in step.changed.items()),
        *((file, "gone", why) for file, why in step.gone.items()),
        *((early.name, "early", early.why) for early in step.early),
    ]
    for what, declared, why in reasons:
        if not why.strip():
            yield Drift(step.id, what, declared, texts.NO_REASON, texts.SAY_WHY)


def _surface_drifts(course: Sequence[Step], labs: Path) -> Iterator[Drift]:
    """Yield what is wrong with the surface of the last step in `course`."""
    step, earlier = course[-1], surface_after(course[:-1])
    for name in sorted(surface_after(course)):
        if not defines(package_of(step, labs), name):
            own = name in step.surface
            yield Drift(
                step.id,
                name,
                texts.ON_SURFACE if own else texts.ON_EARLIER_SURFACE,
                texts.NO_SUCH_NAME,
                texts.MEND_SURFACE if own else texts.MEND_EARLIER_SURFACE,
            )
    for name in step.ended:
        if name not in earlier:
            yield Drift(step.id, name, texts.ENDED, texts.NEVER_ON_SURFACE, texts.MEND_ENDED)


def _early_drifts(step: Step, course: Sequence[Step], labs: Path) -> Iterator[Drift]:
    later = {other.id for other in course if other.number > step.number}
    for early in step.early:
        declared = texts.EARLY.format(wanted_by=early.wanted_by)
        if not defines(package_of(step, labs), early.name):
            yield Drift(step.id, early.name, declared, texts.NO_SUCH_NAME, texts.MEND_EARLY)
        if early.wanted_by not in later:
            yield Drift(step.id, early.name, declared, texts.NO_LATER_STEP, texts.MEND_EARLY_STEP)
