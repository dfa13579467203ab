"""Options about the model, and which files with settings are read beside them."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from ..extensions.loader import user_folder
from ..providers.settings import Layer, read_layer, sets_one

DOTENV = ".env"
"""In the working folder, if the user trusts it, and beside the user's own extensions."""

NOT_READ = "（没有读这个文件夹的 .env，它可能出自别人之手。信任这个项目，就加上 --trust-project）"


def add_model_options(parser: ArgumentParser) -> None:
    """Add the options of this step."""
    parser.add_argument("--model", metavar="NAME", help="anthropic/模型名 或者 openai/模型名")
    parser.add_argument("--effort", metavar="LEVEL", help="想多少：none、low、medium、high 等")
    parser.add_argument(
        "--env-file",
        type=Path,
        metavar="FILE",
        help="从这个文件读密钥、地址和模型；加上 --trust-project 也读项目自带的 .env",
    )


def environment_of(options: Namespace) -> dict[str, str]:
    """Return the environment, with what the command line says in place of its variables."""
    said = {"MINI_AGENT_MODEL": options.model, "MINI_AGENT_EFFORT": options.effort}
    return {**os.environ, **{name: value for name, value in said.items() if value is not None}}


def files_of(options: Namespace, *, notify: Callable[[str], None]) -> tuple[Layer, ...]:
    """Return what files say about the model, the strongest first.

    The one that the user has named, that of a project that he trusts, and his own. A folder
    that he has merely entered says nothing; what it would have liked to say is mentioned.

    Raises:
        BadSetting: one of them cannot be read.
    """
    named: Path | None = options.env_file
    of_project = Path.cwd() / DOTENV
    own = user_folder(os.environ, Path.home()).parent / DOTENV
    layers = []
    if named is not None:
        layers.append(read_layer(named, name=str(named), own=False, required=True))
    if options.trust_project:
        layers.append(read_layer(of_project, name=DOTENV, own=False))
    elif sets_one(of_project) and (named is None or named.resolve() != of_project.resolve()):
        notify(NOT_READ)
    return (*layers, read_layer(own, name=str(own), own=True))
