"""The history of a run and the record of it never differ, whatever becomes of the run."""

import math
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mini_agent.abort import AbortSignal
from mini_agent.agent_events import AgentEvent, ToolExecutionEnd, ToolExecutionStart
from mini_agent.agent_loop import run_agent_loop
from mini_agent.cli.session_commands import run_command
from mini_agent.execution import ToolExecutor, Toolset
from mini_agent.messages import (
    AssistantMessage,
    Context,
    Message,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    message_text,
    tool_calls,
    user_text,
)
from mini_agent.scripted_model import Response, create_scripted_model
from mini_agent.sessions.conversation import LEFT_OUT, Conversation
from mini_agent.sessions.entries import MessageEntry, SessionError
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.repair import NOT_KEPT, effect_unknown
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore, SessionStore
from mini_agent.shell import run_shell

from tests.steps.step06.support import called, reopened, result, said, started


def conversation_on(session: Session) -> tuple[Conversation, list[str]]:
    """Return a conversation, and the list of what it tells the user."""
    notices: list[str] = []
    return Conversation(session, Context(), notify=notices.append), notices


async def read(call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]) -> str:
    return "ok"


def run_of(
    conversation: Conversation,
    *responses: Response,
    signal: AbortSignal | None = None,
    execute: ToolExecutor = read,
) -> AsyncGenerator[AgentEvent, None]:
    run = run_agent_loop(
        conversation.context,
        model=create_scripted_model(responses),
        tools=Toolset(execute=execute),
        max_turns=5,
        signal=signal,
    )
    return conversation.storing(run)


async def test_each_thing_is_stored_before_the_next_one_happens(store: SessionStore) -> None:
    conversation, _ = conversation_on(started(store))
    calls = called("a", "b")
    at_the_model: list[list[Message]] = []

    def answer(message: AssistantMessage) -> Callable[[Context], AssistantMessage]:
        def respond(context: Context) -> AssistantMessage:
            at_the_model.append(reopened(store).messages())
            return message

        return respond

    conversation.say("读吧")
    assert reopened(store).messages() == [user_text("读吧")]

    async with aclosing(run_of(conversation, answer(calls), answer(said("好")))) as run:
        async for event in run:
            stored = reopened(store).messages()
            if isinstance(event, ToolExecutionStart):
                assert stored == [user_text("读吧"), calls]
            if isinstance(event, ToolExecutionEnd):
                assert stored == [user_text("读吧"), calls, result("a"), result("b")]

    assert at_the_model == [
        [user_text("读吧")],
        [user_text("读吧"), calls, result("a"), result("b")],
    ]
    assert reopened(store).messages() == conversation.context.messages


async def test_a_consumer_that_leaves_early_loses_nothing(store: SessionStore) -> None:
    conversation, _ = conversation_on(started(store))
    conversation.say("读吧")

    async with aclosing(run_of(conversation, called("a", "b"))) as run:
        async for event in run:
            if isinstance(event, ToolExecutionStart):
                break

    stored = reopened(store).messages()
    assert stored == conversation.context.messages
    assert [type(message) for message in stored[2:]] == [ToolResultMessage] * 2


async def test_an_abort_leaves_a_record_that_needs_no_repair(store: SessionStore) -> None:
    conversation, _ = conversation_on(started(store))
    conversation.say("读吧")
    signal = AbortSignal()

    async with aclosing(run_of(conversation, called("a"), signal=signal)) as run:
        async for event in run:
            if isinstance(event, ToolExecutionStart):
                signal.abort()

    again, notices = conversation_on(reopened(store))
    assert again.context.messages == conversation.context.messages
    assert notices == []


async def test_a_cancellation_from_outside_leaves_the_results_behind(store: SessionStore) -> None:
    conversation, _ = conversation_on(started(store))
    conversation.say("读吧")

    with anyio.CancelScope() as scope:

        async def wait(
            call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
        ) -> str:
            scope.cancel()
            await anyio.sleep_forever()
            return "never"

        async with aclosing(run_of(conversation, called("a"), execute=wait)) as run:
            async for _ in run:
                pass

    assert scope.cancelled_caught
    assert len(reopened(store).messages()) == 3
    assert reopened(store).messages() == conversation.context.messages


class FullStore(MemoryStore):
    """A disk that is full while `full` says so."""

    full = False

    def append(self, lines: bytes) -> None:
        if self.full:
            raise SessionError("磁盘满了")
        super().append(lines)


def test_a_line_that_cannot_be_stored_is_not_said() -> None:
    store = FullStore()
    conversation, _ = conversation_on(started(store))
    store.full = True

    with pytest.raises(SessionError, match="满"):
        conversation.say("读吧")

    assert conversation.context.messages == []


