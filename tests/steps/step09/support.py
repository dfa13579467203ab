"""What these tests share: a clock, ids, tools that remember, and runs built by hand."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from mini_agent.abort import AbortSignal
from mini_agent.agent_events import AgentEnd, AgentEvent
from mini_agent.extensions.api import Api, ExtensionContext
from mini_agent.extensions.events import BeforeCall
from mini_agent.extensions.loader import LoadedFile
from mini_agent.extensions.registry import Extensions
from mini_agent.messages import (
    AssistantMessage,
    Context,
    TextContent,
    ToolCall,
    ToolResultMessage,
    message_text,
)
from mini_agent.runs.ask import create_request_user_input
from mini_agent.runs.events import RunStarted
from mini_agent.runs.log import RunLog, runs_of
from mini_agent.runs.loop import RunConfig, RunDeps
from mini_agent.runs.recovery import settle_open_calls
from mini_agent.runs.reducer import begin
from mini_agent.runs.runner import Runner
from mini_agent.runs.state import AgentState
from mini_agent.runs.user_input import Answer, UserInputRequest
from mini_agent.scripted_model import Response, create_scripted_model
from mini_agent.sessions.conversation import Conversation
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore, SessionStore
from mini_agent.stream import StreamFn
from mini_agent.tools.registry import Registry
from mini_agent.tools.tool import Arguments, Tool
from mini_agent.tools.workspace import Workspace
from pydantic import ConfigDict, JsonValue

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


def answer(name: str = "ask-1", text: str = "王芳") -> Answer:
    return Answer(request_id=name, text=text)


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


LOOK = says(call("look", "read", path="名字.txt"))


class Anything(Arguments):
    """Arguments of which nothing is known."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Tools:
    """Two tools, one that looks and one that changes something, and what was really run."""

    def __init__(self) -> None:
        self.ran: list[Any] = []
        self.act: Callable[[str, dict[str, Any]], Any] = lambda name, arguments: "好了"

    def all(self) -> tuple[Tool[Anything], ...]:
        return tuple(
            Tool(
                name=name,
                description=name,
                parameters=Anything,
                execute=self._executing(name),
                read_only=name == "read",
            )
            for name in ("read", "write")
        )

    def _executing(self, name: str) -> Any:
        async def execute(
            args: Anything, /, *, signal: AbortSignal, on_update: Callable[[str], None]
        ) -> Any:
            if name != "read":
                self.ran.append(args.model_dump())
            result = self.act(name, args.model_dump())
            return await result if hasattr(result, "__await__") else result

        return execute


@dataclass
class Desk:
    """One process after the other, on the same store."""

    store: SessionStore = field(default_factory=MemoryStore)
    tools: Tools = field(default_factory=Tools)
    workspace: Workspace | None = None
    seconds: float = 0
    answer_within: int | None = None
    budget: int = 20
    gate: Callable[[ToolCall], Any] | None = None
    model_name: str = "fake"
    extensions: tuple[LoadedFile, ...] = ()
    force: bool = False
    ended: list[AgentEnd] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    _ids: Any = field(default_factory=count)

    def process(self, model: StreamFn) -> Runner:
        """Open the session as a new process would."""
        config = self.config()
        if self.store.read():
            session = Session.open(self.store, new_id=config.new_id)
        else:
            session = Session.start(self.store, "s", new_id=config.new_id, now=self.now)
        log = RunLog(session, clock=self.now, new_id=config.new_id)
        registry = Registry((*self.tools.all(), *self.run_tools(log)))
        self.notices += settle_open_calls(log, looking={"read"})
        context = Context(tools=registry.specs)
        conversation = Conversation(session, context, notify=self.notices.append)
        extensions = Extensions(ExtensionContext(notify=self.notices.append))
        if self.gate is not None:
            extensions.add("gate", gate_of(self.gate))
        deps = RunDeps(
            model=model,
            extensions=extensions,
            tools=registry.toolset,
            workspace=self.workspace,
        )
        return Runner(conversation, deps=deps, config=config, log=log)

    def config(self) -> RunConfig:
        return RunConfig(
            model=self.model_name,
            extensions=self.extensions,
            budget=self.budget,
            answer_within=self.answer_within,
            force=self.force,
            clock=self.now,
            new_id=lambda: f"{next(self._ids)}",
        )

    def run_tools(self, log: RunLog) -> tuple[Tool[Any], ...]:
        return (create_request_user_input(log, looking={"read"}),)

    def scripted(self, *responses: Response) -> Runner:
        return self.process(create_scripted_model(responses))

    def now(self) -> datetime:
        return at(self.seconds)

    async def work(self, runner: Runner, signal: AbortSignal | None = None) -> AgentState:
        await runner.work(signal=signal or AbortSignal(), show=self.show)
        return runner.log.state

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


def pending_id(state: AgentState) -> str:
    assert state.pending_user_input is not None
    return state.pending_user_input.id


def results(messages: Iterable[Any]) -> dict[str, str]:
    """Return what the model was told about each call."""
    return {m.tool_call_id: message_text(m) for m in messages if isinstance(m, ToolResultMessage)}
