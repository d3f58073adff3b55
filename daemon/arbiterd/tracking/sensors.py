"""Positions as a board's sensors would show them, and which placement each move leads to.

    Sensors   what one class of sensors makes of a piece, and the hash of a placement
    Seen      one position: its placement, its hash, and an index from hash to legal moves

An index is built once for a position; looking a placement up in it is one dictionary access,
so a placement costs no move generation while the position it is compared with stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import NewType, TypeAlias, TypeVar

from msgspec import Struct

from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import (
    Beside,
    Change,
    Colour,
    Narrowing,
    Planks,
    Promoting,
    RuleSet,
    differing,
)
from arbiterd.rules.sensed import reading
from eboards.events import (
    BLACK_PIECE,
    EMPTY,
    UNKNOWN,
    WHITE_PIECE,
    Piece,
    Placement,
    Sensing,
    SensingClass,
    Square,
)

Position = NewType("Position", object)
"""A position of whichever game is played, opaque here."""
Move = NewType("Move", object)
"""A move of it, likewise."""
T = TypeVar("T")

POSITIONS_KEPT = 256
"""Positions of one table whose index is kept; the oldest go first."""
PLACEMENTS_KEPT = 16
"""Placements of which it is kept whose pieces stand where."""
HORIZON_PLIES = 6
"""So many half-moves back a line may still turn out to have gone otherwise."""
HORIZON_UNTOLD_PLIES = 40
"""The same where pieces look alike: which of them was taken may show much later."""

COUNTED = frozenset((SensingClass.IDENTITY, SensingClass.IDENTITY_NOISY, SensingClass.KIND))
"""Boards on which pieces of a kind can be counted."""

SensedMove = tuple[Move, tuple[Change, ...]]
"""A legal move, with the squares that read differently after it and what they read."""

_NOBODY: Mapping[Piece, Colour | None] = {EMPTY: None, UNKNOWN: None}
_SIDES: Mapping[Piece, Colour | None] = {WHITE_PIECE: Colour.WHITE, BLACK_PIECE: Colour.BLACK}
"""Where sides alone are sensed; elsewhere these letters may be pieces."""
_WORD = (1 << 64) - 1


def _mixed(number: int) -> int:
    """SplitMix64: a fixed formula, so that hashes are the same in every process."""
    number = (number + 0x9E3779B97F4A7C15) & _WORD
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _WORD
    return number ^ (number >> 31)


class _Known(dict[Piece, T]):
    """An answer for each piece, worked out on its first use."""

    def __init__(self, known: Mapping[Piece, T], answer: Callable[[Piece], T]) -> None:
        super().__init__(known)
        self._answer = answer

    def __missing__(self, piece: Piece) -> T:
        self[piece] = answer = self._answer(piece)
        return answer


class Hashing:
    """A number for each piece on each square; a placement's hash is all of them xor-ed."""

    def __init__(self, squares: int) -> None:
        self.of = tuple(_Known({EMPTY: 0}, partial(_number, square)) for square in range(squares))

    def placement(self, placement: Sequence[Piece]) -> int:
        number = 0
        for of_square, piece in zip(self.of, placement, strict=True):
            number ^= of_square[piece]
        return number


@lru_cache(maxsize=8)
def hashing(squares: int) -> Hashing:
    """The numbers are the same for every board of this size, so each is worked out once."""
    return Hashing(squares)


def _number(square: Square, piece: Piece) -> int:
    return _mixed(_mixed(square) ^ int.from_bytes(piece.encode()[:4], "big"))


Excess: TypeAlias = tuple[int, int, int]
"""So many pieces more: of White, of Black, and of both and those that do not tell whose they are.
Fewer than none where pieces are gone."""


