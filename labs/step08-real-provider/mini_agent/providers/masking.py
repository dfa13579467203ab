"""The keys that we know, and no text that shows one: not sent, not kept, not on the screen.

A tool may read the file where a key stands, a server may repeat it, and a model may say it,
in as many pieces as it likes. Not here: a key in another form (in base64, or backwards).
"""

import re
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import fields, is_dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

from ..abort import AbortSignal
from ..errors import FOREIGN_ERRORS
from ..execution import Toolset
from ..messages import AssistantMessage, ContentBlock, ThinkingContent, ToolCall
from ..results import ToolError, ToolOutput, describe
from ..stream import StreamEvent, TextDelta, ThinkingDelta

Value = TypeVar("Value")

MASK = "***（密钥已隐去）"

MIN_KEY = 8
"""Characters. A shorter one (`ollama`) is no secret, and may be a part of any word."""

UNSEEN = dict.fromkeys(
    (
        *(*range(0x21), *range(0x7F, 0xA1), 0xAD, 0x34F, 0x61C, *range(0x180B, 0x180F)),
        *(*range(0x2000, 0x2010), *range(0x2028, 0x2030), *range(0x205F, 0x2070)),
        *(0x3000, *range(0xFE00, 0xFE10), 0xFEFF),
    )
)
"""What does not hide a key by standing in the middle of it: blanks, and what cannot be seen at
all. Each of them stands for None, so that `str.translate` leaves it out."""

DELTAS = (TextDelta, ThinkingDelta)


class KeyMask:
    """Hides some keys wherever they stand. Without keys it changes nothing."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        """Hide `keys`, apart from those that are too short."""
        self._keys = sorted({key for key in keys if len(key) >= MIN_KEY}, key=len, reverse=True)
        unseen = re.escape("".join(map(chr, UNSEEN)))
        begins = {rf"{re.escape(k[0])}[{unseen}]*(?:{re.escape(k[1])}|\Z)" for k in self._keys}
        self._begins = re.compile("|".join(sorted(begins)) or r"(?!)")

    def __bool__(self) -> bool:
        """Tell whether there is anything to hide."""
        return bool(self._keys)

    def begins_in(self, text: str) -> bool:
        """Tell whether a key may begin in `text`, at a glance: most texts need no other look."""
        return self._begins.search(text) is not None

    def hide(self, text: str) -> str:
        """Return `text` with the mask in the place of every key."""
        masked, end = self.split(text)
        return masked + end

    def split(self, text: str) -> tuple[str, str]:
        """Return `text` as `hide` does, but for an end with which a key may have begun.

        That end is the second text. What comes next belongs behind it, and only then can it
        be told.
        """
        if not self.begins_in(text):
            return text, ""
        seen = text.translate(UNSEEN)
        found, begun = self._find(seen)
        if not found and begun == len(seen):
            return text, ""
        places = [place for place, char in enumerate(text) if ord(char) not in UNSEEN]
        parts, done = [], 0
        for start, end in found:
            parts += [text[done : places[start]], MASK]
            done = places[end - 1] + 1
        open_end = places[begun] if begun < len(seen) else len(text)
        return "".join([*parts, text[done:open_end]]), text[open_end:]

    def hide_in(self, value: Value) -> Value:
        """Return `value` with the mask in every text in it, however deep."""
        hidden: Any = value
        match hidden:
            case str():
                hidden = self.hide(hidden)
            case list() | tuple():
                hidden = type(hidden)(self.hide_in(item) for item in hidden)
            case dict():
                hidden = {self.hide_in(k): self.hide_in(v) for k, v in hidden.items()}
            case AssistantMessage():
                hidden = self._hide_in_message(hidden)
            case _ if is_dataclass(hidden) and not isinstance(hidden, type):
                changed = {f.name: self.hide_in(getattr(hidden, f.name)) for f in fields(hidden)}
                hidden = replace(hidden, **changed)
        return hidden  # type: ignore[no-any-return]  # of the same class, part by part

    def _find(self, seen: str) -> tuple[list[tuple[int, int]], int]:
        """Return where keys stand in `seen`, and where its end begins that may become one."""
        found, done = [], 0
        while self._keys:
            starts = [(at, key) for key in self._keys if (at := seen.find(key, done)) >= 0]
            if not starts:
                break
            start, key = min(starts, key=lambda first: first[0])
            done = start + len(key)
            found.append((start, done))
        begun = len(seen)
        for key in self._keys:
            at = seen.find(key[0], max(done, len(seen) - len(key) + 1))
            while 0 <= at < begun and not key.startswith(seen[at:]):
                at = seen.find(key[0], at + 1)
            begun = at if 0 <= at < begun else begun
        return found, begun

    def _hide_in_message(self, message: AssistantMessage) -> AssistantMessage:
        """Hide the keys in a message, also one that goes on from block to block."""
        blocks: list[ContentBlock] = []
        for kind, group in groupby(message.content, key=type):
            run: list[Any] = list(group)
            if kind is ToolCall:
                blocks += map(self.hide_in, run)
                continue
            said = "".join(block.text for block in run)
            hidden = self.hide(said)
            if hidden != said:  # what was sealed with the key in it cannot go back any more
                run = [replace(run[0], text=hidden)]
                if kind is ThinkingContent:
                    run = [replace(run[0], payload={})]
            blocks += run
        error = None if message.error_message is None else self.hide(message.error_message)
        return replace(message, content=tuple(blocks), error_message=error)


async def hide_in_stream(
    events: AsyncGenerator[StreamEvent, None], mask: KeyMask
) -> AsyncGenerator[StreamEvent, None]:
    """Pass on `events` without the keys. A piece with which one may begin waits for the next."""
    waiting: TextDelta | ThinkingDelta | None = None
    async with aclosing(events):
        async for event in events:
            if waiting is not None and type(event) is not type(waiting):
                yield waiting
                waiting = None
            if not isinstance(event, DELTAS):
                yield mask.hide_in(event)
                continue
            if waiting is None and not mask.begins_in(event.text):
                yield event
                continue
            before = "" if waiting is None else waiting.text
            whole, begun = mask.split(before + event.text)
            waiting = replace(event, text=begun) if begun else None
            if whole:
                yield replace(event, text=whole)


def hide_in_results(tools: Toolset, mask: KeyMask) -> Toolset:
    """Return `tools` with results, errors and progress that show no key."""

    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> ToolOutput | str | None:
        try:
            output = await tools.execute(
                call, signal=signal, on_update=lambda text: on_update(mask.hide(text))
            )
        except FOREIGN_ERRORS as error:
            told = describe(error)
            if mask.hide(told) == told:
                raise
            raise ToolError(mask.hide(told)) from None  # without the error: it shows the key
        return mask.hide_in(output)

    return replace(tools, execute=execute) if mask else tools
