"""What one can do with a conversation besides talking: go back in it, or copy it.

Not here: commands that an extension brings along (step 07).
"""

from dataclasses import dataclass

from ..messages import UserMessage, message_text
from ..sessions.conversation import Conversation
from ..sessions.entries import MessageEntry
from ..sessions.session import Session
from ..text import one_line

USAGE = "/branch N：回到第 N 轮之后；/branch 0：回到开头。"
SHOWN = 40
"""Characters of a line of the user that stand for its turn."""


@dataclass(slots=True, kw_only=True)
class Turn:
    """A line of the user, and all that was said and done about it."""

    number: int
    """From 1, in the order of the file. It stays the same: a file only grows."""

    after: int
    """The turn before this one on its branch; 0: none."""

    text: str

    last_id: str
    """The entry to go on behind."""


def run_command(line: str, conversation: Conversation) -> str | None:
    """Carry out `line` if it is a command, and return what to tell the user; None: it is none.

    Raises:
        SessionError: it could not be stored.
    """
    name, _, argument = line.strip().partition(" ")
    match name:
        case "/branch":
            return branch(conversation, argument.strip())
        case "/fork":
            return fork(conversation)
    return None


def branch(conversation: Conversation, argument: str) -> str:
    """Go on behind an earlier turn, or show which ones there are."""
    turns, current = turns_of(conversation.session)
    if not argument:
        lines = [_describe(turn, current=current) for turn in turns]
        return "\n".join([*lines, USAGE])
    if not argument.isdecimal() or int(argument) > len(turns):
        return f"没有第 {argument} 轮，现在共有 {len(turns)} 轮。{USAGE}"
    number = int(argument)
    conversation.move_to(turns[number - 1].last_id if number else None)
    return f"回到了第 {number} 轮之后，接下来的话另成一支。" if number else "回到了开头。"


def fork(conversation: Conversation) -> str:
    """Go on in a copy of the session, and leave the original as it is."""
    origin = conversation.session.header.id
    conversation.fork()
    return f"已另存为会话 {conversation.session.header.id}，接下来的话写在那里；{origin} 不再改动。"


def turns_of(session: Session) -> tuple[list[Turn], int]:
    """Return the turns on all branches, and the number of the one where the session stands."""
    turns: list[Turn] = []
    turn_of: dict[str | None, int] = {None: 0}
    for entry in session.entries():
        number = turn_of.get(entry.parent_id, 0)
        if isinstance(entry, MessageEntry):
            if isinstance(entry.message, UserMessage):
                text = " ".join(message_text(entry.message).split())[:SHOWN]
                turns.append(Turn(number=len(turns) + 1, after=number, text=text, last_id=entry.id))
                number = len(turns)
            elif number:
                turns[number - 1].last_id = entry.id
        turn_of[entry.id] = number
    return turns, turn_of[session.leaf_id]


def _describe(turn: Turn, *, current: int) -> str:
    mark = "*" if turn.number == current else " "
    origin = "" if turn.after == turn.number - 1 else f"（接在第 {turn.after} 轮之后）"
    return f"{mark} {turn.number}  {one_line(turn.text)}{origin}"
