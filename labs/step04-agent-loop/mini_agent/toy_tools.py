"""Three toys to try the loop with: deterministic, and harmless.

Not here: tools as values with a schema each, and real work (step 05).
"""

import time
from collections.abc import Callable

from .abort import AbortSignal
from .blocking import run_blocking
from .execution import Toolset
from .messages import ToolCall
from .results import ToolError

WEATHER = {"北京": "晴，25 度", "上海": "小雨，22 度", "广州": "多云，30 度"}


def create_toy_tools() -> Toolset:
    """Return all toys, with a fresh notebook among them."""
    notes: list[str] = []

    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        match call.name, call.arguments:
            case "weather", {"city": str(city)}:
                return weather(city)
            case "note", {"text": str(text)}:
                notes.append(text)
                return f"第 {len(notes)} 条：{text}"
            case "wait", {"seconds": int(seconds)}:
                return await run_blocking(lambda: wait(seconds, on_update))
            case "weather" | "note" | "wait", _:
                raise ToolError(f"{call.name} 的参数不对：{call.arguments}")
            case _:
                raise ToolError(f"没有名为 {call.name} 的工具。现有的工具：weather、note、wait。")

    # The order of the notes matters, so no other tool runs beside that one.
    return Toolset(execute=execute, sequential={"note"})


def weather(city: str) -> str:
    """Tell the weather in one of three cities."""
    if city not in WEATHER:
        raise ToolError(f"没有「{city}」的天气。查得到的城市：{'、'.join(WEATHER)}。")
    return f"{city}：{WEATHER[city]}"


def wait(seconds: int, on_update: Callable[[str], None]) -> str:
    """Block for a while, deaf to any abort, and count the seconds."""
    for passed in range(1, seconds + 1):
        time.sleep(1)
        on_update(f"过了 {passed} 秒")
    return f"等了 {seconds} 秒。"
