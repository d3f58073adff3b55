"""One half-move as a hand makes it: which square changes when.

A stroke is a list of `Put`, the first at the time given. Which of its forms a hand takes (a rest
on the way, the victim first, both pieces of a castling in the air) is drawn from the profile's
habits; each form can be asked for by itself, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from arbiterd.simulation.game import Carry, HandMove
from arbiterd.simulation.profiles import MS, Profile
from arbiterd.simulation.world import Put
from eboards.events import EMPTY, Geometry, Placement, Square

SPREAD = 0.35
"""Of every duration: the sigma of its logarithm."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The dice and habits of whoever moves."""

    dice: Random
    profile: Profile
    geometry: Geometry

    def about(self, median_ns: int) -> int:
        """A duration around this median."""
        return int(median_ns * self.dice.lognormvariate(0.0, SPREAD))

    def chance(self, share: float) -> bool:
        return self.dice.random() < share


def stroke(hand: Hand, step: HandMove, before: Placement, at_ns: int) -> list[Put]:
    """The half-move in one of the forms that this hand has."""
    habits = hand.profile.habits
    if len(step.carries) > 1:
        odd = hand.chance(habits.castle_odd) or _in_each_others_way(step)
        return castle_in_the_air(hand, step, at_ns) if odd else castle(hand, step, at_ns)
    if step.carries[0].target is None or step.carries[0].origin is None:
        return [Put(at_ns, square, piece) for square, piece in step.changes]
    if _is_exchanged(step.carries[0]):
        return promote(hand, step, before, at_ns, arrives=hand.chance(habits.pawn_arrives))
    if step.victim is None:
        return quiet(hand, step, before, at_ns)
    if step.victim != step.carries[0].target:
        return en_passant(hand, step, at_ns, last=hand.chance(habits.victim_last))
    return capture(hand, step, before, at_ns)


def quiet(hand: Hand, step: HandMove, before: Placement, at_ns: int) -> list[Put]:
    """Lift and place, perhaps with a rest on the way, or seen on both squares for a moment."""
    habits = hand.profile.habits
    (carry,) = step.carries
    if hand.chance(habits.straddle):
        return straddle(hand, carry, at_ns)
    stops = resting_squares(hand, carry, before) if hand.chance(habits.rest) else ()
    return carried(hand, carry, at_ns, stops)


