"""The workspace: a path is judged by where it really leads."""

import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject
from conformance.support.workspace import BuiltinTools, use

pytestmark = read("workspace")

SECRET = "机密"

WAYS_OUT = {
    "the folder above": "../secret.txt",
    "a folder with the same beginning": "../work-2/secret.txt",
    "through a folder and out again": "sub/../../secret.txt",
    "a link to a file": "link.txt",
    "a link to a folder": "link/secret.txt",
    "NUL": "a\0b.txt",
}
"""Paths that lead out of the workspace, or nowhere at all; the absolute one is made in `tools`."""

NAMES = ("..hidden", "a..b.txt", "报告 一.txt", "-rf", "'\"$x`.txt", "sub/ b /c.txt")
"""Names that look odd and are none of anyone's business."""

USED_WITH: dict[str, dict[str, Any]] = {
    "read": {},
    "write": {"content": "好"},
    "edit": {"edits": [{"old_text": "a", "new_text": "b"}]},
}
"""What a tool needs besides a path."""


@pytest.fixture
def tools(subject: Subject, tmp_path: Path) -> BuiltinTools:
    """Return a workspace with secrets around it, and links that lead to them."""
    tools = BuiltinTools(subject, tmp_path)
    sibling = tmp_path / "work-2"
    sibling.mkdir()
    for folder in (tmp_path, sibling):
        (folder / "secret.txt").write_text(SECRET, encoding="utf-8")
    (tools.root / "sub").mkdir()
    (tools.root / "link.txt").symlink_to(tmp_path / "secret.txt")
    (tools.root / "link").symlink_to(tmp_path)
    (tools.root / "dangling.txt").symlink_to(tmp_path / "made.txt")
    return tools


def contents(folder: Path) -> dict[str, str]:
    """Return what a folder holds, links not followed."""
    files = (path for path in sorted(folder.rglob("*")) if not path.is_symlink())
    return {
        str(path.relative_to(folder)): path.read_text("utf-8") if path.is_file() else "a folder"
        for path in files
    }


@pytest.mark.parametrize("name", [*WAYS_OUT, "an absolute path"])
async def test_nothing_is_read_outside(tools: BuiltinTools, name: str) -> None:
    """No tool for reading gets out of the workspace, whatever the path looks like."""
    path = WAYS_OUT.get(name, str(tools.around / "secret.txt"))
    for told in (
        await tools.use("read", path=path),
        await tools.use("ls", path=path),
        await tools.use("grep", pattern=SECRET, path=path),
    ):
        told.holds(
            told.is_error and SECRET not in told.text,
            wanted="an error: this is not in the workspace",
        )


@pytest.mark.parametrize("name", [*WAYS_OUT, "an absolute path", "a link to what is not there"])
async def test_nothing_is_changed_outside(tools: BuiltinTools, name: str) -> None:
    """No tool for files changes or makes anything outside of the workspace."""
    other = {"an absolute path": str(tools.around / "secret.txt")}
    path = WAYS_OUT.get(name) or other.get(name, "dangling.txt")
    before = contents(tools.around)
    edits = [{"old_text": SECRET, "new_text": "公开"}]
    for told in (
        await tools.use("write", path=path, content="公开"),
        await tools.use("edit", path=path, edits=edits),
    ):
        after = contents(tools.around)
        told.holds(
            told.is_error and after == before,
            came=f"files: {after}" if after != before else None,
            wanted="an error, and all files as they were",
        )


@pytest.mark.parametrize("name", NAMES)
async def test_odd_names(tools: BuiltinTools, name: str) -> None:
    """A name that only looks odd (..hidden, a..b.txt, 报告 一.txt) is a name like any other."""
    written = await tools.use("write", path=name, content="好")
    written.holds(not written.is_error, wanted="a file")
    told = await tools.use("read", path=name)
    told.holds(not told.is_error and "好" in told.text, wanted="the text that was written")


async def test_accents(tools: BuiltinTools) -> None:
    """A name with an accent is found in either Unicode form: é as one code point or as two."""
    name = "caf\u00e9.txt"
    (tools.root / unicodedata.normalize("NFD", name)).write_text("好", encoding="utf-8")
    told = await tools.use("read", path=name)
    told.holds(not told.is_error and "好" in told.text, wanted="the text of the file")


async def test_link_inside_stays(tools: BuiltinTools) -> None:
    """A link that leads to a file inside may be used; an edit changes the file, not the link."""
    (tools.root / "a.txt").write_text("旧\n", encoding="utf-8")
    (tools.root / "b.txt").symlink_to("a.txt")
    told = await tools.use("edit", path="b.txt", edits=[{"old_text": "旧", "new_text": "新"}])
    text = (tools.root / "a.txt").read_text("utf-8")
    link = (tools.root / "b.txt").is_symlink()
    told.holds(
        not told.is_error and text == "新\n" and link,
        came=f"{told.text}; a.txt holds {text!r}; b.txt is {'' if link else 'not '}a link",
        wanted="the change in a.txt, and b.txt a link as before",
    )


@pytest.mark.parametrize("tool", USED_WITH)
async def test_pipe_is_refused(tools: BuiltinTools, tool: str) -> None:
    """A named pipe is no file: it is refused at once, and nobody waits for its other end."""
    os.mkfifo(tools.root / "pipe")
    told = await tools.use(tool, path="pipe", **USED_WITH[tool])
    told.holds(
        told.is_error and (tools.root / "pipe").is_fifo(), wanted="an error, and the pipe as it was"
    )


async def test_own_files_stay(subject: Subject) -> None:
    """No tool for files changes the program's own folder, even if the workspace lies around it."""
    own, name = subject.folder, "lab-check-was-here.txt"
    workspace = subject.get("tools.workspace.Workspace")(own.parent)
    tools = subject.get("tools.builtin.create_builtin_tools")(workspace)
    registry = subject.get("tools.registry.Registry")(tools)
    told = await use(subject, registry, "write", {"path": f"{own.name}/{name}", "content": "好"})
    written = (own / name).exists()
    (own / name).unlink(missing_ok=True)
    told.holds(
        told.is_error and not written,
        came=f"{told.text}\nthe file is {'there' if written else 'not there'}",
        wanted="an error, and no such file",
    )


@pytest.mark.parametrize("name", [".", "mini_agent", "nowhere"])
def test_unfit_folder(subject: Subject, name: str) -> None:
    """A folder that is not there, or is the program's own, is refused by its name with exit 2."""
    ran = subject.chat(arguments=("--workspace", name))
    errors = ran.stderr.decode("utf-8", errors="replace")
    judge.holds(
        ran.exit_code == 2 and name in errors and "Traceback" not in errors,
        called=ran.command,
        came=f"exit code {ran.exit_code}\n{errors}",
        wanted=f"exit code 2, and an error that names {name}",
    )
