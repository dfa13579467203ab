"""No control character of a stranger's text reaches the screen: all places where there is any."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from mini_agent.cli.assembly import ChosenModel, CliDeps, assemble
from mini_agent.cli.describe import describe_actions, describe_end, describe_run, describe_waiting
from mini_agent.cli.session_options import announce, describe_sessions, open_session
from mini_agent.extensions.loader import LoadedFile, Sources
from mini_agent.messages import AssistantMessage, TextContent, ThinkingContent, ToolCall
from mini_agent.render import warn
from mini_agent.runs.approvals import Action, Approval
from mini_agent.runs.loop import RunConfig
from mini_agent.runs.plan import TaskPlan
from mini_agent.runs.state import AgentState, Decision, Effect, RunStatus
from mini_agent.runs.user_input import UserInputAnswer
from mini_agent.scripted_model import create_scripted_model
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.folder import session_path
from mini_agent.sessions.session import Session
from mini_agent.shell import run_shell
from mini_agent.tools.workspace import Workspace

from tests.steps.step09.support import START, new_state, request
from tests.steps.step09.test_processes import Place
from tests.steps.step11.support import step

EVIL = "坏\x1b[2J\x9b1m\u202e\x07\r\x7f\x08字"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

EXTENSION = f"""
EVIL = {EVIL!r}

def setup(api):
    from mini_agent.extensions.events import TurnEnd

    async def say(argument):
        return EVIL

    async def fail(event):
        raise ValueError(EVIL)

    api.notify(EVIL)
    api.command("say", say, summary=EVIL)
    api.command("fail", fail, summary=EVIL)
    api.on(TurnEnd, fail)
"""

CALLS = (
    ToolCall(id=EVIL, name=EVIL, arguments={EVIL: EVIL}),
    ToolCall(id="2", name="read", arguments={"path": EVIL}),
    ToolCall(id="3", name="bash", arguments={"command": "cat < evil; cat < evil >&2; exit 3"}),
    ToolCall(id="4", name="write", arguments={"path": "new", "content": EVIL}),
    ToolCall(
        id="5",
        name="edit",
        arguments={"path": "evil", "edits": [{"old_text": EVIL, "new_text": f"{EVIL}!"}]},
    ),
    ToolCall(id="6", name="grep", arguments={"pattern": "坏"}),
    ToolCall(id="7", name="ls", arguments={}),
    ToolCall(id="8", name="read", arguments={}, malformed=EVIL),
    ToolCall(id="9", name="request_user_input", arguments={"question": EVIL, "options": [EVIL]}),
    ToolCall(id="10", name="update_plan", arguments={"reason": EVIL, "steps": EVIL}),
)


def clean(text: str) -> None:
    assert "坏" in text
    assert CONTROL.findall(text) == []


def lines_of(lines: Iterable[str]) -> Callable[[str], str | None]:
    waiting = iter(lines)
    return lambda prompt: next(waiting, None)


@pytest.fixture
def deps(tmp_path: Path) -> CliDeps:
    def no_model() -> ChosenModel:
        raise AssertionError("the shell is given its model")

    return CliDeps(choose=no_model, rules=tmp_path / "rules.json")


def test_a_conversation_and_its_session(
    tmp_path: Path, deps: CliDeps, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place(tmp_path)
    (place.work / "evil").write_text(EVIL)
    (place.work / f"{EVIL}.txt").write_text(EVIL)
    broken = tmp_path / f"{EVIL}.py"
    broken.write_text(f"raise ValueError({EVIL!r})")
    (tmp_path / "fine.py").write_text(EXTENSION)
    session = Session.start(
        FileStore(session_path(place.sessions, "s1")), "s1", working_folder=f"/{EVIL}"
    )
    parts = assemble(
        session,
        Workspace(place.work),
        Sources(
            user_folder=tmp_path / "none",
            project_folder=tmp_path / "none",
            chosen=(broken, tmp_path / "fine.py"),
        ),
        config=RunConfig(model=EVIL),
        deps=deps,
    )
    said = (ThinkingContent(text=EVIL), TextContent(text=EVIL))
    script = [
        AssistantMessage(content=(*said, *CALLS), stop_reason="tool_use"),
        AssistantMessage(content=said, stop_reason="error", error_message=EVIL),
    ]
    run_shell(
        lines_of([EVIL, f"/foo {EVIL}", f"/branch {EVIL}", "/branch", "/help", "/say", "/fail"]),
        create_scripted_model(script),
        conversation=parts.conversation,
        tools=parts.tools,
        surroundings=parts.surroundings,
    )
    told = capsys.readouterr()
    clean(told.out)
    clean(told.err)

    warn(EVIL)
    announce(open_session(session_path(place.sessions, "s1"), read_only=True), warn)
    (place.sessions / f"{EVIL}.jsonl").write_text(EVIL)
    print(describe_sessions(place.sessions))
    for words in (("runs",), ("status", "s1-1"), ("status", "s1-1", "--full"), ("status", EVIL)):
        place.here(*words)
    place.here("cancel", "s1-1", "--reason", EVIL)
    told = capsys.readouterr()
    clean(told.out)
    clean(told.err)


@pytest.mark.parametrize("status", ["running", "waiting", "failed"])
def test_all_that_is_known_about_a_run(status: RunStatus) -> None:
    asked = replace(request(), id=EVIL, question=EVIL, reason=EVIL, options=(EVIL,))
    answer = UserInputAnswer(request_id=EVIL, content=EVIL, received_at=START)
    action = Action(
        call_id=EVIL, tool=EVIL, arguments={EVIL: EVIL}, about=EVIL, digest=EVIL, preview=EVIL
    )
    approval = Approval(
        id=EVIL,
        request_id=EVIL,
        action=action,
        granted=True,
        goal_version=1,
        decided_at=START,
        reason=EVIL,
    )
    state: AgentState = replace(
        new_state(),
        status=status,
        run_id=EVIL,
        goal=EVIL,
        stop_reason=EVIL,
        constraints=(EVIL,),
        plan=TaskPlan(reason=EVIL, steps=(step(EVIL, "done", EVIL, acceptance=EVIL),)),
        pending_decision=EVIL,
        pending_actions=(action,),
        decisions=(Decision(name=EVIL, request=asked, goal_version=1, answer=answer),),
        approvals=(approval,),
        effects=(Effect(id=EVIL, tool=EVIL, about=EVIL, goal_version=1),),
        working_folder=EVIL,
        model=EVIL,
        extensions=(LoadedFile(path=EVIL, digest=EVIL),),
    )
    for pending in (asked, replace(asked, kind="approval"), None):
        shown = replace(state, pending_user_input=pending)
        clean(describe_run(shown, program="x"))
        clean(describe_run(shown, program="x", full=True))
        clean(describe_end(shown, program="x", now=START) or "坏")
        clean(describe_waiting(shown, program="x", in_shell=True) or "坏")
    clean(describe_actions(state))
