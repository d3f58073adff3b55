"""What tracking tells the rooms above: facts about one table, as frozen values.

Moves are written in their wire form (UCI, USI). `ply` counts half-moves from 1, from the first
move of the record. Times are nanoseconds since the epoch.

They are structs and no dataclasses: every half-move makes a dozen, at a tenth of the cost.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from arbiterd.rules.ruleset import Colour
from eboards.events import Piece, Placement, Square

CHANGES_KEPT = 512
"""Raw changes kept of one turn; more than this is no play."""


class How(StrEnum):
    """What made a half-move known."""

    PRESSED = "pressed"
    SETTLED = "settled"
    REPLIED = "replied"
    INFERRED = "inferred"
    """From a later placement: the half-move itself was never seen."""
    RECOVERED = "recovered"
    """From the board's own memory, after a gap."""
    ARBITER = "arbiter"


class PlyCertainty(StrEnum):
    """LIKELY: another half-move fits what was seen too, or what shows it was not seen well. The
    field is called `sureness`, as checkpoints have it, and `certainty` in messages."""

    CERTAIN = "certain"
    LIKELY = "likely"


class SquareSeen(Struct, frozen=True, gc=False):
    """One square's change, as the sensors told it."""

    at_ns: int
    square: Square
    before: Piece
    after: Piece
    pictured: bool = False
    """Its own message was lost, and a whole picture showed it: it was made some time before."""
    stopped: bool = False
    """Both clocks were stopped then, as far as was known."""


class Touch(Struct, frozen=True, gc=False):
    """A piece that left its square in this turn, whether it came back or moved.

    Its square and kind are those of the position (what the sensors showed there before).
    """

    square: Square
    piece: Piece
    colour: Colour | None
    lifted_at_ns: int
    returned_at_ns: int | None
    """When it stood on its own square again. None: it has not come back."""
    order_known: bool = True
    """False: lifted within one scan of the touch before it, or seen by a picture only, so which
    came first is unknown."""
    felt: bool = False
    """True where the board feels fingers: a touch, and not only a lift."""


class Turn(Struct, frozen=True, gc=False):
    """All that the sensors showed since the last half-move was made."""

    ply: int
    """The half-move that this turn is about."""
    side: Colour
    """Who has the move."""
    fen: str
    """The position at its start."""
    since_ns: int
    touches: tuple[Touch, ...]
    """In order. A slide's own steps and the settling of the move before are not touches."""
    changes: tuple[SquareSeen, ...]
    """Raw, in order, the newest `CHANGES_KEPT` of them."""
    placement: Placement
    """What the board shows now."""
    early_touches: tuple[Touch, ...] = ()
    """Pieces lifted before the move before was finished (the opponent's hand was still out)."""


class Fact(Struct, frozen=True, gc=False):
    """What tracking tells: one of the kinds below."""

    at_ns: int
    """When it became known."""


class MoveMade(Fact, frozen=True):
    """A half-move on the record. It is told once; what is learned later is a fact of its own."""

    ply: int
    side: Colour
    move: str
    made_at_ns: int
    """The last change of its squares."""
    completed_at_ns: int | None
    how: How
    sureness: PlyCertainty
    alternatives: tuple[str, ...]
    turn: Turn
    """As it stood when the move was made (its touches lead up to the move)."""
    probability: float = 1.0
    """That it was this move: its share of all that is held."""
    unheard: bool = False
    """Messages of it were lost: it was made some time before it was seen."""


class MoveCompleted(Fact, frozen=True):
    """A half-move told before is completed now: by its press, or because its side moved again."""

    ply: int
    completed_at_ns: int | None
    how: How


class MoveReplaced(Fact, frozen=True):
    """A half-move told before was another one after all (or is now certain)."""

    ply: int
    move: str
    made_at_ns: int
    completed_at_ns: int | None
    how: How
    sureness: PlyCertainty
    alternatives: tuple[str, ...]
    turn: Turn | None = None
    """As it stood when the move was made; None where the move is the same and only surer."""
    probability: float = 1.0
    """That it was this move: its share of all that is held."""
    unheard: bool = False
    """Messages of it were lost: it was made some time before it was seen."""


