"""Patterns that a model or a folder brings along: regular expressions, globs, ignore rules.

All of them run on RE2, in time linear in the text, and other threads go on meanwhile.
Python's `re` tries one way after the other, which for `(a+)+$` may take for ever, and
nothing in the program can interrupt it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Protocol

from ..results import ToolError
from .limits import short

MAX_PATTERN = 4096
"""Characters: as many as a path may have (PATH_MAX of Linux)."""

MAX_BATCH = 4096
"""Bytes of globs that become one pattern: RE2 refuses one that takes more than 8 MiB."""

GLOB_TOKEN = re.compile(rb"\*+|\\.|\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^]\\])*\]|.", re.DOTALL)
"""What a glob is made of: stars, an escaped byte, a set such as `[!a-z]`, any other byte."""


class Regex(Protocol):
    """A compiled regular expression, of RE2 as of `re`."""

    def search(self, text: bytes, pos: int, /) -> re.Match[bytes] | None:
        """Return the first match from `pos` on."""


def compile_regex(source: str, *, ignore_case: bool, literal: bool) -> Regex:
    """Return a pattern for bytes, to be searched for in many lines at once.

    `^` and `$` are the ends of a line, and no match goes beyond a line.

    Raises:
        ToolError: it is no regular expression, or one that asks for what RE2 does not have.
    """
    re2, options = _re2()
    options.never_nl = True
    options.case_sensitive = not ignore_case
    options.literal = literal
    data = _encode(source, kind="正则表达式")
    try:
        pattern: Regex = re2.compile(data if literal else b"(?m)" + data, options)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace").replace("(?m)", "", 1)
        raise ToolError(
            f"正则表达式不对：{short(reason)}。"
            f"不支持环视和反向引用；要找普通的文本，用 literal=true。"
        ) from None
    return pattern


def compile_glob(glob: str) -> Callable[[str], bool]:
    """Return whether a relative path matches; a glob without a slash is about the name only.

    Raises:
        ToolError: it is too long, or a set in it is none.
    """
    if glob == "*":  # the usual one, and it need not cost anything
        return lambda path: True
    re2, options = _re2()
    try:
        pattern = re2.compile(_glob_to_regex(_encode(glob, kind="通配符")), options)
    except re2.error:
        raise ToolError(f"通配符不对：{short(glob)}。") from None
    return lambda path: pattern.fullmatch(path.encode(errors="replace")) is not None


class IgnoreRules:
    """The rules of one ignore file, which are globs: https://git-scm.com/docs/gitignore."""

    def __init__(self, text: str) -> None:
        """Take the rules from `text`. What git would pass over, we do, too."""
        rules = [rule for line in text.split("\n") if (rule := _ignore_rule(line)) is not None]
        self._batches = [_Batch(batch) for batch in _in_batches(rules)]

    def verdict(self, path: str) -> bool | None:
        """Tell whether a path is ignored; None: no rule says. That of a folder ends with "/"."""
        data = path.encode(errors="replace")
        verdicts = (batch.verdict(data) for batch in reversed(self._batches))
        return next((verdict for verdict in verdicts if verdict is not None), None)


class _Batch:
    """Some rules that are looked at together; the last one that matches has the last word."""

    def __init__(self, rules: Sequence[tuple[bytes, bool]]) -> None:
        re2, options = _re2()
        self._set = re2.Set.FullMatchSet(options)
        self._verdicts: list[bool] = []
        for regex, is_ignored in rules:
            with suppress(re2.error):  # no set that there can be, such as [z-a]
                self._set.Add(regex)
                self._verdicts.append(is_ignored)
        self._set.Compile()

    def verdict(self, path: bytes) -> bool | None:
        matching = self._set.Match(path)
        return self._verdicts[max(matching)] if matching else None


def _in_batches(rules: Sequence[tuple[bytes, bool]]) -> Iterator[list[tuple[bytes, bool]]]:
    batch: list[tuple[bytes, bool]] = []
    size = 0
    for rule in rules:
        if batch and size + len(rule[0]) > MAX_BATCH:
            yield batch
            batch, size = [], 0
        batch.append(rule)
        size += len(rule[0])
    if batch:
        yield batch


def _ignore_rule(line: str) -> tuple[bytes, bool] | None:
    """Return a line as a regular expression, and whether what matches is ignored."""
    if len(line) > MAX_PATTERN or line.startswith("#"):
        return None
    rule = line.removesuffix("\r").rstrip(" ")
    rule += " " * (rule.endswith("\\") and len(line) > len(rule))  # "\ " is a space that counts
    glob = rule.removeprefix("!").removesuffix("/").encode(errors="replace")
    end = b"/" if rule.endswith("/") else b"/?"  # only a folder, or a file as well
    return (_glob_to_regex(glob) + end, not rule.startswith("!")) if glob else None


def _glob_to_regex(glob: bytes) -> bytes:
    """Return the regular expression of a glob; `**` is any number of folders, or none."""
    *folders, name = glob.removeprefix(b"/").split(b"/") if b"/" in glob else [b"**", glob]
    above = [b"(?:[^/]+/)*" if part == b"**" else _part_to_regex(part) + b"/" for part in folders]
    return b"".join([*above, b"(?s:.+)" if name == b"**" else _part_to_regex(name)])


def _part_to_regex(part: bytes) -> bytes:
    if not part.strip(b"*"):
        return b"[^/]+"  # a name has at least one character
    return b"".join(_token_to_regex(token) for token in GLOB_TOKEN.findall(part))


def _token_to_regex(token: bytes) -> bytes:
    if token.startswith(b"*"):
        return b"[^/]*"
    if token == b"?":
        return b"[^/]"
    if token.startswith(b"\\") and len(token) > 1:
        return re.escape(token[1:])
    if len(token) == 1:
        return re.escape(token)
    negated = token[1:2] in (b"!", b"^")
    members = re.findall(rb"\[:[a-z]+:\]|\\.|.", token[1 + negated : -1], re.DOTALL)
    return b"[" + b"^/" * negated + b"".join(map(_member_to_regex, members)) + b"]"


def _member_to_regex(member: bytes) -> bytes:
    """Return a part of a set: a class, an escaped byte, or a byte, `-` of a range included."""
    if member.startswith(b"[:"):
        return member
    return re.escape(member.removeprefix(b"\\")) if member not in (b"-", b"\\") else member


def _re2() -> tuple[Any, Any]:
    """Return the module, which is in C++ and not to be had on every system, and usual options."""
    try:
        import re2  # noqa: PLC0415  # most turns do not need it
    except ImportError:
        raise ToolError("没有安装 google-re2，不能按模式查找。请用 bash。") from None
    options = re2.Options()
    options.log_errors = False  # else it prints them
    return re2, options


def _encode(source: str, *, kind: str) -> bytes:
    if len(source) > MAX_PATTERN:
        raise ToolError(f"{kind}太长：最多 {MAX_PATTERN} 个字符。")
    return source.encode(errors="replace")
