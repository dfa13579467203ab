"""`providers.create.create_model`: which model answers, why, and with which key."""

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.provider import KEY, RealModel, Server, environment_for, serving
from conformance.support.subject import Subject
from conformance.support.wire import ANTHROPIC, OPENAI, WIRES, Reply, Wire

pytestmark = read("keys")

CLIENTS = ("httpx2", "httpx", "anthropic", "openai")
"""What is imported only for a real model."""

MALFORMED = {
    "newline": ("\n", "U+000A"),
    "header": ("\r\nX-Evil: 1", "U+000D"),
    "zero width space": ("\u200b", "U+200B"),
    "Chinese": ("密", "U+5BC6"),
    "space": (" ", "U+0020"),
}
"""What may not stand inside of a key, and the code point by which it is named."""


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> Wire:
    """Look at both providers."""
    return WIRES[request.param]


def both(server: Server) -> dict[str, str]:
    """Return an environment in which both providers can be used."""
    return environment_for(ANTHROPIC, server) | environment_for(OPENAI, server)


@pytest.mark.parametrize("blank", ["not set", "", " \n"])
async def test_no_key(subject: Subject, blank: str) -> None:
    """Without a key the fake model answers, by the usual rules, and a line says so.

    A variable that is blank is not set.
    """
    keys = () if blank == "not set" else (ANTHROPIC.key, OPENAI.key)
    real = RealModel(subject, dict.fromkeys(keys, blank))
    rule = next(rule for rule in subject.get("rules.RULES") if rule.match == "你好")
    heard = await real.ask("你好")
    heard.same(heard.trace.text, rule.reply)
    judge.holds(
        "假" in real.choice or "fake" in real.choice.lower(),
        called="create_model of an environment without a key",
        came=real.choice,
        wanted="a line that says that it is the fake model (假模型)",
    )


async def test_key_is_sent(subject: Subject, wire: Wire) -> None:
    """The key goes where the provider looks for it, without the white space around it."""
    with serving(Reply(body=wire.whole)) as server:
        real = RealModel(subject, environment_for(wire, server, key=f"  {KEY} \n"))
        await real.ask()
    expect_sent(server, wire, called=real.called)


def expect_sent(server: Server, wire: Wire, *, called: str) -> None:
    """Fail the check unless there was one request, with the key in its header and nowhere else."""
    came = [wire.key_in(request.headers) for request in server.requests]
    elsewhere = [
        str((it.path, it.body)) for it in server.requests if KEY in str((it.path, it.body))
    ]
    judge.holds(
        came == [KEY] and not elsewhere,
        called=called,
        came=f"keys sent: {came}, elsewhere: {elsewhere}",
        wanted=f"one request, with {KEY} in the header and nowhere else",
    )


@pytest.mark.parametrize("mark", MALFORMED)
def test_malformed_key(subject: Subject, wire: Wire, mark: str) -> None:
    """A key with anything but visible ASCII inside is refused; the text names variable and mark.

    It does not show the key.
    """
    inside, code_point = MALFORMED[mark]
    key = f"sk-planted{inside}-secret"
    called = f"create_model({{{wire.key}: {key!a}}})"
    try:
        choice, _ = subject.get("providers.create.create_model")({wire.key: key})
    except subject.get("providers.settings.BadSetting") as error:
        told = str(error)
    else:
        raise judge.CheckFailed(called=called, came=str(choice), wanted="BadSetting")
    judge.holds(
        wire.key in told and code_point in told and "planted" not in told and "secret" not in told,
        called=called,
        came=f"BadSetting: {told}",
        wanted=f"BadSetting that names {wire.key} and {code_point}, and shows nothing of the key",
    )


async def test_both_keys(subject: Subject) -> None:
    """With both keys and no choice it is Anthropic; the line says which model, and why."""
    with serving(Reply(body=ANTHROPIC.whole)) as server:
        real = RealModel(subject, both(server))
        await real.ask()
    expect_sent(server, ANTHROPIC, called=real.called)
    model = server.requests[0].body.get("model")
    real.holds(
        str(model) in real.choice and ANTHROPIC.key in real.choice,
        came=f"the model {model!r}, and the line: {real.choice}",
        wanted=f"a line that names the model, and {ANTHROPIC.key}",
    )


async def test_chosen_model(subject: Subject, wire: Wire) -> None:
    """`MINI_AGENT_MODEL=provider/model` chooses both, whatever else is set."""
    with serving(Reply(body=wire.whole)) as server:
        chosen = {"MINI_AGENT_MODEL": f"{wire.name}/some/model-1"}
        real = RealModel(subject, both(server) | chosen)
        await real.ask()
    expect_sent(server, wire, called=f"{real.called}; {chosen}")
    model = server.requests[0].body.get("model")
    judge.holds(
        model == "some/model-1" and "some/model-1" in real.choice,
        called=f"{real.called}; {chosen}",
        came=f"the model {model!r}, and the line: {real.choice}",
        wanted="the model 'some/model-1', and a line that names it",
    )


async def test_server_without_a_key(subject: Subject) -> None:
    """With `OPENAI_BASE_URL` alone the model is one of your own, and no key is sent."""
    with serving(Reply(body=OPENAI.whole)) as server:
        real = RealModel(subject, {OPENAI.address: server.address + OPENAI.path})
        await real.ask()
    came = [OPENAI.key_in(request.headers) for request in server.requests]
    real.same(came, [None])


@pytest.mark.program
def test_light_without_a_key(subject: Subject) -> None:
    """Without a key the program loads no HTTP client: it starts as fast as before."""
    came = subject.chat(b"/exit\n", options=("-X", "importtime"))
    imports = [line.rpartition("|")[2].strip() for line in came.stderr.decode().splitlines()]
    loaded = [name for name in CLIENTS if name in imports]
    judge.holds(
        not loaded and "mini_agent" in imports,
        called=came.command,
        came=f"{', '.join(loaded) or 'no package mini_agent'} among {len(imports)} imports",
        wanted=f"none of {', '.join(CLIENTS)}",
    )
