"""The tool `read` (case D7)."""

import os
import tracemalloc

import pytest
from mini_agent.abort import AbortSignal
from mini_agent.results import ToolError
from mini_agent.tools.limits import LIMIT
from mini_agent.tools.read import ReadArgs, read
from mini_agent.tools.workspace import Workspace

from .support import put_case, read_text


def test_a_file_is_read_as_it_is(workspace: Workspace) -> None:
    (workspace.root / "a.txt").write_bytes("一\r\n\u2028\tb \n\n末".encode())
    assert read_text(workspace, "a.txt") == "一\r\n\u2028\tb \n\n末"


def test_some_lines(workspace: Workspace) -> None:
    (workspace.root / "a.txt").write_bytes(b"1\n2\n3\n4\n5\n")
    assert read_text(workspace, "a.txt", offset=2, limit=2) == (
        "2\n3\n[第 2–3 行，共 5 行。继续读：offset=4]"
    )
    assert read_text(workspace, "a.txt", offset=4, limit=2) == "4\n5\n"
    assert read_text(workspace, "a.txt", offset=5) == "5\n"


def test_a_last_line_without_line_end(workspace: Workspace) -> None:
    (workspace.root / "a.txt").write_bytes(b"1\n2")
    assert read_text(workspace, "a.txt", limit=1) == "1\n[第 1–1 行，共 2 行。继续读：offset=2]"
    assert read_text(workspace, "a.txt", offset=2) == "2"


def test_an_offset_behind_the_end_says_how_long_the_file_is(workspace: Workspace) -> None:
    (workspace.root / "a.txt").write_bytes(b"1\n2\n")
    with pytest.raises(ToolError, match="只有 2 行"):
        read_text(workspace, "a.txt", offset=3)


def test_following_the_notices_reads_everything(workspace: Workspace) -> None:
    whole = "".join(f"第 {n} 行{'好' * (n % 700)}\n" for n in range(1, 5000))
    (workspace.root / "a.txt").write_text(whole, encoding="utf-8")
    pieces, offset = [], 1
    while offset:
        text = read_text(workspace, "a.txt", offset=offset)
        body, bracket, notice = text.rpartition("[第 ")
        offset = int(notice.removesuffix("]").rpartition("=")[2]) if bracket else 0
        pieces.append(body if bracket else text)
        assert len(pieces[-1].encode()) <= LIMIT.bytes
        assert pieces[-1].count("\n") <= LIMIT.lines
    assert "".join(pieces) == whole
    assert len(pieces) > 10


def test_the_limit_of_lines(workspace: Workspace) -> None:
    (workspace.root / "a.txt").write_bytes(b"x\n" * 2001)
    text = read_text(workspace, "a.txt", limit=5000)
    assert text.endswith("x\n[第 1–2000 行，共 2001 行。继续读：offset=2001]")


def test_a_line_that_is_too_long_is_cut_between_characters(workspace: Workspace) -> None:
    (workspace.root / "a b.txt").write_bytes(b"first\n" + "好".encode() * 40_000 + b"\nlast\n")
    text = read_text(workspace, "a b.txt", offset=2)
    body, notice = text.split("\n")
    assert body == "好" * (LIMIT.bytes // 3)
    assert notice == (
        "[第 2 行太长，只显示了前 51198 字节。其余部分用 bash 看："
        "sed -n 2p 'a b.txt' | tail -c +51199 | head -c 50000]"
    )


def test_characters_across_any_border_stay_whole(workspace: Workspace) -> None:
    path = put_case(workspace, "D7b-utf8-longline.txt")
    assert read_text(workspace, path.name) == path.read_text(encoding="utf-8")


def test_old_encodings_are_named_as_unknown_and_not_guessed(workspace: Workspace) -> None:
    path = put_case(workspace, "D7a-gbk.txt")
    with pytest.raises(ToolError, match=r"不是 UTF-8 文本（含字节 0xD5）.*iconv -f GBK"):
        read_text(workspace, path.name)


def test_utf16_is_named(workspace: Workspace) -> None:
    (workspace.root / "a.txt").write_bytes("好".encode("utf-16"))
    with pytest.raises(ToolError, match=r"UTF-16LE.*iconv"):
        read_text(workspace, "a.txt")


def test_binary_is_refused_in_one_line_with_its_size(workspace: Workspace) -> None:
    path = put_case(workspace, "D7c-binary.bin")
    with pytest.raises(ToolError) as caught:
        read_text(workspace, path.name)
    assert str(caught.value) == (
        "D7c-binary.bin 是二进制文件（2048 字节），不能当作文本。可用 bash：file、xxd"
    )


def test_a_byte_order_mark_is_not_text(workspace: Workspace) -> None:
    path = put_case(workspace, "D3-crlf-bom.txt")
    assert read_text(workspace, path.name).startswith("# 配置\r\n")


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_an_empty_file_says_so(workspace: Workspace, data: bytes) -> None:
    (workspace.root / "a.txt").write_bytes(data)
    assert read_text(workspace, "a.txt") == "[空文件]"


def test_a_folder_and_nothing(workspace: Workspace) -> None:
    with pytest.raises(ToolError, match=r"是文件夹.*ls"):
        read_text(workspace, ".")
    with pytest.raises(ToolError, match=r"不存在：no/a\.txt.*find"):
        read_text(workspace, "no/a.txt")


def test_a_file_that_one_may_not_read(workspace: Workspace) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    (workspace.root / "a.txt").touch(mode=0o000)
    with pytest.raises(PermissionError):
        read_text(workspace, "a.txt")


@pytest.mark.parametrize("line", [b"x" * 499 + b"\n", b"x" * 50_000_000])
def test_a_large_file_takes_little_memory(workspace: Workspace, line: bytes) -> None:
    with (workspace.root / "big.txt").open("wb") as file:
        for _ in range(50_000_000 // len(line)):
            file.write(line)
    del line
    tracemalloc.start()
    text = read_text(workspace, "big.txt")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000
    assert len(text) < 2 * LIMIT.bytes
    assert "共 100000 行" in text or "第 1 行太长" in text


def test_an_abort_ends_the_reading(workspace: Workspace) -> None:
    (workspace.root / "a.txt").write_bytes(b"1\n" * 10)
    signal = AbortSignal()
    signal.abort()
    with pytest.raises(ToolError, match="已中止"):
        read(workspace, ReadArgs(path="a.txt"), signal)
