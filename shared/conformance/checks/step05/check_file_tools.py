"""`read`, `write`, `edit`: the bytes that were asked for, and no other ones."""

import stat
from pathlib import Path
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject
from conformance.support.workspace import BuiltinTools

pytestmark = read("read")

GBK = "编码".encode("gbk")
BINARY = b"\x7fELF\x00\x01\x02\x00"

POEM = "床前明月光\n疑是地上霜\n举头望明月\n低头思故乡\n明月\n"

BAD_EDITS: dict[str, list[dict[str, str]]] = {
    "not there": [{"old_text": "太阳", "new_text": "x"}],
    "there twice": [{"old_text": "望明月", "new_text": "x"}, {"old_text": "明月", "new_text": "y"}],
    "empty": [{"old_text": "", "new_text": "x"}],
    "no change": [{"old_text": "地上霜", "new_text": "地上霜"}],
    "overlapping": [
        {"old_text": "疑是地上", "new_text": "x"},
        {"old_text": "地上霜", "new_text": "y"},
    ],
    "a good one and a bad one": [
        {"old_text": "地上霜", "new_text": "地下霜"},
        {"old_text": "太阳", "new_text": "x"},
    ],
}
"""Replacements of which at least one cannot be made, by what is wrong."""

REPLACED: dict[str, tuple[bytes, dict[str, str], bytes]] = {
    "CRLF and a byte order mark": (
        b"\xef\xbb\xbfone\r\ntwo\r\nthree",
        {"old_text": "two\n", "new_text": "2\n2b\n"},
        b"\xef\xbb\xbfone\r\n2\r\n2b\r\nthree",
    ),
    "line ends of both kinds": (
        b"one\r\ntwo\nthree \t\nfour\r\n",
        {"old_text": "two", "new_text": "2"},
        b"one\r\n2\nthree \t\nfour\r\n",
    ),
    "no final newline": (b"one\ntwo", {"old_text": "two", "new_text": "2"}, b"one\n2"),
    "signs of a pattern": (
        b"f(x) = a.b\n",
        {"old_text": "(x) = a.b", "new_text": "\\1 $& \\g<0> \\n"},
        b"f\\1 $& \\g<0> \\n\n",
    ),
}
"""What a file held, a replacement, and what the file must hold then."""

CHANGED_WITH: dict[str, dict[str, Any]] = {
    "write": {"content": "echo b\n"},
    "edit": {"edits": [{"old_text": "a", "new_text": "b"}]},
}
"""What a tool needs besides a path."""


def tools_for(subject: Subject, folder: Path, content: bytes | None = None) -> BuiltinTools:
    """Return a workspace, with a file in it if it is to hold something."""
    tools = BuiltinTools(subject, folder)
    if content is not None:
        (tools.root / "a.txt").write_bytes(content)
    return tools


@read("write")
async def test_write(subject: Subject, tmp_path: Path) -> None:
    """`write` makes a file of exactly the given bytes, and the folders that it needs."""
    tools = tools_for(subject, tmp_path)
    content = "一\r\n二\n\u2028 三\t \nno end"
    told = await tools.use("write", path="deep/er/a.txt", content=content)
    told.holds(not told.is_error, wanted="a file")
    came = (tools.root / "deep/er/a.txt").read_bytes()
    judge.same_bytes(came, content.encode(), called=told.called)


@read("write")
async def test_write_in_place_of(subject: Subject, tmp_path: Path) -> None:
    """`write` puts all of the new content in place of all of the old one."""
    tools = tools_for(subject, tmp_path, b"a long text from before\n")
    told = await tools.use("write", path="a.txt", content="短\n")
    told.holds(not told.is_error, wanted="a file")
    judge.same_bytes((tools.root / "a.txt").read_bytes(), "短\n".encode(), called=told.called)
    left = sorted(path.name for path in tools.root.iterdir())
    told.same(left, ["a.txt"])


@read("write")
@pytest.mark.parametrize("tool", CHANGED_WITH)
async def test_mode_stays(subject: Subject, tmp_path: Path, tool: str) -> None:
    """A file that is changed keeps its mode: a script stays executable."""
    tools = tools_for(subject, tmp_path, b"echo a\n")
    path = tools.root / "a.txt"
    path.chmod(0o750)
    told = await tools.use(tool, path="a.txt", **CHANGED_WITH[tool])
    mode = stat.S_IMODE(path.stat().st_mode)
    told.holds(
        not told.is_error and mode == 0o750,
        came=f"{told.text}; mode {mode:o}",
        wanted="mode 750, as before",
    )


