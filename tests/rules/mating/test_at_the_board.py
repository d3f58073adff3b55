"""The four articles end to end: hands and clock at an emulated board, bytes in, rulings out."""

from __future__ import annotations

import json
from typing import Any

import chess
import pytest

from arbiterd.laws.act import Act
from arbiterd.messages.step import Output, Step
from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.virtual import VirtualTime
from arbiterd.table import Table
from arbiterd.table.inputs import Input
from arbiterd.table.setup import TableSetup
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator
from eboards.events import LinkUp

SECOND_NS = 1_000_000_000
SHORT_MS, LONG_MS = 6_000, 600_000
SETTLED_NS = 3 * SECOND_NS
"""The board has shown itself, and its clock runs."""


class AtTheBoard:
    """A board, its clock, the cable, the driver and the table, as one party of virtual time.

    White sits at the left; the clock of the side to move runs from the start.
    """

    def __init__(self, fen: str, short: Colour | None = None, illegal: tuple[int, int] = (0, 0)):
        white_moves = fen.split()[1] == "w"
        clock = EmulatedClock(
            left_ms=SHORT_MS if short is Colour.WHITE else LONG_MS,
            right_ms=SHORT_MS if short is Colour.BLACK else LONG_MS,
            right_high=not white_moves,
        )
        men = str(chess.Board(fen)).replace("\n", "").replace(" ", "")
        self.emulator = DgtEmulator(men, clock)
        self.emulator.start(0)
        self.codec = DgtCodec()
        self.table = Table(TableSetup(start=fen, orientation=0, illegal=illegal))
        self.outputs: list[Output] = []
        self._inputs = 0
        self._asks_ns: int | None = 0
        self._take(LinkUp(0, "dgt", "", self.codec.sensing))
        self.time = VirtualTime([self])
        self.time.run(SETTLED_NS)

    @property
    def due_at_ns(self) -> int | None:
        times = (self._asks_ns, self.emulator.due_at_ns, self.table.due_at_ns)
        return min((time for time in times if time is not None), default=None)

    def due(self, at_ns: int) -> None:
        if self._asks_ns == at_ns:
            asked, events = self.codec.due(at_ns)
            self.emulator.receive(asked, at_ns)
            for event in events:
                self._take(event)
        for event in self.codec.receive(self.emulator.advance(at_ns), at_ns):
            self._take(event)
        self._keep(self.table.due(at_ns))
        self._asks_ns = self.codec.due_at_ns

    def _take(self, item: Input) -> None:
        self._inputs += 1
        self._keep(self.table.take(self._inputs, item))

    def _keep(self, step: Step) -> None:
        self.outputs += [output for output in step.outputs if output.payload]

    # What people do.

    def wait(self, seconds: float) -> None:
        self.time.run(self.time.at_ns + int(seconds * SECOND_NS))
        self.time.wake(self)

    def move(self, uci: str) -> None:
        """A hand moves a man, legally or not, and takes what stands there."""
        move = chess.Move.from_uci(uci)
        man = self.emulator.lift(move.from_square ^ 56, self.time.at_ns)
        self.wait(1)
        self.emulator.place(move.to_square ^ 56, man, self.time.at_ns)
        self.wait(1)

    def press(self, side: str) -> None:
        assert self.emulator.press(side, self.time.at_ns)
        self.wait(3)

    def act(self, action: str, **fields: Any) -> None:
        self._take(Act(self.time.at_ns, action, by="arbiter", **fields))
        self.wait(1)

    # What is heard.

    def rulings(self) -> dict[str, dict[str, Any]]:
        """The newest revision of each ruling by its kind."""
        told = [o.payload for o in self.outputs if o.topic == "rulings" and o.seq is not None]
        return {ruling["kind"]: ruling for ruling in map(json.loads, told)}

    def result(self) -> dict[str, Any]:
        return json.loads([o.payload for o in self.outputs if o.topic == "result"][-1])


