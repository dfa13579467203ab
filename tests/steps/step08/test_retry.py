"""When there is another try, after how long, and how the user gets to know."""

import time

import pytest
from mini_agent.messages import message_text
from mini_agent.providers.failures import Failure
from mini_agent.providers.retry import BACK_OFF, MAX_WAIT, read_retry_after, wait_before_retry

from .calls import NOON, Clock, collect, last, model_at, notices
from .conftest import Play
from .stub import Reply
from .wires import ProviderName, answer_wire

BUSY = {"content-type": "application/json"}

RETRY_AFTER = {
    "2": 2.0,
    "0": 0.0,
    "1.5": 1.5,
    "60": 60.0,
    "Tue, 14 Nov 2023 22:13:25 GMT": 5.0,
    "Tue, 14 Nov 2023 22:13:25 -0000": 5.0,
    "Tue, 14 Nov 2023 22:00:00 GMT": 0.0,
    "Tuesday, 14-Nov-23 22:13:25 GMT": 5.0,
    "999999": None,
    "Tue, 14 Nov 2033 22:13:25 GMT": None,
    "9" * 5000: None,
    "2abc": BACK_OFF[0],
    "-1": BACK_OFF[0],
    "": BACK_OFF[0],
    "nan": BACK_OFF[0],
    "inf": BACK_OFF[0],
    "1e1": BACK_OFF[0],
    "２": BACK_OFF[0],
    "soon": BACK_OFF[0],
    "Tue, 99 Nov 2023 22:13:25 GMT": BACK_OFF[0],
}
"""What the header says, and the wait that follows. None: too long, no further try."""


@pytest.mark.parametrize("header", RETRY_AFTER, ids=lambda header: header[:30] or "empty")
def test_retry_after(header: str) -> None:
    failure = Failure("太忙", retryable=True, retry_after=header)
    assert wait_before_retry(failure, retries=0, now=NOON) == RETRY_AFTER[header]


def test_a_date_without_a_zone_is_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        assert read_retry_after("Tue, 14 Nov 2023 22:13:25 -0000", now=NOON) == 5.0
    finally:
        monkeypatch.undo()
        time.tzset()


def test_without_a_header_the_wait_grows_until_there_is_no_more() -> None:
    failure = Failure("太忙", retryable=True)
    waits = [wait_before_retry(failure, retries=number, now=NOON) for number in range(5)]
    assert waits == [*BACK_OFF, None, None]
    assert max(BACK_OFF) <= MAX_WAIT


def test_what_cannot_pass_gets_no_further_try() -> None:
    assert wait_before_retry(Failure("不行"), retries=0, now=NOON) is None


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
async def test_the_server_is_given_the_time_it_asks_for(
    play: Play, clock: Clock, provider: ProviderName
) -> None:
    date = "Tue, 14 Nov 2023 22:13:25 GMT"
    stub = play(
        Reply(status=429, headers={**BUSY, "retry-after": "2"}),
        Reply(status=529, headers={**BUSY, "retry-after": date}),
        Reply(status=500, headers=BUSY),
        Reply(body=answer_wire(provider, "你好")),
    )
    events = await collect(model_at(provider, stub.address, clock.timeouts()))
    assert message_text(last(events)) == "你好"
    assert clock.waits == [2.0, 5.0, BACK_OFF[2]]
    assert notices(events) == [
        "请求太频繁（429）（retry-after: 2）。2 秒后再试（1/3）。",
        f"服务器过载（529）（retry-after: {date}）。5 秒后再试（2/3）。",
        "服务器出错（500）。4 秒后再试（3/3）。",
    ]
    bodies = [request.body for request in stub.requests]
    assert bodies == [bodies[0]] * 4


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
async def test_a_wait_that_is_too_long_is_not_waited(
    play: Play, clock: Clock, provider: ProviderName
) -> None:
    stub = play(Reply(status=429, headers={**BUSY, "retry-after": "999999"}))
    message = last(await collect(model_at(provider, stub.address, clock.timeouts())))
    assert "retry-after: 999999" in (message.error_message or "")
    assert (len(stub.requests), clock.waits) == (1, [])