async def test_no_tool_runs_whose_call_could_not_be_stored() -> None:
    store = FullStore()
    conversation, _ = conversation_on(started(store))
    conversation.say("读吧")
    store.full = True

    with pytest.raises(SessionError, match="满"):
        async with aclosing(run_of(conversation, called("a"))) as run:
            async for event in run:
                assert not isinstance(event, ToolExecutionStart)
    assert message_text(conversation.context.messages[-1]).startswith("没有执行")

    store.full = False
    conversation.say("再来")  # what was missing goes first

    assert reopened(store).messages() == conversation.context.messages
    assert len(conversation.context.messages) == 4


CRASHED: list[Message] = [user_text("读吧"), called("a", "b"), result("a")]


def test_a_crash_in_the_middle_of_a_batch_is_reported_once(store: SessionStore) -> None:
    session = started(store)
    for message in CRASHED:
        session.add_message(message)
    (call,) = called("b").content
    assert isinstance(call, ToolCall)

    first, notices = conversation_on(reopened(store))
    assert first.context.messages == [*CRASHED, effect_unknown(call)]
    assert len(notices) == 1
    lines = store.read()

    second, notices = conversation_on(reopened(store, "s"))
    assert second.context.messages == first.context.messages
    assert notices == []
    assert store.read() == lines


def test_the_name_of_a_lost_call_is_no_command_to_the_terminal(store: SessionStore) -> None:
    session = started(store)
    session.add_message(call_with(name="\x1b[2J\n你> \u202e"))
    _, notices = conversation_on(reopened(store))
    assert notices == ["（上次中断时 ␛[2J␊你> \\u202e 还没有结果，它的效果未知）"]


def test_what_is_sent_is_repaired_and_the_record_stays(store: SessionStore) -> None:
    session = started(store)
    record: list[Message] = [
        user_text("一"),
        result("stray"),
        called("a"),
        user_text("二"),
        said("好"),
    ]
    for message in record:
        session.add_message(message)
    lines = store.read()
    (call,) = called("a").content
    assert isinstance(call, ToolCall)

    conversation, _ = conversation_on(reopened(store))

    assert conversation.context.messages == [
        user_text("一"),
        called("a"),
        effect_unknown(call),
        user_text("二"),
        said("好"),
    ]
    assert store.read() == lines
    conversation.say("三")
    assert reopened(store).messages() == [*record, user_text("三")]


def test_going_back_shows_the_model_the_other_branch(store: SessionStore) -> None:
    session = started(store)
    first = session.add_message(user_text("一"))
    session.add_message(said("壹"))
    conversation, _ = conversation_on(session)

    conversation.move_to(first.id)
    assert conversation.context.messages == [user_text("一")]
    conversation.say("二")

    assert reopened(store).messages() == [user_text("一"), user_text("二")]


def test_after_a_fork_only_the_copy_grows(store: SessionStore) -> None:
    session = started(store)
    session.add_message(user_text("一"))
    lines = store.read()
    conversation, _ = conversation_on(session)

    conversation.fork()
    conversation.say("二")

    assert conversation.session.header.forked_from == "s1"
    assert conversation.session.messages() == [user_text("一"), user_text("二")]
    conversation.session.close()
    assert session.messages() == [user_text("一")]
    assert store.read() in (lines, [])  # closed: a file store reads no more


