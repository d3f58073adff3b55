"""Games to be played by simulated hands: moves, and the clock after each as it was published.

They come from a PGN file (`[%clk]` where there is one), or are drawn (`drawn_games`).
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import chess
import chess.pgn

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Change, Colour, RuleSet
from eboards.events import EMPTY, Piece, Placement, Square


@dataclass(frozen=True, slots=True)
class StagedGame:
    """One game, as it should stand on the record in the end."""

    white: str
    black: str
    moves: tuple[str, ...]
    """In wire form."""
    result: str = "*"
    clock_ms: tuple[int | None, ...] = ()
    """The mover's clock after each half-move, as published; None where a gap is. Or empty."""
    ruleset: str = "chess"
    start: str = ""
    """A FEN; empty: the start position."""
    event: str = ""

    @property
    def name(self) -> str:
        return f"{self.white} – {self.black}"


@dataclass(frozen=True, slots=True)
class Carry:
    """One own piece on its way in a half-move. `after` is another face where it promotes."""

    origin: Square | None
    target: Square | None
    before: Piece
    after: Piece


@dataclass(frozen=True, slots=True)
class HandMove:
    """A half-move as hands know it: which pieces leave, which arrive, which is taken."""

    side: Colour
    move: str
    carries: tuple[Carry, ...]
    """The mover first: the king before the rook."""
    victim: Square | None
    changes: tuple[Change, ...]
    castling: tuple[Square, Square] | None = None
    """Where king and rook stand that castle; in Chess960 one of them may stay there."""

    @property
    def mover(self) -> Square | None:
        """Where the piece stands that the half-move is one of: the king that castles, though it
        may stay. None: it comes from the hand."""
        return self.castling[0] if self.castling else self.carries[0].origin

    @property
    def taken_up(self) -> frozenset[Square]:
        """Where own pieces stand that may be touched for it."""
        origins = (carry.origin for carry in self.carries)
        return frozenset(
            square for square in (*origins, *(self.castling or ())) if square is not None
        )

    @property
    def squares(self) -> frozenset[Square]:
        return frozenset(square for square, _ in self.changes)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A whole game in steps, with the position and the placement before each, and the last."""

    game: StagedGame
    rules: RuleSet[Any, Any]
    positions: tuple[Any, ...]
    placements: tuple[Placement, ...]
    steps: tuple[HandMove, ...]


def step_of(rules: RuleSet[Any, Any], position: Any, move: Any) -> HandMove:
    """What a legal move asks of the hands."""
    before, side = rules.placement(position), rules.turn(position)
    changes = rules.footprint(position, move)
    changing = dict(changes)
    touched = [square for square in rules.touched(position, move) if square in changing]
    leaving = [square for square in touched if rules.owner(before[square]) is side]
    victims = [s for s in touched if before[s] != EMPTY and rules.owner(before[s]) is not side]
    arriving = [(square, piece) for square, piece in changes if piece != EMPTY]
    carries = []
    for origin in leaving:
        same = [pair for pair in arriving if pair[1] == before[origin]]
        found = next(iter(same or arriving), None)
        if found is None:
            carries.append(Carry(origin, None, before[origin], EMPTY))
        else:
            arriving.remove(found)
            carries.append(Carry(origin, found[0], before[origin], found[1]))
    carries += [Carry(None, target, EMPTY, after) for target, after in arriving]
    wire, victim = rules.wire(position, move), victims[0] if victims else None
    castling = king_and_rook(rules, position, move)
    return HandMove(side, wire, tuple(carries), victim, changes, castling)


def king_and_rook(
    rules: RuleSet[Any, Any], position: Any, move: Any
) -> tuple[Square, Square] | None:
    """King and rook, where a half-move is one of two own pieces."""
    before, side = rules.placement(position), rules.turn(position)
    match rules.touched(position, move):
        case [king, rook] if rules.owner(before[king]) is rules.owner(before[rook]) is side:
            return king, rook
    return None


def follow(game: StagedGame) -> GameLine:
    """Play a game through its rules. Raises ValueError where a move is not legal."""
    rules = ruleset(game.ruleset)
    position = rules.start(game.start)
    positions, steps = [position], []
    for wire in game.moves:
        move = rules.parse(position, wire)
        steps.append(step_of(rules, position, move))
        position = rules.play(position, move)
        positions.append(position)
    placements = tuple(rules.placement(position) for position in positions)
    return GameLine(game, rules, tuple(positions), placements, tuple(steps))


def read_games(text: str) -> Iterator[StagedGame]:
    """Every game of a PGN text that has moves. Raises ValueError for what no reader can follow."""
    stream = io.StringIO(text)
    while (found := _next_game(stream)) is not None:
        nodes = list(found.mainline())
        if not nodes:
            continue
        clocks = tuple(_milliseconds(node.clock()) for node in nodes)
        headers = found.headers
        yield StagedGame(
            white=headers.get("White", "?"),
            black=headers.get("Black", "?"),
            moves=tuple(node.move.uci() for node in nodes),
            result=headers.get("Result", "*"),
            clock_ms=clocks if any(clock is not None for clock in clocks) else (),
            ruleset="chess960" if headers.is_chess960() else "chess",
            start=headers.get("FEN", ""),
            event=headers.get("Event", ""),
        )


class _Quiet(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Ends a game where it can be read no further, without the library's line on stderr."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def _next_game(stream: io.StringIO) -> chess.pgn.Game | None:
    """The library's reader trips over brackets that close more than they opened."""
    try:
        return chess.pgn.read_game(stream, Visitor=_Quiet)
    except IndexError:
        raise ValueError("the PGN closes a variation that it did not open; mend the file") from None


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


@cache
def uci_line(sans: str) -> tuple[str, ...]:
    """The moves of a game written in SAN without numbers. Raises ValueError for an illegal one."""
    board = chess.Board()
    return tuple(board.push_san(san).uci() for san in sans.split())
