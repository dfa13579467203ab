"""What files look like right now, as a digest."""

from hashlib import sha256
from pathlib import Path

from .results import ToolError
from .tools.workspace import Workspace


def digest_of(workspace: Workspace, path: str) -> str | None:
    """Return a digest of the file that the model calls `path`; None: there is no such file.

    Raises:
        OSError: it cannot be read.
    """
    try:
        with workspace.open(path) as file:
            return sha256(file.read()).hexdigest()
    except ToolError:
        return None


def digests_of(workspace: Workspace | None, paths: set[str]) -> dict[str, str | None]:
    """Return a digest for each path."""
    if workspace is None:
        return dict.fromkeys(paths)
    return {path: digest_of(workspace, path) for path in paths}


def folder_of(workspace: Workspace | None) -> str:
    """Return where tools work; without a workspace they work nowhere in particular."""
    root = workspace.root if workspace is not None else Path()
    return str(root).encode(errors="replace").decode()  # its name may be no UTF-8
