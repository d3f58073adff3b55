"""How a command that runs on is told to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any, Final

STOPS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""By systemd, by Ctrl-C, and by a terminal that was closed."""


def when_told(stop: Callable[[], Any]) -> None:
    """Calls `stop` in this loop instead of ending the process."""
    loop = asyncio.get_running_loop()
    for number in STOPS:
        loop.add_signal_handler(number, stop)
