"""The seven tools that come with the harness, as the model is told of them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from ..abort import AbortSignal
from ..results import ToolOutput
from .bash import BashArgs, create_bash
from .edit import EditArgs, edit
from .read import ReadArgs, read
from .search import FindArgs, GrepArgs, LsArgs, find, grep, ls
from .tool import Args, Tool, in_thread
from .workspace import Workspace
from .write import WriteArgs, write

WorkOnFiles: TypeAlias = Callable[[Workspace, Args, AbortSignal], ToolOutput]
"""What a tool does in the files of a workspace; it blocks."""

READ = """\
读取 UTF-8 文本文件。一次最多 2000 行或 50 KB；没读完时，结果里会写明怎样继续。"""

WRITE = """\
写入整个文件：新建，或覆盖原有的内容；缺少的文件夹会建好。只改一部分用 edit。"""

EDIT = """\
替换文本文件里的若干处，其余的字节一个不动，换行符照文件原样。先用 read 读到原文再改。
每处的原文都要照抄，并且只出现一次；有一处不成，就全都不改。"""

BASH = """\
用 bash 执行一条命令，返回输出（太长时只有结尾）和退出码。没有标准输入，也没有终端。
每条命令都在工作区里、从一个新的 shell 开始：cd 和变量不会留到下一条。
命令一结束，它放到后台的进程也会被结束。"""

LS = """\
列出一个文件夹里的全部内容，包括隐藏的。名字后面的 / 表示文件夹，@ 表示链接。"""

GREP = """\
在文件里逐行搜索，结果写作「路径:行号: 内容」。跳过二进制文件和 .gitignore 排除的文件。"""

FIND = """\
按名字找文件和文件夹。跳过 .gitignore 排除的。"""


def create_builtin_tools(workspace: Workspace) -> tuple[Tool[Any], ...]:
    """Return all of them, for one workspace."""

    def work_on_files(
        name: str, description: str, parameters: type[Args], function: WorkOnFiles[Args]
    ) -> Tool[Args]:
        execute = in_thread(partial(function, workspace))
        return Tool(name=name, description=description, parameters=parameters, execute=execute)

    def only_look(
        name: str, description: str, parameters: type[Args], function: WorkOnFiles[Args]
    ) -> Tool[Args]:
        return replace(work_on_files(name, description, parameters, function), read_only=True)

    return (
        only_look("read", READ, ReadArgs, read),
        work_on_files("write", WRITE, WriteArgs, write),
        work_on_files("edit", EDIT, EditArgs, edit),
        Tool(name="bash", description=BASH, parameters=BashArgs, execute=create_bash(workspace)),
        only_look("ls", LS, LsArgs, ls),
        only_look("grep", GREP, GrepArgs, grep),
        only_look("find", FIND, FindArgs, find),
    )
