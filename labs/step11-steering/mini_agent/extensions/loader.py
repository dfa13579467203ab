"""Where extensions come from: files that the user has chosen, one extension each.

A file runs with all that the user may do. So what came along with a project is named, and
not run, until the user says that he trusts it.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

from ..errors import FOREIGN_ERRORS
from ..results import describe
from ..text import one_line, replace_surrogates
from .registry import ExtensionError, Extensions

NOT_LOADED = "（扩展 {file} 没有加载：{error}）"
NOT_TRUSTED = "（项目自带的扩展没有加载：{files}。信任这个项目，就加上 --trust-project）"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where to look."""

    user_folder: Path
    """Of the user; all files in it are loaded."""

    project_folder: Path
    """Of the project, which may come from anybody."""

    trust_project: bool = False
    chosen: tuple[Path, ...] = ()
    """Files that the user has named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedFile:
    """An extension that takes part, by place and content: a run that goes on wants the same."""

    path: str
    digest: str


def user_folder(environment: Mapping[str, str], home: Path) -> Path:
    """Return where a user keeps extensions: under the XDG config folder, by default ~/.config."""
    config = Path(environment.get("XDG_CONFIG_HOME", ""))
    if not config.is_absolute():  # unset, or not what the XDG specification allows
        config = home / ".config"
    return config / "mini-agent" / "extensions"


def project_folder(working_folder: Path) -> Path:
    """Return where a project keeps extensions."""
    return working_folder / ".mini-agent" / "extensions"


def load_extensions(extensions: Extensions, sources: Sources) -> tuple[LoadedFile, ...]:
    """Load the user's extensions, then the project's, then those that were named.

    One that cannot be loaded is reported, and the others are loaded all the same: they are
    what is returned.
    """
    notify = extensions.context.notify
    chosen = {path.resolve() for path in sources.chosen}
    in_project = files_in(sources.project_folder, notify)
    of_project = [path for path in in_project if path.resolve() not in chosen]
    if of_project and not sources.trust_project:
        notify(NOT_TRUSTED.format(files="、".join(one_line(path.name) for path in of_project)))
        of_project = []
    loaded: dict[Path, LoadedFile | None] = {}
    for path in (*files_in(sources.user_folder, notify), *of_project, *sources.chosen):
        if path.resolve() not in loaded:
            loaded[path.resolve()] = load_extension(extensions, path)
    return tuple(file for file in loaded.values() if file is not None)


def load_extension(extensions: Extensions, path: Path) -> LoadedFile | None:
    """Load one file; None: it is not loaded, and the user has been told why."""
    try:
        extensions.add(path.stem, setup_of(path))
        content = path.read_bytes()
    except (ExtensionError, OSError) as error:
        extensions.context.notify(
            NOT_LOADED.format(file=one_line(str(path)), error=one_line(str(error)))
        )
        return None
    name = replace_surrogates(str(path.resolve()))
    return LoadedFile(path=name, digest=sha256(content).hexdigest())


def setup_of(path: Path) -> Callable[..., object]:
    """Run the file, and return its function `setup`.

    Raises:
        ExtensionError: it cannot be run, or has none.
    """
    name = f"mini_agent_extension_{path.stem}"
    loader = SourceFileLoader(name, str(path))
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # dataclasses and pydantic look a class's module up there
    try:
        # Not `exec_module`: it would leave a __pycache__ beside the file, and believe an old one.
        exec(loader.source_to_code(loader.get_data(str(path)), str(path)), module.__dict__)
    except FOREIGN_ERRORS as error:  # the border of an extension: the others are still to come
        del sys.modules[name]
        raise ExtensionError(describe(error)) from error
    setup: Callable[..., object] | None = getattr(module, "setup", None)
    if setup is None:
        raise ExtensionError("里面没有函数 setup(api)")
    return setup


def files_in(folder: Path, notify: Callable[[str], None]) -> list[Path]:
    """Return the Python files in `folder`, by name. Those that begin with "_" are no extensions."""
    try:
        files = [path for path in folder.iterdir() if path.suffix == ".py"]
    except FileNotFoundError:
        return []
    except OSError as error:
        notify(NOT_LOADED.format(file=one_line(str(folder)), error=error.strerror))
        return []
    return sorted(path for path in files if not path.name.startswith(("_", ".")))
