"""Files that may choose the model: none that merely lies in the folder that was entered."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from conformance.support.chapters import read
from conformance.support.process import lines_of
from conformance.support.provider import KEY, Server, environment_for, serving
from conformance.support.subject import Subject
from conformance.support.transcript import EXIT
from conformance.support.wire import ANTHROPIC, OPENAI, Reply
from lab.programs import Finished

pytestmark = [read("settings"), pytest.mark.program]

NOTHING_SET = dict.fromkeys(
    (
        *(ANTHROPIC.key, ANTHROPIC.address, OPENAI.key, OPENAI.address),
        "MINI_AGENT_MODEL",
    )
)
"""An environment that says nothing about a model."""


@dataclass(frozen=True)
class Folder:
    """A folder that a user has entered, with a `.env` in it, and his own settings elsewhere."""

    subject: Subject
    folder: Path
    server: Server

    def write(self, name: str, model: str) -> None:
        """Write a file that leads to the server, and to this model on it."""
        lines = {**environment_for(OPENAI, self.server), "MINI_AGENT_MODEL": f"openai/{model}"}
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"export {name}={value}\n" for name, value in lines.items())
        file.write_text(text, encoding="utf-8")

    def enter(self, *arguments: str, **environment: str) -> Finished:
        """Run the program in there, and say a line to it."""
        work, config = self.folder / "work", str(self.folder / "config")
        return self.subject.chat_in(
            work,
            lines_of(["你好", EXIT]),
            arguments=arguments,
            environment={**NOTHING_SET, "XDG_CONFIG_HOME": config, **environment},
        )

    def expect(self, came: Finished, *, model: str, named: str) -> None:
        """Fail the check unless `model` has answered, and the program has said who chose it."""
        asked = {request.body.get("model") for request in self.server.requests}
        keys = {OPENAI.key_in(request.headers) for request in self.server.requests}
        where = next((line for line in came.stdout.decode().splitlines() if model in line), "")
        self.subject.holds(
            (asked, keys) == ({model}, {KEY}) and named in where,
            came,
            wanted=f"requests for {model!r} alone, with the key; a line that says {model!r} and "
            f"{named!r}. Models that were asked for: {sorted(map(str, asked))}",
        )


@pytest.fixture
def entered(subject: Subject, tmp_path: Path) -> Iterator[Folder]:
    """Enter a folder with a `.env` in it, and with modules that nobody shall import."""
    with serving(Reply(body=OPENAI.whole)) as server:
        folder = Folder(subject, tmp_path, server)
        folder.write("work/.env", "of-the-folder")
        for name in ("anyio", "dotenv", "httpx2", "pydantic"):
            stranger = tmp_path / "work" / f"{name}.py"
            stranger.write_text("raise SystemExit('a module of the folder was run')", "utf-8")
        yield folder


def test_entered_folder_decides_nothing(entered: Folder) -> None:
    """`.env` of the working folder is not read; a line on stderr names it, and the way to trust."""
    came = entered.enter()
    told = [line for line in came.stderr.decode().splitlines() if ".env" in line]
    entered.subject.holds(
        not entered.server.requests and len(told) == 1 and "--trust-project" in told[0],
        came,
        wanted="no request to the server that .env names; one line on standard error with "
        f".env and --trust-project. Requests: {len(entered.server.requests)}",
    )


def test_trusted_folder(entered: Folder) -> None:
    """With `--trust-project` it is read, and stronger than the user's own file."""
    entered.write("config/mini-agent/.env", "his-own")
    entered.expect(entered.enter("--trust-project"), model="of-the-folder", named=".env")


def test_named_file(entered: Folder) -> None:
    """A file that is named with `--env-file` is read, and stronger than a trusted project's."""
    entered.write("work/settings", "named")
    came = entered.enter("--trust-project", "--env-file", "settings")
    entered.expect(came, model="named", named="settings")


def test_own_file(entered: Folder) -> None:
    """The user's own `.env` in the config folder is always read; the environment is stronger."""
    entered.write("config/mini-agent/.env", "his-own")
    came = entered.enter(MINI_AGENT_MODEL="openai/of-the-environment")
    own = entered.folder / "config" / "mini-agent" / ".env"
    entered.expect(came, model="of-the-environment", named=str(own))


def test_missing_file(entered: Folder) -> None:
    """A file that is named and cannot be read ends the program with exit 2, and is named."""
    came = entered.enter("--env-file", "nowhere")
    entered.subject.holds(
        came.exit_code == 2 and b"nowhere" in came.stderr and not entered.server.requests,
        came,
        wanted="exit code 2, and the name of the file on standard error",
    )
