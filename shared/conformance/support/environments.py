"""The environments in which a program has to say the same."""

from collections.abc import Mapping

ENCODINGS: Mapping[str, Mapping[str, str]] = {
    "C locale": {"LC_ALL": "C"},
    "C locale, no coercion": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "gbk": {"PYTHONIOENCODING": "gbk"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "utf-8:strict": {"PYTHONIOENCODING": "utf-8:strict"},
}
"""Where Python would read and write something else than UTF-8."""

ELSEWHERE: Mapping[str, str] = {
    "PYTHONHASHSEED": "4711",
    "TZ": "Pacific/Chatham",
    "TERM": "dumb",
    "COLUMNS": "20",
    "NO_COLOR": "1",
}
"""Another order of sets, another time zone, a narrow terminal without colours."""

ENVIRONMENTS: Mapping[str, Mapping[str, str]] = {**ENCODINGS, "elsewhere": ELSEWHERE}
"""All that a demo's output may not depend on, by name."""

STRICT_ENCODING = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")
"""Options for Python under which a file that is opened without an encoding is an error."""


def typed_before(command: str, environment: Mapping[str, str]) -> str:
    """Return the command with its variables in front, as one would type it."""
    return " ".join([*(f"{name}={value}" for name, value in environment.items()), command])
