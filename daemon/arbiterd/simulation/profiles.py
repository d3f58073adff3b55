"""How restless hands, how poor sensors: named days, each figure of them documented.

`docs/simulation.md` says for every figure where it comes from. The figures describe the world,
never messages: what arrives on a wire follows from hands, sampling and time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from eboards.events import SensingClass

MS: Final = 1_000_000
SECOND: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take. Medians; each is drawn log-normally around them."""

    think_ns: int
    carry_ns: int
    """From lifting a piece to setting it down."""
    press_ns: int
    """From the last change of a half-move to the lever."""
    rest_ns: int
    """How long a piece rests on a square of its way."""
    published: bool = True
    """Use the clock times that a game was published with, where it has them."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What hands do besides. Shares are of half-moves unless said otherwise."""

    rest: float = 0.0
    """The piece is set down on the way (a slide with a stop) and goes on."""
    straddle: float = 0.0
    """The piece shows on its new square before the old one is clear."""
    capture_direct: float = 1.0
    """Of captures: the mover pushes its victim off, whose square is never clear."""
    capture_victim_first: float = 0.0
    """Of captures; what is left of both shares lifts the mover first, then the victim."""
    drag: float = 0.0
    """Of direct captures: the victim is set down on a neighbouring square for a moment."""
    castle_odd: float = 0.0
    """Of castlings: both pieces in the air at once, or two hands."""
    victim_last: float = 1.0
    """Of captures en passant: the victim leaves last; else first, or in the middle."""
    pawn_arrives: float = 1.0
    """Of promotions: the pawn is set on the last rank before the new piece replaces it."""
    overlap: float = 0.0
    """The reply begins before this half-move is finished or pressed."""
    set_down_first: float = 0.0
    """Of half-moves that leave a hand room for it: the reply is set down before this one is."""
    unpressed: float = 0.0
    """The clock is never pressed."""
    late_press: float = 0.0
    """The clock is pressed only after the reply was made."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What sensors and wires do. Rates are per board and hour of play."""

    misses: float = 0.0
    """A piece that is there reads as nothing for a scan or two."""
    misreads: float = 0.0
    """A piece reads as another, or as an unknown one, for a scan or two."""
    garbage: float = 0.0
    """An empty square reads as something unknown for a scan."""
    contact_bounce: float = 0.0
    """Share of pieces set down whose square opens again for a moment."""
    weak_squares: int = 0
    """So many squares have a coil that sees a piece only once it is centred."""
    weak_share: float = 0.0
    """How often such a coil misses a piece set down on it."""
    weak_ns: int = 0
    """Until the piece is centred: median."""
    ghosts: float = 0.0
    """A piece that stands still, with nobody near, is lost for a while."""
    ghost_squares: int = 0
    """So many coils lose what stands on them, with nobody near, again and again."""
    ghost_rate: float = 0.0
    """How often each of those does, an hour."""
    ghost_ns: tuple[int, int] = (0, 0)
    """How long a piece is lost so: from, to."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A kind of day: what the board is, how hands move, how often each episode happens."""

    name: str
    sensing: SensingClass
    scan_ns: int
    snapshots: bool
    """True: the board sends whole frames; False: changes."""
    pace: Pace
    habits: Habits = Habits()
    faults: Faults = Faults()
    episodes: tuple[tuple[str, float], ...] = ()
    """Names of `incidents` and how often a game has each."""
    lost_changes: float = 0.0
    """Half-moves a game whose changes never arrive; a dump later shows their result."""
    cable_out: float = 0.0
    """Times a game that the link is gone for one half-move or more."""
    cable_plies: int = 1
    """At most so many half-moves are made while it is."""
    kings_signal: float = 0.0
    """Share of games that end with the kings in the centre."""
    flag_falls: float = 0.0
    """Share of games at whose end a player thinks until the flag falls."""
    set_up: float = 0.0
    """Share of games after which the pieces are set up again."""


_CLASSICAL = Pace(think_ns=20 * SECOND, carry_ns=700 * MS, press_ns=500 * MS, rest_ns=400 * MS)
_BLITZ = Pace(
    think_ns=700 * MS, carry_ns=250 * MS, press_ns=180 * MS, rest_ns=260 * MS, published=False
)

CLEAN: Final = Profile(
    name="clean",
    sensing=SensingClass.IDENTITY,
    scan_ns=200 * MS,
    snapshots=False,
    pace=_CLASSICAL,
)
"""Nothing but moves: what every matcher can do."""

CLUB: Final = Profile(
    name="club",
    sensing=SensingClass.IDENTITY,
    scan_ns=225 * MS,
    snapshots=False,
    pace=replace(_CLASSICAL, think_ns=12 * SECOND),
    habits=Habits(
        rest=0.046,
        straddle=0.01,
        capture_direct=0.71,
        capture_victim_first=0.20,
        drag=0.20,
        castle_odd=0.05,
        victim_last=0.7,
        pawn_arrives=0.6,
        overlap=0.005,
        unpressed=0.01,
        late_press=0.005,
    ),
    episodes=(("adjust", 1.0), ("take-back", 0.3), ("lift-and-think", 0.5)),
    kings_signal=0.5,
    set_up=0.3,
)
"""A quiet evening: the measured shares, a few adjustments, nothing lost."""

