"""What these tests share: a clock, ids, tools that remember, and runs built by hand."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from mini_agent.abort import AbortSignal
from mini_agent.agent_events import AgentEnd, AgentEvent
from mini_agent.conversation import Conversation
from mini_agent.execution import Toolset
from mini_agent.extension_answers import Ask
from mini_agent.extension_api import Api
from mini_agent.extension_events import BeforeCall
from mini_agent.extension_record import Host
from mini_agent.extensions import Extensions
from mini_agent.messages import (
    AssistantMessage,
    Context,
    TextContent,
    ToolCall,
    ToolResultMessage,
    ToolSpec,
    message_text,
)
from mini_agent.plan_revision import ProposedStep
from mini_agent.run_events import RunStarted
from mini_agent.run_fold import begin, runs_of
from mini_agent.run_loop import Equipment
from mini_agent.run_state import AgentState
from mini_agent.run_terms import Terms
from mini_agent.run_tools import run_tool_specs
from mini_agent.runner import Runner
from mini_agent.scripted_model import Response, create_scripted_model
from mini_agent.session import Session
from mini_agent.session_store import MemoryStore, SessionStore
from mini_agent.stream import StreamFn
from mini_agent.tools.workspace import Workspace
from mini_agent.user_input import UserInputAnswer, UserInputRequest, UserSteering
from pydantic import JsonValue

START = datetime(2026, 1, 1, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def new_state(*, budget: int = 10, answer_within: int | None = None) -> AgentState:
    event = RunStarted(
        goal="整理待办",
        budget=budget,
        working_folder="/w",
        model="fake",
        answer_within=answer_within,
    )
    return begin("s-1", event, now=START)


def request(name: str = "ask-1", *, expires: float | None = None, **more: Any) -> UserInputRequest:
    return UserInputRequest(
        id=name,
        kind=more.get("kind", "clarification"),
        question="用哪个名字？",
        reason="要写进文件",
        created_at=START,
        expires_at=None if expires is None else at(expires),
    )


def answer(name: str = "ask-1", content: str = "王芳", *, seconds: float = 1) -> UserInputAnswer:
    return UserInputAnswer(request_id=name, content=content, received_at=at(seconds))


def steering(type_: Any, text: str, *, name: str = "in-1", run_id: str = "s-1") -> UserSteering:
    return UserSteering(id=name, run_id=run_id, type=type_, text=text)


def step(name: str, status: Any = "pending", **more: Any) -> ProposedStep:
    acceptance = more.pop("acceptance", "看得到")
    return ProposedStep(id=name, title=name, acceptance=acceptance, status=status, **more)


def call(call_id: str, name: str, **arguments: JsonValue) -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


def ask_call(
    call_id: str = "q", *, decision: str = "名字", checked: tuple[str, ...] = ("look",), **more: str
) -> ToolCall:
    return call(
        call_id,
        "request_user_input",
        question=more.get("question", "用哪个名字？"),
        reason=more.get("reason", "要写进文件"),
        decision=decision,
        changes="implementation",
        checked=list(checked),
    )


def says(*blocks: str | ToolCall) -> AssistantMessage:
    content = tuple(TextContent(text=b) if isinstance(b, str) else b for b in blocks)
    calls = any(isinstance(block, ToolCall) for block in content)
    return AssistantMessage(content=content, stop_reason="tool_use" if calls else "stop")


LOOK = says(call("look", "read", path="a.txt"))


class Tools:
    """Two tools, one that looks and one that changes something, and what was really run."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.act: Callable[[ToolCall], Any] = lambda call: "好了"

    async def __call__(
        self, call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> Any:
        if call.name != "read":
            self.ran.append(call.id)
        result = self.act(call)
        return await result if hasattr(result, "__await__") else result


@dataclass
class Desk:
    """One process after the other, on the same store."""

    store: SessionStore = field(default_factory=MemoryStore)
    tools: Tools = field(default_factory=Tools)
    workspace: Workspace | None = None
    inboxes: Path | None = None
    seconds: float = 0
    answer_within: int | None = None
    budget: int = 20
    gate: Callable[[ToolCall], Any] | None = None
    model_name: str = "fake"
    insist: bool = False
    ended: list[AgentEnd] = field(default_factory=list)
    _ids: Any = field(default_factory=count)
    _started: bool = False

    def process(self, model: StreamFn) -> Runner:
        """Open the session as a new process would."""
        lines = self.store.read()
        new_id = lambda: f"{next(self._ids)}"  # noqa: E731
        if lines:
            session = Session.open(self.store, new_id=new_id)
        else:
            session = Session.start(self.store, "s", new_id=new_id, now=self.now)
        specs = tuple(ToolSpec(name=n, description=n, parameters={}) for n in ("read", "write"))
        conversation = Conversation(
            session, Context(tools=(*specs, *run_tool_specs())), notify=lambda text: None
        )
        extensions = Extensions(Host(notify=lambda text: None))
        if self.gate is not None:
            extensions.add("gate", gate_of(self.gate))
        equipment = Equipment(
            model=model,
            extensions=extensions,
            tools=Toolset(execute=self.tools, sequential=("write",)),
            workspace=self.workspace,
        )
        terms = Terms(
            model=self.model_name,
            budget=self.budget,
            answer_within=self.answer_within,
            insist=self.insist,
            inboxes=self.inboxes,
            now=self.now,
            new_id=new_id,
        )
        return Runner(conversation, equipment=equipment, terms=terms)

    def scripted(self, *responses: Response) -> Runner:
        return self.process(create_scripted_model(responses))

    def now(self) -> datetime:
        return at(self.seconds)

    async def work(self, runner: Runner, signal: AbortSignal | None = None) -> AgentState:
        await runner.work(signal=signal or AbortSignal(), show=self.show)
        return runner.desk.state

    async def show(self, run: AsyncGenerator[AgentEvent, None]) -> AgentEnd:
        async with aclosing(run):
            async for event in run:
                if isinstance(event, AgentEnd):
                    self.ended.append(event)
        return self.ended[-1]

    def folded(self) -> AgentState:
        """Return what the file says, and nothing but the file."""
        state = [*runs_of(Session.open(self.store).entries()).values()][-1]
        assert state is not None
        return state


def gate_of(decide: Callable[[ToolCall], Any]) -> Callable[[Api], None]:
    def setup(api: Api) -> None:
        async def gate(event: BeforeCall) -> object:
            return decide(event.call)

        api.on(BeforeCall, gate)

    return setup


def ask_before_write(call: ToolCall) -> Ask | None:
    return Ask("要改文件") if call.name == "write" else None


def results(messages: Iterable[Any]) -> dict[str, str]:
    """Return what the model was told about each call."""
    return {m.tool_call_id: message_text(m) for m in messages if isinstance(m, ToolResultMessage)}
