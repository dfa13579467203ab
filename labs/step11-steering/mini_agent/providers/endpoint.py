"""A server, and what is needed to talk with it: address and key, checked before they are used.

Not here: what is said to it (`wire.py`).
"""

import os
import ssl
import unicodedata
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit
from urllib.request import proxy_bypass

import httpx2
from pydantic import SecretStr

from .masking import KeyMask
from .model import read_number
from .retry import Timeouts
from .settings import BadSetting, Provider, Settings, known_keys

LOCAL_IDLE = 900.0
"""Seconds. A server on this machine reads a long conversation before it says anything."""

PROXIES = ("http_proxy", "https_proxy", "all_proxy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A server, and what is needed to talk with it."""

    base_url: str

    api_key: SecretStr | None
    """None: it works without."""

    key_name: str
    """The variable that the key is read from."""

    mask: KeyMask
    """Hides this key, and the others that are known."""

    tls: ssl.SSLContext | bool
    """Made once, in 50 ms or more; with it, a client is made in less than one."""

    timeouts: Timeouts

    base_url_name: str
    """The variable that the address is read from."""

    proxy: str = ""
    """The variable that puts a proxy in front of it. "": there is none."""


def open_endpoint(settings: Settings, provider: Provider, *, timeouts: Timeouts | None) -> Endpoint:
    """Return the endpoint that `settings` name for `provider`.

    `timeouts` None: what `settings` say, or else as long as usual.

    Raises:
        BadSetting: address, key or proxy cannot be used, or not together; or the certificates
            that this machine trusts cannot be read.
    """
    base_url = read_base_url(settings, provider)
    check_pair(settings, provider, base_url)
    api_key = read_api_key(settings, provider.api_key)
    try:
        tls = httpx2.create_ssl_context() if base_url.startswith("https:") else False
    except OSError as error:
        raise BadSetting(f"读不了证书，请检查 SSL_CERT_FILE：{error.strerror}。") from None
    endpoint = Endpoint(
        base_url=base_url,
        api_key=api_key,
        key_name=provider.api_key,
        mask=KeyMask(known_keys(settings)),
        tls=tls,
        timeouts=timeouts or read_timeouts(settings, base_url),
        base_url_name=provider.base_url,
        proxy=proxy_for(base_url),
    )
    check_proxies(endpoint)
    return endpoint


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


def read_base_url(settings: Settings, provider: Provider) -> str:
    """Return the address of a provider's server, without a slash at its end.

    Raises:
        BadSetting: it is no plain web address. The text does not show it: a password may be in it.
    """
    base_url = settings.get(provider.base_url) or provider.default_base_url
    if not _is_plain(base_url):
        raise BadSetting(
            f"{provider.base_url} 不是可用的地址：要以 http:// 或 https:// 开头，不带密码、? 和 #。"
        )
    base_url = base_url.rstrip("/")
    for ending in provider.no_ending:
        if base_url.endswith(ending):
            raise BadSetting(f"{provider.base_url} 的末尾不要写 {ending}：程序自己会加上。")
    return base_url


def read_timeouts(settings: Settings, base_url: str) -> Timeouts:
    """Return how long to wait. A model on this machine may have to read for minutes.

    Raises:
        BadSetting: the user has set something that is no number of seconds.
    """
    usual = LOCAL_IDLE if is_local(base_url) else Timeouts().idle
    return Timeouts(idle=read_number(settings, "MINI_AGENT_TIMEOUT", least=1) or usual)


def proxy_for(base_url: str) -> str:
    """Return the variable that names the proxy in front of an address, or "" if there is none.

    The HTTP client reads the same variables ("Environment Variables" in the docs of httpx).
    """
    parts = urlsplit(base_url)
    if is_local(base_url) or proxy_bypass(parts.netloc):
        return ""
    names = (f"{parts.scheme}_proxy", "all_proxy")
    both = [spelled for name in names for spelled in (name, name.upper())]
    return next((name for name in both if os.environ.get(name)), "")


def check_proxies(endpoint: Endpoint) -> None:
    """See to it that the client can use the proxies that are set.

    Raises:
        BadSetting: it cannot; else every single turn would fail by it.
    """
    try:
        open_client(endpoint)
    except (ValueError, ImportError):
        every = [name for name in os.environ if name.lower() in PROXIES and os.environ[name]]
        names = endpoint.proxy or "、".join(every)
        raise BadSetting(
            f"{names} 里的代理不能用：只支持以 http:// 或 https:// 开头的地址。"
        ) from None


def check_pair(settings: Settings, provider: Provider, base_url: str) -> None:
    """Refuse an address from a file that may be anybody's, together with a key from elsewhere.

    The key is the user's. The file came along with a folder, or a model has written it. An
    address on this machine can do no harm.

    Raises:
        BadSetting: it is such a pair.
    """
    address, key = settings.layer_of(provider.base_url), settings.layer_of(provider.api_key)
    if address is None or address.own or is_local(base_url):
        return
    if key is not None and key is not address and settings.get(provider.api_key):
        raise BadSetting(
            f"{provider.base_url} 写在 {address.name} 里，{provider.api_key} 却来自"
            f"{key.name or '环境变量'}：密钥不会发到文件指定的地址。请把两者放在同一处。"
        )


def read_api_key(settings: Settings, name: str) -> SecretStr | None:
    """Return the key in the variable `name`, or None if it is not set.

    White space around a key is dropped: a copied line brings it along. Inside there may
    be nothing but visible ASCII; anything else would break the header, or add one to it.

    Raises:
        BadSetting: it holds another character. The text says which, and where; not the key.
    """
    value = settings.get(name)
    for position, character in enumerate(value, start=1):
        if not "!" <= character <= "~":
            what = f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()
            raise BadSetting(f"{name} 的第 {position} 个字符不能出现在密钥里：{what}。请重新复制。")
    return SecretStr(value) if value else None


def host_of(base_url: str) -> str:
    """Return the host of an address, without the port."""
    return urlsplit(base_url).hostname or ""


def is_local(base_url: str) -> bool:
    """Tell whether the server runs on this machine."""
    host = host_of(base_url)
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def _is_plain(base_url: str) -> bool:
    if not all("!" <= character <= "~" for character in base_url):
        return False
    try:
        parts = urlsplit(base_url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, half an IPv6 address
        return False
    return parts.scheme in ("http", "https") and has_host and not set("@?#") & set(base_url)
