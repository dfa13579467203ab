"""One request over HTTP, and the events that come back: the border to the network.

Not here: what they mean, and another try. The providers know the one, `call.py` the other.
"""

import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

import httpx2
from anyio import CancelScope

from ..abort import AbortSignal
from .endpoint import Endpoint, open_client
from .failures import Failure, failure_of_event, failure_of_status, read_error_body
from .sse import EventDecoder

T = TypeVar("T")

MAX_BODY = 64 * 1024
"""Bytes that are read of a response which is no stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is sent."""

    path: str
    headers: Mapping[str, str] = field(repr=False)  # the key stands here, and nowhere else
    body: Mapping[str, object]


async def receive(
    endpoint: Endpoint, request: Request, *, signal: AbortSignal
) -> AsyncGenerator[tuple[str, str], None]:
    """Send `request`, and yield the server-sent events of the response, as (name, data).

    An abort ends it, at whatever it waits for.

    Raises:
        Failure: there is no response, or it is no stream of events, or it breaks off.
    """
    try:
        # A client of its own: it could not outlive the event loop of this turn anyway.
        async with open_client(endpoint) as client:
            url = endpoint.base_url + request.path
            post = client.build_request("POST", url, headers=request.headers, json=request.body)
            response = await unless_aborted(signal, client.send(post, stream=True))
            if response is None:
                return
            async with body_of(response) as chunks:
                if not is_event_stream(response):
                    body = await read_body(chunks, signal)
                    raise failure_of_response(response, body, endpoint)
                decoder = EventDecoder()
                while (chunk := await unless_aborted(signal, anext(chunks, None))) is not None:
                    for event in decoder.feed(chunk):
                        yield event
                for event in () if signal.aborted else decoder.end():
                    yield event
    except httpx2.HTTPError as error:
        raise failure_of_network(error, endpoint) from None


async def unless_aborted(signal: AbortSignal, wait: Awaitable[T]) -> T | None:
    """Return what comes of `wait`, or None if an abort cuts it short."""
    result = None
    with signal.scope():
        result = await wait
    return None if signal.aborted else result


@asynccontextmanager
async def body_of(response: httpx2.Response) -> AsyncIterator[AsyncGenerator[bytes, None]]:
    """Provide the chunks of the body; what has not been read by then is given up.

    That takes a read which is cancelled at once. `aclose` is not enough: deep down in the
    client a generator would stay open, and trio warns of those.
    """
    chunks = response.aiter_raw()
    try:
        yield chunks
    finally:
        with CancelScope() as scope, suppress(httpx2.HTTPError):
            scope.cancel()
            async for _ in chunks:
                pass


async def read_body(chunks: AsyncGenerator[bytes, None], signal: AbortSignal) -> bytes:
    """Return the body, or as much of it as there is to be had."""
    body = b""
    with suppress(httpx2.HTTPError):  # the status tells more than how the body broke off
        while len(body) < MAX_BODY:
            chunk = await unless_aborted(signal, anext(chunks, None))
            if chunk is None:
                break
            body += chunk
    return body


def is_event_stream(response: httpx2.Response) -> bool:
    """Tell whether the response is what was asked for."""
    content_type, _, _ = response.headers.get("content-type", "").partition(";")
    return response.status_code == 200 and content_type.strip().lower() == "text/event-stream"


def failure_of_response(response: httpx2.Response, body: bytes, endpoint: Endpoint) -> Failure:
    """Return the failure that a response without events stands for."""
    error_body = read_error_body(body)
    if response.status_code != 200:
        path = response.request.url.path
        return failure_of_status(
            response.status_code,
            error_body,
            key_name=endpoint.key_name,
            retry_after=response.headers.get("retry-after"),
            not_found=f"服务器没有 {path} 这个地址，请检查 {endpoint.base_url_name}",
        )
    if error_body is not None:
        return failure_of_event(error_body, key_name=endpoint.key_name)
    content_type = response.headers.get("content-type", "空")
    return Failure(f"服务器的回答不是事件流（not an event stream），类型是 {content_type}")


def failure_of_network(error: httpx2.HTTPError, endpoint: Endpoint) -> Failure:
    """Return the failure that an error of the network stands for."""
    server = urlsplit(endpoint.base_url).netloc
    if endpoint.proxy:
        server += f"（经过 {endpoint.proxy} 里的代理）"
    match error:
        case httpx2.ReadTimeout():  # it may be at work on an answer that has to be paid for
            idle = f"{endpoint.timeouts.idle:g}"
            return Failure(f"{server} 有 {idle} 秒没有发来任何内容（MINI_AGENT_TIMEOUT 可以改）")
        case httpx2.ConnectError():
            causes = list(causes_of(error))
            if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
                return Failure(f"连不上 {server}：它的证书不可信")
            if any(isinstance(cause, socket.gaierror) for cause in causes):
                return Failure(f"连不上 {server}：找不到这个主机", retryable=True)
            return Failure(f"连不上 {server}：那里没有服务器，或者网络不通", retryable=True)
        case httpx2.TimeoutException():
            return Failure(f"连不上 {server}：等得太久", retryable=True)
        case httpx2.NetworkError() | httpx2.RemoteProtocolError():
            return Failure(f"与 {server} 的连接断了", retryable=True)
        case _:
            return Failure(f"请求没有成功：{type(error).__name__}: {error}")


def causes_of(error: BaseException | None) -> Iterator[BaseException]:
    """Yield `error`, and what led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
