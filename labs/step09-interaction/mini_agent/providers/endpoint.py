"""A server, and what is needed to talk with it."""

import ssl
from dataclasses import dataclass

import httpx2
from pydantic import SecretStr

from .addresses import is_local
from .settings import BadSetting
from .timeouts import Timeouts


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A server, and what is needed to talk with it."""

    base_url: str

    api_key: SecretStr | None
    """None: it works without."""

    key_name: str
    """The variable that the key is read from."""

    tls: ssl.SSLContext | bool
    """Made once, in 50 ms or more; with it, a client is made in less than one."""

    timeouts: Timeouts


def open_endpoint(
    base_url: str, *, api_key: SecretStr | None, key_name: str, timeouts: Timeouts
) -> Endpoint:
    """Return the endpoint at `address`.

    Raises:
        BadSetting: the certificates that this machine trusts cannot be read.
    """
    try:
        tls = httpx2.create_ssl_context() if base_url.startswith("https:") else False
    except OSError as error:
        raise BadSetting(f"读不了证书，请检查 SSL_CERT_FILE：{error.strerror}。") from None
    return Endpoint(
        base_url=base_url, api_key=api_key, key_name=key_name, tls=tls, timeouts=timeouts
    )


def open_client(endpoint: Endpoint) -> httpx2.AsyncClient:
    """Return a client. It follows no redirect: the key is for this server alone."""
    timeouts = endpoint.timeouts
    return httpx2.AsyncClient(
        headers={"accept-encoding": "identity"},  # who compresses holds small pieces back
        verify=endpoint.tls,
        trust_env=not is_local(endpoint.base_url),  # no proxy in front of a server on this machine
        timeout=httpx2.Timeout(timeouts.idle, connect=timeouts.connect),
        follow_redirects=False,
    )
