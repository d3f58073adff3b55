"""Boards that only ever show the whole: a stop of the service is to them as a cable that is out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.table.inputs import Input, ServiceStarted
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.events import LinkDown, LinkUp, Scan, Sensing, SensingClass

SECOND = 1_000_000_000
CHESS = ruleset("chess")
EVERGREEN = (
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 b2b4 c5b4 c2c3 b4a5 d2d4 e5d4 e1g1 d4d3 d1b3 d8f6 e4e5 f6g6"
    " f1e1 g8e7 c1a3 b7b5 b3b5 a8b8"
).split()
SEEN, LATER = 10, 4
"""So many half-moves before the stop, and so many after what was played meanwhile."""


class Game:
    """A game on such a board without a clock, and what is told of it."""

    def __init__(self, kind: SensingClass) -> None:
        self.table, self.position, self.now_ns, self._rows = (
            Table(TableSetup()),
            CHESS.start(),
            0,
            0,
        )
        self.sensing = Sensing(kind, SECOND * 2 // 5)
        self.told: dict[str, dict[str, Any]] = {}
        self.plug_in()

    def take(self, item: Input) -> None:
        self._rows += 1
        self._hear(self.table.take(self._rows, item).outputs)

    def _hear(self, outputs: tuple) -> None:
        for output in outputs:
            if output.seq and "kind" in (payload := json.loads(output.payload)):
                self.told[payload["id"]] = payload

    def waits(self, seconds: int) -> None:
        end_ns = self.now_ns + seconds * SECOND
        while (due_ns := self.table.due_at_ns) is not None and due_ns <= end_ns:
            self._hear(self.table.due(due_ns).outputs)
        self.now_ns = end_ns

    def plug_in(self) -> None:
        self.take(LinkUp(self.now_ns, "certabo", "", self.sensing))
        self.shows()

    def shows(self) -> None:
        self.take(Scan(self.now_ns, CHESS.placement(self.position)))

    def plays(self, moves: list[str], *, seen: bool = True) -> None:
        for move in moves:
            self.position = CHESS.play(self.position, CHESS.parse(self.position, move))
            if seen:
                self.waits(2)
                self.shows()
                self.waits(1)

    def open(self) -> set[str]:
        return {told["kind"] for told in self.told.values() if told["state"] == "open"}


def stopped(game: Game, unseen: list[str]) -> None:
    heard_ns, game.table = game.now_ns, game.table.copied()
    game.plays(unseen, seen=False)
    game.now_ns += 15 * SECOND
    game.take(ServiceStarted(game.now_ns, "1.0.0", heard_ns))


def cable_out(game: Game, unseen: list[str]) -> None:
    game.take(LinkDown(game.now_ns, "the cable is out"))
    game.plays(unseen, seen=False)
    game.waits(15)


@pytest.mark.parametrize("kind", [SensingClass.IDENTITY, SensingClass.IDENTITY_NOISY])
@pytest.mark.parametrize("unseen", [0, 1, 2, 3, 4, 6, 10])
def test_what_was_played_while_the_service_was_stopped_displaced_nothing(
    unseen: int, kind: SensingClass
) -> None:
    """Pieces were displaced, the board was knocked over, and not a half-move more was read."""
    found = []
    for away in (stopped, cable_out):
        game = Game(kind)
        game.plays(EVERGREEN[:SEEN])
        away(game, EVERGREEN[SEEN : SEEN + unseen])
        game.waits(1)
        game.plug_in()
        game.waits(8)
        game.plays(EVERGREEN[SEEN + unseen :][:LATER])
        game.waits(5)
        found.append((game.open(), game.table.moves))
    assert found[0] == found[1]
    assert found[0][0] <= {"tech-gap"}
    assert len(found[0][1]) >= SEEN + LATER
