"""The toys of this step."""

import pytest
from mini_agent.abort import AbortSignal
from mini_agent.execution import Batch
from mini_agent.messages import message_text
from mini_agent.toy_tools import create_toy_tools
from pydantic import JsonValue

from tests.steps.step04.support import call


async def run(*calls: tuple[str, dict[str, JsonValue]]) -> list[tuple[str, bool]]:
    batch = Batch(
        calls=[call(f"t{n}", name, **arguments) for n, (name, arguments) in enumerate(calls)],
        tools=create_toy_tools(),
        signal=AbortSignal(),
    )
    await batch.run()
    return [(message_text(result), result.is_error) for result in batch.settle(unstarted="")]


async def test_each_toy() -> None:
    assert await run(
        ("weather", {"city": "北京"}),
        ("note", {"text": "买菜"}),
        ("note", {"text": "做饭"}),
        ("wait", {"seconds": 0}),
    ) == [
        ("北京：晴，25 度", False),
        ("第 1 条：买菜", False),
        ("第 2 条：做饭", False),
        ("等了 0 秒。", False),
    ]
    assert set(create_toy_tools().sequential) == {"note"}


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("serch", {}, "没有名为 serch 的工具。现有的工具：weather、note、wait。"),
        ("weather", {"city": "火星"}, "没有「火星」的天气。查得到的城市：北京、上海、广州。"),
        ("weather", {"town": "北京"}, "weather 的参数不对：{'town': '北京'}"),
    ],
)
async def test_what_a_toy_cannot_do(name: str, arguments: dict[str, JsonValue], text: str) -> None:
    assert await run((name, arguments)) == [(text, True)]
