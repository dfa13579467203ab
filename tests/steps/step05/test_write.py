"""The tool `write`, and how a file gets new content: whole, or not at all."""

import os
import resource
import stat
import threading
from pathlib import Path

import pytest
from mini_agent.abort import AbortSignal
from mini_agent.results import ToolError
from mini_agent.tools.replace_file import replace_file
from mini_agent.tools.search import FindArgs, GrepArgs, LsArgs, find, grep, ls
from mini_agent.tools.workspace import Workspace
from mini_agent.tools.write import WriteArgs, write

from .support import names_below, write_text


def test_a_new_file_and_its_folders(workspace: Workspace) -> None:
    assert write_text(workspace, "a/b/c.txt", "好\r\n") == "已新建 a/b/c.txt（5 字节）。"
    assert (workspace.root / "a/b/c.txt").read_bytes() == "好\r\n".encode()
    assert names_below(workspace.root) == ["a", "a/b", "a/b/c.txt"]


def test_a_new_file_has_the_usual_mode(workspace: Workspace) -> None:
    write_text(workspace, "a.txt", "x")
    (workspace.root / "usual").touch()
    assert (workspace.root / "a.txt").stat().st_mode == (workspace.root / "usual").stat().st_mode


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o4711])
def test_an_existing_file_keeps_its_mode(workspace: Workspace, mode: int) -> None:
    path = workspace.root / "run.sh"
    path.write_bytes(b"old")
    path.chmod(mode)
    assert write_text(workspace, "run.sh", "new") == "已覆盖 run.sh（3 字节）。"
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_bytes() == b"new"


def test_a_link_stays_a_link(workspace: Workspace) -> None:
    (workspace.root / "a.txt").write_bytes(b"old")
    (workspace.root / "link").symlink_to("a.txt")
    (workspace.root / "dangling").symlink_to("sub/new.txt")
    write_text(workspace, "link", "new")
    write_text(workspace, "dangling", "newer")
    assert (workspace.root / "link").is_symlink()
    assert (workspace.root / "a.txt").read_bytes() == b"new"
    assert (workspace.root / "dangling").is_symlink()
    assert (workspace.root / "sub" / "new.txt").read_bytes() == b"newer"


def test_a_folder_is_not_overwritten(workspace: Workspace) -> None:
    (workspace.root / "sub").mkdir()
    with pytest.raises(ToolError, match="是文件夹"):
        write_text(workspace, "sub", "x")
    (workspace.root / "a.txt").write_bytes(b"old")
    with pytest.raises(OSError, match=r"ot a directory|xists"):
        write_text(workspace, "a.txt/b.txt", "x")
    assert names_below(workspace.root) == ["a.txt", "sub"]


def test_a_write_protected_file_is_left_alone(workspace: Workspace) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everything")
    path = workspace.root / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(ToolError, match="只读"):
        write_text(workspace, "a.txt", "new")
    assert path.read_bytes() == b"old"


def test_a_full_disk_leaves_the_old_content(workspace: Workspace) -> None:
    path = workspace.root / "a.txt"
    path.write_bytes(b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write_text(workspace, "a.txt", "new" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"old"
    assert names_below(workspace.root) == ["a.txt"]  # no half file beside it


def test_what_somebody_else_has_just_changed_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    before = path.stat()
    path.write_bytes(b"theirs")
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        for seen in (before, None):
            with pytest.raises(ToolError, match="别人改动"):
                replace_file(folder, "a.txt", [b"ours"], before=seen)
    finally:
        os.close(folder)
    assert path.read_bytes() == b"theirs"
    assert names_below(tmp_path) == ["a.txt"]


def test_a_folder_that_has_become_a_link_leads_nowhere(workspace: Workspace) -> None:
    """Whoever swaps it after the path was looked at has not moved the work outside."""
    outside = workspace.root.parent / "ws-secret"
    sub = workspace.root / "sub"
    sub.mkdir()
    real = workspace.locate("sub/k.txt")
    with workspace.changing(real, AbortSignal()) as folder:
        sub.rename(workspace.root / "moved")
        sub.symlink_to(outside)
        replace_file(folder, "k.txt", [b"ours"], before=None)
    assert (workspace.root / "moved" / "k.txt").read_bytes() == b"ours"
    with pytest.raises(OSError, match=r"ot a directory|symbolic"), workspace.enter(real.parent):
        pass
    assert (outside / "k.txt").read_text(encoding="utf-8") == "secret"


def test_what_a_killed_writer_has_left_is_unseen_and_cleared(workspace: Workspace) -> None:
    draft = workspace.root / ".mini-agent-0123456789abcdef.tmp"
    draft.write_text("half", encoding="utf-8")
    for look in (
        ls(workspace, LsArgs(), AbortSignal()),
        find(workspace, FindArgs(pattern="*"), AbortSignal()),
        grep(workspace, GrepArgs(pattern="half"), AbortSignal()),
    ):
        assert look.text == "[什么也没有]"
    write_text(workspace, "a.txt", "x")
    assert names_below(workspace.root) == ["a.txt"]


def test_a_reader_sees_the_old_content_or_the_new_one(workspace: Workspace) -> None:
    path = workspace.root / "a.txt"
    contents = [letter * 200_000 for letter in "ab"]
    write_text(workspace, "a.txt", contents[0])
    seen, done = set(), threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.add(path.read_text(encoding="utf-8"))

    reader = threading.Thread(target=look)
    reader.start()
    for n in range(50):
        write_text(workspace, "a.txt", contents[n % 2])
    done.set()
    reader.join()
    assert seen <= set(contents)


def test_a_write_that_waited_through_an_abort_does_not_happen(workspace: Workspace) -> None:
    signal, failures = AbortSignal(), list[ToolError]()
    args = WriteArgs(path="a.txt", content="late")

    def work() -> None:
        try:
            write(workspace, args, signal)
        except ToolError as error:
            failures.append(error)

    with workspace.changing(workspace.root / "a.txt", AbortSignal()):
        waiting = threading.Thread(target=work)
        waiting.start()
        signal.abort()
    waiting.join()
    assert [str(error) for error in failures] == ["已中止，没有改动任何文件。"]
    assert names_below(workspace.root) == []
