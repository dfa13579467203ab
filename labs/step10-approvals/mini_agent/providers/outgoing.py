"""What goes out in a form that a provider accepts, whoever made it up.

A history may come from another model, which had other habits. One name that a provider
refuses, and it would refuse every request of that conversation from then on.
"""

import re
from hashlib import sha256

from ..messages import ToolResultMessage, message_text

NOT_ALLOWED = re.compile(r"[^a-zA-Z0-9_-]")
MAX_ID = 40
MAX_NAME = 64

EMPTY = "（空）"


def accepted_id(call_id: str) -> str:
    """Return the id of a call, or in its place another: always the same, and used by no other."""
    if call_id and len(call_id) <= MAX_ID and not NOT_ALLOWED.search(call_id):
        return call_id
    return "call_" + sha256(call_id.encode("utf-8", "replace")).hexdigest()[:32]


def accepted_name(name: str) -> str:
    """Return the name of a tool that was called, with "_" for what is not allowed in it."""
    return NOT_ALLOWED.sub("_", name)[:MAX_NAME] or "_"


def accepted_result(message: ToolResultMessage) -> str:
    """Return the text of a tool result, which must not be blank."""
    text = message_text(message)
    return text if text.strip() else EMPTY
