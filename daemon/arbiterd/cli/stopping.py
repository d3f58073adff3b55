"""How a command that runs on is told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Any, Final

STOPS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""By systemd, by Ctrl-C, and by a terminal that was closed."""


def when_told(stop: Callable[[], Any], reload: Callable[[], Any] | None = None) -> None:
    """Calls `stop` in this loop instead of ending the process.

    A SIGHUP means `reload`, where there is one and no terminal that it could come from.
    """
    loop = asyncio.get_running_loop()
    for number in STOPS:
        loop.add_signal_handler(number, stop)
    if reload is not None and not os.isatty(0):
        loop.add_signal_handler(signal.SIGHUP, reload)
