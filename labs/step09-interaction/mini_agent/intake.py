"""From the inbox into the log: what other processes have said, each of it applied once."""

from .inbox import Inbox
from .interaction import apply_user_steering
from .run_desk import RunDesk
from .user_input import InputRefused, UserSteering


def unread(desk: RunDesk, inbox: Inbox | None) -> list[UserSteering]:
    """Return what has been said to the current run, and is not on record as applied."""
    state = desk.current
    if inbox is None or state is None:
        return []
    return [line for line in inbox.lines(state.run_id) if line.id not in state.applied_inputs]


def take_in(desk: RunDesk, inbox: Inbox | None) -> list[UserSteering]:
    """Apply all of that, oldest first, and return it. What cannot be applied is passed over.

    Raises:
        SessionError: it could not be stored.
    """
    applied = []
    for steering in unread(desk, inbox):
        try:
            desk.change(apply_user_steering, steering, now=desk.now())
        except InputRefused:
            continue  # the run is over
        applied.append(steering)
    return applied
