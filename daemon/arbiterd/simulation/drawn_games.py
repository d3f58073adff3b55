"""Games that nobody has played: legal moves drawn by dice, the same ones from the same dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any, Final, TypeAlias

from arbiterd.rules.chess960 import start_fen
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import RuleSet
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import StagedGame, king_and_rook

Rules: TypeAlias = RuleSet[Any, Any]
Choice: TypeAlias = Callable[[Rules, Any], Any]
"""The move that is made in a position."""

MADE_GAMES: Final = 60
"""So many games a benchmark makes where it is given none."""
MADE_PLIES: Final = 140
SHUFFLED_PLIES: Final = range(60, 141)
"""So long are games from the shuffled arrays of Chess960, unless they end before."""
CASTLES: Final = 0.15
"""How likely a side is to castle at a half-move at which it may."""
MOVES_DRAWN: Final = 3
"""Of so many moves that are drawn the one is made that changes most."""


def made_games(name: str, games: int = MADE_GAMES) -> list[StagedGame]:
    """Games of this rule set, always the same ones; of Chess960 from many arrays."""
    each = [dice(f"{name}/{number}") for number in range(games)]
    if name == "chess960":
        return [shuffled_game(rolls) for rolls in each]
    return [made_game(rolls, MADE_PLIES, name) for rolls in each]


def made_game(rolls: Random, plies: int, name: str = "chess") -> StagedGame:
    """A game of random legal moves, captures and promotions somewhat preferred."""
    return _played(name, "", plies, partial(_lively, rolls))


def shuffled_game(rolls: Random) -> StagedGame:
    """A game of Chess960 from an array that is drawn, as `made_game` plays. King and rooks stay at
    home while they can castle, so that most games have a castling or two."""
    start, plies = start_fen(rolls.randrange(960)), rolls.choice(SHUFFLED_PLIES)
    return _played("chess960", start, plies, partial(_castling_or_lively, rolls))


def _played(name: str, start: str, plies: int, chosen: Choice) -> StagedGame:
    """So many half-moves, or those until the game is over."""
    rules = ruleset(name)
    position = rules.start(start)
    moves: list[str] = []
    while len(moves) < plies and rules.end(position) is None:
        move = chosen(rules, position)
        moves.append(rules.wire(position, move))
        position = rules.play(position, move)
    black = f"by dice, {len(moves)} half-moves"
    return StagedGame("made", black, tuple(moves), ruleset=name, start=start)


def _lively(rolls: Random, rules: Rules, position: Any) -> Any:
    """Captures and castling turn up often."""
    return _liveliest(rolls, rules, position, rules.legal_moves(position))


def _castling_or_lively(rolls: Random, rules: Rules, position: Any) -> Any:
    legal = rules.legal_moves(position)
    castlings = [move for move in legal if king_and_rook(rules, position, move)]
    if castlings and rolls.random() < CASTLES:
        return rolls.choice(castlings)
    at_home = {square for move in castlings for square in rules.touched(position, move)}
    others = [move for move in legal if at_home.isdisjoint(rules.touched(position, move))]
    return _liveliest(rolls, rules, position, others or legal)


def _liveliest(rolls: Random, rules: Rules, position: Any, moves: Sequence[Any]) -> Any:
    drawn = [rolls.choice(moves) for _ in range(MOVES_DRAWN)]
    return max(drawn, key=lambda move: len(rules.touched(position, move)))
