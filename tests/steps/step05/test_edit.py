"""The tool `edit` (cases D3 and D5): what it changes, and above all what it does not."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mini_agent.results import ToolError
from mini_agent.tools.lf_view import LfView
from mini_agent.tools.replacement import apply_changes, find_changes
from mini_agent.tools.workspace import Workspace

from .support import edit_text, names_below, put_case, write_text


def replaced(original: bytes, *replacements: tuple[str, str]) -> bytes:
    view = LfView(original)
    return b"".join(apply_changes(original, find_changes(view, replacements)))


D3_EDITS = {
    "over a line end": [("名字=甲\n年龄=1", "名字=乙\n年龄=2")],
    "with the line end that it has": [("名字=甲\r\n年龄=1", "名字=乙\r\n年龄=2")],
    "two at once": [("年龄=1", "年龄=2"), ("名字=甲", "名字=乙")],
}


@pytest.mark.parametrize("name", D3_EDITS)
def test_line_ends_and_mark_stay(workspace: Workspace, name: str) -> None:
    path = put_case(workspace, "D3-crlf-bom.txt")
    before = path.read_bytes()
    edit_text(workspace, path.name, *D3_EDITS[name])
    wanted = before.replace("甲".encode(), "乙".encode()).replace(b"=1", b"=2")
    assert path.read_bytes() == wanted


def test_the_first_line_behind_a_mark(workspace: Workspace) -> None:
    path = put_case(workspace, "D3-crlf-bom.txt")
    before = path.read_bytes()
    edit_text(workspace, path.name, ("# 配置", "# 设置"))
    assert path.read_bytes() == before.replace("配置".encode(), "设置".encode())


def test_new_lines_end_as_those_around(workspace: Workspace) -> None:
    path = put_case(workspace, "D3-crlf-bom.txt")
    edit_text(workspace, path.name, ("末行无换行", "末行\n又一行"))
    assert path.read_bytes().endswith("=1\r\n末行\r\n又一行".encode())


@pytest.mark.parametrize(
    ("original", "replacement", "wanted"),
    [
        (b"a\r\nb\nc\r\n", ("a\nb", "a\nX\nb"), b"a\r\nX\nb\nc\r\n"),
        (b"a\nb\r\nc", ("b\nc", "b\nX\nc"), b"a\nb\r\nX\r\nc"),
        (b"a", ("a", "a\nb"), b"a\nb"),
        (b"a\r\nb\r\n", ("\n", ";"), None),
        (b"a\r\nb", ("\n", ";"), b"a;b"),
        (b"a\rb\n", ("a\rb", "c\rd"), b"c\rd\n"),
        (b"ab\n", ("b", r"\1\g<0>$&\\"), b"a" + rb"\1\g<0>$&\\" + b"\n"),
        ("e\u0301é".encode(), ("é", "E"), "e\u0301E".encode()),
        ("甲乙".encode(), ("乙", "丙"), "甲丙".encode()),
        (b"x\ny\n", ("x\n", ""), b"y\n"),
    ],
)
def test_only_the_edited_bytes_change(
    original: bytes, replacement: tuple[str, str], wanted: bytes | None
) -> None:
    if wanted is None:
        with pytest.raises(ToolError, match="出现了 2 次"):
            replaced(original, replacement)
    else:
        assert replaced(original, replacement) == wanted


D5_ERRORS = {
    "x": r"第 1 处替换：old_text 出现了 2 次（第 4、5 行）。多带几行上下文",
    "aa": r"出现了 2 次（第 6 行）",
    "": r"old_text 是空的",
    "absent": r"没有这段 old_text。先用 read",
    "foo bar": r"第 3 行很接近.*从第 5 个字符起，（没有字符） 对 '  '（U\+0020 U\+0020）",
    "it′s": r"没有这段",
}


@pytest.mark.parametrize("old", D5_ERRORS)
def test_an_error_changes_nothing(workspace: Workspace, old: str) -> None:
    path = put_case(workspace, "D5-near-duplicates.txt")
    before = (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
    with pytest.raises(ToolError, match=D5_ERRORS[old]):
        edit_text(workspace, path.name, (old, "new"))
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) == before
    assert names_below(workspace.root) == [path.name]


def test_the_straight_quote_is_not_the_curly_one(workspace: Workspace) -> None:
    path = put_case(workspace, "D5-near-duplicates.txt")
    before = path.read_bytes()
    edit_text(workspace, path.name, ("it's", "that's"))
    assert path.read_bytes() == before.replace(b"it's", b"that's")


def test_the_whole_file_may_be_replaced(workspace: Workspace) -> None:
    path = put_case(workspace, "D5-near-duplicates.txt")
    edit_text(workspace, path.name, (path.read_text(encoding="utf-8"), "all new"))
    assert path.read_bytes() == b"all new"


@pytest.mark.parametrize(
    ("text", "old", "hint"),
    [
        ("“quoted”", '"quoted"', r"第 1 行.*'\"'（U\+0022） 对 '“'（U\+201C）"),
        ("a\u00a0b", "a b", r"' '（U\+0020） 对 '\\xa0'（U\+00A0）"),
        ("if x:\n\treturn 1\n", "if x:\n    return 1\n", r"第 2 行.*U\+0020.*对 '\\t'（U\+0009）"),
        ("def f(a):\n    pass\n", "def f(a):\n    return\n", r"第 2 行很接近.*'    pass'"),
        ("Hello", "hello", r"'h'（U\+0068） 对 'H'（U\+0048）"),
    ],
)
def test_a_near_match_shows_where_it_differs(text: str, old: str, hint: str) -> None:
    with pytest.raises(ToolError, match=hint):
        replaced(text.encode(), (old, "new"))


def test_nothing_to_change_is_an_error() -> None:
    for old, new in (("a", "a"), ("a\n", "a\r\n")):
        with pytest.raises(ToolError, match="什么都不会改变"):
            replaced(b"a\n", (old, new))


def test_all_or_nothing(workspace: Workspace) -> None:
    write_text(workspace, "a.txt", "one two three")
    with pytest.raises(ToolError, match="第 2 处替换：文件里没有"):
        edit_text(workspace, "a.txt", ("one", "1"), ("four", "4"), ("three", "3"))
    assert (workspace.root / "a.txt").read_text(encoding="utf-8") == "one two three"


def test_each_is_looked_for_in_the_original() -> None:
    assert replaced(b"a b", ("a", "b"), ("b", "a")) == b"b a"


def test_overlapping_replacements_are_refused() -> None:
    with pytest.raises(ToolError, match="第 2 行附近重叠"):
        replaced(b"0\nabc\n", ("ab", "x"), ("bc", "y"))
    with pytest.raises(ToolError, match="重叠"):
        replaced(b"abc", ("ab", "x"), ("ab", "y"))
    assert replaced(b"abcd", ("ab", "x"), ("cd", "y")) == b"xy"


def test_text_in_another_encoding_is_not_touched(workspace: Workspace) -> None:
    path = put_case(workspace, "D7a-gbk.txt")
    before = path.read_bytes()
    with pytest.raises(ToolError, match="不是 UTF-8"):
        edit_text(workspace, path.name, ("\n", "x"))
    assert path.read_bytes() == before


def test_a_link_stays_a_link(workspace: Workspace) -> None:
    write_text(workspace, "a.txt", "old")
    (workspace.root / "link").symlink_to("a.txt")
    edit_text(workspace, "link", ("old", "new"))
    assert (workspace.root / "link").is_symlink()
    assert (workspace.root / "a.txt").read_bytes() == b"new"


def test_the_user_sees_the_lines_and_the_model_a_sentence(workspace: Workspace) -> None:
    write_text(workspace, "a.txt", "1 一\n2 二\n3 三\n")
    output = edit_text(workspace, "a.txt", ("二", "贰"), ("3", "叁"))
    assert output.text == "已修改 a.txt：2 处（原文第 2、3 行）。"
    assert output.details is not None
    assert output.details.splitlines() == [
        *("--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@"),
        *(" 1 一", "-2 二", "-3 三", "+2 贰", "+叁 三"),
    ]


def test_lines_that_a_replacement_repeats_keep_their_bytes() -> None:
    both = ("a = 1\nkeep\nb = 1", "a = 2\nkeep\nb = 2")
    assert replaced(b"a = 1\r\nkeep\nb = 1\n", both) == b"a = 2\r\nkeep\nb = 2\n"
    assert replaced(b"a = 1\nkeep\r\nb = 1", both) == b"a = 2\nkeep\r\nb = 2"


@pytest.mark.parametrize(
    ("original", "edits", "hunks"),
    [
        ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", [("5\n", "")], ["-2,7 +2,6"]),
        ("1\n2\n3\n", [("1\n2\n3\n", "")], ["-1,3 +0,0"]),
        ("1\n", [("1\n", "1\n2\n")], ["-1,1 +1,2"]),
        ("1\n2", [("2", "3")], ["-1,2 +1,2"]),
        ("1\r\n2\r\n", [("1\n", "1\n0\n")], ["-1,2 +1,3"]),
        (
            "".join(f"<{n}>\n" for n in range(40)),
            [("<5>", "<5>\nx"), ("<11>", "y")],
            ["-4,12 +4,13"],
        ),
        (
            "".join(f"<{n}>\n" for n in range(40)),
            [("<5>", "<5>\nx"), ("<30>\n", "")],
            ["-4,6 +4,7", "-28,7 +29,6"],
        ),
    ],
)
def test_the_diff_is_one_that_patch_takes(
    workspace: Workspace, original: str, edits: list[tuple[str, str]], hunks: list[str]
) -> None:
    path = workspace.root / "a.txt"
    path.write_bytes(original.encode())
    output = edit_text(workspace, "a.txt", *edits)
    after = path.read_bytes()
    assert output.details is not None
    assert [
        line.strip("@ ") for line in output.details.split("\n") if line.startswith("@@")
    ] == hunks
    path.write_bytes(original.encode())
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        input=f"{output.details}\n".encode(),
        cwd=workspace.root,
        check=True,
    )
    assert path.read_bytes() == after


EDITORS = """
import sys
from pathlib import Path
from mini_agent.abort import AbortSignal
from mini_agent.tools.edit import EditArgs, Replacement, edit
from mini_agent.tools.workspace import Workspace
for n in range(int(sys.argv[1]), 80, 2):
    edits = (Replacement(old_text=f"<{n}>", new_text=f"[{n}]"),)
    edit(Workspace(Path(sys.argv[2])), EditArgs(path="a.txt", edits=edits), AbortSignal())
