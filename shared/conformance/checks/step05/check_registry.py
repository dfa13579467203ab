"""The tools as the model is told of them, and what becomes of arguments that do not fit."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.history import text_of
from conformance.support.model import Call, Says
from conformance.support.run import NO_TEXTS, Run, ToolUse
from conformance.support.subject import Subject
from conformance.support.workspace import BuiltinTools, ToolAnswer, use

pytestmark = read("registry")

BUILTIN = {"read", "write", "edit", "bash", "ls", "grep", "find"}
CHANGE_SOMETHING = {"write", "edit", "bash"}


class Deep(BaseModel):
    """A part of the arguments."""

    model_config = ConfigDict(extra="forbid")
    name: str


class Wanted(BaseModel):
    """The arguments of the suite's own tool."""

    model_config = ConfigDict(extra="forbid")
    path: str
    limit: int = 1
    parts: tuple[Deep, ...] = ()


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "nothing at all": ({}, "path"),
    "null": ({"path": None}, "path"),
    "a list": ({"path": ["a.txt"]}, "path"),
    "a number for a text": ({"path": 1}, "path"),
    "a text that is no number": ({"path": "a", "limit": "two"}, "limit"),
    "true for a number": ({"path": "a", "limit": True}, "limit"),
    "an object for a list": ({"path": "a", "parts": {}}, "parts"),
    "a wrong part of a list": ({"path": "a", "parts": [{"name": 7}]}, "parts[0].name"),
    "a field that nobody declared": ({"path": "a", "file": "b"}, "file"),
    "a megabyte in the wrong field": ({"path": "a", "limit": "长" * 350_000}, "limit"),
}
"""Arguments, and the field that the answer has to name."""

MANY = {f"{number}{'长' * 50}": "长" * 50 for number in range(100)}
"""A hundred fields that nobody declared."""


class Recorder:
    """A tool that remembers what it was run with."""

    def __init__(self, subject: Subject, answer: Any = "好") -> None:
        self._subject = subject
        self._answer = answer
        self.ran_with: list[Any] = []
        self.tool = subject.get("tools.tool.Tool")(
            name="it", description="记下来", parameters=Wanted, execute=self._execute
        )
        self.registry = subject.get("tools.registry.Registry")([self.tool])

    async def call(self, arguments: dict[str, Any]) -> ToolAnswer:
        """Call it through a registry."""
        return await use(self._subject, self.registry, "it", arguments)

    async def _execute(self, args: Any, /, *, signal: Any, on_update: Callable[[str], None]) -> Any:
        self.ran_with.append(args)
        return self._answer


def test_specs(subject: Subject, tmp_path: Path) -> None:
    """The model is told of each tool: its name, what it does, and a JSON schema of its arguments.

    The schema is an object that allows no other fields and describes each of its own.
    """
    specs = BuiltinTools(subject, tmp_path).registry.specs
    for spec in specs:
        schema = json.loads(json.dumps(spec.parameters, allow_nan=False))
        fields = schema.get("properties", {})
        judge.holds(
            spec.description
            and schema.get("type") == "object"
            and schema.get("additionalProperties") is False
            and fields
            and all(field.get("description") for field in fields.values()),
            called=f"Registry(create_builtin_tools(workspace)).specs: {spec.name}",
            came=f"{spec.description!r}, {schema}",
            wanted="a description, and a schema: an object, no additional properties, "
            "a description for each property",
        )
    names = [spec.name for spec in specs]
    judge.holds(
        set(names) == BUILTIN and len(names) == len(BUILTIN),
        called="the names in Registry(create_builtin_tools(workspace)).specs",
        came=names,
        wanted=", ".join(sorted(BUILTIN)),
    )


def test_sequential(subject: Subject, tmp_path: Path) -> None:
    """Tools that change something run one by one; those that only look may run together."""
    came = BuiltinTools(subject, tmp_path).registry.toolset.sequential
    called = "sorted(Registry(create_builtin_tools(workspace)).toolset.sequential)"
    judge.same(sorted(came), sorted(CHANGE_SOMETHING), called=called)


