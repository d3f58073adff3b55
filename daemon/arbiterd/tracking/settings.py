"""What tracking waits for and how long. Times are nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass

MS = 1_000_000
SECOND = 1_000 * MS
LARGEST = 3600 * SECOND
"""Of any setting."""


@dataclass(frozen=True, slots=True)
class TrackingSettings:
    """One value a table; each can be set in the configuration's settings."""

    settle_ns: int = 4_000 * MS
    """Nothing changed for so long: the hands have left the board. Without a press, and without a
    reply, a half-move is told then. Longer than DGT's own 0.7 to 0.9 s on purpose: a press is
    known up to a second late and comes 0.3 to 3.4 s after the move in a recorded blitz game, and
    a move that is told once is worth more to a reader than one told early and told again."""
    debounce_ns: int = 250 * MS
    """A piece off its square no longer than this, or than two scans, may be one that a coil missed,
    and counts as no touch."""
    weak_ns: int = 800 * MS
    """The same on a coil that has been seen to lose pieces while nobody was near."""
    slide_ns: int = 2_000 * MS
    """A piece that moves on within so long of its last step, unpressed, was still in the hand."""
    press_grace_ns: int = 300 * MS
    """Beside two scans of the board: how much later than the press its placement may arrive."""
    missing_ns: int = 7_000 * MS
    """The same while a piece of the side that pressed shows nowhere: it may stand badly centred.
    Once both clocks are stopped it is judged as it stands. Half of it where that piece is to be
    exchanged for another."""
    picture_ns: int = 7_000 * MS
    """The same on a board that is asked for the whole of itself after a press, until it answers."""
    kings_ns: int = 5_000 * MS
    """Both kings in the centre and all else at rest for so long are a result."""
    knock_ns: int = 3_000 * MS
    """Unexplained changes of many squares within so long are a knock."""
    knock_squares: int = 6
    """So many squares that nothing explains are a knock, or a board being set up."""


def check_setting(value: object) -> None:
    """Raises ValueError with what is wrong with a value, and what to write."""
    if type(value) is not int:
        raise ValueError(f"is {value!r:.60}; write a value of type int")
    if not 0 <= value <= LARGEST:
        raise ValueError(f"is {value}; write a number from 0 to {LARGEST}")
