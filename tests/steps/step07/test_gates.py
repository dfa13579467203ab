"""Gates: who may say yes, who may say no, and about which arguments they decide."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from mini_agent.agent_events import AgentEnd, MessageEnd, ToolExecutionEnd
from mini_agent.extensions.api import Api
from mini_agent.extensions.events import AfterMessage, BeforeCall, Block, ChangeArguments, Handled
from mini_agent.extensions.gates import BLOCKED, GATE_FAILED, NEVER_AGREED, NO_REASON
from mini_agent.extensions.handlers import HandlerFailed, call_extension
from mini_agent.extensions.observers import observed
from mini_agent.messages import ToolCall, message_text
from mini_agent.results import NEVER_STARTED
from mini_agent.tools.builtin import create_builtin_tools
from mini_agent.tools.registry import Registry
from mini_agent.tools.workspace import Workspace

from tests.steps.step07.extensions import Harness, answering, listening, raising
from tests.steps.step07.support import Run, call, says


def block_text(name: str, reason: str = NO_REASON) -> str:
    return BLOCKED.format(name=name, reason=reason)


async def test_the_first_no_decides_and_nobody_after_it_is_asked() -> None:
    asked: list[str] = []

    def gate(name: str, answer: object) -> Callable[[Api], object]:
        async def handler(event: BeforeCall) -> object:
            asked.append(name)
            return answer

        return listening(BeforeCall, handler)

    harness = Harness(g1=gate("g1", None), g2=gate("g2", Block("不行")), g3=gate("g3", None))
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert asked == ["g1", "g2"]
    assert run.told[1] == f"error t1: {block_text('g2', '不行')}"
    assert run.blocked == ["t1"]
    assert harness.told == []


@pytest.mark.parametrize("answer", [True, "allow", ChangeArguments, Handled("好")])
async def test_there_is_no_answer_that_means_yes_to_what_another_one_blocks(answer: object) -> None:
    """An odd answer is not taken for consent, before a block or after it."""
    blocks, answers = answering(BeforeCall, Block("不行")), answering(BeforeCall, answer)
    for harness in (
        Harness(g1=blocks, g2=answers),
        Harness(g1=answers, g2=blocks),
        Harness(g1=answers),
    ):
        run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
        assert run.tools.ran == []
        assert run.blocked == ["t1"]


async def test_a_gate_that_raises_blocks_and_the_user_hears_of_it_once() -> None:
    harness = Harness(g1=raising(BeforeCall, ValueError("坏了")))
    script = says(call("t1")), says(call("t2")), says("好")
    run = await Run(*script, hooks=harness.hooks()).whole()
    assert run.told[1] == f"error t1: {GATE_FAILED.format(name='g1')}"
    assert run.tools.ran == []
    assert harness.told == ["（扩展 g1 在 BeforeCall 出错：ValueError: 坏了）"]


async def test_a_gate_that_hangs_blocks_when_its_time_is_up() -> None:
    async def hang(event: BeforeCall) -> None:
        await anyio.sleep_forever()

    harness = Harness(limit=0.01, g1=listening(BeforeCall, hang))
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert run.told[1] == f"error t1: {GATE_FAILED.format(name='g1')}"
    assert harness.told == ["（扩展 g1 在 BeforeCall 出错：超过 0.01 秒没有做完）"]


async def test_a_gate_that_blocks_the_event_loop_for_too_long_has_not_let_the_call_pass() -> None:
    async def block(event: BeforeCall) -> None:
        time.sleep(0.05)  # noqa: ASYNC251  # it is the blocking that is tested

    harness = Harness(limit=0.01, g1=listening(BeforeCall, block))
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert run.tools.ran == []
    assert harness.told == ["（扩展 g1 在 BeforeCall 出错：超过 0.01 秒没有做完）"]


async def test_an_abort_ends_the_wait_for_a_gate_and_the_call_is_never_started() -> None:
    async def hang(event: BeforeCall) -> None:
        await anyio.sleep_forever()

    harness = Harness(limit=60, g1=listening(BeforeCall, hang))
    run = Run(says(call("t1")), says("好"), hooks=harness.hooks(), signal=harness.signal)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(run.whole)
            await wait_all_tasks_blocked()
            harness.signal.abort()
    assert run.told[1] == f"error t1: {NEVER_STARTED}"
    assert run.end == AgentEnd(reason="aborted")
    assert harness.told == []


async def test_a_gate_after_a_message_blocks_all_its_calls() -> None:
    harness = Harness(
        g1=answering(AfterMessage, Block("一次一个")), g2=raising(AfterMessage, ValueError())
    )
    run = await Run(says(call("t1"), call("t2")), says("好"), hooks=harness.hooks()).whole()
    assert run.told[1:3] == [f"error {t}: {block_text('g1', '一次一个')}" for t in ("t1", "t2")]
    assert run.tools.ran == []


async def test_a_gate_that_raises_after_a_message_blocks_all_its_calls() -> None:
    harness = Harness(g1=raising(AfterMessage, ValueError("坏了")))
    run = await Run(says(call("t1"), call("t2")), says("好"), hooks=harness.hooks()).whole()
    assert run.told[1:3] == [f"error {t}: {GATE_FAILED.format(name='g1')}" for t in ("t1", "t2")]
    assert harness.told == ["（扩展 g1 在 AfterMessage 出错：ValueError: 坏了）"]


@pytest.mark.parametrize("answer", [ChangeArguments({}), "不行", True])
async def test_an_answer_that_is_none_to_a_message_blocks_all_its_calls(answer: object) -> None:
    harness = Harness(g1=answering(AfterMessage, answer))
    run = await Run(says(call("t1"), call("t2")), says("好"), hooks=harness.hooks()).whole()
    assert run.told[1:3] == [f"error {t}: {GATE_FAILED.format(name='g1')}" for t in ("t1", "t2")]
    assert run.tools.ran == []


async def test_a_no_is_told_from_a_text_and_from_arguments_that_say_the_same() -> None:
    """A gate says no with a `Block`, whatever its reason; and arguments are never a no."""
    harness = Harness(g1=answering(BeforeCall, Block(" ")))
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert run.told[1] == f"error t1: {block_text('g1', ' ')}"
    harness = Harness(g1=answering(BeforeCall, ChangeArguments({"text": "没有执行"})))
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert run.tools.arguments == [{"text": "没有执行"}]
    assert run.blocked == []


async def test_no_arguments_at_all_are_a_change_too() -> None:
    seen: list[object] = []
    harness = Harness(g1=recording(seen), g2=answering(BeforeCall, ChangeArguments({})))
    run = await Run(says(call("t1", cmd="rm")), says("好"), hooks=harness.hooks()).whole()
    assert seen == [{"cmd": "rm"}, {}]
    assert run.tools.arguments == [{}]


async def test_a_later_gate_can_refuse_what_an_earlier_one_has_changed() -> None:
    async def no_ls(event: BeforeCall) -> object:
        return Block("ls") if event.call.arguments == {"cmd": "ls"} else None

    harness = Harness(g1=changing(lambda a: {"cmd": "ls"}), g2=listening(BeforeCall, no_ls))
    run = await Run(says(call("t1", cmd="rm")), says("好"), hooks=harness.hooks()).whole()
    assert run.told[1] == f"error t1: {block_text('g2', 'ls')}"
    assert run.tools.ran == []


async def test_what_a_change_leaves_of_the_call_is_its_id_and_its_name() -> None:
    harness = Harness(g1=changing(lambda a: {"id": "t9", "name": "other"}))
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert run.told[1].startswith("result t1: （参数被改过，实际执行的是 {")
    assert run.told[1].endswith("}）\necho t1")
    assert run.tools.arguments == [{"id": "t9", "name": "other"}]


# About which arguments they decide.


def changing(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Api], object]:
    """Return a gate that always asks for other arguments."""

    async def handler(event: BeforeCall) -> object:
        return ChangeArguments(change(event.call.arguments))

    return listening(BeforeCall, handler)


def recording(seen: list[object]) -> Callable[[Api], object]:
    async def handler(event: BeforeCall) -> None:
        seen.append(event.call.arguments)

    return listening(BeforeCall, handler)


async def test_a_gate_is_asked_again_when_a_later_one_has_changed_the_arguments() -> None:
    seen: list[object] = []
    harness = Harness(g1=recording(seen), g2=changing(lambda a: {"cmd": "ls"}))
    sent = says(call("t1", cmd="rm"))
    run = await Run(sent, says("好"), hooks=harness.hooks()).whole()
    assert seen == [{"cmd": "rm"}, {"cmd": "ls"}]
    assert run.tools.arguments == [{"cmd": "ls"}]
    assert run.context.messages[1] == sent


async def test_a_gate_can_block_what_a_later_one_has_made_of_the_arguments() -> None:
    async def no_rm(event: BeforeCall) -> object:
        return Block("rm") if event.call.arguments["cmd"] == "rm" else None

    harness = Harness(g1=listening(BeforeCall, no_rm), g2=changing(lambda a: {"cmd": "rm"}))
    run = await Run(says(call("t1", cmd="ls")), says("好"), hooks=harness.hooks()).whole()
    assert run.tools.ran == []
    assert run.told[1] == f"error t1: {block_text('g1', 'rm')}"


async def test_one_that_always_asks_for_the_same_arguments_comes_to_rest() -> None:
    def check(call: ToolCall) -> ToolCall:
        return replace(call, arguments={"limit": 10, **call.arguments})

    harness = Harness(g1=changing(lambda a: {"cmd": "ls"}))
    hooks = harness.hooks(check)
    run = await Run(says(call("t1", cmd="rm")), says("好"), hooks=hooks, check=check).whole()
    assert run.tools.arguments == [{"cmd": "ls", "limit": 10}]


async def test_gates_that_never_agree_block() -> None:
    harness = Harness(g1=changing(lambda a: {"n": a.get("n", 0) + 1}))
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert run.tools.ran == []
    assert run.told[1] == f"error t1: {NEVER_AGREED}"


async def test_changed_arguments_are_checked_before_the_next_gate_sees_them(tmp_path: Path) -> None:
    seen: list[object] = []
    registry = Registry(create_builtin_tools(Workspace(tmp_path)))
    harness = Harness(g1=changing(lambda a: {**a, "limit": "两行"}), g2=recording(seen))
    run = await Run(
        says(call("t1", "read", path="a.txt")),
        says("好"),
        hooks=harness.hooks(registry.prepare),
        check=registry.prepare,
    ).whole()
    assert seen == []
    assert run.tools.ran == []
    assert run.told[1].startswith("error t1: 扩展 g1 改了参数，而改过的不合要求。")
    assert "limit：应为 整数" in run.told[1]
    assert run.blocked == ["t1"]


async def test_gates_see_the_arguments_as_the_tool_will_get_them(tmp_path: Path) -> None:
    seen: list[object] = []
    registry = Registry(create_builtin_tools(Workspace(tmp_path)))
    harness = Harness(g1=recording(seen))
    run = await Run(
        says(call("t1", "read", path="a.txt", limit="5"), call("t2", "read")),
        says("好"),
        hooks=harness.hooks(registry.prepare),
        check=registry.prepare,
    ).whole()
    assert seen == run.tools.arguments == [{"path": "a.txt", "offset": 1, "limit": 5}]
    assert run.blocked == []


async def test_a_gate_gets_a_copy_that_it_may_spoil() -> None:
    async def spoil(event: BeforeCall) -> None:
        event.call.arguments["cmd"] = "rm"
        event.call.arguments["paths"].append("b")

    seen: list[object] = []
    harness = Harness(g1=listening(BeforeCall, spoil), g2=recording(seen))
    sent = says(call("t1", cmd="ls", paths=["a"]))
    run = await Run(sent, says("好"), hooks=harness.hooks()).whole()
    assert seen == run.tools.arguments == [{"cmd": "ls", "paths": ["a"]}]
    assert run.context.messages[1] == says(call("t1", cmd="ls", paths=["a"]))


# Cases from bug reports.


async def test_case_f1_a_raising_guard_fails_closed_and_observers_are_isolated(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    registry = Registry(create_builtin_tools(Workspace(tmp_path)))
    order: list[str] = []

    def observer(name: str, error: Exception | None = None) -> Callable[[Api], object]:
        async def handler(event: object) -> None:
            order.append(f"{name} {type(event).__name__}")
            if error:
                raise error

        def setup(api: Api) -> None:
            for event in (MessageEnd, ToolExecutionEnd, AgentEnd):
                api.on(event, handler)

        return setup

    async def g1(event: BeforeCall) -> None:
        order.append(f"g1 {event.call.name}")
        event.call.arguments["command"] = "ls"
        raise RuntimeError("坏了")

    async def g2(event: BeforeCall) -> object:
        order.append(f"g2 {event.call.name}")
        return Block() if "rm" in str(event.call.arguments) else None

    harness = Harness(
        o1=observer("o1", ValueError("我坏了")),
        g1=listening(BeforeCall, g1),
        g2=listening(BeforeCall, g2),
        o2=observer("o2"),
    )
    run = Run(
        says(call("t1", "bash", command="rm a.txt"), call("t2", "nosuchtool")),
        says("好"),
        hooks=harness.hooks(registry.prepare),
        check=registry.prepare,
    )
    run.generator = observed(run.generator, harness.extensions, signal=run.signal)
    await run.whole()

    assert (tmp_path / "a.txt").exists()
    assert run.tools.ran == []
    failed = GATE_FAILED.format(name="g1")
    assert run.told == [
        "assistant: [t1][t2]",
        f"error t1: {failed}",
        f"error t2: {failed}",
        "assistant: 好",
    ]
    assert order == [
        *("o1 MessageEnd", "o2 MessageEnd", "g1 bash", "g1 nosuchtool"),
        *("o1 ToolExecutionEnd", "o2 ToolExecutionEnd") * 2,
        *("o1 MessageEnd", "o2 MessageEnd", "o1 AgentEnd", "o2 AgentEnd"),
    ]
    assert harness.told == [
        "（扩展 o1 在 MessageEnd 出错：ValueError: 我坏了）",
        "（扩展 g1 在 BeforeCall 出错：RuntimeError: 坏了）",
    ]


@pytest.mark.parametrize(("reason", "told"), [("不允许删除", "不允许删除"), ("", NO_REASON)])
async def test_case_f3_an_allow_never_beats_a_block(tmp_path: Path, reason: str, told: str) -> None:
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    (tmp_path / "b.txt").write_text("b", encoding="utf-8")
    registry = Registry(create_builtin_tools(Workspace(tmp_path)))

    async def g1(event: BeforeCall) -> object:
        return Block(reason) if event.call.name == "bash" else None

    harness = Harness(g1=listening(BeforeCall, g1), g2=answering(BeforeCall, None))
    run = await Run(
        says(
            call("t1", "bash", command="rm a.txt"),
            call("t2", "read", path="b.txt"),
            call("t3", "read", path="/etc/hosts"),
        ),
        says("好"),
        execute=registry.execute,
        check=registry.prepare,
        hooks=harness.hooks(registry.prepare),
    ).whole()
    assert (tmp_path / "a.txt").exists()
    results = [message_text(message) for message in run.context.messages[2:5]]
    assert results[0] == block_text("g1", told)
    assert results[1].startswith("b")
    assert "在工作区之外" in results[2]
    assert [line.split(" ")[0] for line in run.told[1:4]] == ["error", "result", "error"]
    assert run.blocked == ["t1"]


# What a wrong answer looks like from inside.


@pytest.mark.parametrize(
    "answer",
    [
        lambda: Block(7),  # type: ignore[arg-type]  # that is the point
        lambda: ChangeArguments(["rm"]),  # type: ignore[arg-type]
        lambda: ChangeArguments({"n": object()}),  # type: ignore[dict-item]
    ],
)
async def test_an_answer_of_a_wrong_type_is_an_error_of_the_gate(
    answer: Callable[[], object],
) -> None:
    async def gate(event: BeforeCall) -> object:
        return answer()

    harness = Harness(g1=listening(BeforeCall, gate))
    run = await Run(says(call("t1")), says("好"), hooks=harness.hooks()).whole()
    assert run.told[1] == f"error t1: {GATE_FAILED.format(name='g1')}"
    assert len(harness.told) == 1


class Stubborn:
    def __deepcopy__(self, memo: object) -> "Stubborn":
        raise RecursionError("too deep")


async def test_what_cannot_be_copied_is_trouble_of_the_extension_and_not_of_the_run() -> None:
    async def handler(event: object) -> None:
        raise AssertionError("it got no copy")

    with pytest.raises(HandlerFailed, match="RecursionError: too deep"):
        await call_extension(handler, Stubborn())