async def test_read(subject: Subject, tmp_path: Path) -> None:
    """`read` returns the lines that were asked for; if there are more, it says how to go on."""
    tools = tools_for(subject, tmp_path, POEM.encode())
    lines = POEM.splitlines()
    whole = await tools.use("read", path="a.txt")
    whole.holds(not whole.is_error and whole.text == POEM, wanted=f"the whole text: {POEM}")
    told = await tools.use("read", path="a.txt", offset=2, limit=2)
    told.holds(
        lines[1] in told.text
        and lines[2] in told.text
        and lines[0] not in told.text
        and lines[3] not in told.text
        and "offset=4" in told.text,
        wanted=f"{lines[1]}, {lines[2]}, and that it goes on at offset=4",
    )


async def test_long_file_is_cut(subject: Subject, tmp_path: Path) -> None:
    """Of a file of two megabytes `read` returns whole lines from its head, some 50 kB of them."""
    lines = [f"{number} 行{'。' * 30}" for number in range(1, 20_001)]
    tools = tools_for(subject, tmp_path, "\n".join(lines).encode())
    told = await tools.use("read", path="a.txt")
    size = len(told.text.encode())
    told.holds(
        not told.is_error
        and told.text.startswith("\n".join([*lines[:9], ""]))
        and size < 64 * 1024,
        came=f"{size} bytes, which begin with {told.text[:40]!r}",
        wanted="the head of the file, in less than 64 KiB",
    )


@pytest.mark.parametrize("content", [BINARY, GBK], ids=["binary", "GBK"])
@pytest.mark.parametrize("tool", ["read", "edit"])
async def test_no_utf8(subject: Subject, tmp_path: Path, tool: str, content: bytes) -> None:
    """What is no UTF-8 text is refused, never guessed at, and never written back."""
    tools = tools_for(subject, tmp_path, content)
    edits = {"edits": [{"old_text": "ELF", "new_text": "FLE"}]} if tool == "edit" else {}
    told = await tools.use(tool, path="a.txt", **edits)
    same = (tools.root / "a.txt").read_bytes() == content
    told.holds(told.is_error and same, wanted="an error, and the file as it was")


@read("edit")
@pytest.mark.parametrize("name", REPLACED)
async def test_edit(subject: Subject, tmp_path: Path, name: str) -> None:
    """`edit` changes the bytes in question: line ends, marks and all others stay as they are."""
    before, replacement, after = REPLACED[name]
    tools = tools_for(subject, tmp_path, before)
    told = await tools.use("edit", path="a.txt", edits=[replacement])
    told.holds(not told.is_error, wanted="the change")
    judge.same_bytes((tools.root / "a.txt").read_bytes(), after, called=told.called)


@read("edit")
async def test_edits_together(subject: Subject, tmp_path: Path) -> None:
    """All replacements of one call are made; each is looked for in what was there before."""
    tools = tools_for(subject, tmp_path, b"a\nb\n")
    edits = [{"old_text": "b", "new_text": "c"}, {"old_text": "a", "new_text": "b"}]
    told = await tools.use("edit", path="a.txt", edits=edits)
    told.holds(not told.is_error, wanted="both changes")
    judge.same_bytes((tools.root / "a.txt").read_bytes(), b"b\nc\n", called=told.called)


@read("edit")
async def test_edit_shows_the_change(subject: Subject, tmp_path: Path) -> None:
    """The user sees what an edit changed, in the details; the model knows it already."""
    tools = tools_for(subject, tmp_path, POEM.encode())
    told = await tools.use(
        "edit", path="a.txt", edits=[{"old_text": "地上霜", "new_text": "地下霜"}]
    )
    told.holds(
        told.details and "-疑是地上霜" in told.details and "+疑是地下霜" in told.details,
        came=f"details: {told.details!r}",
        wanted="the line before (-) and after (+)",
    )


@read("edit")
@pytest.mark.parametrize("name", BAD_EDITS)
async def test_all_or_nothing(subject: Subject, tmp_path: Path, name: str) -> None:
    """If one replacement cannot be made, none is: the file is not even touched."""
    tools = tools_for(subject, tmp_path, POEM.encode())
    path = tools.root / "a.txt"
    before = (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
    told = await tools.use("edit", path="a.txt", edits=BAD_EDITS[name])
    after = (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
    told.holds(
        told.is_error and after == before,
        came=f"{told.text}; the file is {'as it was' if after == before else 'another one'}",
        wanted="an error, and the file as it was",
    )
