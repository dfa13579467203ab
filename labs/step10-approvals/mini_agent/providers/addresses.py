"""Addresses of servers: checked before anything is sent to one of them."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from .catalog import Provider
from .settings import BadSetting, Settings


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
    return base_url.rstrip("/")


def _is_plain(base_url: str) -> bool:
    if not all("!" <= character <= "~" for character in base_url):
        return False
    try:
        parts = urlsplit(base_url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, half an IPv6 address
        return False
    return parts.scheme in ("http", "https") and has_host and not set("@?#") & set(base_url)


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
