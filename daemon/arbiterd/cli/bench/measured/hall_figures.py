"""What one measurement of a hall came to, as a block of lines or as a row of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

HEAD = (
    "boards  pace  half-moves  median ms   95 %   99 %  worst  ms/half-move  % of a core"
    "     MB  B/half-move  lost  waiting"
    "  heard  folded  journalled   sent  confirmed"
)
"""Times are milliseconds; those of the stations are means."""
LADDER = (
    ("heard", 'arbiterd_station_seconds_{}{{station="heard"}}'),
    ("folded", 'arbiterd_station_seconds_{}{{station="folded"}}'),
    ("journalled", 'arbiterd_station_seconds_{}{{station="journalled"}}'),
    ("stamp to sent", 'arbiterd_message_age_seconds_{}{{kind="move",left="sent"}}'),
    ("stamp to confirmed", 'arbiterd_message_age_seconds_{}{{kind="move",left="confirmed"}}'),
)
"""The stations of a half-move, in its order, as `/metrics` names them."""
PARTS = 10
STATION_WIDTHS = (6, 7, 11, 6, 10)


@dataclass(frozen=True, slots=True)
class Figures:
    """Times in milliseconds, room in bytes."""

    boards: int
    pace: float
    moves: int
    passed_s: float
    late_ms: Sequence[float]
    """From byte to subscriber, of each half-move told at a press; at least two."""
    spent_ms: float
    """Processor time of the service."""
    held: Sequence[tuple[int, int]]
    """Memory and open descriptors of the service after each of `PARTS` equal parts of the time."""
    journal: float
    """Of a half-move."""
    whole: bool
    lost: int
    counted: int
    waiting: int
    """Not sent before the stop; follows at a start."""
    stations: tuple[float | None, ...]
    """Mean times (ms), in the order of `LADDER`; None: nothing has passed there."""

    @property
    def memory(self) -> int:
        """In the end."""
        return self.held[-1][0]

    def late(self, percent: int) -> float:
        """So many in a hundred were no later."""
        return quantiles(self.late_ms, n=100, method="inclusive")[percent - 1]

    @property
    def block(self) -> str:
        """For one measurement."""
        core = self.spent_ms / self.passed_s / 10
        return (
            f"{self.boards} boards at pace {self.pace:g}: {self.moves} half-moves in"
            f" {self.passed_s:.0f} s"
            f" ({self.moves / self.passed_s / self.boards:.2f} a second and board)\n"
            f"  byte to subscriber  median {median(self.late_ms):.1f} ms,"
            f" 95 % {self.late(95):.1f} ms, 99 % {self.late(99):.1f} ms,"
            f" worst {max(self.late_ms):.1f} ms, of {len(self.late_ms)}\n"
            f"  stations, mean      {', '.join(self._stations)}\n"
            f"  processor           {self.spent_ms / self.moves:.1f} ms a half-move,"
            f" {core:.0f} % of a core, {core / self.boards:.2f} % a board\n"
            f"  memory              {self.memory / 1e6:.0f} MB,"
            f" {self.memory / self.boards / 1e3:.0f} kB a board;"
            f" by tenths of the time {' '.join(f'{size / 1e6:.0f}' for size, _ in self.held)} MB\n"
            f"  descriptors         {' '.join(str(opened) for _, opened in self.held)}\n"
            f"  journal             {self.journal:.0f} B a half-move,"
            f" {'whole' if self.whole else 'NOT WHOLE'}\n"
            f"  lost                {self.lost} of {self.counted},"
            f" {self.waiting} not sent before the stop"
        )

    @property
    def row(self) -> str:
        """Under `HEAD`, for one of several."""
        return (
            f"{self.boards:6} {self.pace:5g} {self.moves:11} {median(self.late_ms):10.1f}"
            f" {self.late(95):6.0f} {self.late(99):6.0f} {max(self.late_ms):6.0f}"
            f" {self.spent_ms / self.moves:13.1f} {self.spent_ms / self.passed_s / 10:12.0f}"
            f" {self.memory / 1e6:6.0f} {self.journal:12.0f} {self.lost:5} {self.waiting:8}"
            + "".join(
                f" {_shown(mean):>{width}}"
                for mean, width in zip(self.stations, STATION_WIDTHS, strict=True)
            )
        )

    @property
    def _stations(self) -> Iterator[str]:
        for (name, _), mean in zip(LADDER, self.stations, strict=True):
            yield f"{name} {_shown(mean)}{'' if mean is None else ' ms'}"


def ladder(metrics: str) -> tuple[float | None, ...]:
    """The mean time (ms) at each station, from the text of `/metrics`."""
    found: list[float | None] = []
    for _, line in LADDER:
        total, count = (_value(metrics, line.format(what)) for what in ("sum", "count"))
        found.append(total / count * 1000 if count else None)
    return tuple(found)


def _shown(mean: float | None) -> str:
    return "–" if mean is None else f"{mean:.1f}"


def _value(metrics: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", metrics, re.MULTILINE)
    return float(found[1]) if found else 0.0
