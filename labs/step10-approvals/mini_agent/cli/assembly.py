"""Put together what both the shell and the commands work with."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..clock import Clock, IdFactory, random_id, utc_now
from ..execution import Toolset
from ..extensions.api import ExtensionContext
from ..extensions.loader import Sources, load_extensions
from ..extensions.registry import Extensions
from ..fake_model import create_fake_model
from ..messages import Context
from ..providers.create import create_model
from ..providers.masking import KeyMask
from ..providers.settings import BadSetting, choose, known_keys, settings_of
from ..render import warn
from ..rules import RULES
from ..runs.ask import create_request_user_input
from ..runs.log import RunLog
from ..runs.loop import RunConfig, RunDeps
from ..runs.policy import BadPolicy, Mode, Policy, read_rules, rules_file
from ..runs.recovery import settle_open_calls
from ..runs.runner import Runner
from ..runs.state import AgentState
from ..runs.user_input import Approve, Deny
from ..sessions.conversation import Conversation
from ..sessions.session import Session
from ..stream import StreamFn
from ..system_prompt import SYSTEM_PROMPT
from ..tool_lines import show_progress
from ..tools.builtin import create_builtin_tools
from ..tools.registry import Registry
from ..tools.workspace import Workspace
from .commands import BUILTIN
from .config import Config, layers_of
from .describe import PROGRAM, program
from .extension_options import sources_of
from .keyboard import ask_in_turn
from .model_options import environment_of
from .output import Output


@contextmanager
def settings_checked() -> Iterator[None]:
    """End the program with exit 2, and say why, if a setting inside cannot be used."""
    try:
        yield
    except (BadSetting, BadPolicy) as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModel:
    """A model, and what to call it."""

    name: str
    """The same for the same model, in every process: a run remembers it."""

    why: str
    """A line for the user."""

    stream: StreamFn
    mask: KeyMask = field(default_factory=KeyMask)
    """Hides the keys that are known."""


def choose_model(options: Namespace, config: Config, name: str | None = None) -> ChosenModel:
    """Return the model `name`, or the one that the environment chooses, or else a file that may.

    Raises:
        BadSetting: a variable is set to what cannot be used, or names a model without a key.
    """
    environment, files = environment_of(options), layers_of(options, config, notify=warn)
    if name is not None:
        environment["MINI_AGENT_MODEL"] = name
    settings = settings_of(environment, files)
    choice = choose(settings)
    if choice.provider is None and settings.get("MINI_AGENT_MODEL"):
        raise BadSetting(choice.why)  # a run must not be done by another one than was named
    delay = 0.04 if sys.stdout.isatty() else 0.0  # nobody watches a pipe
    fake = create_fake_model(RULES, delay=delay)
    why, stream = create_model(environment, files=files, fake=fake)
    name = "fake" if choice.provider is None else f"{choice.provider.name}/{choice.model}"
    return ChosenModel(name=name, why=why, stream=stream, mask=KeyMask(known_keys(settings)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CliDeps:
    """What the program takes from the world outside."""

    choose: Callable[[], ChosenModel]
    choose_named: Callable[[str], ChosenModel] | None = None
    """Chooses another one, in the middle of a conversation."""

    sources: Callable[[Namespace], Sources] = sources_of
    mode: Mode | None = None
    """What to ask about, as the user has set it for good."""

    clock: Clock = utc_now
    new_id: IdFactory = random_id
    notify: Callable[[str], None] = warn
    ask: Callable[[str], str | None] | None = None
    """Asks the user in the middle of a turn. None: there is nobody to ask."""

    at_terminal: bool = field(default_factory=lambda: sys.stdin.isatty() and sys.stdout.isatty())
    """A person has started the program, and sees what it says."""

    rules: Path = field(default_factory=lambda: rules_file(os.environ, Path.home()))
    """The user's permission rules; the file need not exist."""

    output: Output = "screen"
    """What is shown of a run."""

    program: str = field(default_factory=lambda: program(sys.argv[0]))
    """What the user has typed to start it, for the commands that are shown."""


def policy_for(options: Namespace, state: AgentState | None, deps: CliDeps) -> Policy:
    """Return the policy of a run: as the user says now, or as it began, or as is usual with him.

    Raises:
        BadPolicy: the user's rules cannot be read.
    """
    usual: Mode = deps.mode or ("ask" if deps.at_terminal else "yolo")
    mode: Mode = options.mode or (state.mode if state is not None else usual)
    return Policy(mode=mode, rules=read_rules(deps.rules), file=deps.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a conversation takes place in, besides the model and the tools."""

    extensions: Extensions | None = None
    workspace: Workspace | None = None
    config: RunConfig = field(default_factory=RunConfig)

    log: RunLog | None = None
    """That of the session, if a tool writes to it, too."""

    ask_user: Callable[[AgentState], Approve | Deny | None] | None = None
    """See `RunDeps`."""

    at_terminal: bool = True
    """A person sees a question before the next line is written. Otherwise no line can be
    its answer."""

    has_keyboard: bool = False
    """Lines are typed at the terminal of this process, maybe before anybody asks for them."""

    choose_named: Callable[[str], ChosenModel] | None = None
    """Chooses another model. None: this one stays."""

    output: Output = "plain"
    """What is shown of a run."""

    program: str = PROGRAM


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """All that a conversation is held with, but the model."""

    conversation: Conversation
    tools: Toolset
    surroundings: Surroundings


def assemble(
    session: Session, workspace: Workspace, sources: Sources, *, config: RunConfig, deps: CliDeps
) -> Assembly:
    """Put together tools, extensions, log and history of `session`.

    Raises:
        SessionError: what a crash left open could not be recorded.
    """
    log = RunLog(session, clock=config.clock, new_id=config.new_id)
    builtin = create_builtin_tools(workspace)
    extensions = Extensions(
        ExtensionContext(notify=deps.notify, ask=deps.ask), tools=builtin, commands=BUILTIN
    )
    loaded = load_extensions(extensions, sources)
    looking = {tool.name for tool in extensions.tools.values() if tool.read_only}
    ask = create_request_user_input(log, looking=looking)
    registry = Registry({**extensions.tools, ask.name: ask}.values())  # no extension replaces it
    for text in settle_open_calls(log, looking=looking):
        deps.notify(text)
    context = Context(system_prompt=SYSTEM_PROMPT, tools=registry.specs)
    return Assembly(
        conversation=Conversation(session, context, notify=deps.notify),
        tools=registry.toolset,
        surroundings=Surroundings(
            extensions=extensions,
            workspace=workspace,
            config=replace(config, extensions=loaded),
            log=log,
            ask_user=None if deps.ask is None else ask_in_turn(deps.ask),
            at_terminal=deps.ask is not None,
            has_keyboard=deps.at_terminal,
            choose_named=deps.choose_named,
            output=deps.output,
            program=deps.program,
        ),
    )


def create_runner(
    model: StreamFn, conversation: Conversation, tools: Toolset, surroundings: Surroundings
) -> Runner:
    """Return what drives the runs of a conversation. The progress of tools is shown."""
    deps = RunDeps(
        model=model,
        extensions=surroundings.extensions or Extensions(ExtensionContext(notify=warn)),
        tools=replace(tools, on_update=show_progress),
        workspace=surroundings.workspace,
        ask_user=surroundings.ask_user,
    )
    return Runner(conversation, deps=deps, config=surroundings.config, log=surroundings.log)
