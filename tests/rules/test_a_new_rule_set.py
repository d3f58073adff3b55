"""A rule set of one's own: pawns race across a board of four by four, added without touching any
other room, and played from bare square changes to numbered events."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import NamedTuple

from arbiterd.rules import registry
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import (
    Attempt,
    Change,
    Colour,
    End,
    Reason,
    board_field,
    read_board_field,
)
from arbiterd.table import Table, TableSetup
from arbiterd.table.playback import play, told
from eboards.events import Geometry, LinkUp, Placement, Scan, Sensing, SensingClass, SquareChange

BOARD = Geometry(4, 4, tuple(f"{f}{r}" for r in "4321" for f in "abcd"))
MS = 1_000_000


class Race(NamedTuple):
    men: str
    white: bool


class Step(NamedTuple):
    origin: int
    target: int


class PawnRace:
    """A pawn steps forward or takes diagonally; who has no step left has lost."""

    name = "pawn-race"
    geometry = BOARD
    squares_per_ply = 2
    first = Colour.WHITE
    replayed = frozenset()
    customs = frozenset((Custom.PRESS,))
    letters = ""

    def start(self, setup: str = "") -> Race:
        field, side = (setup or "pppp/4/4/PPPP w").split()
        return Race("".join(read_board_field(BOARD, field)), side == "w")

    def is_start(self, placement: Placement) -> Race | None:
        return self.start() if placement == self.placement(self.start()) else None

    def fen(self, position: Race) -> str:
        return f"{board_field(BOARD, position.men)} {'w' if position.white else 'b'}"

    def turn(self, position: Race) -> Colour:
        return Colour.WHITE if position.white else Colour.BLACK

    def in_check(self, position: Race, colour: Colour) -> bool:
        return False

    def placement(self, position: Race) -> Placement:
        return tuple(position.men)

    def key(self, position: Race) -> Hashable:
        return position

    def quiet_plies(self, position: Race) -> int:
        return 0

    def legal_moves(self, position: Race) -> tuple[Step, ...]:
        own, other, ahead = ("P", "p", -4) if position.white else ("p", "P", 4)
        steps = []
        for origin, man in enumerate(position.men):
            for side in (-1, 0, 1) if man == own else ():
                target, file = origin + ahead + side, origin % 4 + side
                on_board = 0 <= target < 16 and 0 <= file < 4
                if on_board and position.men[target] == (other if side else "."):
                    steps.append(Step(origin, target))
        return tuple(steps)

    def play(self, position: Race, move: Step) -> Race:
        men = list(position.men)
        men[move.target], men[move.origin] = men[move.origin], "."
        return Race("".join(men), not position.white)

    def footprint(self, position: Race, move: Step) -> tuple[Change, ...]:
        return tuple(sorted([(move.origin, "."), (move.target, position.men[move.origin])]))

    def touched(self, position: Race, move: Step) -> tuple[int, ...]:
        return (move.origin, move.target) if position.men[move.target] != "." else (move.origin,)

    def wire(self, position: Race, move: Step) -> str:
        return BOARD.names[move.origin] + BOARD.names[move.target]

    san = wire

    def parse(self, position: Race, text: str) -> Step:
        for move in self.legal_moves(position):
            if self.wire(position, move) == text:
                return move
        raise ValueError(f"{text!r} is no legal step")

    def owner(self, piece: str) -> Colour | None:
        return {"P": Colour.WHITE, "p": Colour.BLACK}.get(piece)

    def read_attempt(self, position: Race, placement: Placement, mover: Colour) -> Attempt | None:
        if "".join(placement) == position.men:
            return None
        return Attempt("", mover, "P", None, None, Reason.CANNOT_MOVE_SO)

    def taken_as_played(self, position: Race, placement: Placement, to_move: Colour) -> Race | None:
        return Race("".join(placement), to_move is Colour.WHITE)

    def end(self, position: Race) -> tuple[End, Colour | None] | None:
        return None if self.legal_moves(position) else (End.NO_MOVE, self.turn(position).other)

    def end_by_history(self, positions: tuple[Race, ...]) -> tuple[End, Colour | None] | None:
        return None

    def result_signal(self, placement: Placement) -> str | None:
        return None

    def facts(self, position: Race) -> Mapping[str, str]:
        return {}


registry.add("pawn-race", PawnRace)


def test_a_new_game_is_tracked_and_told_without_touching_another_room() -> None:
    rules, line = PawnRace(), ["a1a2", "b4b3", "a2b3", "a4b3"]
    position = rules.start()
    sensing = Sensing(SensingClass.IDENTITY, 200 * MS, BOARD)
    inputs = [LinkUp(0, "test", "", sensing), Scan(0, rules.placement(position))]
    at_ns = 0
    for text in line:
        move = rules.parse(position, text)
        for square, man in ((move.origin, "."), (move.target, position.men[move.origin])):
            at_ns += 3_000 * MS
            inputs.append(SquareChange(at_ns, square, man))
        position = rules.play(position, move)

    steps = play(Table(TableSetup(ruleset="pawn-race")), enumerate(inputs, 1))
    events = [json.loads(o.payload) for _, step in steps for o in step.outputs if told(o)]

    assert [event["uci"] for event in events if "uci" in event] == line
    assert events[-1]["fen"] == rules.fen(position)
