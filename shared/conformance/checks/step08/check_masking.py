"""A key that is known shows nowhere, whoever brings it up."""

import json
from pathlib import Path

import pytest

from conformance.support.chapters import read
from conformance.support.process import lines_of
from conformance.support.provider import KEY, RealModel, environment_for, serving
from conformance.support.subject import Subject
from conformance.support.transcript import EXIT
from conformance.support.wire import WIRES, Reply, Wire

pytestmark = read("keys")


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> Wire:
    """Look at both providers."""
    return WIRES[request.param]


def saying(wire: Wire, first: str, second: str) -> bytes:
    """Return the beginning of an answer with these two pieces of text."""
    data = wire.text
    for said, instead in (("我先看看", first), ("待办。", second)):
        data = data.replace(json.dumps(said).encode(), json.dumps(instead).encode())
    return data


async def test_key_in_pieces(subject: Subject, wire: Wire) -> None:
    """A key that the model says is hidden, however it is cut; in the arguments of a call, too."""
    text = saying(wire, f"看，{KEY[:12]}", f"{KEY[12:]} 就是它")
    call = wire.call_with(f'{{"path": "{KEY[:5]}', f'{KEY[5:]}"}}')
    with serving(Reply(body=text + call + wire.end)) as server:
        heard = await RealModel(subject, environment_for(wire, server)).ask()
    heard.holds(
        KEY not in heard.trace.text + repr(heard.message)
        and heard.trace.text.startswith("看，")
        and heard.trace.text.endswith(" 就是它"),
        wanted="what was said, with a mask in place of the key, in the pieces and in the message",
    )


@pytest.mark.program
def test_key_in_a_file(subject: Subject, tmp_path: Path) -> None:
    """A key that a tool has read is not sent, not stored, and not on the screen."""
    wire = WIRES["openai"]
    work, state = tmp_path / "work", tmp_path / "state"
    work.mkdir()
    (work / "todo.txt").write_text(f"A=1\nB={KEY}\nC=3\n", encoding="utf-8")
    with serving(Reply(body=wire.whole), Reply(body=wire.text + wire.stop)) as server:
        came = subject.chat(
            lines_of(["待办", EXIT]),
            arguments=("--workspace", str(work)),
            environment={**environment_for(wire, server), "XDG_STATE_HOME": str(state)},
        )
    stored = "".join(file.read_text(encoding="utf-8") for file in state.rglob("*.jsonl"))
    places = {
        "the second request": str([request.body for request in server.requests[1:]]),
        "the session file": stored,
        "the screen": came.stdout.decode() + came.stderr.decode(),
    }
    shown = [place for place, text in places.items() if KEY in text]
    read_it = all("C=3" in text for text in places.values())
    subject.holds(
        not shown and read_it,
        came,
        wanted="the other lines of the file, and no key, in each of: "
        f"{', '.join(places)}; it was seen in: {', '.join(shown) or 'none'}",
    )
