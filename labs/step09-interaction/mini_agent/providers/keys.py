"""Keys: checked before anything is sent, carried in a wrapper that does not show them."""

import unicodedata

from pydantic import SecretStr

from .settings import BadSetting, Settings


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


def hide_key(text: str, key: SecretStr | None) -> str:
    """Return `text` without the key: servers like to repeat what they did not accept."""
    return text if key is None else text.replace(key.get_secret_value(), "***")
