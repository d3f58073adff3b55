"""Games to be played by simulated hands: moves, and the clock after each as it was published.

They come from a PGN file (`[%clk]` where there is one) or are made from dice.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import chess
import chess.pgn

from arbiterd.rules.chess960 import start_fen
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Change, Colour, RuleSet
from arbiterd.simulation.dice import dice
from eboards.events import EMPTY, Piece, Placement, Square

MADE_GAMES = 60
"""So many games a benchmark makes of a game that nobody has published in PGN."""
MADE_PLIES = 140


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
    castling = _castling(rules, position, move)
    return HandMove(side, wire, tuple(carries), victim, changes, castling)


def _castling(rules: RuleSet[Any, Any], position: Any, move: Any) -> tuple[Square, Square] | None:
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


def made_game(rolls: Random, plies: int, name: str = "chess") -> StagedGame:
    """A game of random legal moves, captures and promotions somewhat preferred."""
    rules = ruleset(name)
    position = rules.start()
    moves: list[str] = []
    while len(moves) < plies and rules.end(position) is None:
        choice = _lively(rules, position, rolls)
        moves.append(rules.wire(position, choice))
        position = rules.play(position, choice)
    return StagedGame("made", f"by dice, {len(moves)} half-moves", tuple(moves), ruleset=name)


def made_games(name: str, games: int = MADE_GAMES) -> list[StagedGame]:
    """Games of this rule set, always the same ones; of Chess960 from many arrays."""
    rolls = [dice(f"{name}/{number}") for number in range(games)]
    if name == "chess960":
        return [shuffled_game(each) for each in rolls]
    return [made_game(each, MADE_PLIES, name) for each in rolls]


def _lively(rules: RuleSet[Any, Any], position: Any, rolls: Random) -> Any:
    """Of three moves drawn, the one that changes most: captures and castling turn up often."""
    legal = rules.legal_moves(position)
    drawn = [rolls.choice(legal) for _ in range(3)]
    return max(drawn, key=lambda move: len(rules.touched(position, move)))


SHUFFLED_PLIES = range(60, 141)
"""So long are games from the shuffled arrays of Chess960, unless they end before."""
CASTLES = 0.15
"""How likely a side is to castle at a half-move at which it may."""


def shuffled_game(dice: Random) -> StagedGame:
    """A game of Chess960 from an array that is drawn, as `made_game` plays. King and rooks stay at
    home while they can castle, so that most games have a castling or two."""
    rules, start, plies = (
        ruleset("chess960"),
        start_fen(dice.randrange(960)),
        dice.choice(SHUFFLED_PLIES),
    )
    position = rules.start(start)
    moves: list[str] = []
    while len(moves) < plies and rules.end(position) is None:
        choice = _castling_or_lively(rules, position, dice)
        moves.append(rules.wire(position, choice))
        position = rules.play(position, choice)
    name = f"by dice, {len(moves)} half-moves"
    return StagedGame("made", name, tuple(moves), ruleset=rules.name, start=start)


def _castling_or_lively(rules: RuleSet[Any, Any], position: Any, dice: Random) -> Any:
    legal = rules.legal_moves(position)
    castlings = [move for move in legal if _castling(rules, position, move)]
    if castlings and dice.random() < CASTLES:
        return dice.choice(castlings)
    at_home = {square for move in castlings for square in rules.touched(position, move)}
    others = [m for m in legal if at_home.isdisjoint(rules.touched(position, m))]
    drawn = [dice.choice(others or legal) for _ in range(3)]
    return max(drawn, key=lambda move: len(rules.touched(position, move)))


@cache
def uci_line(sans: str) -> tuple[str, ...]:
    """The moves of a game written in SAN without numbers. Raises ValueError for an illegal one."""
    board = chess.Board()
    return tuple(board.push_san(san).uci() for san in sans.split())
