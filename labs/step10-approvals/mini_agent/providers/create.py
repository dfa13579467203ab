"""The one place where a model is built. Whoever gets it cannot tell which one it is."""

from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from ..fake_model import create_fake_model
from ..rules import RULES
from ..stream import StreamFn
from .addresses import host_of, is_local, read_address
from .catalog import Provider
from .choice import choose
from .keys import read_key
from .patience import Patience
from .settings import BadSetting, Settings, read_settings

DOTENV = Path(".env")
"""In the working folder."""


def create_model(
    environment: Mapping[str, str],
    *,
    dotenv: Path | None = DOTENV,
    fake: StreamFn | None = None,
    patience: Patience | None = None,
) -> tuple[str, StreamFn]:
    """Return a line that says which model it is and why, and the model.

    Args:
        environment: Where the variables stand.
        dotenv: A file with more of them; it need not exist. None: there is none.
        fake: Who answers when no real model can be used. None: the usual rules.
        patience: How long to wait for a server. None: as long as usual.

    Raises:
        BadSetting: a variable that matters here is set to what cannot be used.
    """
    settings = read_settings(environment, dotenv)
    choice = choose(settings)
    if choice.provider is None:
        return f"模型：按剧本回答的假模型（{choice.why}）", fake or create_fake_model(RULES)

    address = read_address(settings, choice.provider)
    check_pair(settings, choice.provider, address)
    model = create_real_model(
        choice.provider, choice.model, settings, address=address, patience=patience or Patience()
    )
    return f"模型：{choice.model}（来自 {host_of(address)}；{choice.why}）", model


def check_pair(settings: Settings, provider: Provider, address: str) -> None:
    """Refuse a key from the environment together with an address from the file.

    The key is the user's, the file may be anybody's: it came along with a folder, or a
    model has written it. An address on this machine can do no harm.

    Raises:
        BadSetting: it is such a pair.
    """
    key_is_ours = settings.get(provider.key) and not settings.in_file(provider.key)
    if key_is_ours and settings.in_file(provider.address) and not is_local(address):
        raise BadSetting(
            f"{provider.address} 写在 .env 里，{provider.key} 却来自环境变量："
            "密钥不会发到文件指定的地址。请把两者放在同一处。"
        )


def create_real_model(
    provider: Provider, name: str, settings: Settings, *, address: str, patience: Patience
) -> StreamFn:
    """Return the model `name` of `provider`.

    Raises:
        BadSetting: the key cannot be used, or the certificates of this machine cannot be read.
    """
    key = read_key(settings, provider.key)
    # An HTTP client takes 100 ms to import: only who has chosen a real model waits for it.
    from .endpoint import open_endpoint  # noqa: PLC0415

    endpoint = open_endpoint(address, key=key, key_name=provider.key, patience=patience)
    match provider.name:
        case "anthropic":
            from .anthropic import create_anthropic_model  # noqa: PLC0415  # see above

            return create_anthropic_model(name, endpoint)
        case "openai":
            from .openai import create_openai_model  # noqa: PLC0415  # see above

            return create_openai_model(name, endpoint)
        case _:
            assert_never(provider.name)
