"""The workspace: a path is judged by where it really leads (case D1)."""

import os
import unicodedata
from pathlib import Path

import pytest
from mini_agent.results import ToolError
from mini_agent.tools.workspace import Workspace

from .support import names_below, read_text, write_text


@pytest.mark.parametrize(
    "path",
    [
        "../ws-secret/k.txt",
        "{root}-secret/k.txt",
        "{root}/../ws-secret/k.txt",
        "sub/../../ws-secret/k.txt",
        "missing/../../ws-secret/k.txt",
        "a\0b",
        "",
        ".",
        "/etc/passwd",
        "~/k.txt",
        "/",
    ],
)
def test_these_are_refused(workspace: Workspace, path: str) -> None:
    (workspace.root / "sub").mkdir()
    with pytest.raises(ToolError):
        read_text(workspace, path.format(root=workspace.root))


def test_writing_outside_makes_no_folder(workspace: Workspace) -> None:
    before = names_below(workspace.root.parent)
    for path in ("../new/x.txt", "../ws-secret/new.txt", f"{workspace.root}-new/x.txt"):
        with pytest.raises(ToolError, match="工作区之外"):
            write_text(workspace, path, "x")
    assert names_below(workspace.root.parent) == before


@pytest.mark.parametrize("name", ["..hidden", "a..b.txt", "报告 一.txt", "...", "-n", "a\nb"])
def test_odd_names_are_names(workspace: Workspace, name: str) -> None:
    write_text(workspace, name, "好")
    assert read_text(workspace, name) == "好"
    assert read_text(workspace, f"{workspace.root}/{name}") == "好"
    assert read_text(workspace, f"sub/../{name}") == "好"


def test_the_root_may_be_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_text("好", encoding="utf-8")
    (tmp_path / "link").symlink_to("real")
    workspace = Workspace(tmp_path / "link")
    assert read_text(workspace, "a.txt") == "好"
    assert read_text(workspace, str(tmp_path / "link" / "a.txt")) == "好"
    assert read_text(workspace, str(tmp_path / "real" / "a.txt")) == "好"


def test_links_count_by_where_they_lead(workspace: Workspace) -> None:
    (workspace.root / "a.txt").write_text("好", encoding="utf-8")
    (workspace.root / "inside").symlink_to("a.txt")
    (workspace.root / "outside").symlink_to("../ws-secret/k.txt")
    (workspace.root / "folder").symlink_to("../ws-secret")
    (workspace.root / "dangling").symlink_to("../ws-secret/new.txt")
    (workspace.root / "loop").symlink_to("loop")
    assert read_text(workspace, "inside") == "好"
    for path in ("outside", "folder/k.txt", "dangling", "folder/../ws-secret/k.txt"):
        with pytest.raises(ToolError, match="工作区之外"):
            read_text(workspace, path)
        with pytest.raises(ToolError, match="工作区之外"):
            write_text(workspace, path, "x")
    with pytest.raises(ToolError):
        read_text(workspace, "loop/../../ws-secret/k.txt")
    assert names_below(workspace.root.parent / "ws-secret") == ["k.txt"]
    assert (workspace.root.parent / "ws-secret" / "k.txt").read_text(encoding="utf-8") == "secret"


@pytest.mark.parametrize("on_disk", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
def test_a_name_counts_in_either_unicode_form(
    workspace: Workspace, on_disk: str, asked: str
) -> None:
    name = "café/é.txt"
    path = workspace.root / unicodedata.normalize(on_disk, name)  # type: ignore[arg-type]  # a form
    path.parent.mkdir()
    path.write_text("好", encoding="utf-8")
    wanted = unicodedata.normalize(asked, name)  # type: ignore[arg-type]  # a form
    assert read_text(workspace, wanted) == "好"
    write_text(workspace, wanted, "新")
    assert len(names_below(workspace.root)) == 2  # no second file that looks the same
    assert read_text(workspace, wanted) == "新"


def test_an_alike_name_that_leads_out_does_not_help(workspace: Workspace) -> None:
    (workspace.root / unicodedata.normalize("NFC", "é")).symlink_to("../ws-secret")
    path = unicodedata.normalize("NFD", "é") + "/k.txt"
    with pytest.raises(ToolError, match="工作区之外"):
        read_text(workspace, path)
    with pytest.raises(ToolError, match="工作区之外"):
        write_text(workspace, path, "x")
    assert (workspace.root.parent / "ws-secret" / "k.txt").read_text(encoding="utf-8") == "secret"


def test_pipes_and_devices_are_not_opened(workspace: Workspace) -> None:
    os.mkfifo(workspace.root / "pipe")
    (workspace.root / "null").symlink_to("/dev/null")
    with pytest.raises(ToolError, match="不是普通文件"):
        read_text(workspace, "pipe")
    with pytest.raises(ToolError, match="不是普通文件"):
        write_text(workspace, "pipe", "x")
    with pytest.raises(ToolError, match="工作区之外"):
        read_text(workspace, "null")


def test_a_long_path_is_not_repeated_in_full(workspace: Workspace) -> None:
    for path in ("../" * 300_000 + "x", "../" * 1300, "x" * 300):
        with pytest.raises((ToolError, OSError)) as caught:
            read_text(workspace, path)
        assert len(str(caught.value)) < 500 or isinstance(caught.value, OSError)
