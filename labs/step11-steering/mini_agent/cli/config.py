"""What the user has set for good: `config.toml` in his config folder. Every other place wins.

Not here: what the settings mean (`providers/settings.py`, `providers/model.py`).
"""

import os
import re
import tomllib
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import get_args

from ..extensions.loader import Sources, user_folder
from ..providers.model import read_model, read_number
from ..providers.settings import PROVIDERS, BadSetting, Layer, Settings, choose, settings_of
from ..runs.policy import Mode
from ..text import one_line
from .extension_options import sources_of
from .model_options import environment_of, files_of

VARIABLES: Mapping[str, str] = MappingProxyType(
    {
        "model": "MINI_AGENT_MODEL",
        "effort": "MINI_AGENT_EFFORT",
        "max_tokens": "MINI_AGENT_MAX_TOKENS",
        "temperature": "MINI_AGENT_TEMPERATURE",
        "timeout": "MINI_AGENT_TIMEOUT",
    }
)
"""The keys about the model, and the variables that say the same."""

TEXTS = ("model", "effort")
"""Those whose value is a text. The others are numbers."""

LIST, PERMISSIONS = "extensions", "permissions"

ORDER = "先看命令行，再看环境变量、--env-file、信任的项目的 .env、自己的 .env，最后看 config.toml。"
NOT_SET, IS_SET = "（没有设置）", "（已设置，不显示）"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What stands in the file. By default nothing."""

    layer: Layer = field(default_factory=lambda: Layer(name="", values={}))
    """The keys about the model, as variables."""

    extensions: tuple[Path, ...] = ()
    mode: Mode | None = None
    """What to ask about, where no run says it."""


def config_file(environment: Mapping[str, str], home: Path) -> Path:
    """Return the file, beside the user's extensions: by default in ~/.config/mini-agent."""
    return user_folder(environment, home).parent / "config.toml"


def read_config(file: Path) -> Config:
    """Return what stands in `file`, which need not exist.

    Raises:
        BadSetting: it cannot be read, or holds a key or a value that cannot be meant.
    """
    name = one_line(str(file))
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8-sig"))
        values = {
            VARIABLES[key]: _checked(key, table.pop(key)) for key in [*table] if key in VARIABLES
        }
        extensions = _paths(table.pop(LIST, []), file.parent)
        mode = _mode(table.pop(PERMISSIONS, None))
    except FileNotFoundError:
        return Config()
    except OSError as error:
        raise BadSetting(f"读不了 {name}：{error.strerror}") from None
    except UnicodeDecodeError:
        raise BadSetting(f"{name} 不是 UTF-8 文本") from None
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(f"{name} 不是 TOML：{one_line(str(error))}") from None
    except BadSetting as problem:
        raise BadSetting(f"{name}：{problem}") from None
    if table:
        known = "、".join([*VARIABLES, LIST, PERMISSIONS])
        raise BadSetting(f"{name}：没有 {one_line(next(iter(table)))} 这一项，只有 {known}")
    return Config(layer=Layer(name=name, values=values), extensions=extensions, mode=mode)


def _checked(key: str, value: object) -> str:
    """Return a value as its variable would have it, if it is one that can be used."""
    if key in TEXTS and not isinstance(value, str):
        raise BadSetting(f"{key} 要是一段文字，写在引号里")
    if key not in TEXTS and (not isinstance(value, (int, float)) or isinstance(value, bool)):
        raise BadSetting(f"{key} 要是一个数，不加引号")
    settings = Settings(layers=(Layer(name="", values={VARIABLES[key]: str(value)}),))
    try:
        choose(settings)
        read_model(settings, provider="", name="")
        read_number(settings, VARIABLES["timeout"], least=1)
    except BadSetting as problem:
        raise BadSetting(str(problem).replace(VARIABLES[key], key)) from None
    return str(value)


def _paths(value: object, folder: Path) -> tuple[Path, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise BadSetting(f'{LIST} 要是一列文件名，例如 {LIST} = ["~/gate.py"]')
    return tuple(folder / Path(each).expanduser() for each in value)


def _mode(value: object) -> Mode | None:
    for mode in get_args(Mode):
        if value == mode:
            return mode  # type: ignore[no-any-return]  # one of them
    if value is not None:
        raise BadSetting(f"{PERMISSIONS} 只能是 {'、'.join(get_args(Mode))}")
    return None


def layers_of(
    options: Namespace, config: Config, *, notify: Callable[[str], None]
) -> tuple[Layer, ...]:
    """Return what files say about the model, the strongest first; see `files_of`."""
    return (*files_of(options, notify=notify), config.layer)


def sources_with(config: Config, options: Namespace) -> Sources:
    """Return where to look for extensions: where it is usual, and what is set for good."""
    sources = sources_of(options)
    return replace(sources, chosen=(*config.extensions, *sources.chosen))


def show_config(options: Namespace, *, notify: Callable[[str], None]) -> int:
    """Print each setting and where it comes from; return the exit code: 2 if one is of no use."""
    file = config_file(os.environ, Path.home())
    problems = []
    config, settings = Config(), settings_of(os.environ)
    try:
        config = read_config(file)
    except BadSetting as problem:
        problems.append(str(problem))
    try:
        settings = settings_of(environment_of(options), layers_of(options, config, notify=notify))
        chosen = choose(settings)
        read_model(settings, provider="", name="")
        print(f"模型：{one_line(chosen.model) or '按剧本回答的假模型'}（{one_line(chosen.why)}）")
    except BadSetting as problem:
        problems.append(str(problem))
    rows = [*_rows(options, settings), *_rows_of_file(config, file)]
    width = max(len(name) for name, *_ in rows)
    for name, value, where in rows:
        print(f"{name:<{width}}  {one_line(value)}{f'  {one_line(where)}' if where else ''}")
    print(ORDER)
    for text in problems:
        notify(text)
    return 2 if problems else 0


def _rows(options: Namespace, settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Yield name, value and place of each variable. Keys are not shown."""
    said = {"model": options.model, "effort": options.effort}
    for key, variable in VARIABLES.items():
        where = f"--{key}" if said.get(key) is not None else _where(variable, settings)
        yield key, settings.get(variable) or NOT_SET, where
    for provider in PROVIDERS:
        address = re.sub("//[^/@]*@", "//", settings.get(provider.base_url))
        yield provider.base_url, address or NOT_SET, _where(provider.base_url, settings)
        shown = IS_SET if settings.get(provider.api_key) else NOT_SET
        yield provider.api_key, shown, _where(provider.api_key, settings)


def _rows_of_file(config: Config, file: Path) -> Iterator[tuple[str, str, str]]:
    names = "、".join(str(path) for path in config.extensions)
    yield LIST, names or NOT_SET, str(file) if names else ""
    yield PERMISSIONS, config.mode or NOT_SET, str(file) if config.mode else ""
    yield "config.toml", str(file), "" if file.exists() else "（没有这个文件）"


def _where(variable: str, settings: Settings) -> str:
    layer = settings.layer_of(variable)
    if layer is None or not settings.get(variable):
        return ""
    return layer.name or f"环境变量 {variable}"
