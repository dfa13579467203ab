"""The options that say which extensions to load."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from ..extensions.loader import Sources, project_folder, user_folder


def add_extension_options(parser: ArgumentParser) -> None:
    """Add the options of this step. None of them given: the user's own extensions."""
    parser.add_argument(
        "--extension",
        action="append",
        default=[],
        type=Path,
        metavar="PATH",
        help="加载这个扩展（一个 .py 文件）；可以写多次",
    )
    parser.add_argument(
        "--trust-project",
        action="store_true",
        help="信任这个文件夹：它带来的也算数，包括扩展（.mini-agent/extensions），它们能做你能做的一切",
    )


def sources_of(options: Namespace) -> Sources:
    """Return where to look for extensions: what the user said, and the usual places."""
    return Sources(
        user_folder=user_folder(os.environ, Path.home()),
        project_folder=project_folder(Path.cwd()),
        trust_project=options.trust_project,
        chosen=tuple(options.extension),
    )
