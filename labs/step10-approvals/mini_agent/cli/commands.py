"""The commands that are built in, and the list of all there are.

Not here: how those of extensions are run (`extensions/input.py`).
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..extensions.registry import Extensions
from ..sessions.conversation import Conversation
from ..slash import unknown_command
from .session_commands import run_command
from .usage import describe_usage
from .verbs import SLASH

BUILTIN: Mapping[str, str] = MappingProxyType(
    {
        "help": "列出所有命令",
        "branch": "列出各轮对话；后面写上 N 就回到第 N 轮之后",
        "fork": "把会话另存一份，在那里接着说",
        **SLASH,
        "model": "现在是哪个模型；后面写上名字就换一个，例如 openai/gpt-5-mini",
        "usage": "这次对话用了多少 token",
        "exit": "离开",
    }
)
"""The names that no extension can have, and what these commands do."""


NO_USAGE = "还没有用量：模型没有说。"
RUN_IS_OPEN = "运行还没有结束，不能换分支：先让它做完，或者 /cancel。"


def run_builtin(
    line: str, conversation: Conversation, extensions: Extensions, *, run_is_open: bool
) -> str | None:
    """Carry out `line` if it is a built-in command, and return what to tell the user; else None.

    Those that speak to a run are not among them: `cli/verbs.py` has these. A command that does
    not exist counts as one: it tells the user so.

    Raises:
        SessionError: it could not be stored.
    """
    name, *argument = line.split()
    if name == "/help":
        return help_text(extensions)
    if name == "/branch" and argument and run_is_open:
        return RUN_IS_OPEN
    if name == "/usage":
        return describe_usage(conversation.context.messages) or NO_USAGE
    known = {*BUILTIN, *extensions.commands}
    return unknown_command(line, known) or run_command(line, conversation)


def help_text(extensions: Extensions) -> str:
    """Return a line for each command."""
    known = dict(BUILTIN)
    for command in extensions.commands.values():
        known[command.name] = f"{command.summary}（扩展 {command.extension}）"
    width = max(len(name) for name in known)
    return "\n".join(f"/{name:<{width}}  {what}" for name, what in known.items())
