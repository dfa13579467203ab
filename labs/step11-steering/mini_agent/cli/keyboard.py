"""What the user types at the terminal: before a question, at one, and while the run works."""

import os
import sys
import termios
from collections.abc import Callable
from select import select

from ..runs.state import AgentState
from ..runs.user_input import Approve, Constraint, Deny, GoalChange, Steering
from .describe import describe_actions
from .verbs import VERBS

CHOICES = "y 这一次 / r 这次运行里都行 / a 在这个文件夹里以后都行 / n 不，后面可以写理由"
QUESTION = "允许吗？[y/r/a/n] "  # short: readline breaks a prompt that is wider than the terminal

TYPED_AHEAD = "（提问之前输入的，没有当作回答：{text}）"


def take_typed_ahead() -> str:
    """Return what the terminal holds that nobody has read yet; now it is gone.

    Whole lines and half ones alike. "" if standard input is no terminal: what a file or a pipe
    holds was not typed at all.
    """
    if not sys.stdin.isatty():
        return ""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    at_once = termios.tcgetattr(terminal)
    at_once[3] &= ~termios.ICANON  # else a line without its end would stay hidden
    at_once[6][termios.VMIN], at_once[6][termios.VTIME] = 0, 0
    taken = b""
    termios.tcsetattr(terminal, termios.TCSANOW, at_once)
    try:
        while select([terminal], [], [], 0)[0] and (more := os.read(terminal, 4096)):
            taken += more
    finally:
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
    return taken.decode(errors="replace").strip()


def take_typed_lines() -> list[str]:
    """Return the lines that were typed to the end and that nobody has read yet.

    What was pasted at a prompt comes in one piece, and its lines end as the key says: with CR.
    """
    typed = b""
    if sys.stdin.isatty():
        terminal = sys.stdin.fileno()
        while select([terminal], [], [], 0)[0] and (line := os.read(terminal, 4096)):
            typed += line
    lines = typed.decode(errors="replace").replace("\r", "\n").split("\n")
    return [line.strip() for line in lines if line.strip()]


def drop_typed_ahead(notify: Callable[[str], None]) -> None:
    """Make sure that the next line is typed after now; what was typed before is shown again."""
    if text := take_typed_ahead():
        notify(TYPED_AHEAD.format(text=text))


def ask_afresh(
    ask: Callable[[str], str | None], notify: Callable[[str], None]
) -> Callable[[str], str | None]:
    """Return what asks in the middle of a turn: only what is typed from then on is an answer."""

    def asked(question: str) -> str | None:
        drop_typed_ahead(notify)
        return ask(question)

    return asked


def ask_in_turn(ask: Callable[[str], str | None]) -> Callable[[AgentState], Approve | Deny | None]:
    """Return what asks the user about a pending approval, all of it, while the turn waits."""

    def ask_user(state: AgentState) -> Approve | Deny | None:
        print(f"{describe_actions(state)}\n{CHOICES}")
        pending = state.pending_user_input
        said: Approve | Deny | None = None
        while pending is not None and said is None:
            text = ask(QUESTION)
            if text is None:
                return None
            said = said_in_turn(text, pending.id)
        return said

    return ask_user


def said_in_turn(text: str, request_id: str) -> Approve | Deny | None:
    """Return what the user says to an approval while the turn waits; None: something else."""
    word, _, reason = text.strip().partition(" ")
    match word.lower():
        case "y" if not reason:
            return Approve(request_id=request_id, in_turn=True)
        case "r" if not reason:
            return Approve(request_id=request_id, scope="run", in_turn=True)
        case "a" if not reason:
            return Approve(request_id=request_id, scope="always", in_turn=True)
        case "n":
            return Deny(request_id=request_id, reason=reason.strip(), in_turn=True)
    return None


def typed_meanwhile(notify: Callable[[str], None]) -> Callable[[], list[Steering]]:
    """Return what reads the lines that the user types while the run works, as what they say."""

    def typed() -> list[Steering]:
        said = []
        for line in take_typed_lines():
            steering = said_meanwhile(line)
            if steering is None:
                notify(f"（运行时不能这样说：{line}；可以写 /goal 目标，或者直接写一条限制）")
            else:
                said.append(steering)
        return said

    return typed


def said_meanwhile(line: str) -> Steering | None:
    """Return what a line says that was typed while the run works; None: it cannot be said then."""
    name, _, text = line.strip().partition(" ")
    if not name.startswith("/"):
        return Constraint(text=line.strip())
    said = VERBS[name[1:]].say("", text.strip()) if name[1:] in ("goal", "constraint") else None
    return said if isinstance(said, Constraint | GoalChange) and text.strip() else None
