"""Whole rounds over emulated wires in virtual time: bytes in at one end, rulings out at the other.

`python -m pytest tests/simulation/test_round.py -m slow -s` plays a real round of 67 boards.
"""

from __future__ import annotations

import json
from time import monotonic_ns

import pytest

from arbiterd.messages.step import Output, Step
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame, read_games
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.profiles import CLEAN, CLUB, SECOND, Profile
from arbiterd.simulation.virtual import VirtualTime
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.dgt.codec import DgtCodec
from eboards.events import DeviceEvent, LinkUp
from kept_beside import REAL_ROUND, kept_beside

ENDS = {"clock-paused-by-player", "clock-paused-long", "result-missing", "end-checkmate"}
"""What a game that ends raises: its clocks are stopped and no result is entered."""


class WiredTable:
    """Hands, board, cable, codec and table, as one party of virtual time."""

    def __init__(self, seat: SimulatedSeat) -> None:
        self.seat = seat
        self.board = seat.emulated()
        self.codec = DgtCodec()
        self.table = Table(TableSetup(table=seat.table, rate=seat.rate, simulated=True))
        self.outputs: list[Output] = []
        self._inputs = 0
        self._end_ns = seat.story.end_ns + 10 * SECOND
        self._take([LinkUp(seat.story.begin_ns, "dgt", "", self.codec.sensing)])
        self._asks_ns: int | None = seat.story.begin_ns

    @property
    def due_at_ns(self) -> int | None:
        times = (self._asks_ns, self.board.due_at_ns, self.table.due_at_ns)
        due_ns = min((time for time in times if time is not None), default=None)
        return due_ns if due_ns is None or due_ns <= self._end_ns else None

    def due(self, at_ns: int) -> None:
        if self._asks_ns is not None and self._asks_ns <= at_ns:
            asked, events = self.codec.due(at_ns)
            self.board.receive(asked, at_ns)
            self._take(events)
        self._take(self.codec.receive(self.board.advance(at_ns), at_ns))
        self._keep(self.table.due(at_ns))
        self._asks_ns = self.codec.due_at_ns

    def _take(self, events: list[DeviceEvent]) -> None:
        for event in events:
            self._inputs += 1
            self._keep(self.table.take(self._inputs, event))

    def _keep(self, step: Step) -> None:
        self.outputs += [output for output in step.outputs if output.seq is not None]

    def told(self, topic: str) -> list[dict[str, object]]:
        return [
            json.loads(output.payload)
            for output in self.outputs
            if output.topic == topic and output.payload
        ]

    @property
    def moves(self) -> tuple[object, ...]:
        """The record as a reader of the topic keeps it."""
        record: list[object] = []
        for move in self.told("moves"):
            ply = move["ply"]
            assert isinstance(ply, int)
            record[ply - 1 : ply if move["uci"] else None] = [move["uci"]] if move["uci"] else []
        return tuple(record)

    @property
    def alarms(self) -> list[object]:
        """Rulings that call an arbiter, once each."""
        return [
            ruling["kind"]
            for ruling in self.told("rulings")
            if ruling["state"] == "open" and ruling["urgency"] in (1, 2)
        ]


def played(games: list[StagedGame], profile: Profile, seed: int) -> list[WiredTable]:
    tables = [WiredTable(seat) for seat in hall(len(games), profile, seed, games=games)]
    VirtualTime(tables).run()
    return tables


def test_famous_games_come_out_move_by_move_and_nobody_is_called() -> None:
    for table in played([FAMOUS[0], FAMOUS[2], FAMOUS[13]], CLEAN, seed=1):
        assert table.moves == table.seat.game.moves
        assert set(table.alarms) <= ENDS


def test_restless_hands_leave_the_moves_alone_and_raise_what_they_earn() -> None:
    for table in played([FAMOUS[1], FAMOUS[7]], CLUB, seed=2):
        earned = {kind for happened in table.seat.story.truth.happened for kind in happened.raises}
        follows = {"move-released-changed-pressed", "paused-board-changes"}
        assert table.moves == table.seat.game.moves
        assert set(table.alarms) <= ENDS | earned | follows


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_real_round_of_67_boards_all_at_once() -> None:
    games = list(read_games(kept_beside(REAL_ROUND).read_text("utf-8")))
    began_ns = monotonic_ns()
    tables = played(games, CLEAN, seed=1)
    spent_s = (monotonic_ns() - began_ns) / SECOND
    exact = sum(table.moves == table.seat.game.moves for table in tables)
    false = [kind for table in tables for kind in table.alarms if kind not in ENDS]
    longest_h = max(seat.seat.story.end_ns for seat in tables) / SECOND / 3600
    print(
        f"\n{exact} of {len(tables)} exact, {len(false)} false rulings, {longest_h:.1f} h of play"
    )
    print(f"in {spent_s:.0f} s of wall time")
    assert (exact, false) == (len(tables), [])
