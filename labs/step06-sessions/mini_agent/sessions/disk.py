"""Write so that it lasts: when one of these calls returns, a power cut takes nothing back.

Not here: what is written, and who may write it.
"""

import os
from errno import ENOSPC
from pathlib import Path

sync = getattr(os, "fdatasync", os.fsync)  # macOS has only fsync, and its drives may keep a cache


def append_safely(file: int, data: bytes) -> None:
    """Add `data` to the end of a file that was opened for appending, with one write.

    Raises:
        OSError: it is not on the disk. The part that did fit has been taken back.
    """
    written = 0
    try:
        written = os.write(file, data)
        if written < len(data):
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        sync(file)
    except OSError:
        os.ftruncate(file, os.fstat(file).st_size - written)
        raise


def create_safely(path: Path, data: bytes) -> int:
    """Make a file that appears with all of `data` in it, and return it open for appending.

    The caller makes sure that nobody else is making the same file.

    Raises:
        OSError: it could not be made; nothing is left of it.
    """
    draft = path.with_suffix(".new")
    file = os.open(draft, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        append_safely(file, data)
        draft.rename(path)
        sync_folder(path.parent)
    except OSError:
        os.close(file)
        draft.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        raise
    return file


def cut_off(path: Path, file: int, end: bytes) -> None:
    """Take `end` off the end of the open file `file`, and keep it in `path` beside it.

    Raises:
        OSError: the file still has its end.
    """
    beside = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        append_safely(beside, end + b"\n")
    finally:
        os.close(beside)
    sync_folder(path.parent)
    os.ftruncate(file, os.fstat(file).st_size - len(end))
    sync(file)


def make_folder(folder: Path) -> None:
    """Make a folder for its user alone, and those above it that are missing."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the names in `folder` are on the disk: a file without a name is lost too."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
