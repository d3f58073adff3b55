"""What is watched for on the board waits while nobody hears it: a cable out, or no service."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.table.inputs import Input, ServiceStarted
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.events import EMPTY, LinkDown, LinkUp, Scan, Sensing, SensingClass, SquareChange

SECOND = 1_000_000_000
CHESS = ruleset("chess")
OPENING = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5".split()
SENSING = Sensing(SensingClass.IDENTITY, SECOND // 5)
E1, F1, G1, H1 = (CHESS.geometry.names.index(name) for name in ("e1", "f1", "g1", "h1"))


class Game:
    """Six half-moves of an opening, on a board without a clock; what is told of it, by time."""

    def __init__(self) -> None:
        self.table, self.now_ns, self._rows = Table(TableSetup()), 0, 0
        self.told: list[tuple[int, str]] = []
        self.take(LinkUp(self.now_ns, "dgt", "", SENSING))
        self.shown = list(CHESS.placement(CHESS.start()))
        self.shows()
        position = CHESS.start()
        for move in OPENING:
            before = CHESS.placement(position)
            position = CHESS.play(position, CHESS.parse(position, move))
            after = CHESS.placement(position)
            changed = [square for square in range(64) if before[square] != after[square]]
            for square in sorted(changed, key=lambda square: after[square] != EMPTY):
                self.puts(square, after[square])
            self.waits(3)

    def take(self, item: Input) -> None:
        self._rows += 1
        self._tell(self.table.take(self._rows, item).outputs)

    def _tell(self, outputs: tuple) -> None:
        for output in outputs:
            if output.seq and "kind" in (payload := json.loads(output.payload)):
                self.told.append((self.now_ns, payload["kind"]))

    def waits(self, seconds: float) -> None:
        end_ns = self.now_ns + int(seconds * SECOND)
        while (due_ns := self.table.due_at_ns) is not None and due_ns <= end_ns:
            self.now_ns = due_ns
            self._tell(self.table.due(due_ns).outputs)
        self.now_ns = end_ns

    def puts(self, square: int, piece: str) -> None:
        self.shown[square] = piece
        self.waits(0.5)
        self.take(SquareChange(self.now_ns, square, piece))

    def shows(self) -> None:
        self.take(Scan(self.now_ns, tuple(self.shown)))

    def resignations(self) -> list[int]:
        return [at_ns for at_ns, kind in self.told if kind == "resign-signal"]


def cable_out(game: Game, seconds: float) -> None:
    game.take(LinkDown(game.now_ns, "the cable is out"))
    game.waits(seconds)


def killed(game: Game, seconds: float) -> None:
    heard_ns = game.now_ns
    game.table = game.table.copied()
    game.now_ns += int(seconds * SECOND)
    game.take(ServiceStarted(game.now_ns, "1.0.0", heard_ns))


def killed_twice(game: Game, seconds: float) -> None:
    killed(game, seconds / 2)
    killed(game, seconds / 2)


def killed_with_the_cable_out(game: Game, seconds: float) -> None:
    cable_out(game, seconds / 2)
    killed(game, seconds / 2)


UNHEARD = [cable_out, killed, killed_twice, killed_with_the_cable_out]


def back(game: Game) -> None:
    game.take(LinkUp(game.now_ns, "dgt", "", SENSING))
    game.waits(0.3)
    game.shows()


@pytest.mark.parametrize("unheard", UNHEARD)
def test_a_king_held_up_for_castling_lays_nobody_down(
    unheard: Callable[[Game, float], None],
) -> None:
    """Found by `arbiterd rehearse --seed 648 --hours 0.1 --boards 55`."""
    game = Game()
    game.puts(E1, EMPTY)
    unheard(game, 40)
    game.waits(5)
    game.shown[G1], game.shown[F1], game.shown[H1] = "K", "R", EMPTY
    back(game)
    game.waits(60)
    assert game.table.moves[-1] == "e1g1"
    assert game.resignations() == []


@pytest.mark.parametrize("unheard", UNHEARD)
def test_a_king_that_stays_away_is_told_as_much_later_as_nobody_heard_the_board(
    unheard: Callable[[Game, float], None],
) -> None:
    heard = Game()
    heard.puts(E1, EMPTY)
    heard.waits(60)
    [told_ns] = heard.resignations()
    game = Game()
    game.puts(E1, EMPTY)
    game.waits(10)
    last_ns = game.now_ns
    unheard(game, 40)
    game.waits(5)
    assert game.resignations() == []
    back(game)
    gap_ns = game.now_ns - last_ns
    game.waits(60)
    assert game.resignations() == [told_ns + gap_ns]
