"""The questions every rule set answers. Other rooms ask these and never which rules they are.

A `Position` is the rule set's own value: opaque elsewhere, hashable, never changed in place. A
`Move` likewise. Text forms: `wire` is what stands on MQTT (UCI; USI in shogi), `san` what people
write, `fen` the position (SFEN in shogi, FEN and two fields in Guadalete).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress
from operator import ne
from typing import Any, Protocol, TypeVar, runtime_checkable

from arbiterd.rules.customs import Custom
from eboards.events import Geometry, Piece, Placement, Square


class Colour(StrEnum):
    """The two sides. In shogi black is sente and moves first, white is gote."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Colour:
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE


class GameEnd(StrEnum):
    """Ends that follow from the position or the moves alone, no judgement needed."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    DEAD = "dead-position"
    FIVEFOLD = "fivefold"
    SEVENTY_FIVE = "seventy-five"
    REPETITION = "sennichite"
    PERPETUAL_CHECK = "perpetual-check"
    NO_MOVE = "no-legal-move"


class Reason(StrEnum):
    """Why a move is not legal."""

    CANNOT_MOVE_SO = "the piece cannot move so"
    BLOCKED = "the path is blocked"
    OWN_PIECE_THERE = "an own piece stands there"
    KING_LEFT_IN_CHECK = "the king is left in check"
    KING_INTO_CHECK = "the king moves into check"
    PINNED = "the piece is pinned"
    CASTLING_LOST = "the right to castle is lost"
    CASTLING_IN_CHECK = "the king is in check"
    CASTLING_THROUGH_CHECK = "the king passes an attacked square"
    CASTLING_BLOCKED = "a piece stands in the way of the castling"
    EN_PASSANT_LATE = "en passant is possible on the next move only"
    EN_PASSANT_EXPOSES = "the capture en passant exposes the king"
    EN_PASSANT_NEVER = "the pawn did not make a double step"
    NOT_PROMOTED = "the pawn on its last rank is not exchanged"
    WRONG_PROMOTION = "a pawn cannot become that"
    OUT_OF_TURN = "the other side has the move"
    KING_CAPTURED = "a king cannot be captured"
    NO_MOVE = "no move was made"
    SEVERAL_CHANGES = "more than one move's squares changed"
    WATER = "the river square carries no plank"
    WATER_IN_THE_WAY = "an open river square lies in the way"
    NOT_PLANKED = "the pawn on the open river is not replaced by a plank"
    KING_ON_RIVER = "a king never stands on the river"
    PAWN_CAPTURES_NOT = "a pawn never captures here"
    DUTY = "a pawn must be transformed now"
    MUST_PROMOTE = "the piece could never move again unpromoted"
    CANNOT_PROMOTE = "the piece cannot promote so"
    TWO_PAWNS = "a second unpromoted pawn on the file"
    DEAD_END_DROP = "the dropped piece could never move"
    DROP_MATE = "a pawn drop that gives mate"
    DROP_PROMOTED = "a piece is dropped unpromoted"
    NOT_IN_HAND = "no such piece is in hand"
    OCCUPIED = "the square is occupied"


PositionT = TypeVar("PositionT", bound=Hashable)
MoveT = TypeVar("MoveT", bound=Hashable)

Change = tuple[Square, Piece]
"""A square and what stands on it afterwards."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What squares that changed look like, read as one piece's move, legal or not."""

    wire: str
    """`e1g3` in coordinates, as far as it can be said; else empty."""
    colour: Colour | None
    piece: Piece
    origin: Square | None
    target: Square | None
    reason: Reason