def carried(hand: Hand, carry: Carry, at_ns: int, stops: tuple[Square, ...] = ()) -> list[Put]:
    """Lift, set down and take up again at each stop, set down."""
    assert carry.origin is not None
    assert carry.target is not None
    pace = hand.profile.pace
    puts = [Put(at_ns, carry.origin, EMPTY)]
    for stop in stops:
        at_ns += hand.about(pace.carry_ns // 2)
        puts.append(Put(at_ns, stop, carry.before))
        at_ns += max(hand.about(pace.rest_ns), hand.profile.scan_ns)
        puts.append(Put(at_ns, stop, EMPTY))
    at_ns += hand.about(pace.carry_ns)
    puts.append(Put(at_ns, carry.target, carry.after))
    return puts


def straddle(hand: Hand, carry: Carry, at_ns: int) -> list[Put]:
    """The piece shows on its new square while the old one still feels it."""
    assert carry.origin is not None
    assert carry.target is not None
    return [
        Put(at_ns, carry.target, carry.after),
        Put(at_ns + hand.about(hand.profile.scan_ns), carry.origin, EMPTY),
    ]


def capture(hand: Hand, step: HandMove, before: Placement, at_ns: int) -> list[Put]:
    """A capture on the mover's target square, in one of its three orders."""
    habits = hand.profile.habits
    drawn = hand.dice.random()
    if drawn < habits.capture_direct:
        return capture_direct(hand, step, before, at_ns, drag=hand.chance(habits.drag))
    if drawn < habits.capture_direct + habits.capture_victim_first:
        return capture_victim_first(hand, step, at_ns)
    return capture_mover_first(hand, step, at_ns)


def capture_direct(
    hand: Hand, step: HandMove, before: Placement, at_ns: int, *, drag: bool
) -> list[Put]:
    """The mover pushes its victim off; dragged, the victim rests beside the square first."""
    (carry,) = step.carries
    assert carry.target is not None
    stops: tuple[Square, ...] = ()
    if not drag and hand.chance(hand.profile.habits.rest):
        stops = resting_squares(hand, carry, before)
    puts = carried(hand, carry, at_ns, stops)
    beside = free_beside(hand, carry.target, before, step.squares)
    if drag and beside:
        on_ns = puts[-1].at_ns + hand.about(120 * MS)
        off_ns = on_ns + max(hand.about(hand.profile.pace.rest_ns), hand.profile.scan_ns)
        neighbour = hand.dice.choice(beside)
        puts += [Put(on_ns, neighbour, before[carry.target]), Put(off_ns, neighbour, EMPTY)]
    return puts


def capture_victim_first(hand: Hand, step: HandMove, at_ns: int) -> list[Put]:
    """The victim is taken off before the mover is lifted."""
    (carry,) = step.carries
    assert step.victim is not None
    lift_ns = at_ns + hand.about(hand.profile.pace.carry_ns)
    return [Put(at_ns, step.victim, EMPTY), *carried(hand, carry, lift_ns)]


def capture_mover_first(hand: Hand, step: HandMove, at_ns: int) -> list[Put]:
    """The mover is in the air, the victim is taken off, the mover set down."""
    (carry,) = step.carries
    assert carry.origin is not None
    assert carry.target is not None
    assert step.victim is not None
    pace = hand.profile.pace
    off_ns = at_ns + hand.about(pace.carry_ns)
    down_ns = off_ns + hand.about(pace.carry_ns)
    return [
        Put(at_ns, carry.origin, EMPTY),
        Put(off_ns, step.victim, EMPTY),
        Put(down_ns, carry.target, carry.after),
    ]


def en_passant(hand: Hand, step: HandMove, at_ns: int, *, last: bool) -> list[Put]:
    """The passed pawn leaves last, or else first."""
    (carry,) = step.carries
    assert step.victim is not None
    pace = hand.profile.pace
    if last:
        puts = carried(hand, carry, at_ns)
        off_ns = puts[-1].at_ns + hand.about(pace.carry_ns)
        return [*puts, Put(off_ns, step.victim, EMPTY)]
    return capture_victim_first(hand, step, at_ns)


def promote(
    hand: Hand, step: HandMove, before: Placement, at_ns: int, *, arrives: bool
) -> list[Put]:
    """The pawn is set on its last square and exchanged there; or never set there at all."""
    (carry,) = step.carries
    assert carry.origin is not None
    assert carry.target is not None
    pace = hand.profile.pace
    if arrives:
        pawn = Carry(carry.origin, carry.target, carry.before, carry.before)
        as_pawn = HandMove(step.side, step.move, (pawn,), step.victim, step.changes)
        puts = (
            carried(hand, pawn, at_ns)
            if step.victim is None
            else capture(hand, as_pawn, before, at_ns)
        )
        off_ns = puts[-1].at_ns + hand.about(pace.carry_ns)
        down_ns = off_ns + hand.about(pace.carry_ns)
        return [
            *puts,
            Put(off_ns, carry.target, EMPTY),
            Put(down_ns, carry.target, carry.after),
        ]
    puts = [] if step.victim is None else [Put(at_ns, step.victim, EMPTY)]
    first_ns = at_ns + (hand.about(pace.carry_ns) if puts else 0)
    then_ns = first_ns + hand.about(pace.carry_ns)
    pawn_off = Put(first_ns, carry.origin, EMPTY)
    new_piece = Put(then_ns, carry.target, carry.after)
    if hand.chance(0.5):
        pawn_off = Put(then_ns, carry.origin, EMPTY)
        new_piece = Put(first_ns, carry.target, carry.after)
    return [*puts, *sorted((pawn_off, new_piece), key=lambda put: put.at_ns)]


def castle(hand: Hand, step: HandMove, at_ns: int) -> list[Put]:
    """The king is lifted and placed, then the rook (all six of those recorded)."""
    puts: list[Put] = []
    for carry in step.carries:
        puts += carried(hand, carry, at_ns)
        at_ns = puts[-1].at_ns + hand.about(hand.profile.pace.carry_ns)
    return puts


def castle_in_the_air(hand: Hand, step: HandMove, at_ns: int) -> list[Put]:
    """Both pieces are off their squares before the first is set down: king first, then rook."""
    puts: list[Put] = []
    for carry in step.carries:
        if carry.origin is not None:
            puts.append(Put(at_ns, carry.origin, EMPTY))
            at_ns += hand.about(hand.profile.pace.carry_ns)
    for carry in step.carries:
        if carry.target is not None:
            puts.append(Put(at_ns, carry.target, carry.after))
            at_ns += hand.about(hand.profile.pace.carry_ns)
    return puts


def resting_squares(hand: Hand, carry: Carry, before: Placement) -> tuple[Square, ...]:
    """Where a piece may rest on its way: on its line, else just beside its target."""
    assert carry.origin is not None
    assert carry.target is not None
    way = [s for s in between(hand.geometry, carry.origin, carry.target) if before[s] == EMPTY]
    if way:
        stops = sorted(hand.dice.sample(way, min(len(way), hand.dice.choice((1, 1, 2)))))
        return tuple(stops if carry.origin < carry.target else reversed(stops))
    beside = free_beside(hand, carry.target, before, frozenset({carry.origin, carry.target}))
    return (hand.dice.choice(beside),) if beside else ()


def free_beside(
    hand: Hand, square: Square, before: Placement, apart_from: frozenset[Square]
) -> list[Square]:
    """Empty squares around one."""
    return [
        near
        for near in around(hand.geometry, square)
        if before[near] == EMPTY and near not in apart_from
    ]


def between(geometry: Geometry, origin: Square, target: Square) -> tuple[Square, ...]:
    """The squares of a straight line between two, ends left out; none where it is no line."""
    (row, file), (to_row, to_file) = divmod(origin, geometry.files), divmod(target, geometry.files)
    rows, files = to_row - row, to_file - file
    if rows and files and abs(rows) != abs(files):
        return ()
    length = max(abs(rows), abs(files))
    by = (rows // length) * geometry.files + files // length if length else 0
    return tuple(origin + by * number for number in range(1, length))


def around(geometry: Geometry, square: Square) -> tuple[Square, ...]:
    """The squares that touch one."""
    row, file = divmod(square, geometry.files)
    return tuple(
        near_row * geometry.files + near_file
        for near_row in range(max(0, row - 1), min(geometry.ranks, row + 2))
        for near_file in range(max(0, file - 1), min(geometry.files, file + 2))
        if (near_row, near_file) != (row, file)
    )


def _in_each_others_way(step: HandMove) -> bool:
    """A piece's target is where another still stands (chess960)."""
    origins = {carry.origin for carry in step.carries}
    return any(carry.target in origins - {carry.origin} for carry in step.carries)


def _is_exchanged(carry: Carry) -> bool:
    """Another piece replaces it. A piece that is only turned over (shogi) is not exchanged."""
    return carry.before.lstrip("+").lower() != carry.after.lstrip("+").lower()
