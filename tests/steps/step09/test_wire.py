"""The same with a real model, over a wire that is played back."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from mini_agent.cli.describe import Exit

from tests.steps.step09.support import ask_call, call
from tests.steps.step09.test_processes import Place


def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]})}\n\n"


def answering(text: str) -> str:
    return chunk({"role": "assistant", "content": text}) + chunk({}, "stop") + "data: [DONE]\n\n"


def calling(name: str, call_id: str, arguments: object) -> str:
    function = {"name": name, "arguments": json.dumps(arguments)}
    calls = [{"index": 0, "id": call_id, "type": "function", "function": function}]
    first = {"role": "assistant", "content": None, "tool_calls": calls}
    return chunk(first) + chunk({}, "tool_calls") + "data: [DONE]\n\n"


@contextmanager
def wire(answers: list[str], requests: list[Any]) -> Iterator[str]:
    left = iter(answers)

    class Player(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            self.wfile.write(next(left).encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # as in the base
            pass

    with HTTPServer(("127.0.0.1", 0), Player) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()


def test_ask_exit_and_answer_with_a_real_model(tmp_path: Path) -> None:
    place = Place(tmp_path)
    look, ask = call("look", "grep", pattern="名字"), ask_call("q")
    answers = [
        calling(look.name, look.id, look.arguments),
        calling(ask.name, ask.id, ask.arguments),
        answering("写好了。"),
    ]
    requests: list[Any] = []
    with wire(answers, requests) as address:
        place.env |= {"OPENAI_BASE_URL": address, "MINI_AGENT_MODEL": "openai/local"}
        child = place.start("run", "整理待办")
        out, err = child.communicate(timeout=30)
        assert child.returncode == Exit.WAITING, out.decode() + err.decode()
        state = place.run()
        assert state.pending_user_input is not None
        assert state.model == "openai/local"
        answer = ("answer", state.run_id, state.pending_user_input.id, "王芳")
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(place.work)
            assert place.here(*answer) == Exit.REFUSED  # here it would be another model
        child = place.start(*answer)
        child.communicate(timeout=30)
        assert child.returncode == Exit.DONE
    assert "request_user_input" in json.dumps(requests[0]["tools"])
    last = requests[2]["messages"][-1]
    assert last["role"] == "user"
    assert "王芳" in json.dumps(last, ensure_ascii=False)
