"""What is set for good, in `config.toml`: every other place wins, and what is wrong is refused."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from conformance.support.chapters import read
from conformance.support.home import DONE, USAGE, Home, out
from conformance.support.process import HELLO, lines_of
from conformance.support.subject import Subject
from conformance.support.transcript import EXIT

pytestmark = [read("config"), pytest.mark.program, pytest.mark.timeout(60)]

KEY = "sk-0123456789abcdef"
SET = 'model = "openai/of-config"\neffort = "low"\nmax_tokens = 77\n'

WRONG: Mapping[str, tuple[bytes, str]] = {
    "a key that is none": (b"modle = 1", "modle"),
    "another kind of value": (b'timeout = "long"', "timeout"),
    "a value that cannot be": (b'effort = "a lot"', "effort"),
    "no TOML": (b"model =", "config.toml"),
    "no UTF-8": (b"# \xff", "config.toml"),
}
"""What a file may hold, and what has to be named, by what is wrong with it."""


@pytest.fixture
def home(subject: Subject, tmp_path: Path) -> Home:
    """Return a home in which nothing was set yet."""
    home = Home(subject, tmp_path, HELLO)
    home.environment.update({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    return home


def set_for_good(home: Home, text: str | bytes) -> Path:
    """Write the file, and return it."""
    file = home.folder / "config" / "mini-agent" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


@pytest.mark.parametrize(
    ("options", "environment", "wanted"),
    [
        ((), {}, ("openai/of-config", "low", "77")),
        ((), {"MINI_AGENT_MODEL": "openai/of-env"}, ("openai/of-env", "low", "77")),
        (
            ("--model", "openai/of-flag"),
            {"MINI_AGENT_MODEL": "openai/of-env", "MINI_AGENT_EFFORT": "high"},
            ("openai/of-flag", "high", "77"),
        ),
    ],
    ids=["config.toml", "environment", "command line"],
)
def test_the_stronger_place_wins(
    home: Home, options: tuple[str, ...], environment: dict[str, str], wanted: tuple[str, ...]
) -> None:
    """The command line wins over the environment, and that over config.toml, each key by itself."""
    set_for_good(home, SET)
    shown = home.subject.chat(
        arguments=(*options, "config"),
        environment={"MINI_AGENT_MODEL": None, **home.environment, **environment},
    )
    values = {line.split()[0]: line.split()[1] for line in out(shown).splitlines() if " " in line}
    came = tuple(values.get(key) for key in ("model", "effort", "max_tokens"))
    home.holds(came == wanted, shown, wanted=f"model, effort, max_tokens: {', '.join(wanted)}")


def test_says_where_it_comes_from(home: Home) -> None:
    """`config` names the place of each value, and shows no key."""
    file = set_for_good(home, SET)
    shown = home.program("--effort", "high", "config")
    lines = {line.split()[0]: line for line in out(shown).splitlines() if " " in line}
    home.holds(
        "--effort" in lines["effort"]
        and str(file) in lines["max_tokens"]
        and "OPENAI_API_KEY" in lines["OPENAI_API_KEY"]
        and KEY not in out(shown) + shown.stderr.decode(errors="replace")
        and shown.exit_code == DONE,
        shown,
        wanted="the option, the file and the variable behind their values, and no key",
    )


@pytest.mark.parametrize("name", WRONG)
def test_refused(home: Home, name: str) -> None:
    """What cannot be meant is refused with exit 2 before anything is done, by its name."""
    text, named = WRONG[name]
    set_for_good(home, text)
    for ran in (home.program("run", HELLO), home.program(typed=lines_of([HELLO, EXIT]))):
        errors = ran.stderr.decode(errors="replace")
        home.holds(
            ran.exit_code == USAGE and named in errors and "Traceback" not in errors,
            ran,
            wanted=f"exit code {USAGE}, and {named} on standard error",
        )
        home.holds(not list(home.folder.rglob("*.jsonl")), ran, wanted="no session")


def test_another_model(home: Home) -> None:
    """`/model NAME` changes the model, `/model` tells which it is; a bad name changes nothing."""
    said = ["/model openai/other", "/model nonsense", "/model", EXIT]
    ran = home.program(typed=lines_of(said))
    home.holds(
        "模型：openai/other\n" in out(ran) and ran.exit_code == DONE,
        ran,
        wanted="模型：openai/other, behind the name that was refused",
    )
