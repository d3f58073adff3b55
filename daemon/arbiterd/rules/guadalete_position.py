"""A position of the river game as a value, its text form, and the choices the rules leave open.

The text is a FEN and two fields: planks as a sorted list or `-`, and the pawns each side has
transformed, White's first:

    rnbqkbnr/pppp1ppp/8/8/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2 d4,e5 1/1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from arbiterd.rules.chess_position import ChessPosition, file, read_fen, row, write_fen
from arbiterd.rules.ruleset import counter_field, read_counter
from eboards.events import CHESS_BOARD

DEFAULT_RIVER = tuple(f"{letter}{rank}" for rank in "45" for letter in "abcdefgh")


class GuadaletePosition(NamedTuple):
    """Never changed in place."""

    board: str
    white: bool
    castling: tuple[int, ...]
    planks: tuple[int, ...]
    """River squares that carry a counter, in square order."""
    transformed: tuple[int, int]
    """Pawns of White and Black that became planks."""
    quiet: int
    number: int


@dataclass(frozen=True, slots=True)
class Choices:
    """What the rules leave to the organiser; the defaults are the game as described."""

    river: tuple[str, ...] = DEFAULT_RIVER
    """The squares of the river."""
    pawn_on_plank: Literal["stay", "transform", "forbid"] = "stay"
    """What a pawn does that reaches a square with a counter."""
    double_step: Literal["river", "none"] = "river"
    """Whether a double step may end on the river."""
    promotion: bool = True
    """Whether a pawn that has crossed is exchanged on its last rank; else it stays there."""
    king_attacks_planks: bool = False
    """Whether a king guards planked squares that it may not enter."""
    duty_impossible: Literal["waits", "strict"] = "waits"
    """A duty that cannot be met waits for a better moment, or leaves no legal move at all."""
    counter_missing: Literal["illegal", "warn"] = "illegal"
    """A pawn left on the water when the clock is pressed: an illegal move as under 7.5.2, or
    put right without a penalty."""
    threefold: Literal["claim", "automatic"] = "claim"
    """Whether the third occurrence is a claim, with the fifth a draw by itself, or a draw."""
    fifty: bool = True
    """Whether the rules of 50 and 75 moves hold."""
    counters_sensed: bool = False
    """Whether the board sees the counters; if not, planks are known from the moves alone."""

    def __post_init__(self) -> None:
        for name in self.river:
            if name not in CHESS_BOARD.names:
                raise ValueError(f"the river has {name!r}; write squares from a8 to h1")
            if name[1] in "1278":
                raise ValueError(f"the river has {name}, where pieces stand at the start")
        dry = sorted(set("abcdefgh") - {name[0] for name in self.river})
        if dry:
            raise ValueError(f"the river misses the {dry[0]}-file; each file needs a square of it")
        if _banks_meet(frozenset(CHESS_BOARD.square(name) for name in self.river)):
            raise ValueError("the river does not part the board; a king could walk round it")


def _banks_meet(river: frozenset[int]) -> bool:
    """Whether king steps lead from the first rank to the eighth without the river."""
    reached = {square for square in range(56, 64) if square not in river}
    edge = sorted(reached)
    while edge:
        square = edge.pop()
        for at in range(64):
            beside = abs(file(at) - file(square)) <= 1 and abs(row(at) - row(square)) <= 1
            if beside and at not in river and at not in reached:
                reached.add(at)
                edge.append(at)
    return any(row(square) == 0 for square in reached)


def write_position(position: GuadaletePosition) -> str:
    """The eight fields."""
    chess = ChessPosition(
        position.board, position.white, position.castling, -1, position.quiet, position.number
    )
    planks = ",".join(sorted(CHESS_BOARD.names[square] for square in position.planks))
    white, black = map(counter_field, position.transformed)
    return f"{write_fen(chess)} {planks or '-'} {white}/{black}"


def read_position(text: str, river: frozenset[int]) -> GuadaletePosition:
    """From eight fields, or a FEN of six (no planks yet). Raises ValueError with a sentence."""
    fields = text.split()
    chess = read_fen(" ".join(fields[:6]))
    planks_field, score = [*fields[6:], "-", "0/0"][:2] if len(fields) != 8 else fields[6:]
    planks: list[int] = []
    for name in () if planks_field == "-" else planks_field.split(","):
        if name not in CHESS_BOARD.names or CHESS_BOARD.square(name) not in river:
            raise ValueError(f"{text!r} has a plank on {name!r}, which is no square of the river")
        planks.append(CHESS_BOARD.square(name))
    white, black = map(read_counter, [*score.split("/"), ""][:2])
    if white is None or black is None or score.count("/") > 1:
        raise ValueError(f"{text!r} has the score {score!r}; write for example 1/0")
    return GuadaletePosition(
        chess.board,
        chess.white,
        chess.castling,
        tuple(sorted(planks)),
        (white, black),
        chess.quiet,
        chess.number,
    )