WALL = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 60"
WALL_WITH_BISHOP = "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 60"
"""White's king can go round it and mate; Black's men can do nothing."""
KNIGHT_AND_ROOK = "8/8/8/4k3/8/3r4/4K3/6N1 b - - 0 60"
KNIGHT_AND_QUEEN = "8/8/8/4k3/8/3q4/8/4K1N1 b - - 0 60"

FLAGS = [
    (WALL, Colour.WHITE, "flag-unwinnable", "1/2-1/2"),
    (WALL_WITH_BISHOP, Colour.WHITE, "flag-unwinnable", "1/2-1/2"),
    (WALL_WITH_BISHOP.replace(" w ", " b "), Colour.BLACK, "flag-last-period", "1-0"),
    (KNIGHT_AND_ROOK, Colour.BLACK, "flag-last-period", "1-0"),
    (KNIGHT_AND_QUEEN, Colour.BLACK, "flag-unwinnable", "1/2-1/2"),
]


@pytest.mark.parametrize(("fen", "flagged", "kind", "result"), FLAGS)
def test_a_flag_falls(fen: str, flagged: Colour, kind: str, result: str) -> None:
    """6.9: drawn where the opponent can never mate, lost where he still could."""
    board = AtTheBoard(fen, short=flagged)
    board.wait(SHORT_MS / 1000 + 3)
    ruling = board.rulings()[kind]

    assert ruling["proposal"]["result"] == result
    assert ruling["certainty"] == "fact"
    assert ruling["against"] == flagged.value
    if kind == "flag-unwinnable":
        assert ruling["facts"]["opponent_can_mate"] == "impossible"
        assert ruling["facts"]["proof"].endswith(".")
    board.act("confirm", ruling=ruling["id"])
    assert board.result()["result"] == result


def test_a_wall_that_a_move_completes_is_dead_before_the_flag_falls() -> None:
    """5.2.2: Black's pawn closes it, the game is over, and a flag means nothing any more."""
    board = AtTheBoard("4k3/6p1/8/p2p4/P2P2P1/8/8/4K3 b - - 0 60", short=Colour.WHITE)
    board.move("g7g5")
    board.press("right")
    board.wait(SHORT_MS / 1000 + 3)
    rulings = board.rulings()

    assert rulings["end-dead"]["proposal"]["result"] == "1/2-1/2"
    assert "blocked for ever" in rulings["end-dead"]["facts"]["proof"]
    assert not {"flag-last-period", "flag-unwinnable"} & set(rulings)


def test_a_resignation_when_the_only_legal_move_mates_the_other_side() -> None:
    """5.1.2: Black resigns before ...Rxe1 mate. White has no series of moves at all."""
    board = AtTheBoard("3rkr2/3p1p2/8/8/8/8/PP6/K3R2r b - - 0 60")
    board.act("resign", side=Colour.BLACK)
    ruling = board.rulings()["resign-unwinnable"]

    assert ruling["proposal"]["result"] == "1/2-1/2"
    assert ruling["facts"]["proof_kind"] in {"terminal", "forced"}
    board.act("confirm", ruling=ruling["id"])
    assert board.result()["result"] == "1/2-1/2"


@pytest.mark.parametrize(
    ("white", "result"), [("4K3", "1/2-1/2"), ("4K2P", "1-0")], ids=["bare king", "king and pawn"]
)
def test_a_second_illegal_move(white: str, result: str) -> None:
    """7.5.5: Black's rook moves like a bishop, for the second time."""
    board = AtTheBoard(f"4k3/8/8/3r4/8/8/{white}/8 b - - 0 60", illegal=(0, 1))
    board.move("d5b3")
    board.press("right")
    ruling = board.rulings()["illegal-second"]

    assert ruling["proposal"]["result"] == result
    assert ruling["against"] == "black"
    board.act("confirm", ruling=ruling["id"])
    assert board.result()["result"] == result
