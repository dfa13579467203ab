"""The commands `/branch` and `/fork`, as the user meets them."""

import pytest
from mini_agent.cli.session_commands import USAGE, run_command
from mini_agent.messages import Context, user_text
from mini_agent.sessions.conversation import Conversation
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore

from tests.steps.step06.support import called, result, said, started


@pytest.fixture
def conversation() -> Conversation:
    session = started(MemoryStore())
    for message in (
        user_text("一"),
        said("壹"),
        user_text("二"),
        called("a"),
        result("a"),
        said("贰"),
    ):
        session.add_message(message)
    return Conversation(session, Context(), notify=print)


def speak(conversation: Conversation, line: str, answer: str) -> None:
    conversation.say(line)
    conversation.context.messages.append(said(answer))
    conversation.store_new()


def test_the_turns_of_one_branch(conversation: Conversation) -> None:
    assert run_command("/branch", conversation) == f"  1  一\n* 2  二\n{USAGE}"


def test_a_line_of_the_user_is_no_command_to_the_terminal(conversation: Conversation) -> None:
    speak(conversation, "\x1b]52;c;cm0=\x07\x9b2J\u202e\x7f三\n行", "叁")
    assert run_command("/branch", conversation) == (
        f"  1  一\n  2  二\n* 3  ␛]52;c;cm0=␇\\x9b2J\\u202e␡三 行\n{USAGE}"
    )


def test_going_on_behind_an_earlier_turn(conversation: Conversation) -> None:
    assert run_command("/branch 1", conversation) == "回到了第 1 轮之后，接下来的话另成一支。"
    assert conversation.context.messages == [user_text("一"), said("壹")]

    speak(conversation, "三", "叁")

    assert run_command("/branch", conversation) == (
        f"  1  一\n  2  二\n* 3  三（接在第 1 轮之后）\n{USAGE}"
    )


def test_going_back_to_the_end_of_another_branch(conversation: Conversation) -> None:
    run_command("/branch 1", conversation)
    speak(conversation, "三", "叁")

    run_command("/branch 2", conversation)

    assert conversation.context.messages[-1] == said("贰")
    assert len(conversation.context.messages) == 6


def test_going_back_to_the_beginning(conversation: Conversation) -> None:
    assert run_command("  /branch  0 ", conversation) == "回到了开头。"
    assert conversation.context.messages == []

    speak(conversation, "新", "好")

    assert run_command("/branch", conversation) == (
        f"  1  一\n  2  二\n* 3  新（接在第 0 轮之后）\n{USAGE}"
    )


@pytest.mark.parametrize("argument", ["3", "-1", "x", "1 2", "²"])
def test_a_turn_that_is_not_there(conversation: Conversation, argument: str) -> None:
    entries = conversation.session.entries()

    told = run_command(f"/branch {argument}", conversation)

    assert told == f"没有第 {argument} 轮，现在共有 2 轮。{USAGE}"
    assert conversation.session.entries() == entries


def test_a_conversation_that_has_not_begun() -> None:
    conversation = Conversation(started(MemoryStore()), Context(), notify=print)

    assert run_command("/branch", conversation) == USAGE


def test_a_fork_goes_on_in_a_session_of_its_own(conversation: Conversation) -> None:
    origin: Session = conversation.session

    told = run_command("/fork", conversation)

    assert conversation.session is not origin
    assert conversation.session.header.forked_from == "s1"
    assert told is not None
    assert conversation.session.header.id in told
    assert conversation.context.messages == origin.messages()


@pytest.mark.parametrize("line", ["你好", "/branches", "/forked", "/help", "branch", "", "/"])
def test_everything_else_is_no_command(conversation: Conversation, line: str) -> None:
    assert run_command(line, conversation) is None
