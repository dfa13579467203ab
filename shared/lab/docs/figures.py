"""The figures that stand in prose, each counted from the source."""

from collections.abc import Mapping
from functools import partial

from lab.contract import Step
from lab.docs.request import Maker, Request
from lab.docs.tree import count_lines
from lab.seams.changes import Kind, count_changed_lines
from lab.seams.diff import find_changes, steps_between
from lab.seams.drift import built_pairs, changes_of, package_of
from lab.seams.outline import public_names


def files_of_kind(kind: Kind, request: Request, step: str) -> str:
    """Return how many files of a step are of this kind, against the step before."""
    before, found = _with_step_before(request, step)
    changes = changes_of(before, found, request.tree.labs)
    return str(sum(change.kind == kind for change in changes.values()))


def changed_lines(request: Request, old: str, new: str, file: str | None = None) -> str:
    """Return how many lines a reader of the diff has to look at: in one file, or in all Python."""
    tree = request.tree
    path = steps_between(tree.steps, tree.step(old), tree.step(new))
    changes = find_changes(path, file, labs=tree.labs)
    counted = [change for change in changes if file or change.file.endswith(".py")]
    return str(sum(sum(count_changed_lines(change)) for change in counted))


def lines(request: Request, file: str) -> str:
    """Return how many lines a file has."""
    return str(count_lines(request.tree.source(file)))


def new_public_names(request: Request, step: str) -> str:
    """Return how many public names a step defines that the step before does not."""
    before, found = _with_step_before(request, step)
    labs = request.tree.labs
    known = public_names(package_of(before, labs)) if before else frozenset()
    return str(len(public_names(package_of(found, labs)) - known))


def steps_built(request: Request) -> str:
    """Return how many steps there are so far."""
    return str(len(request.tree.built))


def steps_planned(request: Request) -> str:
    """Return how many steps the course is to have, those that exist included."""
    return str(len(request.tree.steps))


def sittings(request: Request, step: str) -> str:
    """Return in how many sittings a step is built."""
    return str(len(request.tree.step(step).sittings))


def building_time(request: Request, step: str) -> str:
    """Return how long it takes to build a step: in minutes, from two hours on in whole hours."""
    minutes = sum(one.minutes for one in request.tree.step(step).sittings)
    if minutes < 120:
        return request.words.minutes.format(count=minutes)
    return request.words.hours.format(count=round(minutes / 60))


def _with_step_before(request: Request, step: str) -> tuple[Step | None, Step]:
    found = request.tree.step(step)
    return next(pair for pair in built_pairs(request.tree.steps) if pair[1] == found)


FIGURES: Mapping[str, Maker[str]] = {
    "new-files": Maker("STEP", partial(files_of_kind, "new")),
    "changed-files": Maker("STEP", partial(files_of_kind, "changed")),
    "gone-files": Maker("STEP", partial(files_of_kind, "gone")),
    "unchanged-files": Maker("STEP", partial(files_of_kind, "carried")),
    "changed-lines": Maker("FROM TO [FILE]", changed_lines),
    "lines": Maker("FILE", lines),
    "public-names": Maker("STEP", new_public_names),
    "steps-built": Maker("", steps_built),
    "sittings": Maker("STEP", sittings),
    "building-time": Maker("STEP", building_time),
    "steps-planned": Maker("", steps_planned),
}