class Seen(Struct, eq=False):
    """One position through these sensors."""

    _sensors: Sensors
    position: Position
    turn: Colour
    placement: Placement
    """As the sensors show it."""
    hash: int
    _moves: dict[int, tuple[Move, ...]] | None = None
    _steps: tuple[SensedMove, ...] | None = None
    _among: tuple[Collection[Square], tuple[SensedMove, ...]] = ((), ())
    _fen: str | None = None
    _shown: Placement | None = None
    _differing: tuple[Square, ...] = ()
    _excess: Excess | None = None
    _written: dict[Move, tuple[Change, ...]] = {}

    @property
    def rules(self) -> RuleSet[Position, Move]:
        return self._sensors.rules

    def promotes_seldom(self, move: Move) -> bool:
        return self._sensors.promotes_seldom(move)

    @property
    def fen(self) -> str:
        if self._fen is None:
            self._fen = self.rules.fen(self.position)
        return self._fen

    def differing(self, shown: Placement) -> tuple[Square, ...]:
        """The squares that do not read as `shown`: one look asks it of a position many times."""
        if shown is not self._shown:
            self._shown, self._differing = shown, differing(self.placement, shown)
            self._excess = None
        return self._differing

    def excess(self, shown: Placement) -> Excess:
        """How many pieces more show than stand here. Likewise asked for many times."""
        squares = self.differing(shown)
        if self._excess is None:
            changes = [(square, shown[square]) for square in squares]
            self._excess = self.added(changes)
        return self._excess

    def added(self, written: Iterable[Change]) -> Excess:
        """How many pieces these changes bring; none where the rules may bring pieces to the board,
        for there it says nothing. One that nobody can read is one more of each side."""
        sensors = self._sensors
        if sensors.narrowing is None:
            return 0, 0, 0
        owners, placement = sensors.owners, self.placement
        white = black = pieces = 0
        for square, piece in written:
            if piece == UNKNOWN and sensors.tells_pieces:
                return 1, 1, 1
            for there, number in ((placement[square], -1), (piece, 1)):
                if there != EMPTY:
                    owner = owners[there]
                    white += number * (owner is Colour.WHITE)
                    black += number * (owner is Colour.BLACK)
                    pieces += number
        return white, black, pieces

    def moves_to(
        self, number: int, shown: Placement, changed: Sequence[Square] | None = None
    ) -> tuple[Move, ...]:
        """The legal moves after which the sensors show this placement, whose hash is `number`.

        With `changed`, those that only write some of these squares, which ascend.
        """
        narrowing, pieces = self._sensors.narrowing, self.placement
        if self._moves is None and narrowing is not None:
            squares: Sequence[Square]
            if changed is None:
                squares = self.differing(shown)
            else:
                squares = [square for square in changed if pieces[square] != shown[square]]
            if len(squares) > self.rules.squares_per_ply:
                return ()
            if squares:
                moves = self._narrowed(narrowing, squares, shown)
                return tuple([m for m in moves if self.hash_after(self.written(m)) == number])
            if changed is not None:
                return ()
        if self._moves is None:
            self._moves = self._indexed()
        return self._moves.get(number, ())

    def _narrowed(
        self,
        narrowing: Narrowing[Position, Move],
        squares: Sequence[Square],
        shown: Sequence[Piece],
    ) -> tuple[Move, ...]:
        """At least the moves that change just these squares."""
        if self._sensors.tells_pieces or any(shown[square] != EMPTY for square in squares):
            return narrowing.moves_among(self.position, squares)
        # Where only pieces are counted, a piece that leaves may have taken another.
        return narrowing.moves_touching(self.position, squares)

    def steps_among(self, squares: Collection[Square]) -> tuple[SensedMove, ...]:
        """Those of the steps that write only such squares: longer and longer lines among the same
        squares ask for them again and again."""
        if squares != self._among[0]:
            self._among = squares, tuple(self._steps_among(squares))
        return self._among[1]

    def _steps_among(self, squares: Collection[Square]) -> Iterable[SensedMove]:
        narrowing = self._sensors.narrowing
        ways: Iterable[SensedMove]
        if narrowing is None or self._steps is not None:
            ways = self.steps()
        elif self._sensors.tells_pieces:
            moves = narrowing.moves_among(self.position, squares)
            ways = [(move, self.written(move)) for move in moves]
        else:
            ways = self.steps_touching(squares)
        return (way for way in ways if all(s in squares for s, _ in way[1]))

    def steps_touching(self, squares: Collection[Square]) -> Iterable[SensedMove]:
        """Those of the steps that write one of these squares, and perhaps some more."""
        narrowing = self._sensors.narrowing
        if narrowing is None or self._steps is not None:
            return self.steps()
        moves = narrowing.moves_touching(self.position, squares)
        return [(move, self.written(move)) for move in moves]

    def brings_a_piece(self, move: Move) -> bool:
        """Whether some square reads occupied, or otherwise occupied, only after the move."""
        return any(piece != EMPTY for _, piece in self.written(move))

    def drops_on(self, squares: Sequence[Square]) -> bool:
        """A half-move that writes these squares leaves none: its piece comes from beside the
        board."""
        return bool(squares) and all(self.placement[square] == EMPTY for square in squares)

    def may_have_taken(self, squares: Collection[Square]) -> bool:
        """A piece of one of these squares can take one whose place then reads as it did."""
        touched = self.rules.touched
        for move, _ in self.steps_touching(squares):
            if not self.brings_a_piece(move):
                own, *taken = touched(self.position, move)
                if own in squares and taken:
                    return True
        return False

    def hash_after(self, written: tuple[Change, ...]) -> int:
        """The hash of the placement after these squares were written."""
        number, of, placement = self.hash, self._sensors.hashing.of, self.placement
        for square, piece in written:
            of_square = of[square]
            number ^= of_square[placement[square]] ^ of_square[piece]
        return number

    def _indexed(self) -> dict[int, tuple[Move, ...]]:
        found: dict[int, tuple[Move, ...]] = {}
        for move, written in self.steps():
            number = self.hash_after(written)
            found[number] = (*found.get(number, ()), move)
        return found

    def steps(self) -> tuple[SensedMove, ...]:
        """Each legal move, with the squares that read differently after it and what they read."""
        if self._steps is None:
            moves = self.rules.legal_moves(self.position)
            self._steps = tuple((move, self.written(move)) for move in moves)
        return self._steps

    def written(self, move: Move) -> tuple[Change, ...]:
        """The squares that read differently after a move, and what they read."""
        known = self._written.get(move)
        if known is None:
            shows, placement = self._sensors.shows, self.placement
            written = [
                (square, shows[piece])
                for square, piece in self.rules.footprint(self.position, move)
                if shows[piece] != placement[square]
            ]
            known = self._written[move] = tuple(written)
        return known


