"""What a CSA feed says of its time control, in all its spellings.

$TIME_LIMIT:00:25+60         hours, minutes, the period of a move in seconds (V2.2)
$TIME:300+60+0               seconds: main time, period, increment (V3.0)
Time_Unit:1sec  Total_Time:900  Byoyomi:60  Increment:10      a server's summary
"""

from __future__ import annotations

import re
from typing import Final

UNITS_MS: Final = {"min": 60_000, "sec": 1_000, "msec": 1}
SECOND_MS: Final = 1_000
MAIN_S: Final = 60_000
CREDIT_S: Final = 1_000
"""Times so long, and periods or increments, have no written form: nobody plays with them."""

_NEW_GAME = re.compile(r"BEGIN Game_Summary|V\d.*|/")
"""A server's summary, a record, or the line between two: what was said before is of another."""
_LIMIT = re.compile(r"\$TIME_LIMIT:(\d{1,9}):(\d{1,9})\+(\d{1,9})")
_TIME = re.compile(
    r"\$TIME[+-]?:(\d{1,9})(?:\.\d{1,9})?\+(\d{1,9})(?:\.\d{1,9})?\+(\d{1,9})(?:\.\d{1,9})?"
)
_UNIT = re.compile(r"Time_Unit:(\d{1,9})(min|sec|msec)")
_SERVER = re.compile(r"(Total_Time|Byoyomi|Increment):(\d{1,9})")


class CsaTime:
    """Main time, period and increment in milliseconds, as far as they were said."""

    def __init__(self) -> None:
        self.unit_ms = SECOND_MS
        """What a `T` counts."""
        self._said: dict[str, int] = {}

    def hear(self, text: str) -> None:
        """A line that may be about it."""
        if _NEW_GAME.fullmatch(text):
            self.unit_ms, self._said = SECOND_MS, {}
        elif found := _LIMIT.fullmatch(text):
            hours, minutes, period = map(int, found.groups())
            self._say(60_000 * (60 * hours + minutes), 1_000 * period, 0)
        elif found := _TIME.fullmatch(text):
            main, period, increment = (1_000 * int(part) for part in found.groups())
            self._say(main, period, increment)
        elif found := _UNIT.fullmatch(text):
            self.unit_ms = int(found[1]) * UNITS_MS[found[2]]
        elif found := _SERVER.fullmatch(text):
            self._said[found[1]] = int(found[2]) * self.unit_ms

    def _say(self, main: int, period: int, increment: int) -> None:
        self._said = {"Total_Time": main, "Byoyomi": period, "Increment": increment}

    @property
    def control(self) -> str:
        """`15:00b60`; empty where it was not said, gives period and increment at once, or is
        longer than can be written."""
        main, period, increment = (
            self._said.get(name, 0) // 1_000 for name in ("Total_Time", "Byoyomi", "Increment")
        )
        if not (main or period) or (period and increment):
            return ""
        if main >= MAIN_S or max(period, increment) >= CREDIT_S:
            return ""
        credit = f"b{period}" if period else f"+{increment}" if increment else ""
        return f"{main // 60}:{main % 60:02}{credit}"
