"""The tools that look around: `ls`, `grep`, `find`."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import anyio
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mini_agent.abort import AbortSignal
from mini_agent.results import ToolError
from mini_agent.tools.patterns import compile_glob
from mini_agent.tools.search import FindArgs, GrepArgs, LsArgs, find, grep, ls
from mini_agent.tools.walk import walk
from mini_agent.tools.workspace import Workspace

from .support import use


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
        ("x", "x/**", False),
        ("x/A.py", "x/a.py", False),
        ("x/a.py", "x/[ab].p?", True),
        ("x/a.py", "/x/a.py", True),
        ("xb.p", "x[!a].p", True),
        ("xa.p", "x[!a].p", False),
        ("x].p", "x[]a].p", True),
        ("x[.p", "x[.p", True),
        ("报告.txt", "报?.txt", True),
    ],
)
def test_globs(path: str, glob: str, is_match: bool) -> None:
    assert compile_glob(glob)(path) is is_match


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


def test_grep_looks_into_a_file_with_keys_only_when_told_to(workspace: Workspace) -> None:
    keys = ("sub/.env", ".env.local", "prod.env", ".ENV")
    put(workspace, {**dict.fromkeys(keys, "KEY=1\n"), "environment.py": "KEY=2\n"})
    assert grepped(workspace, pattern="KEY") == ["environment.py:1: KEY=2"]
    assert grepped(workspace, pattern="KEY", path="sub/.env") == ["sub/.env:1: KEY=1"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_line_is_matched_by_itself(workspace: Workspace, end: str) -> None:
    put(workspace, {"a.txt": end.join(["ab", "", "好", "c", ""])})
    assert grepped(workspace, pattern="^$") == ["a.txt:2: "]
    assert grepped(workspace, pattern="b$") == ["a.txt:1: ab"]
    assert grepped(workspace, pattern=r"b\s") == ["[什么也没有]"]
    assert grepped(workspace, pattern=r"b[^x]+c") == ["[什么也没有]"]
    assert grepped(workspace, pattern=r"\p{Han}|^a.$") == ["a.txt:1: ab", "a.txt:3: 好"]
    assert len(grepped(workspace, pattern="x*")) == 4


@pytest.mark.parametrize("size", [64 * 1024 - 3, 64 * 1024, 3 * 1024 * 1024])
def test_lines_may_lie_across_what_is_read_at_once(workspace: Workspace, size: int) -> None:
    put(workspace, {"a.txt": "x" * size + " needle\n" + "needle\n" * 3})
    numbers = [line.split(":")[1] for line in grepped(workspace, pattern="needle")]
    assert numbers == ["1", "2", "3", "4"]


@pytest.mark.parametrize("pattern", ["(?=a)a", "(?<!b)a", r"(a)\1"])
def test_what_re2_does_not_have_is_said(workspace: Workspace, pattern: str) -> None:
    with pytest.raises(ToolError, match="不支持环视和反向引用"):
        grepped(workspace, pattern=pattern)


HOSTILE = "*a" * 12 + "*b"


def test_no_pattern_takes_for_ever(workspace: Workspace) -> None:
    put(workspace, {".gitignore": f"{HOSTILE}\n[[a]\n", "a" * 120: "a" * 5000, "[": ""})
    started = monotonic()
    assert found(workspace, HOSTILE) == ["[什么也没有]"]
    assert found(workspace, "**/" * 500 + "*b") == ["[什么也没有]"]
    assert found(workspace, "**/a*/" * 300 + "*b") == ["[什么也没有]"]
    assert found(workspace, "[[b]") == ["[什么也没有]"]  # the rule about it prints no warning
    assert grepped(workspace, pattern="(a+)+$|(a|aa)+b", glob="[!.]*") != ["[什么也没有]"]
    assert grepped(workspace, pattern="(a*)*c|(a|aa)*d", path=".") == ["[什么也没有]"]
    assert monotonic() - started < 10
    for pattern in ("a" * 5000, "(a{1000}){1000}"):
        with pytest.raises(ToolError):
            grepped(workspace, pattern=pattern)
    with pytest.raises(ToolError, match="通配符太长"):
        found(workspace, "[" * 5000)


async def test_a_slow_search_can_be_aborted(workspace: Workspace) -> None:
    """Time linear in the text may still be long, but nobody has to wait for it."""
    put(workspace, {"a.txt": "abxa" * 100_000})
    signal = AbortSignal()
    with anyio.move_on_after(20), signal.scope():
        async with anyio.create_task_group() as group:
            group.start_soon(abort_soon, signal)
            await use(workspace, "grep", signal=signal, pattern="(a?b?){500}z")
    assert signal.aborted


async def abort_soon(signal: AbortSignal) -> None:
    await anyio.sleep(0.1)
    signal.abort()


def test_without_re2_it_says_so(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    with pytest.raises(ToolError, match="没有安装 google-re2"):
        grepped(workspace, pattern="x")


def test_a_long_list_of_rules(workspace: Workspace) -> None:
    rules = [*(f"*a*{n}*" for n in range(3000)), "!keep.a1"]
    put(workspace, {".gitignore": "\n".join(rules), "x.a1": "", "keep.a1": "", "b": ""})
    assert found(workspace, "*") == [".gitignore", "b", "keep.a1"]


def test_the_rules_of_the_whole_repository_count(tmp_path: Path) -> None:
    files = {
        ".git/info/exclude": "*.mine\n",
        ".gitignore": "*.log\n/deep/ws/top\n",
        "deep/.gitignore": "!keep.log\n",
        **{f"deep/ws/{name}": "" for name in ("a.log", "keep.log", "a.mine", "top", "sub/top")},
    }
    outer = Workspace(tmp_path)
    put(outer, files)
    inner = Workspace(tmp_path / "deep" / "ws")
    assert found(inner, "*") == ["keep.log", "sub/", "sub/top"]
    (tmp_path / ".gitignore").write_text("/deep\n", encoding="utf-8")
    assert found(inner, "*.log") == ["a.log", "keep.log"]  # the workspace itself was asked for


def test_a_second_work_tree_has_the_same_exclude_file(tmp_path: Path) -> None:
    files = {
        "main/.git/info/exclude": "*.mine\n",
        "main/.git/worktrees/two/commondir": "../..\n",
        "two/.git": f"gitdir: {tmp_path}/main/.git/worktrees/two\n",
        "two/a.mine": "",
        "two/b": "",
    }
    put(Workspace(tmp_path), files)
    assert found(Workspace(tmp_path / "two"), "*") == ["b"]


RULES = st.lists(
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["", "", "!", "/", "!/"]),
        st.lists(
            st.sampled_from(
                [
                    "a",
                    "b",
                    "*",
                    "?",
                    "[!a]",
                    "[ab]",
                    "[[:alpha:]]",
                    "**",
                    "a*",
                    r"\a",
                    "*.c",
                    "{",
                    "[]a]",
                ]
            ),
            min_size=1,
            max_size=3,
        ).map("/".join),
        st.sampled_from(["", "", "/", " ", "/**"]),
    ),
    min_size=1,
    max_size=5,
)
NAMES = ["a", "ab", "a.c", "b/a", "b/ab", "b/b/a.c", "ba/a/b", "ba/a.c", "]", "c/{", "c/\\a"]


@settings(max_examples=40, deadline=None)
@example(["*", "!*/", "!*.c"])
@given(RULES)
def test_what_is_ignored_is_what_git_ignores(rules: list[str]) -> None:
    with TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder))
        put(workspace, {".gitignore": "\n".join(rules), **dict.fromkeys(NAMES, "")})
        git("init", "-q", folder=workspace.root)
        told = git("ls-files", "--others", "--exclude-standard", "-z", folder=workspace.root)
        files = [name for name in found(workspace, "*") if not name.endswith("/")]
        assert sorted(files) == sorted(told.split("\0")[:-1]) or files == ["[什么也没有]"]


def git(*args: str, folder: Path) -> str:
    """Let git say something about a folder, whatever the user has set for himself."""
    done = subprocess.run(
        ["git", *args],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


def test_a_folder_swapped_for_a_link_is_not_entered(workspace: Workspace) -> None:
    put(workspace, {"a.txt": "", "sub/k.txt": "ours"})
    steps = walk(workspace, workspace.root, AbortSignal())
    names = [os.path.basename(next(steps).path) for _ in range(2)]
    (workspace.root / "sub").rename(workspace.root / "moved")
    (workspace.root / "sub").symlink_to("../ws-secret")
    assert names == ["a.txt", "sub"]
    assert [found.path for found in steps] == []


def test_deep_folders_end_somewhere(workspace: Workspace) -> None:
    put(workspace, {"d/" * 300 + "a.txt": "needle"})
    assert grepped(workspace, pattern="needle") == ["[什么也没有]"]
    assert len(found(workspace, "*")) == 100


def test_a_limit_beyond_all_limits(workspace: Workspace) -> None:
    put(workspace, {"a.txt": "x\n" * 3000})
    assert listed(workspace, limit=10**30) == "a.txt\n"
    assert found(workspace, "*", limit=10**30) == ["a.txt"]
    lines = grepped(workspace, pattern="x", limit=10**30)
    assert (len(lines), lines[-1]) == (2001, "[只列出了前 2000 项，后面还有。缩小范围]")


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
    steps = walk(workspace, workspace.root, signal)
    next(steps)
    signal.abort()
    assert list(steps) == []