class MoveWithdrawn(Fact, frozen=True):
    """A half-move told before was none; the last one of the record."""

    ply: int


class Pressed(Fact, frozen=True):
    """A clock was pressed. What it completes, and what the board showed when it was."""

    late_ns: int
    """It happened within so long before `at_ns`."""
    side: Colour
    """Whose press: that side's clock stopped."""
    move: str | None
    """The legal half-move it completes; None: the board shows none."""
    ply: int
    turn: Turn
    """The turn of the half-move pressed for: its touches, its position before."""
    reply_begun: bool
    """The other side had touched or moved before this press (6.2.2)."""
    witnessed: bool = True
    """False: a message that was lost may explain what the board did not show."""


class Settled(Fact, frozen=True):
    """The hands have left the board, and no line of play explains what it shows."""

    turn: Turn
    squares: tuple[Square, ...]
    """Where it differs from the nearest explanation."""


class Explained(Fact, frozen=True):
    """The board agrees with the record again after `Settled` or `Knocked`."""

    turn: Turn


class IrregularEntered(Fact, frozen=True):
    """Play went on from a placement no legal move explains: it was taken as it stood."""

    ply: int
    """The irregular half-move's own number; it stands on the record with an empty move."""
    side: Colour
    turn: Turn
    """The turn in which it was played."""
    fen_after: str
    pressed: bool
    """False: it was never pressed, the other side simply replied."""
    sureness: PlyCertainty = PlyCertainty.CERTAIN
    """LIKELY: the game is lost from sight, and what led to this placement is not known."""
    witnessed: bool = True
    """False: a message that was lost may explain it: the board was not seen whole since."""


class Witnessed(Fact, frozen=True):
    """A whole picture shows what was told of this half-move, though no legal move leads there: no
    message was lost."""

    ply: int


class OutOfTurn(Fact, frozen=True):
    """The side that has not the move has moved a piece, and it stays moved."""

    side: Colour
    turn: Turn
    move: str
    """What it would be if that side had the move; empty if nothing legal."""


class Knocked(Fact, frozen=True):
    """Many squares changed within seconds, as no hand that plays does."""

    turn: Turn
    squares: tuple[Square, ...]


class Gap(Fact, frozen=True):
    """Half-moves were not seen, and several lines explain what the board shows now."""

    turn: Turn
    candidates: tuple[tuple[str, ...], ...]


class GapFilled(Fact, frozen=True):
    """The board's memory says which half-moves were not seen."""


class TookBack(Fact, frozen=True):
    """The board went back to before half-moves that were already completed."""

    ply: int
    """The last half-move that still stands."""
    withdrawn: tuple[str, ...]
    turn: Turn


class KingsInCentre(Fact, frozen=True):
    """Both kings stand on centre squares and nothing else has moved for a while."""

    result: str
    turn: Turn


class GameBegun(Fact, frozen=True):
    """A new game: the start array (or a position set by the arbiter) is on the board."""

    fen: str
    turned: int
    """By how many degrees the board lies turned: 0, 90, 180, 270."""


class StartArray(Fact, frozen=True):
    """What the board shows before the first move; `wrong` is empty when it is right."""

    placement: Placement
    wrong: tuple[tuple[Square, Piece, Piece], ...]
    """Square, what belongs there, what stands there."""


class BoardReset(Fact, frozen=True):
    """The pieces went back to the start array, or nearly, while a game was on record."""

    turn: Turn


class SquareSuspect(Fact, frozen=True):
    """A square or piece that reads as no hand could make it: flicker, dead coil, odd chip."""

    square: Square
    note: str


class BoardLost(Fact, frozen=True):
    """No more data from the board, with the reason in words for people; the game goes on."""

    reason: str


class BoardBack(Fact, frozen=True):
    """The board answers again after `lost_ns`; what it shows is told by the facts that follow."""

    lost_ns: int
