"""Check the arguments of a call against a tool's parameters, and say precisely what is wrong.

They are judged strictly: `true` is no number, and 1 is no text. One kindness, on a
copy: where models tend to send a text for something else ("500" for 500), it is
taken for what it says.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ..messages import JsonObject
from ..results import ToolError
from .limits import Limit, keep_head, short
from .tool import Args, Arguments

READ_AS: dict[str, tuple[type, ...]] = {
    "int_type": (int,),
    "float_type": (int, float),
    "bool_type": (bool,),
    "list_type": (list,),
    "tuple_type": (list,),
    "dict_type": (dict,),
    "model_type": (dict,),
}
"""What a text may be read as, by pydantic's name for the complaint about it."""

WANTED = {
    "string_type": "文本",
    "int_type": "整数",
    "float_type": "数字",
    "bool_type": "true 或 false",
    "list_type": "列表",
    "tuple_type": "列表",
    "dict_type": "对象",
    "model_type": "对象",
}
"""The same in words; for other complaints pydantic's own words do."""

MAX_VALUES = 5_000
"""In a call that does not fit: to list what is wrong with a million takes half a minute."""

MESSAGE = Limit(lines=6, bytes=900)
"""How long an explanation may get. What is not told now is told after the next try."""


def validated(arguments: JsonObject, parameters: type[Args]) -> Args:
    """Return `arguments` as an instance of `parameters`; `arguments` itself never changes.

    Raises:
        ToolError: they do not fit. The message names each field, what was wanted and
            what came, and stays under 1 kB whatever came.
    """
    try:
        return _validate(arguments, parameters)
    except ValidationError as error:
        repaired: Any = arguments
        if not _is_crowded(arguments):
            repaired = _read_texts(arguments, error.errors(include_url=False))
    try:
        return _validate(repaired, parameters)
    except ValidationError as error:
        if _is_crowded(repaired):
            text = f"参数不对，没有执行：里面的值太多，超过了 {MAX_VALUES} 个。"
            raise ToolError(text) from None
        raise ToolError(_explain(error.errors(include_url=False), parameters)) from None


def _validate(arguments: JsonObject, parameters: type[Args]) -> Args:
    # By way of JSON text, because there strict still lets a list be a tuple.
    return parameters.model_validate_json(json.dumps(arguments), strict=True)


def _is_crowded(arguments: JsonObject) -> bool:
    count = 0
    waiting: list[object] = [arguments]
    while waiting and count <= MAX_VALUES:
        count += 1
        match waiting.pop():
            case dict() as value:
                waiting.extend(value.values())
            case list() as value:
                waiting.extend(value)
    return count > MAX_VALUES


def _read_texts(arguments: JsonObject, problems: Sequence[ErrorDetails]) -> Any:
    """Return a copy of `arguments` with the texts that say what was wanted read as that."""
    copy: Any = deepcopy(arguments)
    for problem in problems:
        *way, last = problem["loc"] or (None,)
        if last is not None and problem["type"] in READ_AS:
            with suppress(LookupError, TypeError):  # in a union the way has extra signposts
                place = copy
                for step in way:
                    place = place[step]
                place[last] = _reading(problem["input"], READ_AS[problem["type"]])
    return copy


def _reading(value: Any, wanted: tuple[type, ...]) -> Any:
    """Return what `value` says as one of `wanted`; `value` itself if it says no such thing."""
    read = value
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):
            read = json.loads(value.lower() if bool in wanted else value)
    if isinstance(read, float) and read.is_integer() and float not in wanted:
        read = int(read)  # JSON knows one kind of number: 5.0 is 5
    return read if type(read) in wanted else value  # not isinstance: True is an int


def _explain(problems: Sequence[ErrorDetails], parameters: type[Arguments]) -> str:
    lines = "\n".join(_explain_one(problem, parameters) for problem in problems[: MESSAGE.lines])
    return "参数不对，没有执行：\n" + keep_head(lines.encode(), MESSAGE).decode().rstrip()


def _explain_one(problem: ErrorDetails, parameters: type[Arguments]) -> str:
    where = short(_path(problem["loc"]), most=60)
    came = short(json.dumps(problem["input"], ensure_ascii=False), most=60)
    match problem["type"]:
        case "missing":
            return f"- {where}：缺少这个参数，收到的是 {came}"
        case "extra_forbidden":
            known = "、".join(parameters.model_fields)
            return f"- {where}：没有这个参数，{f'只有 {known}' if known else '一个参数也没有'}"
        case kind:
            wanted = WANTED.get(kind) or problem["msg"].removeprefix("Input should be ")
            return f"- {where}：应为 {short(wanted)}，收到的是 {came}"


def _path(way: Sequence[int | str]) -> str:
    """Return the way to a field the way one would write it: `edits[0].old_text`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in way)
    return "".join(steps).removeprefix(".") or "（全部参数）"
