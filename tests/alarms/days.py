"""Two days of the same hall: as games were counted, and as much as boards are tried with."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from arbiterd.simulation.profiles import CLUB, HALL, SECOND

COUNTED: Final = replace(
    HALL,
    name="counted",
    pace=replace(HALL.pace, think_ns=165 * SECOND),
    habits=CLUB.habits,
    episodes=(
        *CLUB.episodes,
        *((name, rate) for name, rate in HALL.episodes if name not in dict(CLUB.episodes)),
    ),
)
"""A classical round as far as one was counted. The pace is that of 21 games at 90+30 whose clocks
were published (World Cup 2025, round 4): 177 s a half-move in the mean, 84 half-moves a game, four
hours. Hands are those of the recorded games (`club`): one piece a game lifted and put back, while
two recordings of 82 half-moves held one, and one half-move made otherwise. Cables, knocks and
illegal moves are those of `hall`, rather more often than real ones."""

TRIED: Final = replace(HALL, name="tried", pace=replace(HALL.pace, think_ns=45 * SECOND))
"""What a board is asked to bear, at four times that pace: three pieces a game lifted and put back,
and in each game a half-move made and changed, which is a breach every time. No real hall is so."""

DAYS: Final = MappingProxyType({day.name: day for day in (COUNTED, TRIED)})
