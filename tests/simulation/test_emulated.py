"""Stories over emulated wires: the computer reads the game that was played."""

from __future__ import annotations

import pytest

from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.profiles import CLEAN, CLUB, HALL, SECOND, Profile
from arbiterd.simulation.virtual import VirtualTime
from eboards.dgt.codec import DgtCodec
from eboards.events import ClockReading, DeviceEvent, Fault, Scan, SquareChange


class Cabled:
    """A table of the hall and a codec at the other end of its cable."""

    def __init__(self, seat: SimulatedSeat) -> None:
        self.seat = seat
        self.table = seat.emulated()
        self.codec = DgtCodec()
        self.events: list[DeviceEvent] = []
        self._started = False
        self._end_ns = seat.story.end_ns + 5 * SECOND

    @property
    def due_at_ns(self) -> int | None:
        if not self._started:
            return self.seat.story.begin_ns
        times = (self.table.due_at_ns, self.codec.due_at_ns)
        due_ns = min((time for time in times if time is not None), default=None)
        return due_ns if due_ns is None or due_ns <= self._end_ns else None

    def due(self, at_ns: int) -> None:
        codec_ns = self.codec.due_at_ns
        if not self._started or (codec_ns is not None and codec_ns <= at_ns):
            self._started = True
            asked, events = self.codec.due(at_ns)
            self.events += events
            self.table.receive(asked, at_ns)
        self.events += self.codec.receive(self.table.advance(at_ns), at_ns)


def cabled(games: list[StagedGame], profile: Profile, seed: int) -> list[Cabled]:
    tables = [Cabled(seat) for seat in hall(len(games), profile, seed, games=games)]
    VirtualTime(tables).run()
    return tables


@pytest.fixture(scope="module")
def four(request: pytest.FixtureRequest) -> list[Cabled]:
    from arbiterd.simulation.famous import FAMOUS

    return cabled(list(FAMOUS[7:11]), CLEAN, seed=3)


def test_the_last_picture_is_the_last_position(four: list[Cabled]) -> None:
    for table in four:
        image: list[str] = []
        for event in table.events:
            if isinstance(event, Scan):
                image = list(event.placement)
            elif isinstance(event, SquareChange) and image:
                image[event.square] = event.piece
        board = list(table.seat.story.before)
        for put in table.seat.story.puts:
            board[put.square] = put.piece
        assert image == board
        assert not [event for event in table.events if isinstance(event, Fault)]


def test_the_clock_shows_what_was_published_and_the_credit(four: list[Cabled]) -> None:
    """A published time is the one before the move's own credit."""
    for table in four:
        game, plies = table.seat.game, table.seat.story.truth.plies
        readings = [event for event in table.events if isinstance(event, ClockReading)]
        for ply, clock_ms in zip(plies, game.clock_ms, strict=True):
            assert ply.pressed_ns is not None
            assert clock_ms is not None
            after = next(r for r in readings if r.at_ns > ply.pressed_ns)
            shown_ms = after.left_ms if ply.ply % 2 else after.right_ms
            assert abs(shown_ms - clock_ms - 30_000) <= 1000


def test_a_cable_that_is_out_lets_nothing_through() -> None:
    from dataclasses import replace

    from arbiterd.simulation.famous import FAMOUS

    (table,) = cabled([FAMOUS[0]], replace(HALL, cable_out=1.0, lost_changes=0.0), seed=1)
    (outage,) = table.seat.story.outages
    silent = [e for e in table.events if outage.from_ns < e.at_ns <= outage.to_ns]
    assert all(isinstance(event, Fault) for event in silent)
    assert [event for event in table.events if event.at_ns > outage.to_ns]


def test_a_hall_is_the_same_hall_again_and_a_table_the_same_beside_more_neighbours() -> None:
    assert hall(3, CLUB, 5) == hall(3, CLUB, 5)
    assert hall(5, CLUB, 5)[:3] == hall(3, CLUB, 5)
    assert hall(3, CLUB, 6) != hall(3, CLUB, 5)
