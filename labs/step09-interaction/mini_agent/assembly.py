"""Put together what both the shell and the commands work with."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass

from .clock_and_ids import NewId, Now, random_id, utc_now
from .commands import BUILTIN
from .extension_loader import Sources, load_extensions
from .extension_options import sources_of
from .extension_record import Host
from .extensions import Extensions
from .fake_model import create_fake_model
from .messages import Context
from .providers.choice import choose
from .providers.create import DOTENV, create_model
from .providers.settings import read_settings
from .render import warn
from .rules import RULES
from .run_tools import run_tool_specs
from .stream import StreamFn
from .system_prompt import SYSTEM_PROMPT
from .tools.builtin import create_builtin_tools
from .tools.registry import Registry
from .tools.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModel:
    """A model, and what to call it."""

    name: str
    """The same for the same model, in every process: a run remembers it."""

    why: str
    """A line for the user."""

    stream: StreamFn


def choose_model() -> ChosenModel:
    """Return the model that the environment chooses.

    Raises:
        BadSetting: a variable is set to what cannot be used.
    """
    delay = 0.04 if sys.stdout.isatty() else 0.0  # nobody watches a pipe
    choice = choose(read_settings(os.environ, DOTENV))
    why, stream = create_model(os.environ, fake=create_fake_model(RULES, delay=delay))
    name = "fake" if choice.provider is None else f"{choice.provider.name}/{choice.model}"
    return ChosenModel(name=name, why=why, stream=stream)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSurroundings:
    """What the commands of runs take from the world outside."""

    choose: Callable[[], ChosenModel] = choose_model
    sources: Callable[[Namespace], Sources] = sources_of
    now: Now = utc_now
    new_id: NewId = random_id
    notify: Callable[[str], None] = warn


def create_extensions(
    workspace: Workspace,
    sources: Sources | None,
    *,
    notify: Callable[[str], None],
    ask: Callable[[str], str | None] | None = None,
) -> Extensions:
    """Return the extensions from `sources`, around the built-in tools; None: there are none."""
    builtin = create_builtin_tools(workspace)
    extensions = Extensions(Host(notify=notify, ask=ask), tools=builtin, commands=BUILTIN)
    if sources is not None:
        load_extensions(extensions, sources)
    return extensions


def context_for(registry: Registry) -> Context:
    """Return what a model knows before the first line: its instructions, and its tools."""
    return Context(system_prompt=SYSTEM_PROMPT, tools=(*registry.specs, *run_tool_specs()))
