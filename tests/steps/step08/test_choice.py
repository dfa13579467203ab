"""Which model is chosen, what is said about it, and what is refused at the start."""

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest
from mini_agent.fake_model import FakeRule, create_fake_model
from mini_agent.messages import message_text
from mini_agent.providers.create import create_model
from mini_agent.providers.endpoint import is_local
from mini_agent.providers.settings import BadSetting, read_layer

from .calls import KEY, collect, last
from .conftest import Play
from .stub import Reply
from .wires import answer_wire

FAKE = create_fake_model([FakeRule(reply="我是假的")])

ANTHROPIC = {"ANTHROPIC_API_KEY": KEY}
OPENAI = {"OPENAI_API_KEY": KEY}
LOCAL = {"OPENAI_BASE_URL": "http://localhost:11434/v1"}


@dataclass(frozen=True, kw_only=True)
class Case:
    id: str
    environment: dict[str, str] = field(default_factory=dict)
    file: str = ""
    says: str


NOTHING = (
    "模型：按剧本回答的假模型（没有设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 OPENAI_BASE_URL）"
)
CLAUDE = "模型：claude-sonnet-5-5（来自 api.anthropic.com；设置了 ANTHROPIC_API_KEY）"
GPT = "模型：gpt-5-mini（来自 api.openai.com；设置了 OPENAI_API_KEY）"
GPT_IN_FILE = (
    "模型：gpt-5-mini（来自 api.openai.com；设置了 OPENAI_API_KEY；.env 里有 OPENAI_API_KEY）"
)

