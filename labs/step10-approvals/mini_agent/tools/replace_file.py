"""Put new content in a file's place, whole or not at all.

All of it happens relative to the open folder that holds the file: were it done by path, a
folder on the way that somebody swaps for a link would lead it out of the workspace.
"""

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterable

from ..results import ToolError

PRIVATE, USUAL = 0o600, 0o666
"""Modes of a new file: for its owner alone, and as the umask of the user will have it."""

DRAFT = re.compile(r"\.mini-agent-[0-9a-f]{16}\.tmp")
"""Names of files that are being written. Whoever lists a folder leaves them out."""


def replace_file(
    folder: int, name: str, data: Iterable[bytes | memoryview], *, before: os.stat_result | None
) -> None:
    """Make `data` the content of a file; whoever reads sees the old content or the new one.

    It goes to a file beside it first, and from there takes its name. The mode of the
    file that it replaces stays, and its owner where that is allowed. Other names of
    that file (hard links) keep the old content. If it fails, nothing has changed.

    Args:
        folder: The descriptor of the folder.
        name: The file in it. A link of this name would be replaced, not followed.
        data: The whole new content, in pieces.
        before: What was there when it was last looked at; None if nothing was.

    Raises:
        ToolError: it is write-protected, or somebody has changed it since then.
        OSError: the content could not be written.
    """
    if before is not None and not os.access(name, os.W_OK, dir_fd=folder):
        raise ToolError(f"{name} 是只读文件，没有改动。")
    draft = f".mini-agent-{secrets.token_hex(8)}.tmp"
    try:
        _write(folder, draft, data, before)
        if _stamp(look(folder, name)) != _stamp(before):
            raise ToolError(f"{name} 刚刚被别人改动了。重新读取，再决定怎么改。")
        os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=folder)
        raise


def look(folder: int, name: str) -> os.stat_result | None:
    """Return what has this name in the folder, a link as itself; None: nothing has."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def remove_drafts(folder: int) -> None:
    """Remove what writers have left that were killed. None may be at work in this folder."""
    for name in filter(DRAFT.fullmatch, os.listdir(folder)):
        os.unlink(name, dir_fd=folder)


def _write(
    folder: int, name: str, data: Iterable[bytes | memoryview], before: os.stat_result | None
) -> None:
    """Make a new file, and give it the owner and mode of the one `before` it, if there is one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    mode = USUAL if before is None else PRIVATE
    with open(os.open(name, flags, mode, dir_fd=folder), "wb") as file:
        file.writelines(data)
        file.flush()
        if before is not None:  # now, because writing takes the setuid bit away
            with contextlib.suppress(PermissionError):
                os.fchown(file.fileno(), before.st_uid, before.st_gid)
            os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode))
        os.fsync(file.fileno())  # or a power cut leaves the new name with no content


def _stamp(status: os.stat_result | None) -> tuple[int, int, int] | None:
    """Return what changes when the content does."""
    return status and (status.st_ino, status.st_size, status.st_mtime_ns)
