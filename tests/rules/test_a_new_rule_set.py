"""A rule set of one's own: pawns race across a board of four by four, added without touching any
other room, and played at a whole table: moves, rulings, a lost board, the result."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from arbiterd.rules import registry
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import (
    Attempt,
    Change,
    Colour,
    GameEnd,
    Reason,
    board_field,
    read_board_field,
)
from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.table import Table
from eboards.events import Geometry, Placement, Square

BOARD = Geometry(4, 4, tuple(f"{f}{r}" for r in "4321" for f in "abcd"))


class Race(NamedTuple):
    pieces: str
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
    variant = "Pawn race"
    letters = ""

    def start(self, setup: str = "") -> Race:
        field, side = (setup or "pppp/4/4/PPPP w").split()
        return Race("".join(read_board_field(BOARD, field)), side == "w")

    def is_start(self, placement: Placement) -> Race | None:
        return self.start() if placement == self.placement(self.start()) else None

    def fen(self, position: Race) -> str:
        return f"{board_field(BOARD, position.pieces)} {'w' if position.white else 'b'}"

    def turn(self, position: Race) -> Colour:
        return Colour.WHITE if position.white else Colour.BLACK

    def in_check(self, position: Race, colour: Colour) -> bool:
        return False

    def placement(self, position: Race) -> Placement:
        return tuple(position.pieces)

    def key(self, position: Race) -> Hashable:
        return position

    def quiet_plies(self, position: Race) -> int:
        return 0

    def legal_moves(self, position: Race) -> tuple[Step, ...]:
        own, other, ahead = ("P", "p", -4) if position.white else ("p", "P", 4)
        steps = []
        for origin, piece in enumerate(position.pieces):
            for side in (-1, 0, 1) if piece == own else ():
                target, file = origin + ahead + side, origin % 4 + side
                on_board = 0 <= target < 16 and 0 <= file < 4
                if on_board and position.pieces[target] == (other if side else "."):
                    steps.append(Step(origin, target))
        return tuple(steps)

    def play(self, position: Race, move: Step) -> Race:
        pieces = list(position.pieces)
        pieces[move.target], pieces[move.origin] = pieces[move.origin], "."
        return Race("".join(pieces), not position.white)

    def footprint(self, position: Race, move: Step) -> tuple[Change, ...]:
        return tuple(sorted([(move.origin, "."), (move.target, position.pieces[move.origin])]))

    def touched(self, position: Race, move: Step) -> tuple[int, ...]:
        return (move.origin, move.target) if position.pieces[move.target] != "." else (move.origin,)

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
        own = "P" if mover is Colour.WHITE else "p"
        pairs = [*enumerate(zip(position.pieces, placement, strict=True))]
        left = [n for n, (was, now) in pairs if was == own != now]
        came = [n for n, (was, now) in pairs if was != own == now]
        if len(left) != 1 or len(came) != 1:
            return None
        wire = BOARD.names[left[0]] + BOARD.names[came[0]]
        return Attempt(wire, mover, own, left[0], came[0], Reason.CANNOT_MOVE_SO)

    def taken_as_played(self, position: Race, placement: Placement, to_move: Colour) -> Race | None:
        return Race("".join(placement), to_move is Colour.WHITE)

    def end(self, position: Race) -> tuple[GameEnd, Colour | None] | None:
        return None if self.legal_moves(position) else (GameEnd.NO_MOVE, self.turn(position).other)

    def end_by_history(self, positions: tuple[Race, ...]) -> tuple[GameEnd, Colour | None] | None:
        return None

    def kings_in_centre(self, placement: Placement) -> tuple[Square, ...]:
        return ()

    def result_signal(self, placement: Placement) -> str | None:
        return None

    def facts(self, position: Race) -> Mapping[str, str]:
        return {}


registry.add("pawn-race", PawnRace)


LINE = ["a1a2", "b4b3", "a2b3", "a4b3"]


def step(t: int, move: str, piece: str, press: str, taken: bool = False) -> list[dict[str, Any]]:
    """A pawn by hand, then the clock."""
    origin, target = move[:2], move[2:]
    return [
        *([{"t": t - 300, "lift": target}] if taken else []),
        {"t": t, "lift": origin},
        {"t": t + 400, "place": target, "piece": piece},
        {"t": t + 900, "press": press},
    ]


def told(*lines: dict[str, Any], fen: str = "") -> list[tuple[str, dict[str, Any]]]:
    """What leaves a table at which this is done."""
    head = {
        "scenario": "pawn race",
        "ruleset": "pawn-race",
        "rate": {"kind": "standard", "supervised": True, "time": ["10:00+5"]},
        "clock": {"white_ms": 605_000, "black_ms": 605_000, "running": "white"},
        **({"fen": fen} if fen else {}),
    }
    scenario = read_scenario("\n".join(json.dumps(line) for line in (head, *lines)))
    steps = play(Table(scenario.setup), enumerate(scenario.inputs, 1))
    outputs = (output for _, step in steps for output in step.outputs)
    return [(output.topic, json.loads(output.payload)) for output in outputs if output.payload]


def rulings(heard: list[tuple[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    return {body["kind"]: body for topic, body in heard if topic == "rulings"}


def test_a_new_game_is_tracked_and_told_without_touching_another_room() -> None:
    sides, pieces = ("white", "black"), "Pp"
    lines = [
        line
        for n, move in enumerate(LINE)
        for line in step(2000 + 3000 * n, move, pieces[n % 2], sides[n % 2], taken=n > 1)
    ]
    heard = told(*lines)
    moves = [body for topic, body in heard if topic == "moves"]
    assert [move["uci"] for move in moves] == LINE
    assert [move["how"] for move in moves] == ["pressed"] * 4
    assert moves[-1]["fen"] == "2pp/1p2/4/1PPP w"


def test_its_illegal_moves_are_counted_and_named() -> None:
    heard = told(*step(2000, "a1a3", "P", "white"))
    ruling = rulings(heard)["illegal-first"]
    assert ruling["facts"]["attempt"] == "a1a3"
    assert ruling["proposal"]["restore"] == "pppp/4/4/PPPP w"
    assert ruling["proposal"]["clock_delta_ms"]["black"] == 120_000
    assert ruling["text"]["en"]["line"] == (
        "1. White completed an illegal move (Pa1-a3): the piece cannot move so"
    )


def test_its_end_is_proposed_and_confirmed() -> None:
    """White blocks the last black pawn: no step is left."""
    fen = "4/p3/4/P3 w"
    heard = told(
        *step(2000, "a1a2", "P", "white"),
        {"t": 20_000, "act": {"action": "confirm", "by": "An arbiter", "ruling": "end-no-move"}},
        fen=fen,
    )
    assert rulings(heard)["end-no-move"]["text"]["en"]["line"] == "No legal move: 1-0"
    (result,) = (body for topic, body in heard if topic == "result")
    assert (result["result"], result["reason"]) == ("1-0", "no-legal-move")


def test_its_board_and_clock_may_be_lost() -> None:
    heard = told(*step(2000, "a1a2", "P", "white"), {"t": 9000, "link": "down"})
    assert "tech-board-lost" in rulings(heard)
    heard = told(*step(2000, "a1a2", "P", "white"), {"t": 9000, "clock": None})
    assert "clock-lost" in rulings(heard)


def test_claims_of_other_games_are_refused_and_general_acts_answered() -> None:
    acts = [
        {"action": "claim", "claim": "threefold", "side": "white"},
        {"action": "draw-offer", "side": "white"},
        {"action": "penalty", "side": "white", "kind": "warning"},
        {"action": "report", "kind": "conduct-distraction", "side": "black"},
        {"action": "resign", "side": "black"},
    ]
    lines = [{"t": 1000 * n, "act": {**act, "by": "An arbiter"}} for n, act in enumerate(acts, 1)]
    heard = told(*lines)
    answers = [body for topic, body in heard if topic.startswith("reply")]
    assert [answer["ok"] for answer in answers] == [False, True, True, True, True]
    assert "is no claim of this game" in answers[0]["error"]
    (result,) = (body for topic, body in heard if topic == "result")
    assert (result["result"], result["reason"]) == ("1-0", "resignation")
