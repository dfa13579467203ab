"""The one place where a model is built. Whoever gets it cannot tell which one it is."""

from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from ..fake_model import create_fake_model
from ..rules import RULES
from ..stream import StreamFn
from .addresses import host_of, is_local, read_base_url
from .catalog import Provider
from .choice import choose
from .keys import read_api_key
from .settings import BadSetting, Settings, read_settings
from .timeouts import Timeouts

DOTENV = Path(".env")
"""In the working folder."""


def create_model(
    environment: Mapping[str, str],
    *,
    dotenv: Path | None = DOTENV,
    fake: StreamFn | None = None,
    timeouts: Timeouts | None = None,
) -> tuple[str, StreamFn]:
    """Return a line that says which model it is and why, and the model.

    Args:
        environment: Where the variables stand.
        dotenv: A file with more of them; it need not exist. None: there is none.
        fake: Who answers when no real model can be used. None: the usual rules.
        timeouts: How long to wait for a server. None: as long as usual.

    Raises:
        BadSetting: a variable that matters here is set to what cannot be used.
    """
    settings = read_settings(environment, dotenv)
    choice = choose(settings)
    if choice.provider is None:
        return f"模型：按剧本回答的假模型（{choice.why}）", fake or create_fake_model(RULES)

    base_url = read_base_url(settings, choice.provider)
    check_pair(settings, choice.provider, base_url)
    model = create_real_model(
        choice.provider, choice.model, settings, base_url=base_url, timeouts=timeouts or Timeouts()
    )
    return f"模型：{choice.model}（来自 {host_of(base_url)}；{choice.why}）", model


def check_pair(settings: Settings, provider: Provider, base_url: str) -> None:
    """Refuse a key from the environment together with an address from the file.

    The key is the user's, the file may be anybody's: it came along with a folder, or a
    model has written it. An address on this machine can do no harm.

    Raises:
        BadSetting: it is such a pair.
    """
    key_is_ours = settings.get(provider.api_key) and not settings.in_file(provider.api_key)
    if key_is_ours and settings.in_file(provider.base_url) and not is_local(base_url):
        raise BadSetting(
            f"{provider.base_url} 写在 .env 里，{provider.api_key} 却来自环境变量："
            "密钥不会发到文件指定的地址。请把两者放在同一处。"
        )


def create_real_model(
    provider: Provider, name: str, settings: Settings, *, base_url: str, timeouts: Timeouts
) -> StreamFn:
    """Return the model `name` of `provider`.

    Raises:
        BadSetting: the key cannot be used, or the certificates of this machine cannot be read.
    """
    api_key = read_api_key(settings, provider.api_key)
    # An HTTP client takes 100 ms to import: only who has chosen a real model waits for it.
    from .endpoint import open_endpoint  # noqa: PLC0415

    endpoint = open_endpoint(
        base_url, api_key=api_key, key_name=provider.api_key, timeouts=timeouts
    )
    match provider.name:
        case "anthropic":
            from .anthropic import create_anthropic_model  # noqa: PLC0415  # see above

            return create_anthropic_model(name, endpoint)
        case "openai":
            from .openai import create_openai_model  # noqa: PLC0415  # see above

            return create_openai_model(name, endpoint)
        case _:
            assert_never(provider.name)