HALL: Final = Profile(
    name="hall",
    sensing=SensingClass.IDENTITY,
    scan_ns=250 * MS,
    snapshots=False,
    pace=_CLASSICAL,
    habits=Habits(
        rest=0.055,
        straddle=0.016,
        capture_direct=0.80,
        capture_victim_first=0.13,
        drag=0.20,
        castle_odd=0.10,
        victim_last=0.6,
        pawn_arrives=0.5,
        overlap=0.028,
        unpressed=0.02,
        late_press=0.01,
    ),
    faults=Faults(misses=0.3, misreads=0.05),
    episodes=(
        ("adjust", 3.0),
        ("take-back", 1.0),
        ("lift-and-think", 1.0),
        ("knocked-piece", 0.10),
        ("sleeve", 0.05),
        ("illegal-pressed", 0.05),
    ),
    lost_changes=0.24,
    cable_out=0.14,
    kings_signal=0.6,
    set_up=0.5,
)
"""A tournament hall: every figure of `club` a little worse, cables, and an incident at times."""

BLITZ_SCRAMBLE: Final = Profile(
    name="blitz-scramble",
    sensing=SensingClass.IDENTITY,
    scan_ns=225 * MS,
    snapshots=False,
    pace=_BLITZ,
    habits=Habits(
        rest=0.06,
        straddle=0.03,
        capture_direct=0.85,
        capture_victim_first=0.10,
        drag=0.20,
        castle_odd=0.3,
        victim_last=0.7,
        pawn_arrives=0.5,
        overlap=0.10,
        unpressed=0.03,
        late_press=0.04,
    ),
    episodes=(("adjust", 1.0), ("take-back", 0.3), ("knocked-piece", 0.2)),
    lost_changes=0.1,
    kings_signal=0.3,
)
"""Three plies in two seconds: presses unseen, late, out of order, hands over one another."""

RFID: Final = Profile(
    name="rfid",
    sensing=SensingClass.IDENTITY_NOISY,
    scan_ns=500 * MS,
    snapshots=True,
    pace=_CLASSICAL,
    habits=replace(CLUB.habits, capture_direct=0.6),
    faults=Faults(misses=6.0, misreads=12.0, garbage=20.0),
    episodes=CLUB.episodes,
    kings_signal=0.5,
    set_up=0.3,
)
"""Whole frames twice a second; tags at the edge of their field, noise on empty squares."""

OCCUPANCY: Final = Profile(
    name="occupancy",
    sensing=SensingClass.OCCUPANCY,
    scan_ns=100 * MS,
    snapshots=True,
    pace=_CLASSICAL,
    habits=replace(CLUB.habits, capture_direct=0.0, capture_victim_first=0.7, drag=0.0),
    faults=Faults(contact_bounce=0.05),
    episodes=CLUB.episodes,
)
"""Reed contacts: something or nothing, and contacts that bounce. Their players lift what they
take, as these boards ask of them; kings in the centre are a custom of other boards."""

BROKEN_COIL: Final = Profile(
    name="broken-coil",
    sensing=SensingClass.IDENTITY,
    scan_ns=250 * MS,
    snapshots=False,
    pace=_CLASSICAL,
    habits=CLUB.habits,
    faults=Faults(misses=20.0, misreads=2.0, weak_squares=2, weak_share=0.5, weak_ns=900 * MS),
    episodes=CLUB.episodes,
    kings_signal=0.3,
)
"""Two coils that see a piece only once it is centred, and pieces that drop out for a scan."""

OVERLAPPING: Final = replace(
    BLITZ_SCRAMBLE,
    name="overlapping",
    habits=replace(BLITZ_SCRAMBLE.habits, set_down_first=0.42),
)
"""A scramble in which a quarter of replies is set down before the move they reply to."""

GHOSTS: Final = Profile(
    name="ghosts",
    sensing=SensingClass.IDENTITY,
    scan_ns=250 * MS,
    snapshots=False,
    pace=_CLASSICAL,
    habits=CLUB.habits,
    faults=Faults(ghosts=20.0, ghost_squares=3, ghost_rate=20.0, ghost_ns=(250 * MS, 700 * MS)),
    episodes=CLUB.episodes,
    kings_signal=0.3,
)
"""Coils that lose a piece while nobody is near: now here, now there, and three again and again."""

DEMO: Final = Profile(
    name="demo",
    sensing=SensingClass.IDENTITY,
    scan_ns=225 * MS,
    snapshots=False,
    pace=Pace(4 * SECOND, 600 * MS, 500 * MS, 400 * MS, published=False),
    habits=CLUB.habits,
    episodes=(
        ("adjust", 0.3),
        ("take-back", 0.2),
        ("illegal-pressed", 0.4),
        ("touched-then-other", 0.4),
        ("king-alone", 0.1),
        ("knocked-piece", 0.2),
        ("clock-paused", 0.1),
    ),
    cable_out=0.2,
    kings_signal=1.0,
    flag_falls=0.1,
    set_up=1.0,
)
"""For people to look at: brisk play with an incident now and then. No benchmark counts it."""

PROFILES: Final = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            *(CLEAN, CLUB, HALL, BLITZ_SCRAMBLE, RFID, OCCUPANCY, BROKEN_COIL),
            *(OVERLAPPING, GHOSTS),
        )
    }
)