class RuleSet(Protocol[PositionT, MoveT]):
    """One game. Pure: same questions, same answers."""

    name: str
    """As in the configuration: chess, chess960, shogi, guadalete."""
    geometry: Geometry
    squares_per_ply: int
    """At most so many squares change in one half-move (4 in chess: castling)."""
    first: Colour
    """Who moves first."""
    replayed: frozenset[GameEnd]
    """Ends without a decision: the game is played again."""
    customs: frozenset[Custom]
    """Whose rules it shares beyond the general ones: these laws hold for it."""
    variant: str
    """What PGN calls it in its Variant tag; empty for chess."""
    letters: str
    """Letters of pieces that each language writes in its own way, king, queen, rook, bishop,
    knight, pawn in this order; empty where all write them as `san` does."""

    # Positions.
    def start(self, setup: str = "") -> PositionT:
        """The start, or what `setup` (a FEN of this game) says, taken as it stands.

        Raises ValueError with a sentence where it cannot be read.
        """
        ...

    def is_start(self, placement: Placement) -> PositionT | None:
        """The start position these pieces show (any of the 960 in chess960), else None."""
        ...

    def fen(self, position: PositionT) -> str: ...
    def turn(self, position: PositionT) -> Colour: ...
    def in_check(self, position: PositionT, colour: Colour) -> bool: ...
    def placement(self, position: PositionT) -> Placement:
        """As perfect sensors would show it. Different positions may look the same."""
        ...

    def key(self, position: PositionT) -> Hashable:
        """Equal where the Laws call two positions the same (9.2.3)."""
        ...

    def quiet_plies(self, position: PositionT) -> int:
        """Half-moves since the last capture or pawn move; 0 where the game has no such rule."""
        ...

    # Moves.
    def legal_moves(self, position: PositionT) -> tuple[MoveT, ...]: ...
    def play(self, position: PositionT, move: MoveT) -> PositionT: ...
    def footprint(self, position: PositionT, move: MoveT) -> tuple[Change, ...]:
        """The squares that read differently after the move, in square order."""
        ...

    def touched(self, position: PositionT, move: MoveT) -> tuple[Square, ...]:
        """Squares of pieces the move moves or takes, the mover's own first (king before rook)."""
        ...

    def wire(self, position: PositionT, move: MoveT) -> str: ...
    def san(self, position: PositionT, move: MoveT) -> str: ...
    def parse(self, position: PositionT, text: str) -> MoveT:
        """A legal move from its wire form or SAN. Raises ValueError with a sentence."""
        ...

    # Irregular play.
    def owner(self, piece: Piece) -> Colour | None: ...
    def read_attempt(
        self, position: PositionT, placement: Placement, mover: Colour
    ) -> Attempt | None:
        """What `mover` seems to have played, and why it is not legal. None: nothing changed."""
        ...

    def taken_as_played(
        self, position: PositionT, placement: Placement, to_move: Colour
    ) -> PositionT | None:
        """The position play goes on from when an irregular placement stands. None: unusable."""
        ...

    # Ends.
    def end(self, position: PositionT) -> tuple[GameEnd, Colour | None] | None:
        """The end on the board itself, and who won (None: drawn)."""
        ...

    def end_by_history(
        self, positions: tuple[PositionT, ...]
    ) -> tuple[GameEnd, Colour | None] | None:
        """Fivefold, 75 moves; in shogi the fourth repetition. `positions` from the start."""
        ...

    # Signals that are no moves.
    def kings_in_centre(self, placement: Sequence[Piece]) -> tuple[Square, ...]:
        """Where kings stand of which two, put there, are a signal."""
        ...

    def result_signal(self, placement: Sequence[Piece]) -> str | None:
        """The result that kings put in the centre stand for: 1-0, 0-1, 1/2-1/2."""
        ...

    def facts(self, position: PositionT) -> Mapping[str, str]:
        """What the arbiter's diagram shows beside the board: hands, planks, duty."""
        ...


PositionIn = TypeVar("PositionIn", bound=Hashable, contravariant=True)
MoveIn = TypeVar("MoveIn", bound=Hashable, contravariant=True)
MoveOut = TypeVar("MoveOut", bound=Hashable, covariant=True)


@runtime_checkable
class Narrowing(Protocol[PositionIn, MoveOut]):
    """What a rule set may answer besides, for speed: nothing else depends on it.

    In the order of `legal_moves` where the squares ascend. Each half-move of such rules sets down
    a piece of its side, and none brings one to the board.
    """

    def moves_among(self, position: PositionIn, squares: Collection[Square]) -> tuple[MoveOut, ...]:
        """At least the legal moves that write only such squares; perhaps some more legal ones."""
        ...

    def moves_touching(
        self, position: PositionIn, squares: Collection[Square]
    ) -> tuple[MoveOut, ...]:
        """At least the legal moves that write one of these squares; perhaps some more."""
        ...

    def may_bring_two(self, position: PositionIn, squares: Collection[Square]) -> bool:
        """Whether pieces that are now on these squares may yet be set down two at once
        (castling)."""
        ...

    def taken_in_passing(self, position: PositionIn) -> Square | None:
        """The square a piece may be taken from by one who goes elsewhere, if there is one."""
        ...


@runtime_checkable
class Promoting(Protocol[MoveIn]):
    """What a rule set answers whose players choose which piece a pawn becomes."""

    def promotes_seldom(self, move: MoveIn) -> bool:
        """Whether it becomes another piece than nearly all become: no queen, in chess."""
        ...


