"""A run keeps its extensions: a gate that is left out by mistake would let everything through."""

from dataclasses import replace
from pathlib import Path

from .extension_loader import Sources, files_in
from .extensions import Extensions
from .render import warn
from .user_input import InputRefused


def files_to_remember(sources: Sources) -> tuple[str, ...]:
    """Return the files that were named for a run, those of a trusted project among them."""
    of_project = files_in(sources.project_folder, warn) if sources.trust_project else []
    return tuple(str(path.resolve()) for path in (*of_project, *sources.chosen))


def with_remembered(sources: Sources, files: tuple[str, ...]) -> Sources:
    """Return `sources` with the files that a run remembers among those that are named."""
    return replace(sources, chosen=(*sources.chosen, *map(Path, files)))


def require_loaded(extensions: Extensions, files: tuple[str, ...]) -> None:
    """Refuse to work without one of the extensions that a run has been given.

    Raises:
        InputRefused: one is not there.
    """
    for file in files:
        if Path(file).stem not in extensions.names:
            raise InputRefused("run_elsewhere", f"扩展 {file} 没有加载，缺了它就不做")
