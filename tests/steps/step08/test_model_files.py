"""Which files may choose the model: none that merely lies in the working folder."""

import os
from argparse import ArgumentParser
from pathlib import Path

import pytest
from mini_agent.cli.extension_options import add_extension_options
from mini_agent.cli.model_options import add_model_options, files_of
from mini_agent.providers.create import create_model
from mini_agent.providers.settings import MAX_GLANCE, BadSetting, Layer, settings_of

from .calls import KEY

LINE = "OPENAI_API_KEY={}\n"


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder `work`, with the user's settings beside it."""
    for folder in ("work", "config/mini-agent"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def own_file(places: Path) -> Path:
    return places / "config" / "mini-agent" / ".env"


def read(*words: str) -> tuple[list[str], list[str]]:
    """Return the names of the files that say something, and what the user is told."""
    parser = ArgumentParser()
    add_extension_options(parser)
    add_model_options(parser)
    told: list[str] = []
    files = files_of(parser.parse_args(words), notify=told.append)
    return [layer.name for layer in files if layer.values], told


def test_files_by_strength(places: Path) -> None:
    for file in (Path(".env"), Path("named"), own_file(places)):
        file.write_text(LINE.format(KEY))
    own = str(own_file(places))
    assert read("--trust-project", "--env-file", "named") == (["named", ".env", own], [])
    assert "OPENAI_API_KEY" not in os.environ


UNTRUSTED = {
    LINE.format(KEY): True,
    "A=1\n\texport  MINI_AGENT_MODEL = openai/x\n": True,
    "ANTHROPIC_BASE_URL=\n": True,
    "# OPENAI_API_KEY=x\n": False,
    "MY_OPENAI_API_KEY=x\nOPENAI_API_KEYS=x\n": False,
    "": False,
    "\n" * MAX_GLANCE + LINE.format(KEY): False,
    " " * MAX_GLANCE: False,
}


@pytest.mark.parametrize("text", UNTRUSTED, ids=lambda text: repr(text)[:30])
def test_a_folder_that_was_only_entered_says_nothing(text: str) -> None:
    """That it would have liked to is said, in one line that shows nothing of it."""
    Path(".env").write_text(text)
    layers, told = read()
    assert layers == []
    assert [("--trust-project" in line, KEY in line) for line in told] == (
        [(True, False)] if UNTRUSTED[text] else []
    )


@pytest.mark.parametrize("kind", ["fifo", "folder", "loop", "bytes", "secret"])
def test_no_file_of_the_folder_gets_in_the_way(kind: str) -> None:
    match kind:
        case "fifo":
            os.mkfifo(".env")
        case "folder":
            Path(".env").mkdir()
        case "loop":
            Path(".env").symlink_to(".env")
        case "bytes":
            Path(".env").write_bytes(b"\xff\x00=" * 1000)
        case _:
            Path(".env").write_text(LINE)
            Path(".env").chmod(0)
    assert read()[0] == []


def test_a_file_that_is_named_is_not_called_untrusted() -> None:
    Path(".env").write_text(LINE.format(KEY))
    assert read("--env-file", ".env") == ([".env"], [])


@pytest.mark.parametrize("name", ["nowhere", ".", "gbk"])
def test_a_file_that_is_named_must_be_readable(name: str) -> None:
    Path("gbk").write_bytes("KEY=密钥".encode("gbk"))
    with pytest.raises(BadSetting, match=f"读不了 {name}："):
        read("--env-file", name)


@pytest.mark.parametrize("words", [(), ("--trust-project",)])
def test_a_broken_file_that_counts_is_refused(places: Path, words: tuple[str, ...]) -> None:
    file = Path(".env") if words else own_file(places)
    file.write_bytes("KEY=密钥".encode("gbk"))
    with pytest.raises(BadSetting, match=r"读不了 .*\.env："):
        read(*words)


URL = {"OPENAI_BASE_URL": "https://llm.example/v1"}


def test_a_key_goes_to_no_address_that_a_stranger_may_have_written() -> None:
    stranger = Layer(name="x.env", values=URL, own=False)
    own = Layer(name="own", values={"OPENAI_API_KEY": KEY})
    for environment, files, source in (
        ({"OPENAI_API_KEY": KEY}, [stranger], "环境变量"),
        ({}, [stranger, own], "own"),
    ):
        with pytest.raises(BadSetting, match=rf"写在 x\.env 里，OPENAI_API_KEY 却来自{source}"):
            create_model(environment, files=files)


def test_an_address_of_the_users_own_may_have_any_key() -> None:
    key = {"OPENAI_API_KEY": KEY}
    own = Layer(name="own", values=URL)
    assert (
        "llm.example；设置了 OPENAI_API_KEY；own 里有 OPENAI_BASE_URL"
        in create_model(key, files=[own])[0]
    )
    named = Layer(name="named", values=key, own=False)
    assert "llm.example" in create_model({}, files=[named, own])[0]


def test_the_line_names_each_file_that_had_a_say() -> None:
    model = Layer(name="a", values={"MINI_AGENT_MODEL": "openai/m"})
    assert (
        "由 MINI_AGENT_MODEL 选定；a 里有 MINI_AGENT_MODEL；b 里有 OPENAI_API_KEY"
        in create_model({}, files=[model, Layer(name="b", values={"OPENAI_API_KEY": KEY})])[0]
    )
    assert (
        "选了 openai，却没有设置 OPENAI_API_KEY；a 里有 MINI_AGENT_MODEL"
        in create_model({}, files=[model])[0]
    )


def test_the_strongest_wins_also_with_nothing() -> None:
    weak = Layer(name="weak", values={"OPENAI_API_KEY": KEY})
    settings = settings_of({}, [Layer(name="strong", values={"OPENAI_API_KEY": ""}), weak])
    assert settings.get("OPENAI_API_KEY") == ""
    assert KEY not in repr(settings)