@runtime_checkable
class Beside(Protocol[PositionIn]):
    """What a rule set answers whose pieces also lie beside the board, where that may be sensed."""

    def beside(self, position: PositionIn, colour: Colour) -> tuple[Piece, ...]:
        """The pieces in this side's hand, in the order of `read_beside`."""
        ...

    def read_beside(self, pieces: str) -> Mapping[Colour, tuple[Piece, ...]]:
        """The hands of both sides from their text form. Raises ValueError with a sentence."""
        ...

    def in_hand(self, piece: Piece) -> Piece:
        """What a piece of the board is in a hand: whichever face it shows, and whosever it is."""
        ...


@runtime_checkable
class Planks(Protocol[PositionIn]):
    """What a rule set answers whose pawns become planks (`Custom.RIVER`)."""

    @property
    def missing_counter(self) -> str:
        """What a pawn is that was pressed for without its counter: illegal, or warn."""
        ...

    def planked(self, position: PositionIn, placement: Placement) -> bool:
        """Whether these pieces show that one of the side to move became a plank, allowed or not,
        and nothing else has changed: it is on no square, and in no hand."""
        ...


@runtime_checkable
class CastlesOntoRook(Protocol[PositionIn]):
    """What a rule set answers in which castling may be written as the king that goes to its rook
    (Chess960): one on its squares may be another half-move in other notations."""

    def castling_named(self, position: PositionIn, wire: str) -> str:
        """O-O or O-O-O for one written so, legal or not; empty for any other half-move."""
        ...


@runtime_checkable
class Provable(Protocol[PositionIn]):
    """What a rule set answers whose mates the prover of chess may look for."""

    def chess_fen(self, position: PositionIn) -> str:
        """The position as the prover reads it."""
        ...


@dataclass(frozen=True, slots=True)
class Played:
    """A game as its own written forms take it."""

    start: Any
    moves: tuple[Any, ...]
    seconds: tuple[int | None, ...]
    """What each half-move took; None: not known."""
    white: str
    black: str
    reason: str
    """By what it ended, as a result has it; empty: it goes on."""
    result: str = ""
    """1-0, 0-1, replay …; empty: it goes on."""


@runtime_checkable
class Recorded(Protocol):
    """What a rule set answers whose games have written forms of their own, beside PGN."""

    def written(self, form: str, game: Played) -> str:
        """The game in this form (kif, csa); empty where the game has no such form."""
        ...


@runtime_checkable
class Prospects(Protocol[PositionIn]):
    """What a rule set of its own may say of a side's chances; chess is looked into elsewhere."""

    def can_mate(self, position: PositionIn, colour: Colour) -> bool | None:
        """False: certainly never. True: it can, or the game has no such question. None: unknown."""
        ...


def differing(a: Sequence[Piece], b: Sequence[Piece]) -> tuple[Square, ...]:
    """Squares that do not read the same."""
    assert len(a) == len(b), "placements of one board"
    return tuple(compress(range(len(a)), map(ne, a, b)))


def board_field(geometry: Geometry, placement: Iterable[Piece]) -> str:
    """The placement as the first field of a FEN; `?` stands for an unknown piece."""
    pieces = tuple(placement)
    rows: list[str] = []
    for row in range(geometry.ranks):
        text, gap = "", 0
        for piece in pieces[row * geometry.files : (row + 1) * geometry.files]:
            if piece == ".":
                gap += 1
                continue
            text += (str(gap) if gap else "") + piece
            gap = 0
        rows.append(text + (str(gap) if gap else ""))
    return "/".join(rows)


COUNTER_DIGITS = 6
COUNTER_MAX = 10**COUNTER_DIGITS - 1
"""Of move numbers and whatever else is counted in a position's text: more than any game comes to.
What is read must be written and read again, so play from there on does not count beyond it."""


def read_counter(text: str) -> int | None:
    """A count in a position's text. None: it is no whole number, or beyond `COUNTER_MAX`."""
    known = text.isascii() and text.isdigit() and len(text) <= COUNTER_DIGITS
    return int(text) if known else None


def counter_field(count: int) -> str:
    """The same as text."""
    return str(min(count, COUNTER_MAX))


def read_board_field(geometry: Geometry, text: str) -> Placement:
    """The placement a FEN's first field describes. Raises ValueError with a sentence."""
    rows = text.split("/")
    if len(rows) != geometry.ranks:
        raise ValueError(f"the board field {text!r} has {len(rows)} ranks; write {geometry.ranks}")
    pieces: list[Piece] = []
    for row in rows:
        found, sign = 0, ""
        for letter in row:
            if letter == "+":
                sign = "+"
            elif letter.isascii() and letter.isdigit():
                pieces += ["."] * int(letter)
                found += int(letter)
            else:
                pieces.append(sign + letter)
                found, sign = found + 1, ""
        if found != geometry.files:
            raise ValueError(f"the rank {row!r} has {found} squares; write {geometry.files}")
    return tuple(pieces)