"""


def test_edits_of_two_processes_queue_up(workspace: Workspace) -> None:
    write_text(workspace, "a.txt", "".join(f"<{n}>\n" for n in range(80)))
    command = [sys.executable, "-c", EDITORS]
    processes = [subprocess.Popen([*command, n, str(workspace.root)]) for n in "01"]
    assert [process.wait(60) for process in processes] == [0, 0]
    wanted = "".join(f"[{n}]\n" for n in range(80))
    assert (workspace.root / "a.txt").read_text(encoding="utf-8") == wanted


def test_edits_of_one_file_queue_up(workspace: Workspace) -> None:
    write_text(workspace, "a.txt", "".join(f"<{n}>\n" for n in range(40)))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: edit_text(workspace, "a.txt", (f"<{n}>", f"[{n}]")), range(40)))
    assert (workspace.root / "a.txt").read_text(encoding="utf-8") == "".join(
        f"[{n}]\n" for n in range(40)
    )


def test_a_file_beyond_the_limit_is_refused(workspace: Workspace) -> None:
    with (workspace.root / "big.txt").open("wb") as file:
        file.truncate(100 * 1024 * 1024 + 1)
    with pytest.raises(ToolError, match="太大"):
        edit_text(workspace, "big.txt", ("a", "b"))


LINES = st.lists(st.text("ab好é'\t", max_size=4), min_size=1, max_size=8)
ENDS = st.sampled_from(["\n", "\r\n"])


@st.composite
def files(draw: st.DrawFn) -> str:
    """A text file with line ends of both kinds, with or without a mark and a final line end."""
    text = "".join(line + draw(ENDS) for line in draw(LINES))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return mark + draw(st.sampled_from([text, text.rstrip("\r\n")]))


def to_lf(text: str) -> str:
    return text.replace("\r\n", "\n")


@given(files(), st.data())
def test_it_is_the_replacement_of_a_naive_model(original: str, data: st.DataObject) -> None:
    """Cut the original at random, replace some of the pieces: nothing else may change."""
    borders = data.draw(st.sets(st.integers(0, len(original)), max_size=6))
    borders = {b for b in borders if original[b - 1 : b + 1] != "\r\n"}  # one line end, one piece
    cuts = [0, *sorted(borders), len(original)]
    pieces = [original[a:b] for a, b in pairwise(cuts)]
    chosen = data.draw(st.sets(st.sampled_from(range(len(pieces))), min_size=1, max_size=2))
    replacements, wanted = [], list(pieces)
    for n in chosen:
        old, new = to_lf(pieces[n]), data.draw(st.text("xy好", min_size=1, max_size=4))
        assume(old and old != new and places(to_lf(original), old) == 1)
        replacements.append((old, new))
        wanted[n] = new
    assert replaced(original.encode(), *replacements).decode() == "".join(wanted)


def places(text: str, wanted: str) -> int:
    return sum(text.startswith(wanted, n) for n in range(len(text)))


@given(files(), st.text("ab好é'\n", max_size=3), st.text("xy\n", max_size=3))
def test_seen_with_lf_it_is_what_python_would_do(original: str, old: str, new: str) -> None:
    count = places(to_lf(original), old) if old else 0
    try:
        result = replaced(original.encode(), (old, new)).decode()
    except ToolError:
        assert count != 1 or old == new
    else:
        assert to_lf(result) == to_lf(original).replace(old, new)
        assert count == 1
        lone = result.replace("\r\n", "").count("\r")
        assert lone == 0  # no line end was cut in half
