"""An extension that only watches, and writes what happens to a file: a line of JSON per event.

The file is named by MINI_AGENT_TRACE; without it nothing is written.
"""

import json
import os
from pathlib import Path

from mini_agent.agent_events import AgentEnd, MessageEnd, ToolExecutionEnd, TurnEnd
from mini_agent.extensions.api import Api
from mini_agent.messages import message_text


def setup(api: Api) -> None:
    """Watch, if there is a file to write to."""
    name = os.environ.get("MINI_AGENT_TRACE")
    if not name:
        return
    path = Path(name)

    async def message(event: MessageEnd) -> None:
        write(path, "message", role=event.message.role, text=message_text(event.message))

    async def tool(event: ToolExecutionEnd) -> None:
        write(
            path,
            "tool",
            name=event.call.name,
            arguments=event.call.arguments,
            blocked=event.blocked,
            is_error=event.result.is_error,
        )

    async def turn(event: TurnEnd) -> None:
        write(path, "turn", stop_reason=event.message.stop_reason, calls=len(event.results))

    async def end(event: AgentEnd) -> None:
        write(path, "end", reason=event.reason, detail=event.detail)

    api.on(MessageEnd, message)
    api.on(ToolExecutionEnd, tool)
    api.on(TurnEnd, turn)
    api.on(AgentEnd, end)


def write(path: Path, event: str, **facts: object) -> None:
    """Add one line to the file."""
    line = json.dumps({"event": event, **facts}, ensure_ascii=False)
    with path.open("a", encoding="utf-8", errors="replace") as file:
        file.write(line + "\n")
