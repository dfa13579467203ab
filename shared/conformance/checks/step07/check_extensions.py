"""Where extensions come from, and what they bring along: files, commands, tools."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.extensions import ExtendedHarness, Setup
from conformance.support.subject import Subject

pytestmark = read("extensions")

GREETING = """
def setup(api):
    async def run(argument):
        return "招呼 " + argument

    async def fail(argument):
        raise ValueError("坏了")

    api.command("greet", run, summary="打个招呼")
    api.command("fail", fail)
    api.command("exit", run, summary="不走了")
"""
"""An extension with three commands; the name of the last one is taken."""


class Nothing(BaseModel):
    """No arguments."""


def write(folder: Path, name: str, text: str = "def setup(api):\n    pass\n") -> Path:
    """Put an extension into a folder."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("trusted", [False, True])
def test_project_is_not_trusted(subject: Subject, tmp_path: Path, *, trusted: bool) -> None:
    """A project's extension is named, and not run, until the user says that he trusts it."""
    ran = tmp_path / "ran"
    text = f"open({str(ran)!r}, 'w', encoding='utf-8').close()\ndef setup(api):\n    pass\n"
    write(tmp_path / "project", "local", text)
    write(tmp_path / "user", "mine")
    harness = ExtendedHarness(subject)
    harness.load(tmp_path, trust_project=trusted)
    names, told = list(harness.extensions.names), "\n".join(harness.told)
    judge.holds(
        ran.exists() == trusted
        and sorted(names) == (["local", "mine"] if trusted else ["mine"])
        and ("local.py" in told) != trusted,
        called=f"load_extensions(..., Sources(..., trust_project={trusted}))",
        came=f"run: {ran.exists()}, loaded: {names}, told: {told!r}",
        wanted="local, run" if trusted else "local.py, not run, and named to the user",
    )


@pytest.mark.parametrize(
    "text", ["1/0\n", "def setup(api:\n", "x = 1\n", "def setup(api):\n    raise ValueError\n"]
)
def test_load_error(subject: Subject, tmp_path: Path, text: str) -> None:
    """A file that cannot be loaded is named to the user; the others are loaded all the same."""
    broken = write(tmp_path, "broken", text)
    chosen = (write(tmp_path, "first"), broken, write(tmp_path, "last"))
    harness = ExtendedHarness(subject)
    harness.load(tmp_path, chosen=chosen)
    names = list(harness.extensions.names)
    judge.holds(
        names == ["first", "last"] and len(harness.told) == 1 and "broken.py" in harness.told[0],
        called=f"load_extensions(...) of first.py, broken.py, last.py; broken.py holds {text!r}",
        came=f"loaded: {names}, told: {harness.told}",
        wanted="first and last, and one line that names broken.py",
    )


def test_protected_names(subject: Subject) -> None:
    """The name of a built-in command, or of one that is there, is not given away; clashes are told.

    What else the extension brings along stays.
    """

    async def run(argument: str) -> str:
        return argument

    def bring(*names: str) -> Setup:
        return lambda api: [api.command(name, run, summary=name) for name in names]

    harness = ExtendedHarness(
        subject, commands=["help"], one=bring("help", "a"), two=bring("a", "b")
    )
    owners = {name: it.extension for name, it in harness.extensions.commands.items()}
    judge.holds(
        owners == {"a": "one", "b": "two"}
        and len(harness.told) == 2
        and all(
            part in line
            for line, parts in zip(harness.told, (("one", "/help"), ("two", "/a")), strict=True)
            for part in parts
        ),
        called="Extensions(host, commands=['help']); one has /help and /a, two has /a and /b",
        came=f"commands: {owners}, told: {harness.told}",
        wanted="/a of one, /b of two, and a line for each clash",
    )


def test_replaced_tool(subject: Subject) -> None:
    """A tool takes the place of a built-in one only if its extension says so."""
    make = subject.get("tools.tool.Tool")

    async def execute(args: Any, /, **how: Any) -> str:
        return ""

    builtin, mine = (
        make(name="read", description=text, parameters=Nothing, execute=execute)
        for text in ("内置", "我的")
    )

    def bring(*, replaces: bool) -> Setup:
        return lambda api: api.tool(mine, replaces_builtin=replaces)

    for replaces in (False, True):
        harness = ExtendedHarness(subject, tools=[builtin], one=bring(replaces=replaces))
        now = harness.extensions.tools["read"]
        judge.holds(
            (now is mine) == replaces and bool(harness.told) != replaces,
            called=f"api.tool(Tool(name='read', ...), replaces_builtin={replaces})",
            came=f"{now.description}; told: {harness.told}",
            wanted="the new one" if replaces else "the built-in one, and a line for the user",
        )


@pytest.mark.program
def test_commands_of_an_extension(subject: Subject, tmp_path: Path) -> None:
    """`/help` lists the commands, those of extensions too; they run by name, and may fail.

    `/exit` stays the way out, whoever wants its name.
    """
    path = write(tmp_path, "hello", GREETING)
    typed = "/help\n/greet 你好\n/fail\n/exit\n你好\n"
    came = subject.chat(typed.encode(), arguments=("--extension", str(path)))
    said, told = came.stdout.decode(), came.stderr.decode()
    names = ("/help", "/branch", "/fork", "/exit", "/greet", "打个招呼", "招呼 你好")
    subject.holds(
        came.exit_code == 0
        and all(name in said for name in names)
        and "/fail" in told
        and "hello" in told
        and "不走了" not in said
        and "0 条消息" in said.splitlines()[-1],
        came,
        wanted=f"{', '.join(names)}; on stderr that /fail of hello failed; /exit leaves",
        called=f"{came.command}, typed: {typed!r}",
    )