class Sensors:
    """The sensors of one board, for one game."""

    def __init__(self, rules: RuleSet[Position, Move], sensing: Sensing) -> None:
        self.rules = rules
        self.sensing = sensing
        self.narrowing: Narrowing[Position, Move] | None = (
            rules if isinstance(rules, Narrowing) else None
        )
        self.tells_pieces = sensing.kind not in (SensingClass.OCCUPANCY, SensingClass.COLOUR)
        """A move changes the reading of every square it writes."""
        self.planks: Planks[Position] | None = rules if isinstance(rules, Planks) else None
        """A half-move may take its piece off the board: a pawn becomes a plank."""
        self.sets_down = self.tells_pieces and self.planks is None
        """Each half-move leaves a piece of its side on a square that read otherwise."""
        self.dropping: Beside[Position] | None = rules if isinstance(rules, Beside) else None
        """Pieces also lie beside the board, and are dropped from there."""
        self._promoting: Promoting[Move] | None = rules if isinstance(rules, Promoting) else None
        self.pieces_alike = sensing.kind is SensingClass.OCCUPANCY
        """Any piece may stand where one stands: a capture shows as a piece that is gone."""
        self.counts = sensing.kind in COUNTED
        self.horizon_plies = HORIZON_UNTOLD_PLIES if self.pieces_alike else HORIZON_PLIES
        self.hashing = hashing(len(rules.geometry))
        self._seen: dict[Position, Seen] = {}
        self._owned: dict[Placement, dict[Colour, int]] = {}
        self.shows = _Known({EMPTY: EMPTY}, partial(reading, rules, sensing=sensing.kind))
        """What these sensors show of a piece."""
        sides = _SIDES if sensing.kind is SensingClass.COLOUR else {}
        self.owners = _Known({**_NOBODY, **sides}, rules.owner)
        """Whose piece a reading shows; None: nobody's, or not to be told."""

    def shown(self, placement: Placement) -> Placement:
        """What these sensors show of a placement."""
        return tuple(map(self.shows.__getitem__, placement))

    def owned(self, shown: Placement) -> Mapping[Colour, int]:
        """The squares that show a piece of each side, a bit each: searches from many positions ask
        for those of a few placements."""
        known = self._owned.get(shown)
        if known is None:
            known = {Colour.WHITE: 0, Colour.BLACK: 0}
            for square, owner in enumerate(map(self.owners.__getitem__, shown)):
                if owner is not None:
                    known[owner] |= 1 << square
            if len(self._owned) == PLACEMENTS_KEPT:
                self._owned.clear()
            self._owned[shown] = known
        return known

    def start_shown(self, placement: Placement) -> Position | None:
        """The start position that the board shows, as far as these sensors tell it from others."""
        if self.tells_pieces:
            return self.rules.is_start(placement)
        if Custom.SHUFFLED in self.rules.customs:
            return None
        start = self.rules.start()
        return start if self.shown(placement) == self.seen(start).placement else None

    def seen(self, position: Position) -> Seen:
        """A position as it is seen; each once."""
        known = self._seen.get(position)
        if known is None:
            placement = self.shown(self.rules.placement(position))
            known = self._kept(position, placement, self.hashing.placement(placement))
        return known

    def after(self, before: Seen, move: Move) -> Seen:
        """The position after a move as it is seen."""
        position = self.rules.play(before.position, move)
        known = self._seen.get(position)
        if known is None:
            pieces = list(before.placement)
            written = before.written(move)
            for square, piece in written:
                pieces[square] = piece
            known = self._kept(position, tuple(pieces), before.hash_after(written))
        return known

    def shown_after(self, before: Seen, move: Move, shown: Placement, number: int) -> Seen:
        """The same where it is known what the sensors show then, and its hash."""
        position = self.rules.play(before.position, move)
        return self._seen.get(position) or self._kept(position, shown, number)

    def taken(self, before: Position, placement: Placement, turn: Colour) -> Seen | None:
        """What stands there, taken as played after this position. None: it cannot be."""
        position = self.rules.taken_as_played(before, placement, turn)
        return None if position is None else self.seen(position)

    def may_bring_two(self, position: Position, squares: Collection[Square]) -> bool:
        """Whether a half-move may set down two pieces, if all that will differ are these
        squares."""
        if self.narrowing is None or not self.tells_pieces:
            return True
        return self.narrowing.may_bring_two(position, squares)

    def promotes_seldom(self, move: Move) -> bool:
        """Whether it is a promotion that players seldom choose, and looks like the others."""
        promoting = None if self.tells_pieces else self._promoting
        return promoting is not None and promoting.promotes_seldom(move)

    def _kept(self, position: Position, placement: Placement, number: int) -> Seen:
        seen = Seen(self, position, self.rules.turn(position), placement, number)
        self._seen[position] = seen
        if len(self._seen) > POSITIONS_KEPT:
            del self._seen[next(iter(self._seen))]
        return seen
