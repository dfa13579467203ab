"""Put new content in a file's place, whole or not at all."""

import contextlib
import os
import secrets
import stat
from pathlib import Path

from ..results import ToolError

PRIVATE, USUAL = 0o600, 0o666
"""Modes of a new file: for its owner alone, and as the umask of the user will have it."""


def replace_file(path: Path, data: bytes, *, before: os.stat_result | None) -> None:
    """Make `data` the content of `path`; whoever reads sees the old content or the new one.

    It goes to a file beside `path` first, and from there takes its name. The mode of
    the file that it replaces stays, and its owner where that is allowed. Other names
    of that file (hard links) keep the old content. If it fails, nothing has changed.

    Args:
        path: A real path, free of links: a link would be replaced, not followed.
        data: The whole new content.
        before: What was there when it was last looked at; None if nothing was.

    Raises:
        ToolError: it is write-protected, or somebody has changed it since then.
        OSError: the content could not be written.
    """
    if before is not None and not os.access(path, os.W_OK):
        raise ToolError(f"{path.name} 是只读文件，没有改动。")
    beside = path.with_name(f".mini-agent-{secrets.token_hex(8)}.tmp")
    try:
        _write(beside, data, before)
        if _stamp(path.lstat() if os.path.lexists(path) else None) != _stamp(before):
            raise ToolError(f"{path.name} 刚刚被别人改动了。重新读取，再决定怎么改。")
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _write(path: Path, data: bytes, before: os.stat_result | None) -> None:
    """Make a new file, and give it the owner and mode of the one `before` it, if there is one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(os.open(path, flags, USUAL if before is None else PRIVATE), "wb") as file:
        file.write(data)
        file.flush()
        if before is not None:  # now, because writing takes the setuid bit away
            with contextlib.suppress(PermissionError):
                os.fchown(file.fileno(), before.st_uid, before.st_gid)
            os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode))
        os.fsync(file.fileno())  # or a power cut leaves the new name with no content


def _stamp(status: os.stat_result | None) -> tuple[int, int, int] | None:
    """Return what changes when the content does."""
    return status and (status.st_ino, status.st_size, status.st_mtime_ns)