CASES = (
    Case(id="nothing", says=NOTHING),
    Case(id="empty", environment={"ANTHROPIC_API_KEY": ""}, says=NOTHING),
    Case(id="blank", environment={"ANTHROPIC_API_KEY": " \t\n"}, says=NOTHING),
    Case(
        id="an-address-alone",
        environment={"ANTHROPIC_BASE_URL": "http://localhost:1"},
        says=NOTHING,
    ),
    Case(id="anthropic", environment=ANTHROPIC, says=CLAUDE),
    Case(id="openai", environment=OPENAI, says=GPT),
    Case(id="both", environment=ANTHROPIC | OPENAI, says=CLAUDE),
    Case(
        id="local",
        environment=LOCAL,
        says="模型：gpt-5-mini（来自 localhost；设置了 OPENAI_BASE_URL）",
    ),
    Case(
        id="local-but-a-key-for-anthropic",
        environment=LOCAL | ANTHROPIC,
        says=CLAUDE,
    ),
    Case(
        id="named",
        environment=ANTHROPIC | OPENAI | {"MINI_AGENT_MODEL": "openai/gpt-5.1"},
        says="模型：gpt-5.1（来自 api.openai.com；由 MINI_AGENT_MODEL 选定）",
    ),
    Case(
        id="named-with-slashes",
        environment=LOCAL | {"MINI_AGENT_MODEL": "openai/meta-llama/Llama-3:8b"},
        says="模型：meta-llama/Llama-3:8b（来自 localhost；由 MINI_AGENT_MODEL 选定）",
    ),
    Case(
        id="named-without-key",
        environment=OPENAI | {"MINI_AGENT_MODEL": "anthropic/claude-x"},
        says="模型：按剧本回答的假模型"
        "（MINI_AGENT_MODEL 选了 anthropic，却没有设置 ANTHROPIC_API_KEY）",
    ),
    Case(
        id="blank-name",
        environment=OPENAI | {"MINI_AGENT_MODEL": "  "},
        says=GPT,
    ),
    Case(
        id="file",
        file=f"# 我的\nexport OPENAI_API_KEY='{KEY}'\nOTHER\n",
        says=GPT_IN_FILE,
    ),
    Case(
        id="file-with-bom",
        file=f"\ufeffOPENAI_API_KEY={KEY}\r\n",
        says=GPT_IN_FILE,
    ),
    Case(
        id="nothing-is-filled-in",
        file=f"OPENAI_API_KEY={KEY}\nMINI_AGENT_MODEL=openai/${{HOME}}\n",
        says="模型：${HOME}（来自 api.openai.com；由 MINI_AGENT_MODEL 选定；"
        ".env 里有 MINI_AGENT_MODEL、OPENAI_API_KEY）",
    ),
    Case(
        id="environment-wins",
        environment={"MINI_AGENT_MODEL": "openai/ours"},
        file=f"OPENAI_API_KEY={KEY}\nMINI_AGENT_MODEL=openai/theirs\n",
        says="模型：ours（来自 api.openai.com；由 MINI_AGENT_MODEL 选定；"
        ".env 里有 OPENAI_API_KEY）",
    ),
    Case(
        id="environment-switches-off",
        environment={"OPENAI_API_KEY": ""},
        file=f"OPENAI_API_KEY={KEY}\n",
        says=NOTHING,
    ),
    Case(
        id="local-address-in-the-file",
        environment=OPENAI,
        file="OPENAI_BASE_URL=http://127.0.0.1:8080/v1/\n",
        says="模型：gpt-5-mini（来自 127.0.0.1；设置了 OPENAI_API_KEY；.env 里有 OPENAI_BASE_URL）",
    ),
    Case(
        id="pair-in-the-file",
        file=f"OPENAI_API_KEY={KEY}\nOPENAI_BASE_URL=https://llm.example/v1\n",
        says="模型：gpt-5-mini（来自 llm.example；设置了 OPENAI_API_KEY；"
        ".env 里有 OPENAI_API_KEY、OPENAI_BASE_URL）",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_choice(tmp_path: Path, case: Case) -> None:
    file = tmp_path / ".env"
    file.write_text(case.file, encoding="utf-8", newline="")
    choice, model = create_model(
        case.environment, files=[read_layer(file, name=".env", own=False)], fake=FAKE
    )
    assert choice == case.says
    assert (model is FAKE) == ("假模型" in choice)


def test_without_rules_of_its_own_the_fake_model_has_the_usual_ones() -> None:
    _, model = create_model({})
    assert message_text(last(anyio.run(collect, model))) != ""


BAD_KEYS = {
    f"{KEY[:7]}\n{KEY[7:]}": "第 8 个字符不能出现在密钥里：U+000A",
    f"{KEY}\r\nX-Evil: 1": "第 18 个字符不能出现在密钥里：U+000D",
    f"{KEY[:3]}\u200b{KEY[3:]}": "第 4 个字符不能出现在密钥里：U+200B ZERO WIDTH SPACE",
    f"{KEY} 用这个": "第 18 个字符不能出现在密钥里：U+0020 SPACE",
    f"{KEY}用这个": "第 18 个字符不能出现在密钥里：U+7528 CJK UNIFIED IDEOGRAPH-7528",
    f"\ufeff{KEY}": "第 1 个字符不能出现在密钥里：U+FEFF ZERO WIDTH NO-BREAK SPACE",
    f"{KEY}\x7f": "第 18 个字符不能出现在密钥里：U+007F",
    f"{KEY}\udcff": "第 18 个字符不能出现在密钥里：U+DCFF",
}


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"])
@pytest.mark.parametrize("key", BAD_KEYS, ids=ascii)
def test_a_key_with_a_wrong_character_is_refused(name: str, key: str) -> None:
    with pytest.raises(BadSetting) as refused:
        create_model({name: key})
    assert str(refused.value) == f"{name} 的{BAD_KEYS[key]}。请重新复制。"


@pytest.mark.parametrize("name", ["ANTHROPIC", "OPENAI"])
def test_white_space_around_a_key_is_dropped(play: Play, name: str) -> None:
    stub = play(Reply(body=answer_wire("anthropic" if name == "ANTHROPIC" else "openai", "好")))
    environment = {f"{name}_API_KEY": f" {KEY}\t\r\n", f"{name}_BASE_URL": f" {stub.address}/ "}
    _, model = create_model(environment)
    assert message_text(last(anyio.run(collect, model))) == "好"
    (request,) = stub.requests
    assert KEY in (request.headers.get("x-api-key"), request.headers.get("authorization", "")[7:])
    assert b"Evil" not in request.raw


def test_a_server_without_a_key_gets_none(play: Play) -> None:
    stub = play(Reply(body=answer_wire("openai", "好")))
    _, model = create_model({"OPENAI_BASE_URL": stub.address})
    assert message_text(last(anyio.run(collect, model))) == "好"
    assert "authorization" not in stub.requests[0].headers


BAD_ADDRESSES = [
    "localhost:11434/v1",
    "ftp://localhost",
    "http://",
    "http://me:secret@localhost",
    "http://localhost:port",
    "http://localhost:99999",
    "http://[::1",
    "http://localhost/v1?key=secret",
    "http://localhost/v1#secret",
    "http://local host/v1",
    "http://localhost\r\nX-Evil: 1",
    "http://本地/v1",
]


@pytest.mark.parametrize("address", BAD_ADDRESSES, ids=ascii)
def test_an_address_that_cannot_be_used_is_refused(address: str) -> None:
    with pytest.raises(BadSetting) as refused:
        create_model({"OPENAI_BASE_URL": address})
    assert str(refused.value).startswith("OPENAI_BASE_URL 不是可用的地址")
    assert "secret" not in str(refused.value)


LOCAL_OR_NOT = {
    "http://localhost:1/v1": True,
    "http://LOCALHOST": True,
    "http://127.0.0.1:8080": True,
    "http://127.8.8.8": True,
    "http://[::1]:8080": True,
    "http://127.evil.example": False,
    "http://localhost.evil.example": False,
    "http://192.168.0.7": False,
    "https://api.openai.com/v1": False,
}


@pytest.mark.parametrize("address", LOCAL_OR_NOT)
def test_what_is_on_this_machine(address: str) -> None:
    assert is_local(address) == LOCAL_OR_NOT[address]


BAD_NAMES = ["gpt-5", "openai/", "/gpt-5", "ollama/llama", KEY, "openai/a\x1bb"]


@pytest.mark.parametrize("name", BAD_NAMES, ids=ascii)
def test_a_name_that_names_no_model_is_refused(name: str) -> None:
    with pytest.raises(BadSetting) as refused:
        create_model(OPENAI | {"MINI_AGENT_MODEL": name})
    assert str(refused.value).startswith("MINI_AGENT_MODEL 要写成")
    assert KEY not in str(refused.value)


def test_certificates_that_cannot_be_read_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
    with pytest.raises(BadSetting, match="SSL_CERT_FILE"):
        create_model(ANTHROPIC)


def test_the_fake_model_needs_no_web_client() -> None:
    script = (
        "import sys; from mini_agent.providers.create import create_model\n"
        "create_model({})\n"
        "print(sorted({'httpx2', 'ssl', 'dotenv'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
