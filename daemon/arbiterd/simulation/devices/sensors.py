"""What a board makes of the world: each square sampled in its turn, with faults.

    truth of the squares ──▶ masks (a coil that misses, a tag misread) ──▶ samples ──▶ events

Square `s` of `n` is looked at once a scan, at `s/n` of it. A change that comes and goes between
two looks is never seen; what changes on several squares is seen in the order of the scan.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from arbiterd.simulation.profiles import MS, SECOND, Faults, Profile
from arbiterd.simulation.world import Put, Story
from eboards.events import (
    EMPTY,
    UNKNOWN,
    Geometry,
    Piece,
    Placement,
    Scan,
    SensingClass,
    Square,
    SquareChange,
)

HOUR_NS = 3_600_000_000_000
NEAR_NS = 2 * SECOND
"""So long before and after a piece is handled, a hand is near its square."""


@dataclass(frozen=True, slots=True)
class Mask:
    """While it lasts, a square reads as this whatever is on it.

    `only_pieces` masks a piece that stands there, else an empty square.
    """

    from_ns: int
    to_ns: int
    square: Square
    reads: Piece
    only_pieces: bool


def sense(
    story: Story, profile: Profile, geometry: Geometry, dice: Random
) -> tuple[Placement, list[SquareChange | Scan]]:
    """What the board shows first, and everything it says after that, in the order of time."""
    masks = draw_masks(story, profile, len(geometry), dice)
    puts = masked(story.before, story.puts, masks)
    phase_ns = story.begin_ns - dice.randrange(profile.scan_ns)
    first = tuple(shown_as(profile.sensing, piece) for piece in story.before)
    samples = sampled(puts, profile, len(geometry), phase_ns)
    changes = list(_changes(first, samples))
    if not profile.snapshots:
        return first, [*changes]
    return first, [*_frames(first, changes, profile.scan_ns, phase_ns)]


def shown_as(sensing: SensingClass, piece: Piece) -> Piece:
    """What sensors of this class make of a piece."""
    if piece == EMPTY or sensing in (SensingClass.IDENTITY, SensingClass.IDENTITY_NOISY):
        return piece
    if sensing is SensingClass.COLOUR and piece != UNKNOWN:
        return "w" if piece.isupper() else "b"
    if sensing is SensingClass.KIND:
        return piece.lstrip("+")
    return UNKNOWN


def sampled(
    puts: Iterable[Put], profile: Profile, squares: int, phase_ns: int
) -> list[SquareChange]:
    """Each change at the first look at its square after it; the last one before a look wins."""
    scan_ns = profile.scan_ns
    seen: dict[tuple[int, Square], Piece] = {}
    for put in puts:
        turn_ns = phase_ns + put.square * scan_ns // squares
        looks = -(-(put.at_ns - turn_ns) // scan_ns)
        seen[turn_ns + looks * scan_ns, put.square] = put.piece
    return [
        SquareChange(at_ns, square, shown_as(profile.sensing, piece))
        for (at_ns, square), piece in sorted(seen.items())
    ]


def _changes(first: Placement, samples: list[SquareChange]) -> Iterable[SquareChange]:
    shown = list(first)
    for sample in samples:
        if shown[sample.square] != sample.piece:
            shown[sample.square] = sample.piece
            yield sample


def _frames(
    first: Placement, changes: list[SquareChange], scan_ns: int, phase_ns: int
) -> Iterable[Scan]:
    """Whole frames, sent at the end of each scan; one like the frame before says nothing new."""
    shown, due_ns = list(first), 0
    for change in changes:
        frame_ns = phase_ns + ((change.at_ns - phase_ns) // scan_ns + 1) * scan_ns
        if due_ns and frame_ns != due_ns:
            yield Scan(due_ns, tuple(shown))
        shown[change.square], due_ns = change.piece, frame_ns
    if due_ns:
        yield Scan(due_ns, tuple(shown))


def masked(before: Placement, puts: tuple[Put, ...], masks: list[Mask]) -> list[Put]:
    """The puts as they reach the sensors once masks lie over some squares."""
    if not masks:
        return list(puts)
    by_square: dict[Square, list[Mask]] = {}
    for mask in masks:
        by_square.setdefault(mask.square, []).append(mask)
    clear = [put for put in puts if put.square not in by_square]
    for square, over in by_square.items():
        own = [put for put in puts if put.square == square]
        clear += _masked_square(before[square], square, own, over)
    return sorted(clear, key=lambda put: put.at_ns)


def _masked_square(before: Piece, square: Square, puts: list[Put], masks: list[Mask]) -> list[Put]:
    edges = {put.at_ns for put in puts}
    edges.update(mask.from_ns for mask in masks)
    edges.update(mask.to_ns for mask in masks)
    shown, piece, number, out = before, before, 0, []
    for at_ns in sorted(edges):
        while number < len(puts) and puts[number].at_ns <= at_ns:
            piece, number = puts[number].piece, number + 1
        reads = piece
        for mask in masks:
            if mask.from_ns <= at_ns < mask.to_ns and mask.only_pieces == (piece != EMPTY):
                reads = mask.reads
        if reads != shown:
            out.append(Put(at_ns, square, reads))
            shown = reads
    return out


def draw_masks(story: Story, profile: Profile, squares: int, dice: Random) -> list[Mask]:
    """The faults of this day, from the dice."""
    faults = profile.faults
    masks = [
        *_now_and_then(story, faults.misses, profile, squares, dice, pieces=True, reads=EMPTY),
        *_now_and_then(story, faults.garbage, profile, squares, dice, pieces=False, reads=UNKNOWN),
    ]
    for mask in _now_and_then(
        story, faults.misreads, profile, squares, dice, pieces=True, reads="?"
    ):
        reads = dice.choice("PRNBQprnbq?") if profile.sensing is SensingClass.IDENTITY else UNKNOWN
        masks.append(Mask(mask.from_ns, mask.to_ns, mask.square, reads, only_pieces=True))
    masks += _weak_coils(story, faults, squares, dice)
    masks += _bounces(story, faults, profile, dice)
    masks += _ghosts(story, faults, squares, dice)
    return masks


def _now_and_then(
    story: Story,
    rate: float,
    profile: Profile,
    squares: int,
    dice: Random,
    *,
    pieces: bool,
    reads: Piece,
) -> Iterable[Mask]:
    """Faults that come at random times: so many an hour, a scan or two long."""
    if not rate:
        return
    at_ns = story.begin_ns + int(dice.expovariate(rate) * HOUR_NS)
    while at_ns < story.end_ns:
        lasts_ns = int(profile.scan_ns * dice.uniform(0.6, 1.8))
        yield Mask(at_ns, at_ns + lasts_ns, dice.randrange(squares), reads, only_pieces=pieces)
        at_ns += int(dice.expovariate(rate) * HOUR_NS)


def _weak_coils(story: Story, faults: Faults, squares: int, dice: Random) -> Iterable[Mask]:
    """Pieces set down on a weak square that stay unseen until they are centred."""
    weak = set(dice.sample(range(squares), faults.weak_squares)) if faults.weak_squares else set()
    for put in story.puts:
        if put.square in weak and put.piece != EMPTY and dice.random() < faults.weak_share:
            lasts_ns = int(faults.weak_ns * dice.lognormvariate(0.0, 0.6))
            yield Mask(put.at_ns, put.at_ns + lasts_ns, put.square, EMPTY, only_pieces=True)


def _ghosts(story: Story, faults: Faults, squares: int, dice: Random) -> Iterable[Mask]:
    """Pieces that stand still and are lost for a while: all over the board, and on some coils."""
    coils: list[tuple[float, Sequence[Square]]] = []
    handled: dict[Square, list[int]] = {}
    for put in story.puts if faults.ghosts or faults.ghost_squares else ():
        handled.setdefault(put.square, []).append(put.at_ns)
    if faults.ghosts:
        coils.append((faults.ghosts, range(squares)))
    if faults.ghost_squares:
        chosen = dice.sample(range(squares), faults.ghost_squares)
        coils += [(faults.ghost_rate, (square,)) for square in chosen]
    for rate, among in coils:
        at_ns = story.begin_ns + int(dice.expovariate(rate) * HOUR_NS)
        while at_ns < story.end_ns:
            square, lasts_ns = dice.choice(among), dice.randint(*faults.ghost_ns)
            if not _hand_near(handled.get(square, []), at_ns, at_ns + lasts_ns):
                yield Mask(at_ns, at_ns + lasts_ns, square, EMPTY, only_pieces=True)
            at_ns += int(dice.expovariate(rate) * HOUR_NS)


def _hand_near(handled_ns: Iterable[int], from_ns: int, to_ns: int) -> bool:
    return any(from_ns - NEAR_NS <= at_ns <= to_ns + NEAR_NS for at_ns in handled_ns)


def _bounces(story: Story, faults: Faults, profile: Profile, dice: Random) -> Iterable[Mask]:
    """Contacts that open once more after a piece was set down."""
    for put in story.puts:
        if put.piece != EMPTY and faults.contact_bounce and dice.random() < faults.contact_bounce:
            from_ns = put.at_ns + dice.randint(20, 150) * MS
            to_ns = from_ns + int(profile.scan_ns * dice.uniform(0.5, 1.5))
            yield Mask(from_ns, to_ns, put.square, EMPTY, only_pieces=True)
