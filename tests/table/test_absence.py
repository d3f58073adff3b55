"""A board plays on while nobody listens: its memory puts the half-moves on the record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.table import Table, TableSetup
from arbiterd.table.inputs import Input
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator
from eboards.events import EMPTY, LinkDown, LinkUp

from .hands import OPERA

MS = 1_000_000
SECOND = 1_000 * MS
CHESS = ruleset("chess")
SEARCHED = 3
"""So few half-moves are found by what the board shows alone, before its memory has come."""


class Hall:
    """One emulated board with its clock, a cable that can be pulled, and the table behind it."""

    def __init__(self) -> None:
        self.board = DgtEmulator(clock=EmulatedClock(600_000, 600_000))
        self.table = Table(TableSetup())
        self.position = CHESS.start()
        self.now_ns, self._inputs = 0, 0
        self.told: list[dict[str, Any]] = []
        self.codec: DgtCodec | None = None

    def plug_in(self) -> None:
        self.codec = DgtCodec()
        self._take(LinkUp(self.now_ns, "dgt", "", self.codec.sensing))
        self.wait(4 * SECOND)

    def pull_out(self, said: bool) -> None:
        self.codec = None
        if said:
            self._take(LinkDown(self.now_ns, "the cable is out"))

    def _take(self, item: Input) -> None:
        self._inputs += 1
        step = self.table.take(self._inputs, item)
        self.told += [json.loads(o.payload) | {"topic": o.topic} for o in step.outputs if o.seq]
        for command in step.commands:
            if self.codec is not None:
                self.codec.send(command, self.now_ns)

    def wait(self, ns: int) -> None:
        end_ns = self.now_ns + ns
        while self.now_ns < end_ns:
            self.now_ns += 20 * MS
            if self.codec is None:
                self.board.advance(self.now_ns)
                continue
            if self.codec.due_at_ns is not None and self.codec.due_at_ns <= self.now_ns:
                out, events = self.codec.due(self.now_ns)
                self.board.receive(out, self.now_ns)
                for event in events:
                    self._take(event)
            for event in self.codec.receive(self.board.advance(self.now_ns), self.now_ns):
                self._take(event)
            step = self.table.due(self.now_ns)
            self.told += [json.loads(o.payload) | {"topic": o.topic} for o in step.outputs if o.seq]

    def play(self, text: str) -> None:
        move = CHESS.parse(self.position, text)
        side = CHESS.turn(self.position)
        changes = dict(CHESS.footprint(self.position, move))
        for square in CHESS.touched(self.position, move):
            if square in changes:
                self.board.set_square(square, EMPTY, self.now_ns)
                self.wait(400 * MS)
        for square, piece in changes.items():
            if piece != EMPTY:
                self.board.set_square(square, piece, self.now_ns)
                self.wait(400 * MS)
        if not self.started:
            self.board.start(self.now_ns)
            self.started = True
        self.board.press("left" if side is Colour.WHITE else "right", self.now_ns)
        self.position = CHESS.play(self.position, move)
        self.wait(2 * SECOND)

    started = False

    @property
    def moves(self) -> list[dict[str, Any]]:
        return [told for told in self.told if told["topic"] == "moves"]


@pytest.mark.parametrize("said", [True, False], ids=["cable out", "service off"])
@pytest.mark.parametrize("missed", [1, 2, 5, 9])
def test_half_moves_nobody_saw_are_recovered_with_their_times(said: bool, missed: int) -> None:
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:6]:
        hall.play(text)
    hall.pull_out(said)
    for text in OPERA[6 : 6 + missed]:
        hall.play(text)

    hall.plug_in()
    hall.wait(15 * SECOND)
    for text in OPERA[6 + missed : 10 + missed]:
        hall.play(text)

    line: dict[int, dict[str, Any]] = {}
    for told in hall.moves:
        line[told["ply"]] = told
    assert [line[ply]["san"] for ply in sorted(line)] == OPERA[: 10 + missed]
    assert [told["seq"] for told in hall.told] == list(range(1, len(hall.told) + 1))
    recovered = [line[ply] for ply in range(7, 7 + missed)]
    if missed > SEARCHED:
        assert {told["how"] for told in recovered} == {"recovered"}
        own = [told["clock"][f"{told['color']}_ms"] for told in recovered]
        assert all(ms is not None and 550_000 < ms < 600_000 for ms in own)


def test_nothing_is_asked_where_nothing_happened() -> None:
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:4]:
        hall.play(text)
    before = list(hall.told)
    hall.pull_out(said=True)
    hall.wait(5 * SECOND)

    hall.plug_in()

    assert [told for told in hall.told if told["topic"] == "moves"] == [
        told for told in before if told["topic"] == "moves"
    ]
    assert hall.table.books.absence is None
