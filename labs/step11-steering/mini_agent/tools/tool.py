"""What a tool is: a name and a schema for the model, a function for the harness.

Not here: who runs it. The registry does, with arguments that it has checked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import ModelSchema

from ..abort import AbortSignal
from ..blocking import run_blocking
from ..messages import ToolSpec
from ..results import ToolOutput


class Arguments(BaseModel):
    """The base of what tools are called with: models are told its schema, calls held to it."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Args = TypeVar("Args", bound=Arguments)
ArgsIn = TypeVar("ArgsIn", bound=Arguments, contravariant=True)


class Execute(Protocol[ArgsIn]):
    """What a tool does; the contract is that of `ToolExecutor`, for one tool."""

    async def __call__(
        self, args: ArgsIn, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> ToolOutput | str | None:
        """Do it once, and return what came out, or raise `ToolError`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[Args]):
    """One thing that the model may ask for."""

    name: str

    description: str
    """For the model: what it does, where it ends, when to take another one."""

    parameters: type[Args]
    """What its arguments look like. The description of each field is for the model."""

    execute: Execute[Args]

    read_only: bool = False
    """It changes nothing anywhere, so it may run beside others."""


def in_thread(function: Callable[[Args, AbortSignal], ToolOutput]) -> Execute[Args]:
    """Return a tool's function that does blocking work in a thread of its own.

    An abort leaves the thread behind; `function` has the signal so that it can stop
    early, and above all not change anything any more.
    """

    async def execute(
        args: Args, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> ToolOutput:
        return await run_blocking(lambda: function(args, signal))

    return execute


def spec_of(tool: Tool[Any]) -> ToolSpec:
    """Return what the model is told about `tool`."""
    schema = tool.parameters.model_json_schema(schema_generator=ForModels)
    return ToolSpec(name=tool.name, description=tool.description, parameters=schema)


class ForModels(GenerateJsonSchema):
    """A schema without titles and docstrings: those are for readers of the code."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Leave out the titles of fields."""
        return False

    def model_schema(self, schema: ModelSchema) -> JsonSchemaValue:
        """Leave out the title and the docstring of a model."""
        told = super().model_schema(schema)
        return {key: told[key] for key in told if key not in ("title", "description")}
