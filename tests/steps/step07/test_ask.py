"""Asking the user from inside an extension: the time that he takes counts for nobody."""

import time

import anyio
from mini_agent.extensions.api import Api
from mini_agent.extensions.events import BeforeCall, Block

from tests.steps.step07.extensions import Harness, Setup
from tests.steps.step07.support import Run, call, says


def asking() -> Setup:
    def setup(api: Api) -> None:
        async def gate(event: BeforeCall) -> object:
            answer = api.ask("可以吗？")
            await anyio.lowlevel.checkpoint()  # where a limit would strike
            return None if answer == "y" else Block("没有同意")

        api.on(BeforeCall, gate)

    return setup


async def test_a_gate_can_ask_and_the_answer_decides() -> None:
    asked: list[str] = []
    answers = ["y", "n", None]

    def ask(question: str) -> str | None:
        asked.append(question)
        return answers.pop(0)

    harness = Harness(ask=ask, a=asking())
    script = says(call("t1"), call("t2"), call("t3")), says("好")
    run = await Run(*script, hooks=harness.hooks()).whole()
    assert asked == ["可以吗？"] * 3
    assert run.tools.ran == ["t1"]


async def test_where_nobody_can_be_asked_there_is_no_answer() -> None:
    run = await Run(says(call("t1")), says("好"), hooks=Harness(a=asking()).hooks()).whole()
    assert run.tools.ran == []


async def test_a_user_may_take_longer_than_an_extension() -> None:
    def ask(question: str) -> str:
        time.sleep(0.6)  # it is the blocking that is tested: longer than the limit
        return "y"

    harness = Harness(limit=0.5, ask=ask, a=asking())
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert run.tools.ran == ["t1"]
    assert harness.told == []


def test_a_question_outside_of_a_run_is_possible_too() -> None:
    answers: list[str | None] = []
    Harness(ask=lambda question: "y", a=lambda api: answers.append(api.ask("好吗？")))
    assert answers == ["y"]
