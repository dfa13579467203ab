"""Why a model call failed: in words for the user, and whether another try may help.

Not here: how long to wait before that. `retry.py` decides it.
"""

import json
from dataclasses import dataclass


class Failure(Exception):
    """Raised when a model call cannot go on. The stream makes an event of it."""

    def __init__(
        self, text: str, *, retryable: bool = False, retry_after: str | None = None
    ) -> None:
        super().__init__(text)
        self.text = text

        self.retryable = retryable
        """The same request may succeed a little later."""

        self.retry_after = retry_after
        """When to come back, in the server's own words. None: it did not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorBody:
    """What a server says about a request that failed."""

    kind: str = ""
    message: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.kind, self.message) if part)


STATUS_OF_KIND = {
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""Once a stream has begun there is no status any more: the kind of the error stands for it."""

CONTEXT_FULL = "对话太长，超出了模型的上下文窗口。用 /branch N 回到前面某一轮再说，或者开始新的会话"

QUOTA_ERRORS = ("insufficient_quota", "insufficient balance", "credit balance", "billing_")
TOO_LONG = (
    "prompt is too long",
    "reduce the length",
    "maximum number of tokens",
    *("context length", "context_length", "context window", "context_window"),
    *("context size", "context_size"),
)
"""Words by which servers tell these two from all else that has the same status."""


def read_error_body(body: bytes) -> ErrorBody | None:
    """Return the error in a JSON body. None: it is no JSON, or tells of no error."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return error_body_in(value)


def error_body_in(value: object) -> ErrorBody | None:
    """Return the error in a JSON value, or None. Each server has its own way to put it."""
    match value:
        case {"error": {"message": str(message)} as error}:
            return ErrorBody(kind=_kind_of(error), message=message)
        case {"error": str(message)} | {"detail": str(message)}:
            return ErrorBody(message=message)
        case {"object": "error", "message": str(message)}:
            return ErrorBody(message=message)
    return None


def _kind_of(error: dict[str, object]) -> str:
    kind, code = error.get("type"), error.get("code")  # the code says more, unless it is a number
    return str((code if isinstance(code, str) else None) or kind or code or "")


def failure_of_event(error_body: ErrorBody, *, key_name: str) -> Failure:
    """Return the failure that an error inside of a stream tells of."""
    kind = error_body.kind
    is_status = kind.isdecimal() and len(kind) == 3
    status = int(kind) if is_status else STATUS_OF_KIND.get(kind, 400)
    return failure_of_status(status, error_body, key_name=key_name)


def failure_of_status(
    status: int,
    error_body: ErrorBody | None,
    *,
    key_name: str,
    retry_after: str | None = None,
    not_found: str = "",
) -> Failure:
    """Return the failure that a status other than 200 stands for.

    Args:
        status: The HTTP status, or what an event says in its place.
        error_body: What the server says.
        key_name: The variable that the key is read from.
        retry_after: The header.
        not_found: What to say if the server knows no such path. "": nothing was asked for.
    """
    said = str(error_body or "")
    what, retryable = _judge(status, said.lower(), key_name)
    if status == 404 and not_found and "model" not in said.lower():
        what = not_found
    text = f"{what}（{status}）" + (f"：{said}" if said else "")
    if retry_after is not None:
        text += f"（retry-after: {retry_after}）"
    return Failure(text, retryable=retryable, retry_after=retry_after)


def _judge(status: int, said: str, key_name: str) -> tuple[str, bool]:
    """Return what went wrong, and whether it may pass."""
    if status == 402 or any(sign in said for sign in QUOTA_ERRORS):
        return "额度用完了，或者账单有问题", False
    if status == 429:
        return "请求太频繁", True
    if status == 413 or any(sign in said for sign in TOO_LONG):
        return CONTEXT_FULL, False
    if status in (401, 403):
        return f"服务器不接受密钥，请检查 {key_name}", False
    if status == 404:
        return "没有这个模型或者地址，请检查 MINI_AGENT_MODEL", False
    if status in (503, 529):
        return "服务器过载", True
    if status >= 500:
        return "服务器出错", True
    if 300 <= status < 400:
        return "服务器要求转到别的地址，没有照办", False
    if "reasoning_effort" in said:
        return "这个模型用工具时不能思考：把 MINI_AGENT_EFFORT 设为 none 再试", False
    return "服务器拒绝了请求", False
