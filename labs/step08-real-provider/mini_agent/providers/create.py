"""The one place where a model is built. Whoever gets it cannot tell which one it is."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from ..fake_model import create_fake_model
from ..rules import RULES
from ..stream import StreamFn
from .model import read_model
from .retry import Timeouts
from .settings import Layer, Provider, Settings, choose, settings_of


def create_model(
    environment: Mapping[str, str],
    *,
    files: Sequence[Layer] = (),
    fake: StreamFn | None = None,
    timeouts: Timeouts | None = None,
) -> tuple[str, StreamFn]:
    """Return a line that says which model it is and why, and the model.

    Args:
        environment: Where the variables stand.
        files: What stands in files, the strongest first. None is read here.
        fake: Who answers when no real model can be used. None: the usual rules.
        timeouts: How long to wait for a server. None: as long as usual.

    Raises:
        BadSetting: a variable that matters here is set to what cannot be used.
    """
    settings = settings_of(environment, files)
    choice = choose(settings)
    read_model(settings, provider="", name="")  # a wrong value is refused, whoever answers
    if choice.provider is None:
        return f"模型：按剧本回答的假模型（{choice.why}）", fake or create_fake_model(RULES)
    host, model = create_real_model(
        choice.provider, choice.model, settings=settings, timeouts=timeouts
    )
    return f"模型：{choice.model}（来自 {host}；{choice.why}）", model


def create_real_model(
    provider: Provider, name: str, *, settings: Settings, timeouts: Timeouts | None
) -> tuple[str, StreamFn]:
    """Return the host where `provider` answers, and its model `name`.

    Raises:
        BadSetting: there is no way to reach it with these settings.
    """
    # An HTTP client takes 100 ms to import: only who has chosen a real model waits for it.
    from .endpoint import host_of, open_endpoint  # noqa: PLC0415

    endpoint = open_endpoint(settings, provider, timeouts=timeouts)
    host = host_of(endpoint.base_url)
    model = read_model(settings, provider=provider.name, name=name)
    match provider.name:
        case "anthropic":
            from .anthropic import create_anthropic_model  # noqa: PLC0415  # see above

            return host, create_anthropic_model(model, endpoint)
        case "openai":
            from .openai import create_openai_model  # noqa: PLC0415  # see above

            return host, create_openai_model(model, endpoint)
        case _:
            assert_never(provider.name)
