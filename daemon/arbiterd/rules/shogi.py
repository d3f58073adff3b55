"""Shogi: hands, drops, promotion, repetition. Sente is black and moves first, gote is white."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from arbiterd.rules.customs import Custom
from arbiterd.rules.fouls import Declaration
from arbiterd.rules.ruleset import Attempt, Change, Colour, GameEnd, Played
from arbiterd.rules.shogi_attempt import read_attempt, taken_as_played
from arbiterd.rules.shogi_choices import JSA, ShogiChoices
from arbiterd.rules.shogi_csa import ShogiGame, end_of, write_csa
from arbiterd.rules.shogi_kif import write_kif
from arbiterd.rules.shogi_moves import ShogiMove, in_check, legal_moves, play
from arbiterd.rules.shogi_points import agreed, counted, declare, entered, winner
from arbiterd.rules.shogi_position import (
    HAND,
    HANDICAPS,
    PROMOTED,
    START_SFEN,
    UNPROMOTED,
    PiecesInHand,
    ShogiPosition,
    read_hands,
    read_sfen,
    shown,
    write_hand,
    write_sfen,
)
from eboards.events import SHOGI_BOARD, Piece, Placement, Square

POSITIONS_CACHED = 2048
"""Positions whose moves are remembered, over all tables of one service."""

_legal_moves = lru_cache(maxsize=POSITIONS_CACHED)(legal_moves)
_START = read_sfen(START_SFEN)


class ShogiRules:
    """One edition of the game."""

    name = "shogi"
    geometry = SHOGI_BOARD
    squares_per_ply = 2
    first = Colour.BLACK
    customs = frozenset((Custom.FOULS_LOSE,))
    variant = "Shogi"
    letters = ""

    def __init__(self, choices: ShogiChoices = JSA) -> None:
        self.choices = choices
        again = choices.sennichite == "replay"
        self.replayed = frozenset((GameEnd.REPETITION,)) if again else frozenset[GameEnd]()

    # Positions.

    def start(self, setup: str = "") -> ShogiPosition:
        return read_sfen(setup) if setup else _START

    def is_start(self, placement: Placement) -> ShogiPosition | None:
        if placement == shown(_START.board):
            return _START
        return _handicaps().get(placement) if self.choices.handicaps else None

    def fen(self, position: ShogiPosition) -> str:
        return write_sfen(position)

    def turn(self, position: ShogiPosition) -> Colour:
        return Colour.BLACK if position.black else Colour.WHITE

    def in_check(self, position: ShogiPosition, colour: Colour) -> bool:
        return in_check(position.board, colour is Colour.BLACK)

    def placement(self, position: ShogiPosition) -> Placement:
        return shown(position.board)

    def key(self, position: ShogiPosition) -> Hashable:
        """Board, side and both hands."""
        return position[:3]

    def quiet_plies(self, _position: ShogiPosition) -> int:
        return 0

    # Moves.

    def legal_moves(self, position: ShogiPosition) -> tuple[ShogiMove, ...]:
        return _legal_moves(position)

    def play(self, position: ShogiPosition, move: ShogiMove) -> ShogiPosition:
        return play(position, move)

    def footprint(self, position: ShogiPosition, move: ShogiMove) -> tuple[Change, ...]:
        piece = _piece_after(position, move)
        if move.drop:
            return ((move.target, piece),)
        return tuple(sorted([(move.origin, "."), (move.target, piece)]))

    def touched(self, position: ShogiPosition, move: ShogiMove) -> tuple[Square, ...]:
        if move.drop:
            return ()
        if position.board[move.target] != ".":
            return (move.origin, move.target)
        return (move.origin,)

    def wire(self, _position: ShogiPosition, move: ShogiMove) -> str:
        names = SHOGI_BOARD.names
        if move.drop:
            return f"{move.drop}*{names[move.target]}"
        return names[move.origin] + names[move.target] + ("+" if move.promotes else "")

    def san(self, position: ShogiPosition, move: ShogiMove) -> str:
        """Western notation: `P-7f`, `Bx2b+`, `G*5b`; `=` where a piece could have turned."""
        names = SHOGI_BOARD.names
        if move.drop:
            return f"{move.drop}*{names[move.target]}"
        piece = _outer(position.board[move.origin]).upper()
        rivals = [
            other
            for other in self.legal_moves(position)
            if other.target == move.target
            and not other.drop
            and other.origin != move.origin
            and position.board[other.origin] == position.board[move.origin]
        ]
        origin = names[move.origin] if rivals else ""
        sign = "x" if position.board[move.target] != "." else "-"
        ending = "+" if move.promotes else ""
        if not move.promotes and move._replace(promotes=True) in self.legal_moves(position):
            ending = "="
        return f"{piece}{origin}{sign}{names[move.target]}{ending}"

    def parse(self, position: ShogiPosition, text: str) -> ShogiMove:
        wanted = text.strip()
        moves = self.legal_moves(position)
        for move in moves:
            if wanted == self.wire(position, move):
                return move
        if re.fullmatch(r"\+?[PLNSGBRK].*", wanted):
            for move in moves:
                if wanted in (self.san(position, move), self.san(position, move).rstrip("=")):
                    return move
        raise ValueError(f"{text!r} is no legal move here; the position is {self.fen(position)}")

    # Pieces in hand, where a stand senses them.

    def beside(self, position: ShogiPosition, colour: Colour) -> tuple[Piece, ...]:
        return _laid_out(position.hands[colour is Colour.WHITE])

    def read_beside(self, pieces: str) -> Mapping[Colour, tuple[Piece, ...]]:
        """`2Pr`: capitals are sente's; `-` or nothing for empty stands."""
        black, white = read_hands(pieces)
        return {Colour.BLACK: _laid_out(black), Colour.WHITE: _laid_out(white)}

    def in_hand(self, piece: Piece) -> Piece:
        return piece.removeprefix("+").upper()

    # Irregular play.

    def owner(self, piece: Piece) -> Colour | None:
        letter = piece[-1:]
        if letter.upper() not in tuple("KRBGSNLP"):
            return None
        # `b` is gote's bishop: no board for shogi tells sides alone, as w and b.
        return Colour.BLACK if letter.isupper() else Colour.WHITE

    def read_attempt(
        self, position: ShogiPosition, placement: Placement, mover: Colour
    ) -> Attempt | None:
        return read_attempt(position, placement, mover)

    def taken_as_played(
        self, position: ShogiPosition, placement: Placement, to_move: Colour
    ) -> ShogiPosition | None:
        return taken_as_played(position, placement, to_move)

    def written(self, form: str, game: Played) -> str:
        """KIF or CSA."""
        black_to_move = game.start.black is (len(game.moves) % 2 == 0)
        end = end_of(game.reason, game.result, black_to_move)
        whole = ShogiGame(game.start, game.moves, game.seconds, game.black, game.white, end)
        return {"kif": write_kif, "csa": write_csa}[form](whole)

    # Fouls and entered kings.

    @property
    def friendly(self) -> bool:
        return self.choices.friendly

    @property
    def loses_after_end(self) -> bool:
        return self.choices.foul_after_end == "loses"

    @property
    def in_time_released(self) -> bool:
        return self.choices.time_stops_at == "release"

    @property
    def last_ply(self) -> int:
        return self.choices.last_ply

    def made_before(self, position: ShogiPosition) -> int:
        return position.number - 1

    def entered(self, position: ShogiPosition, side: Colour) -> bool:
        return entered(position, side is Colour.BLACK)

    def points(self, position: ShogiPosition, start: ShogiPosition, side: Colour) -> int:
        return counted(position, start, side is Colour.BLACK, self.choices)

    def declared(self, position: ShogiPosition, start: ShogiPosition) -> Declaration | None:
        if self.choices.declaration == "none":
            return None
        return declare(position, start, self.choices)

    def agreed(self, position: ShogiPosition, start: ShogiPosition) -> str | None:
        return agreed(position, start, self.choices)

    # Ends.

    def can_mate(self, _position: ShogiPosition, _colour: Colour) -> bool | None:
        """Who resigns or oversteps has lost, whatever the other side has."""
        return True

    def end(self, position: ShogiPosition) -> tuple[GameEnd, Colour | None] | None:
        """Mate; no legal move without check is a loss or a draw by edition."""
        if self.legal_moves(position):
            return None
        mover = self.turn(position)
        if in_check(position.board, position.black):
            return GameEnd.CHECKMATE, mover.other
        return GameEnd.NO_MOVE, mover.other if self.choices.stalemate == "loss" else None

    def end_by_history(
        self, positions: tuple[ShogiPosition, ...]
    ) -> tuple[GameEnd, Colour | None] | None:
        """The fourth occurrence of board, hands and side; all checks of one side lose for it."""
        last = positions[-1][:3]
        occurrences = [n for n, position in enumerate(positions) if position[:3] == last]
        if len(occurrences) < 4:
            return None
        cycle = positions[occurrences[0] + 1 :]
        checkers = [side for side in (True, False) if _always_checked(cycle, side)]
        if len(checkers) == 1:
            return GameEnd.PERPETUAL_CHECK, Colour.WHITE if checkers[0] else Colour.BLACK
        return GameEnd.REPETITION, None if self.replayed else self._ahead(positions)

    def _ahead(self, positions: tuple[ShogiPosition, ...]) -> Colour | None:
        """Who has more points, where points decide a repetition."""
        result = agreed(positions[-1], positions[0], replace(self.choices, impasse="none_entered"))
        return winner(result or "")

    def kings_in_centre(self, _placement: Sequence[Piece]) -> tuple[Square, ...]:
        return ()

    def result_signal(self, _placement: Sequence[Piece]) -> str | None:
        return None

    def facts(self, position: ShogiPosition) -> Mapping[str, str]:
        """What lies in the hands."""
        black, white = position.hands
        return {"hand_black": write_hand(black), "hand_white": write_hand(white)}


def _always_checked(cycle: tuple[ShogiPosition, ...], black: bool) -> bool:
    """Every move of this side in the cycle left the other king in check."""
    after_own = [position for position in cycle if position.black is not black]
    return bool(after_own) and all(
        in_check(position.board, position.black) for position in after_own
    )


@lru_cache(maxsize=1)
def _handicaps() -> Mapping[Placement, ShogiPosition]:
    """The usual ones, by what they look like."""
    return {shown(p.board): p for p in map(read_sfen, HANDICAPS.values())}


def _laid_out(hand: PiecesInHand) -> tuple[Piece, ...]:
    return tuple(kind for kind, count in zip(HAND, hand, strict=True) for _ in range(count))


def _outer(piece: str) -> Piece:
    return "+" + UNPROMOTED[piece] if piece in UNPROMOTED else piece


def _piece_after(position: ShogiPosition, move: ShogiMove) -> Piece:
    if move.drop:
        return move.drop if position.black else move.drop.lower()
    piece = position.board[move.origin]
    return _outer(PROMOTED[piece] if move.promotes else piece)


SHOGI = ShogiRules()
