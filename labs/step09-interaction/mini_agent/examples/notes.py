"""An extension that keeps notes: a command for the user, a tool for the model, one list for both.

The notes live in the session. They are there again when it is resumed, and on another
branch they are others.
"""

from pydantic import Field

from mini_agent.extensions.api import Api
from mini_agent.tools.tool import Arguments, Tool

EMPTY = "还没有笔记。"
TITLE = "笔记共 {count} 条："


class NoteArgs(Arguments):
    """The arguments of the tool `note`."""

    text: str = Field(default="", description="要记下的一条；空着就只是看看")


def setup(api: Api) -> None:
    """Bring along the command `/notes` and the tool `note`."""

    async def notes(text: str) -> str:
        if text:
            api.append_entry(text)
        kept = api.entries()
        lines = [f"{number}. {text}" for number, text in enumerate(kept, start=1)]
        return "\n".join([TITLE.format(count=len(kept)), *lines]) if kept else EMPTY

    async def note(args: NoteArgs, /, **_: object) -> str:
        return await notes(args.text)

    api.command("notes", notes, summary="看笔记；后面写上文字就记一条")
    api.tool(
        Tool(
            name="note",
            description="替用户记一条笔记，并列出全部笔记。用户也看得到它们。",
            parameters=NoteArgs,
            execute=note,
        )
    )
