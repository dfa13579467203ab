"""The demo of the package under test, on another day, on another host and for another user.

Standard library only: the package, and what it loads, must not have been imported before.
"""

import datetime
import getpass
import os
import runpy
import socket
import time
from typing import Any

HOST, USER = "another-host", "another-user"

LATER = datetime.timedelta(days=1234, hours=7, minutes=11)


class _AsTheRealOne(type):
    """Makes everything of the real class an instance of the one that stands in for it."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.__mro__[1])


class LaterDatetime(datetime.datetime, metaclass=_AsTheRealOne):
    """`datetime` on another day."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> "LaterDatetime":
        """Return the time on that day."""
        return super().now(tz) + LATER

    @classmethod
    def today(cls) -> "LaterDatetime":
        """Return the same as `now()`."""
        return cls.now()

    @classmethod
    def utcnow(cls) -> "LaterDatetime":
        """Return the time on that day in UTC, without a zone."""
        return cls.now(datetime.UTC).replace(tzinfo=None)


class LaterDate(datetime.date, metaclass=_AsTheRealOne):
    """`date` on another day."""

    @classmethod
    def today(cls) -> "LaterDate":
        """Return that day."""
        return super().today() + LATER


def main() -> None:
    """Change what the package can learn of this machine, then become the demo."""
    change_time()
    change_names()
    runpy.run_module("mini_agent.demo", run_name="__main__", alter_sys=True)


def change_time() -> None:
    """Put the clock on; what measures how long something takes stays as it is."""
    there: Any = time
    real, real_ns, seconds = time.time, time.time_ns, int(LATER.total_seconds())
    there.time = lambda: real() + seconds
    there.time_ns = lambda: real_ns() + seconds * 10**9
    for name in ("localtime", "gmtime", "ctime"):
        there.__dict__[name] = _later(getattr(time, name))
    text, plain = time.strftime, time.asctime
    there.strftime = lambda pattern, at=None: text(pattern, at or time.localtime())
    there.asctime = lambda at=None: plain(at or time.localtime())
    clock: Any = datetime
    clock.datetime, clock.date = LaterDatetime, LaterDate


def _later(function: Any) -> Any:
    return lambda at=None: function(time.time() if at is None else at)


def change_names() -> None:
    """Name another host and another user."""
    system: Any = os
    net: Any = socket
    who: Any = getpass
    kernel = os.uname()
    system.uname = lambda: os.uname_result((kernel[0], HOST, *kernel[2:]))
    net.gethostname = net.getfqdn = lambda *_: HOST
    system.getlogin = who.getuser = lambda: USER


if __name__ == "__main__":
    main()