def test_two_of_a_name(subject: Subject) -> None:
    """Two tools of the same name are a mistake of whoever made the registry, and refused."""
    tool = Recorder(subject).tool
    judge.refused(
        lambda: subject.get("tools.registry.Registry")([tool, tool]),
        called="Registry([tool, tool])",
    )


async def test_unknown_tool(subject: Subject, tmp_path: Path) -> None:
    """A tool that is not there is an error for the model, which says those that are."""
    told = await BuiltinTools(subject, tmp_path).use("serch", pattern="x")
    told.holds(
        told.is_error and all(name in told.text for name in BUILTIN),
        wanted=f"an error that names {', '.join(sorted(BUILTIN))}",
    )


@read("arguments")
@pytest.mark.parametrize("name", BAD)
async def test_bad_arguments(subject: Subject, name: str) -> None:
    """Arguments that do not fit never reach the tool; the model reads which field is wrong."""
    arguments, field = BAD[name]
    recorder = Recorder(subject)
    told = await recorder.call(arguments)
    told.holds(
        recorder.ran_with == [] and told.is_error and field in told.text,
        came=f"run with {recorder.ran_with!r}"[:300] if recorder.ran_with else None,
        wanted=f"a tool that is not run, and an error that names {field}",
    )


@read("arguments")
@pytest.mark.parametrize("arguments", [BAD["a megabyte in the wrong field"][0], MANY])
async def test_complaints_are_short(subject: Subject, arguments: dict[str, Any]) -> None:
    """However long wrong arguments are, the model is told about them in less than 1,000 bytes."""
    told = await Recorder(subject).call(arguments)
    size = len(told.text.encode())
    told.holds(
        told.is_error and 0 < size < 1000, came=f"{size} bytes", wanted="less than 1,000 bytes"
    )


@read("arguments")
async def test_texts_for_what_they_say(subject: Subject) -> None:
    """Where a number or a list is wanted, a text that says one will do: "500" for 500."""
    arguments = {"path": "500", "limit": "500", "parts": '[{"name": "a"}]'}
    recorder = Recorder(subject)
    told = await recorder.call(arguments)
    wanted = Wanted(path="500", limit=500, parts=(Deep(name="a"),))
    told.holds(
        recorder.ran_with == [wanted],
        came=recorder.ran_with or None,
        wanted=f"the tool, run with {wanted!r}",
    )


async def test_arguments_stay(subject: Subject) -> None:
    """What the model sent stays in the history as it was, whatever it was taken for."""
    arguments = {"path": "a", "limit": "500", "parts": [{"name": "a"}]}
    recorder = Recorder(subject)
    call = subject.get("messages.ToolCall")(id="t1", name="it", arguments=deepcopy(arguments))
    signal = subject.get("abort.AbortSignal")()
    await recorder.registry.execute(call, signal=signal, on_update=lambda text: None)
    judge.same(
        call.arguments,
        arguments,
        called=f"registry.execute(it: {arguments}), then the arguments of the call",
    )


async def answered(subject: Subject, answer: Any) -> tuple[Run, Any]:
    """Let the model call a tool of a registry that returns this; return the run and the result."""
    registry = Recorder(subject, answer).registry

    def through_the_registry(use: ToolUse) -> Any:
        return registry.execute(use.call, signal=use.signal, on_update=use.on_update)

    call = Call("t1", "it", {"path": "a"})
    run = Run(subject, Says(call), Says("好"), tools={"it": through_the_registry})
    run.called = f"{run.called}; the tool of a Registry returns {answer!a}"
    await run.play()
    run.expect_whole(reason="completed")
    return run, run.results[0]


@pytest.mark.parametrize("name", NO_TEXTS)
async def test_no_text(subject: Subject, name: str) -> None:
    """A tool that returns something else than text costs its call an error that names the type."""
    run, result = await answered(subject, NO_TEXTS[name])
    wanted = type(NO_TEXTS[name]).__name__
    run.holds(
        result.is_error and wanted in text_of(result), wanted=f"an error that contains {wanted!r}"
    )


async def test_half_a_character(subject: Subject) -> None:
    """Half of a character becomes U+FFFD on its way through a registry, too."""
    run, result = await answered(subject, "半个\ud83d")
    run.same(ascii((text_of(result), result.is_error)), ascii(("半个\ufffd", False)))
