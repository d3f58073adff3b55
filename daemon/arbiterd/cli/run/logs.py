"""How the service logs: lines for people on a terminal, JSON with a priority otherwise."""

from __future__ import annotations

import json
import logging
import sys

from arbiterd.messages.times import rfc3339

PRIORITIES = {"CRITICAL": 2, "ERROR": 3, "WARNING": 4, "INFO": 6, "DEBUG": 7}
"""As syslog counts them; `<n>` before a line is how systemd reads it."""
NOISY = ("aiohttp", "asyncio", "mqtt")


class JsonLines(logging.Formatter):
    """One object a line. Players' names never come here."""

    def __init__(self, tracebacks: bool) -> None:
        super().__init__()
        self._tracebacks = tracebacks

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "at": rfc3339(int(record.created * 1e9)),
            "level": record.levelname.lower(),
            "from": record.name.removeprefix("arbiterd."),
            "says": record.getMessage(),
        }
        if self._tracebacks and record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return f"<{PRIORITIES.get(record.levelname, 6)}>{json.dumps(said, ensure_ascii=False)}"


class TerminalLines(logging.Formatter):
    """For a terminal."""

    def __init__(self, tracebacks: bool) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S")
        self._tracebacks = tracebacks

    def format(self, record: logging.LogRecord) -> str:
        if not self._tracebacks:
            record.exc_info = record.exc_text = None
        return super().format(record)


def set_up(debug: bool) -> None:
    """For the life of the process."""
    terminal = sys.stderr.isatty()
    handler = logging.StreamHandler()
    handler.setFormatter(TerminalLines(debug) if terminal else JsonLines(debug))
    logging.basicConfig(level=logging.DEBUG if debug else logging.INFO, handlers=[handler])
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.DEBUG if debug else logging.WARNING)
