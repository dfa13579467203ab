"""Where extensions come from, and what becomes of those that are not loaded."""

import os
import sys
from pathlib import Path

import pytest
from mini_agent.extensions.loader import (
    Sources,
    load_extensions,
    project_folder,
    user_folder,
)

from tests.steps.step07.extensions import Harness

GOOD = """
async def run(argument):
    return argument

def setup(api):
    api.command({name!r}, run)
"""


class Places:
    """The folders in which extensions are looked for."""

    def __init__(self, root: Path) -> None:
        self.user = root / "user"
        self.project = root / "project"
        self.elsewhere = root / "elsewhere"
        for folder in (self.user, self.project, self.elsewhere):
            folder.mkdir()

    def load(self, *chosen: Path, trust_project: bool = False) -> Harness:
        harness = Harness()
        sources = Sources(
            user_folder=self.user,
            project_folder=self.project,
            trust_project=trust_project,
            chosen=chosen,
        )
        load_extensions(harness.extensions, sources)
        return harness


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path)


def write(folder: Path, name: str, text: str | None = None) -> Path:
    path = folder / f"{name}.py"
    path.write_text(GOOD.format(name=name) if text is None else text, encoding="utf-8")
    return path


def test_the_users_come_first_by_name_then_the_projects_then_those_that_were_named(
    places: Places,
) -> None:
    write(places.user, "b")
    write(places.user, "a")
    write(places.project, "p")
    harness = places.load(
        write(places.elsewhere, "z"), write(places.elsewhere, "c"), trust_project=True
    )
    assert harness.extensions.names == ["a", "b", "p", "z", "c"]
    assert list(harness.extensions.commands) == ["a", "b", "p", "z", "c"]
    assert harness.told == []


def test_what_a_project_brings_along_is_named_and_not_run(places: Places) -> None:
    trap = places.elsewhere / "it ran"
    for name in ("b", "a"):
        write(places.project, name, f"open({str(trap)!r}, 'w').close()\n")
    harness = places.load()
    assert harness.extensions.names == []
    assert not trap.exists()
    assert harness.told == [
        "（项目自带的扩展没有加载：a.py、b.py。信任这个项目，就加上 --trust-project）"
    ]


def test_a_file_of_the_project_that_is_named_is_asked_for(places: Places) -> None:
    write(places.project, "a")
    harness = places.load(places.project / "a.py")
    assert harness.extensions.names == ["a"]
    assert harness.told == []


def test_the_name_of_a_strangers_file_is_no_command_to_the_terminal(places: Places) -> None:
    write(places.project, "\x1b[2Ja\u202eb", "")
    assert places.load().told[0].startswith("（项目自带的扩展没有加载：␛[2Ja\\u202eb.py。")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("def setup(api:\n", "SyntaxError: '(' was never closed (bad.py, line 1)"),
        ("raise ValueError('坏了')\n", "ValueError: 坏了"),
        ("import sys\nsys.exit(3)\n", "SystemExit: 3"),
        ("x = 1\n", "里面没有函数 setup(api)"),
        ("setup = 1\n", "TypeError: 'int' object is not callable"),
        ("def setup(api):\n    api.nothing()\n", "AttributeError: 'Api' object has no"),
        ("async def setup(api):\n    pass\n", "setup 不能是 async def"),
    ],
)
def test_one_that_cannot_be_loaded_is_named_and_the_others_are_loaded(
    places: Places, text: str, error: str
) -> None:
    write(places.user, "a")
    bad = write(places.user, "bad", text)
    write(places.user, "c")
    harness = places.load()
    assert harness.extensions.names == ["a", "c"]
    (told,) = harness.told
    assert told.startswith(f"（扩展 {bad} 没有加载：{error}")


def test_one_that_is_not_there_is_named(places: Places) -> None:
    missing = places.elsewhere / "missing.py"
    assert places.load(missing).told == [
        f"（扩展 {missing} 没有加载：FileNotFoundError: No such file or directory）"
    ]


def test_one_that_is_no_text_is_named(places: Places) -> None:
    (places.user / "bad.py").write_bytes(b"\xff\xfe\x00")
    assert "SyntaxError" in places.load().told[0]


def test_two_files_of_one_name_are_one_too_many(places: Places) -> None:
    write(places.user, "a")
    other = write(places.elsewhere, "a")
    harness = places.load(other)
    assert harness.extensions.names == ["a"]
    assert harness.told == [f"（扩展 {other} 没有加载：已经有一个同名的扩展）"]


def test_a_file_that_is_named_twice_is_loaded_once(places: Places) -> None:
    path = write(places.user, "a")
    harness = places.load(path, places.user / ".." / "user" / "a.py")
    assert harness.extensions.names == ["a"]
    assert harness.told == []


def test_notes_and_helpers_beside_them_are_no_extensions(places: Places) -> None:
    for name in ("_helper", ".hidden"):
        write(places.user, name, "raise SystemExit\n")
    (places.user / "README.md").write_text("…", encoding="utf-8")
    assert places.load().told == []


def test_loading_leaves_nothing_beside_the_file_and_believes_no_old_copy(places: Places) -> None:
    path = write(places.user, "a")
    before = path.stat()
    assert list(places.load().extensions.commands) == ["a"]
    assert os.listdir(places.user) == ["a.py"]
    write(places.user, "a", GOOD.format(name="b"))  # as long as before, and as old
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert list(places.load().extensions.commands) == ["b"]


def test_models_of_an_extension_find_their_types(places: Places) -> None:
    text = (
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from mini_agent.tools.tool import Arguments\n"
        "@dataclass(slots=True)\nclass Inner:\n    n: int\n"
        "class Outer(Arguments):\n    inner: Inner\n"
        "def setup(api):\n    Outer(inner=Inner(n=1))\n"
    )
    write(places.user, "typed", text)
    harness = places.load()
    assert harness.told == []
    assert harness.extensions.names == ["typed"]


def test_a_failed_load_leaves_no_module_behind(places: Places) -> None:
    write(places.user, "broken", "raise ValueError\n")
    places.load()
    assert "mini_agent_extension_broken" not in sys.modules


def test_a_folder_that_cannot_be_read_is_named(places: Places) -> None:
    places.user.rmdir()
    places.user.write_text("", encoding="utf-8")
    assert places.load().told == [f"（扩展 {places.user} 没有加载：Not a directory）"]


def test_where_the_folders_are(tmp_path: Path) -> None:
    home = Path("/home/u")
    assert user_folder({}, home) == home / ".config/mini-agent/extensions"
    assert user_folder({"XDG_CONFIG_HOME": "/c"}, home) == Path("/c/mini-agent/extensions")
    assert user_folder({"XDG_CONFIG_HOME": "c"}, home) == home / ".config/mini-agent/extensions"
    assert project_folder(tmp_path) == tmp_path / ".mini-agent/extensions"
