"""The tools that look around: `ls`, `grep`, `find`."""

import os

import pytest
from mini_agent.abort import AbortSignal
from mini_agent.results import ToolError
from mini_agent.tools.globs import matches
from mini_agent.tools.search import FindArgs, GrepArgs, LsArgs, find, grep, ls
from mini_agent.tools.walk import walk
from mini_agent.tools.workspace import Workspace


def put(workspace: Workspace, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = workspace.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def listed(workspace: Workspace, path: str = ".", *, limit: int = 500) -> str:
    return ls(workspace, LsArgs(path=path, limit=limit), AbortSignal()).text


def found(workspace: Workspace, pattern: str, path: str = ".", *, limit: int = 1000) -> list[str]:
    args = FindArgs(pattern=pattern, path=path, limit=limit)
    return find(workspace, args, AbortSignal()).text.splitlines()


def grepped(workspace: Workspace, **args: str | int | bool) -> list[str]:
    return grep(workspace, GrepArgs.model_validate(args), AbortSignal()).text.splitlines()


def test_a_folder_as_it_is(workspace: Workspace) -> None:
    put(workspace, {"b.txt": "", "A.txt": "", ".git/x": "", ".hidden": "", "报告.txt": ""})
    (workspace.root / "link").symlink_to("../ws-secret")
    (workspace.root / "gone").symlink_to("nowhere")
    assert listed(workspace).splitlines() == [
        *(".git/", ".hidden", "A.txt", "b.txt", "gone@", "link@", "报告.txt")
    ]
    assert listed(workspace, limit=2) == (
        ".git/\n.hidden\n[只列出了前 2 项，后面还有。缩小范围，或加大 limit（现在是 2）]"
    )


def test_an_empty_folder_a_file_and_the_outside(workspace: Workspace) -> None:
    put(workspace, {"a.txt": "", "sub/x": ""})
    (workspace.root / "sub" / "x").unlink()
    assert listed(workspace, "sub") == "[什么也没有]"
    with pytest.raises(ToolError, match="不是文件夹"):
        listed(workspace, "a.txt")
    for path in ("..", "../ws-secret"):
        with pytest.raises(ToolError, match="工作区之外"):
            listed(workspace, path)


@pytest.mark.parametrize(
    ("path", "glob", "is_match"),
    [
        ("a.py", "*.py", True),
        ("x/y/a.py", "*.py", True),
        ("x/y/a.py", "a", False),
        ("a.py", "**/*.py", True),
        ("x/y/a.py", "**/*.py", True),
        ("x/y/a.py", "x/**/a.py", True),
        ("x/a.py", "x/**/a.py", True),
        ("x/y/a.py", "x/*.py", False),
        ("x/y/a.py", "x/**", True),
        ("x", "x/**", True),
        ("x/A.py", "x/a.py", False),
        ("x/a.py", "x/[ab].p?", True),
        ("x/a.py", "/x/a.py", True),
    ],
)
def test_globs(path: str, glob: str, is_match: bool) -> None:
    assert matches(path.replace("/", os.sep), glob) is is_match


def test_find_leaves_out_what_git_leaves_out(workspace: Workspace) -> None:
    put(
        workspace,
        {
            ".gitignore": "\ufeff*.log\nbuild/\n/top\n# a comment\n\\\n!keep.log\r\n",
            "a.log": "",
            "keep.log": "",
            "top": "",
            "build/out.txt": "",
            "sub/.gitignore": "!a.log\n*.tmp\n",
            "sub/a.log": "",
            "sub/b.log": "",
            "sub/top": "",
            "sub/x.tmp": "",
            "x.tmp": "",
            ".git/config": "",
        },
    )
    assert found(workspace, "*") == [
        *(".gitignore", "keep.log", "sub/", "sub/.gitignore", "sub/a.log", "sub/top", "x.tmp")
    ]
    assert found(workspace, "*", "sub") == ["sub/.gitignore", "sub/a.log", "sub/top"]
    assert found(workspace, "*", "build") == ["build/out.txt"]  # asked for by name
    assert found(workspace, "*.md") == ["[什么也没有]"]


def test_links_are_listed_and_not_followed(workspace: Workspace) -> None:
    put(workspace, {"sub/a.txt": "needle"})
    (workspace.root / "loop").symlink_to(".")
    (workspace.root / "out").symlink_to("../ws-secret")
    (workspace.root / "k.txt").symlink_to("../ws-secret/k.txt")
    assert found(workspace, "*") == ["k.txt@", "loop@", "out@", "sub/", "sub/a.txt"]
    assert grepped(workspace, pattern="needle|secret") == ["sub/a.txt:1: needle"]


def test_a_rules_file_that_is_none_is_passed_over(workspace: Workspace) -> None:
    put(workspace, {"a.txt": "", "sub/.gitignore/x": ""})
    os.mkfifo(workspace.root / ".gitignore")
    assert found(workspace, "*.txt") == ["a.txt"]


def test_grep(workspace: Workspace) -> None:
    put(workspace, {"b.txt": "一\nhello 世界\r\nHello\n", "a/c.py": "hello()", "bin": "hello\0"})
    (workspace.root / "gbk.txt").write_bytes("hello 好".encode("gbk"))
    assert grepped(workspace, pattern="hel+o") == [
        *("a/c.py:1: hello()", "b.txt:2: hello 世界", "gbk.txt:1: hello \ufffd\ufffd")
    ]
    assert grepped(workspace, pattern="^hello$", ignore_case=True) == ["b.txt:3: Hello"]
    assert grepped(workspace, pattern="hello()", literal=True) == ["a/c.py:1: hello()"]
    assert grepped(workspace, pattern="世", glob="*.py") == ["[什么也没有]"]
    assert grepped(workspace, pattern=".", path="b.txt", limit=1) == [
        *("b.txt:1: 一", "[只列出了前 1 项，后面还有。缩小范围，或加大 limit（现在是 1）]")
    ]
    with pytest.raises(ToolError, match="正则表达式不对：missing"):
        grepped(workspace, pattern="(")


def test_grep_into_a_pipe_does_not_wait(workspace: Workspace) -> None:
    os.mkfifo(workspace.root / "pipe")
    assert grepped(workspace, pattern="x") == ["[什么也没有]"]
    with pytest.raises(ToolError, match="不是普通文件"):
        grepped(workspace, pattern="x", path="pipe")


def test_grep_passes_over_what_it_may_not_read(workspace: Workspace) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    put(workspace, {"a.txt": "needle", "b.txt": "needle"})
    (workspace.root / "a.txt").chmod(0o000)
    assert grepped(workspace, pattern="needle") == ["b.txt:1: needle"]
    with pytest.raises(PermissionError):
        grepped(workspace, pattern="needle", path="a.txt")


def test_long_lines_are_cut_and_results_bounded(workspace: Workspace) -> None:
    put(workspace, {"a.txt": ("好" * 3000 + "\n") * 300})
    lines = grepped(workspace, pattern="好", limit=200)
    assert lines[0] == f"a.txt:1: {'好' * 500}…"
    assert lines[-1].startswith("[只列出了前 33 项")
    assert len("\n".join(lines).encode()) < 51_300


def test_names_that_are_no_utf8_can_be_told(workspace: Workspace) -> None:
    if os.uname().sysname == "Darwin":
        pytest.skip("this file system takes only UTF-8")
    (workspace.root / os.fsdecode(b"\xff.txt")).write_bytes(b"needle")
    assert listed(workspace) == "?.txt\n"
    assert found(workspace, "*.txt") == ["?.txt"]
    assert grepped(workspace, pattern="needle") == ["?.txt:1: needle"]


def test_an_abort_ends_the_walk(workspace: Workspace) -> None:
    put(workspace, {f"{n}.txt": "" for n in range(5)})
    signal = AbortSignal()
    steps = walk(workspace.root, root=workspace.root, signal=signal)
    next(steps)
    signal.abort()
    assert list(steps) == []
