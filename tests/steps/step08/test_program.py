"""The program as its user sees it, with a server behind it that means no good."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import mini_agent
import pytest

from .calls import KEY
from .conftest import Play
from .stub import Reply, Stub
from .wires import (
    CASES,
    ProviderName,
    answer_wire,
    anthropic_wire,
    block_stop,
    call_chunk,
    chunk,
    input_delta,
    message_end,
    message_start,
    openai_wire,
    tool_start,
)

both = pytest.mark.parametrize("provider", ["anthropic", "openai"])
SECRET = "SECRET123"
JSON = {"content-type": "application/json"}
TOLD = json.dumps({"error": {"type": "auth", "message": f"bad key {KEY}!"}}).encode()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder that holds all that the program may write to."""
    for name in ("work", "state", "tmp"):
        (tmp_path / name).mkdir()
    return tmp_path


def environment(home: Path, provider: ProviderName, stub: Stub) -> dict[str, str]:
    """Return an environment with a key, in which nothing else leads anywhere."""
    name = provider.upper()
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "XDG_STATE_HOME": str(home / "state"),
        f"{name}_API_KEY": KEY,
        f"{name}_BASE_URL": stub.address,
    }


def bash_call(provider: ProviderName, command: str) -> bytes:
    arguments = json.dumps({"command": command})
    if provider == "anthropic":
        block = (tool_start(0, "t1", "bash"), input_delta(0, arguments), block_stop(0))
        return anthropic_wire(message_start(), *block, *message_end("tool_use"))
    return openai_wire(call_chunk(0, arguments, "t1", "bash"), chunk(finish="tool_calls"))


@both
def test_the_key_stays_in_its_header(play: Play, home: Path, provider: ProviderName) -> None:
    other = play(Reply(body=answer_wire(provider, "不该到这里")))
    stub = play(
        Reply(status=401, headers={**JSON, "x-echo": KEY}, body=TOLD),
        Reply(status=302, headers={"location": f"{other.address}/?key={KEY}"}),
        *[Reply(status=500, headers={"retry-after": "0"}, body=f"<p>{KEY}</p>".encode())] * 4,
        Reply(headers=JSON, body=TOLD),
        Reply(body=bash_call(provider, "env; cat .env; echo x=$ANTHROPIC_API_KEY$OPENAI_API_KEY")),
        Reply(body=answer_wire(provider, f"看完了 {KEY}")),
    )
    (home / "work" / ".env").write_text(f"KEY={KEY}\n")
    trace = Path(mini_agent.__file__).parent / "examples" / "trace.py"
    words = ("--workspace", str(home / "work"), "--extension", str(trace))
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-m", "mini_agent", *words],
        env={**environment(home, provider, stub), "MINI_AGENT_TRACE": str(home / "trace.jsonl")},
        input="一\n二\n三\n四\n看看环境\n".encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "看完了" in out
    assert f"{provider.upper()}_API_KEY（401）" in out
    assert out.count("出错：") == 4
    assert err.count("秒后再试") == 3
    assert len(stub.requests) == 9
    assert other.requests == []

    assert SECRET not in out + err
    for request in stub.requests:
        assert SECRET not in f"{request.path} {request.body}"
    (home / "work" / ".env").unlink()  # the one place where it stood
    assert "看完了" in (home / "trace.jsonl").read_text()
    for path in home.rglob("*"):
        assert SECRET not in path.name
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux has it")
def test_a_key_from_a_file_is_in_no_environment(play: Play, home: Path) -> None:
    """Not in that of a command, and not in that of our own process, which a command can read."""
    stub = play(
        Reply(body=bash_call("openai", "env; tr '\\0' '\\n' < /proc/$PPID/environ")),
        Reply(body=answer_wire("openai", "看完了")),
    )
    variables = environment(home, "openai", stub)
    own = home / ".config" / "mini-agent" / ".env"
    own.parent.mkdir(parents=True)
    own.write_text(f"OPENAI_API_KEY={variables.pop('OPENAI_API_KEY')}\n")
    subprocess.run(
        [sys.executable, "-m", "mini_agent", "--workspace", str(home / "work")],
        env=variables,
        input="看看环境\n".encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert KEY in stub.requests[1].headers["authorization"]
    told = str(stub.requests[1].body)
    assert told.count("OPENAI_BASE_URL") == 2
    assert SECRET not in told


@both
def test_a_failed_turn_leaves_the_next_one_alone(
    play: Play, home: Path, provider: ProviderName
) -> None:
    first = (CASES / "B5a-error-midstream.sse").read_bytes()
    if provider == "openai":
        first = b'data: {"choices":[{"delta":{"content":"\xe6\x88\x91\xe5\x85\x88"}}]}\n\n'
    stub = play(Reply(body=first), Reply(body=answer_wire(provider, "你好")))
    done = subprocess.run(
        [sys.executable, "-m", "mini_agent", "--workspace", str(home / "work")],
        env=environment(home, provider, stub),
        input="一\n \n二\n".encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    out = done.stdout.decode()
    assert "助手> 我先（出错：" in out
    assert "助手> 你好\n" in out
    assert done.stderr == b""
    said = [message["role"] for message in stub.requests[1].body["messages"]]
    assert [role for role in said if role != "system"] == ["user", "assistant", "user"]


def test_ctrl_c_ends_the_wait_before_another_try(play: Play, home: Path) -> None:
    stub = play(
        Reply(status=429, headers={**JSON, "retry-after": "50"}),
        Reply(body=answer_wire("anthropic", "你好")),
    )
    with subprocess.Popen(
        [sys.executable, "-m", "mini_agent", "--workspace", str(home / "work")],
        env=environment(home, "anthropic", stub),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stderr
        process.stdin.write("一\n二\n".encode())
        process.stdin.flush()
        assert "50 秒后再试" in process.stderr.readline().decode()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, b"")
    assert "（已中止）" in out.decode()
    assert "助手> 你好\n" in out.decode()


@pytest.mark.parametrize("key", [f"{KEY}\u200b", f"{KEY} 用这个", f"{KEY}\r\nX-Evil: 1"], ids=ascii)
def test_a_malformed_key_ends_it_before_it_starts(play: Play, home: Path, key: str) -> None:
    stub = play(Reply(body=answer_wire("anthropic", "不该到这里")))
    done = subprocess.run(
        [sys.executable, "-m", "mini_agent"],
        env={**environment(home, "anthropic", stub), "ANTHROPIC_API_KEY": key},
        cwd=home / "work",
        input="一\n".encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith("ANTHROPIC_API_KEY 的第 ")
    assert len(done.stderr.splitlines()) == 1
    assert SECRET.encode() not in done.stderr
    assert stub.requests == []


def test_a_blank_key_is_no_key(play: Play, home: Path) -> None:
    stub = play(Reply(body=answer_wire("anthropic", "不该到这里")))
    done = subprocess.run(
        [sys.executable, "-m", "mini_agent"],
        env={**environment(home, "anthropic", stub), "ANTHROPIC_API_KEY": " "},
        cwd=home / "work",
        input="你好\n".encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert "假模型" in done.stdout.decode()
    assert (done.stderr, stub.requests) == (b"", [])
