"""What a tracker knows beside lines and placements: clocks, times, and what was last said."""

from __future__ import annotations

import msgspec

from arbiterd.rules.ruleset import Colour
from eboards.events import Piece, Square


class TrackingStatus(msgspec.Struct, kw_only=True):
    """All but the first block is of one game."""

    at_ns: int
    """The newest input."""
    runs: Colour | None = None
    """Whose clock runs."""
    stands_since_ns: int | None = None
    """Since when both clocks stand; None: one runs, or there is none."""
    clock_known: bool = False
    lost_at_ns: int | None = None
    """Since when the board has not answered."""
    loss_ns: int | None = None
    """The last sign that messages were lost, until the board agrees again."""
    away: bool = False
    """The board was away, and has not been shown whole since."""
    back_ns: int | None = None
    """When it was first shown whole again, until it agrees: nobody saw what that shows done."""
    damaged_ns: int | None = None
    """When bytes last came damaged."""
    missed_ns: int | None = None
    """When a picture last showed that several messages had been lost, or came only after another
    press than it was waited for."""
    unpictured_ns: int | None = None
    """A press had waited in vain for a picture then, and none has come yet."""
    beside: dict[Colour, tuple[Piece, ...]] = {}
    """What lies beside the board for each side, where that is sensed."""
    tells_changes: bool = False
    """This board tells square by square: a whole picture that differs shows a loss."""
    pictured_ns: int | None = None
    """When the whole board was last shown."""

    presses: tuple[tuple[Colour, int, int], ...] = ()
    """The newest presses: whose, when each was known at the latest, and how long before that it may
    have come."""
    changed_at_ns: int | None = None
    """The newest change, until the board has settled after it."""
    agreed_at_ns: int = 0
    """Since when the board has agreed with the best explanation."""
    left_at_ns: int | None = None
    """Since when it has not."""
    unexplained: bool = False
    """It was said that nothing explains the board."""
    gap_told: bool = False
    astray: bool = False
    """A press was no player's offence and has no half-move, and the board has not agreed since."""
    lost: bool = False
    """It was said that the game is lost from sight, and it was not found again."""
    orphans: int = 0
    """Presses in a row to which no half-move belongs, since the board last agreed."""
    array: tuple[tuple[Square, Piece, Piece], ...] | None = None
    """What was last said of the start array."""
    begun: bool = False
    """A clock has run since the pieces stood right: what happens now is play, and no setting up."""
    ended: bool = False
    left_over: bool = False
    """The board shows what stood there after the game before; nobody has set the pieces up yet."""
    kings_at_ns: int | None = None
    """When kings in the centre will have stood there long enough."""
    kings_told: str | None = None
    decided_ply: int | None = None
    """So far an arbiter has decided the record, and the board has not shown it yet."""

    def run(self, side: Colour | None, at_ns: int) -> None:
        """This side's clock runs; None: both stand."""
        if side is not None or not self.clock_known:
            self.stands_since_ns = None
        elif self.runs is not None:
            self.stands_since_ns = at_ns
        self.runs = side
        if side is not None and self.array == ():
            self.begun = True

    def new_game(self, at_ns: int) -> TrackingStatus:
        """The same clock and board, nothing of the old game."""
        kept = {name: getattr(self, name) for name in OF_THE_TABLE}
        return TrackingStatus(**kept, agreed_at_ns=at_ns)


OF_THE_TABLE = TrackingStatus.__struct_fields__[: TrackingStatus.__struct_fields__.index("presses")]
"""What outlasts a game."""