def test_a_fork_lets_go_of_the_original(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    origin = started(FileStore(path))
    conversation, _ = conversation_on(origin)
    conversation.say("一")

    conversation.fork()

    FileStore(path).close()  # it can be opened again, although `origin` is still around
    assert origin.messages() == [user_text("一")]
    conversation.session.close()


def test_the_shell_closes_the_session_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    lines = iter(["一", "/fork", "/exit"])
    session = started(FileStore(path))
    conversation, _ = conversation_on(session)
    run_shell(lambda _: next(lines), create_scripted_model([said("壹")]), conversation=conversation)

    for file in tmp_path.glob("*.jsonl"):
        FileStore(file).close()


THOUGHT = ThinkingContent(
    text="先查一查", payload={"signature": "c2ln"}, provider="anthropic", model="claude"
)


async def test_what_a_model_thought_is_kept_and_comes_back(store: SessionStore) -> None:
    conversation, notices = conversation_on(started(store))
    conversation.say("读吧")
    answer = replace(called("a"), content=(THOUGHT, *called("a").content))
    async with aclosing(run_of(conversation, answer, said("好"))) as run:
        async for _ in run:
            pass

    assert reopened(store).messages()[1] == answer
    again, _ = conversation_on(reopened(store))
    assert again.context.messages == conversation.context.messages
    assert notices == []


def deep(levels: int) -> object:
    value: object = "bottom"
    for _ in range(levels):
        value = [value]
    return value


def call_with(**changed: Any) -> AssistantMessage:
    (call,) = called("a").content
    assert isinstance(call, ToolCall)
    return AssistantMessage(content=(replace(call, **changed),), stop_reason="tool_use")


UNSTORABLE = {
    "NaN": call_with(arguments={"n": math.nan}),
    "Infinity": call_with(arguments={"n": [-math.inf]}),
    "half a character in a value": call_with(arguments={"path": "\ud83d"}),
    "half a character in a key": call_with(arguments={"\ud83d": 1}),
    "300 levels": call_with(arguments={"deep": deep(300)}),
    "half a character in malformed arguments": call_with(malformed="\ud83d"),
    "half a character in a name": call_with(name="re\ud83dad"),
    "half a character in an id": call_with(id="t\ud83d"),
    "half a character in a text": said("半个\ud83d"),
    "half a character in a thought": AssistantMessage(
        content=(ThinkingContent(text="\ud83d"), TextContent(text="好"))
    ),
    "NaN in what a provider wants back": AssistantMessage(
        content=(replace(THOUGHT, payload={"n": math.nan}), TextContent(text="好"))
    ),
    "half a character in the name of a model": AssistantMessage(
        content=(replace(THOUGHT, model="\ud83d"), TextContent(text="好"))
    ),
    "half a character in an error": AssistantMessage(
        content=(TextContent(text="好"),), stop_reason="error", error_message="\ud83d"
    ),
}


@pytest.mark.parametrize("name", UNSTORABLE)
async def test_what_cannot_be_stored_costs_a_part_of_itself_and_no_later_line(
    store: SessionStore, name: str
) -> None:
    """Fault 19: one such message, and nothing after it could be stored."""
    conversation, notices = conversation_on(started(store))
    conversation.say("读吧")
    async with aclosing(run_of(conversation, UNSTORABLE[name], said("好"))) as run:
        async for _ in run:
            pass
    conversation.say("还在吗")
    async with aclosing(run_of(conversation, said("在"))) as run:
        async for _ in run:
            pass

    assert set(notices) == {LEFT_OUT}
    stored = reopened(store).messages()
    assert stored == conversation.context.messages
    assert [message_text(message) for message in stored[-2:]] == ["还在吗", "在"]
    again, notices = conversation_on(reopened(store))
    assert again.context.messages == stored
    assert notices == []


async def test_only_what_cannot_be_stored_is_replaced(store: SessionStore) -> None:
    good = ToolCall(id="b", name="read", arguments={"path": "b"})
    bad = ToolCall(id="c", name="read", arguments={"n": math.nan})
    conversation, _ = conversation_on(started(store))
    conversation.say("读吧")
    content = (TextContent(text="半\ud83d"), bad, good)
    async with aclosing(run_of(conversation, AssistantMessage(content=content), said("好"))) as run:
        async for _ in run:
            pass

    answer = reopened(store).messages()[1]
    assert isinstance(answer, AssistantMessage)
    kept = replace(bad, arguments={}, malformed=NOT_KEPT)
    assert answer.content[:2] == (TextContent(text="半\ufffd"), kept)
    assert [call.id for call in tool_calls(answer)] == ["c", "b"]
    assert [m.tool_call_id for m in reopened(store).messages()[2:4]] == ["c", "b"]  # type: ignore[union-attr]  # results, both


@pytest.mark.parametrize("line", ["/branch 0", "/fork"])
def test_what_could_not_be_stored_is_not_forgotten_by_a_command(line: str) -> None:
    store = FullStore()
    conversation, _ = conversation_on(started(store))
    conversation.say("一")
    store.full = True
    conversation.context.messages.append(said("壹"))

    with pytest.raises(SessionError, match="满"):
        run_command(line, conversation)
    assert conversation.context.messages == [user_text("一"), said("壹")]

    store.full = False
    run_command(line, conversation)
    entry = reopened(store).entries()[1]
    assert isinstance(entry, MessageEntry)
    assert entry.message == said("壹")


def test_what_a_context_already_holds_is_kept_and_stored(store: SessionStore) -> None:
    context = Context(messages=[user_text("零"), said("〇")])
    conversation = Conversation(started(store), context, notify=print)
    assert store.read() == []

    conversation.say("一")

    assert context.messages == [user_text("零"), said("〇"), user_text("一")]
    assert reopened(store).messages() == context.messages
