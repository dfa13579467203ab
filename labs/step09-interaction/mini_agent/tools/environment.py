"""What a command gets to know of our environment: everything but the secrets.

This goes by the name of a variable. A secret under an innocent name (a password in
`DATABASE_URL`) gets through.
"""

import re
from collections.abc import Mapping

SECRET = re.compile(r"key|token|secret|pass|credential|auth(?!_sock)|_pwd", re.IGNORECASE)
"""Rather too many names than too few. `SSH_AUTH_SOCK` names a socket and holds no secret."""


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Return a copy of `environment` without the variables whose names speak of a secret."""
    return {name: value for name, value in environment.items() if not SECRET.search(name)}
