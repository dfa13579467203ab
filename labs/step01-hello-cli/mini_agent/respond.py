"""The place where an answer is made. Here it is an echo.

Not here: any intelligence. Step 02 puts a model in this place.
"""


def respond(text: str) -> str:
    """Return the answer to one line of input."""
    return f"你说的是：{text}"
