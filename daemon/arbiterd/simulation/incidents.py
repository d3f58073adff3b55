"""Episodes beside the moves: what players also do, and what goes wrong, as hands do it.

An episode is a value: its name, the rulings that may rightly follow it (ids of the rulings
catalogue), whether one of them must follow, and the act itself. The act gets the desk before
the turn's own half-move and leaves the men as it found them; it returns False where it is not
possible at this half-move. A new kind is one function and one line in `EPISODES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.desk import Desk
from arbiterd.simulation.game import Step, step_of
from arbiterd.simulation.profiles import MS, SECOND
from arbiterd.simulation.strokes import around, free_beside, stroke
from eboards.events import EMPTY, Square


@dataclass(frozen=True, slots=True)
class Episode:
    """One kind of thing that happens."""

    name: str
    act: Callable[[Desk], bool]
    raises: tuple[str, ...] = ()
    must: bool = False


def men_of(desk: Desk, side: Colour) -> list[Square]:
    """Where this side's men stand."""
    owner = desk.line.rules.owner
    return [square for square, piece in enumerate(desk.board) if owner(piece) is side]


def adjust(desk: Desk) -> bool:
    """A man of the side to move is lifted and set down where it stood; another man then moves."""
    origins = {carry.origin for carry in desk.step.carries}
    men = [square for square in men_of(desk, desk.side) if square not in origins]
    if not men:
        return False
    desk.wait(SECOND)
    since_ns = desk.now_ns
    square = desk.dice.choice(men)
    piece = desk.lift(square)
    desk.wait(800 * MS)
    desk.place(square, piece)
    desk.note("adjust", since_ns, ("touch-own-then-other", "touch-own-several"))
    return True


def adjust_six(desk: Desk) -> bool:
    """j'adoube, six men in a row."""
    done = [adjust(desk) for _ in range(6)]
    return any(done)


def lift_and_think(desk: Desk) -> bool:
    """The man that will move is lifted, held, put back, thought over, and then moved."""
    origin = desk.step.carries[0].origin
    if origin is None:
        return False
    desk.wait(SECOND)
    since_ns = desk.now_ns
    piece = desk.lift(origin)
    desk.wait(6 * SECOND)
    desk.place(origin, piece)
    desk.note("lift-and-think", since_ns)
    return True


def other_moves(desk: Desk) -> list[Step]:
    """Legal half-moves that could be played here instead, without an exchange of men."""
    rules, position = desk.line.rules, desk.line.positions[desk.ply - 1]
    steps = [step_of(rules, position, move) for move in rules.legal_moves(position)]
    return [
        step
        for step in steps
        if step.move != desk.step.move
        and all(carry.origin is not None and carry.before == carry.after for carry in step.carries)
    ]


def take_back(desk: Desk) -> bool:
    """Another legal move is made, looked at, and taken back before the clock is pressed."""
    others = other_moves(desk)
    mover = desk.step.carries[0].origin
    same_man = [step for step in others if step.carries[0].origin == mover]
    choice = same_man or others
    if not choice:
        return False
    desk.wait(2 * SECOND)
    since_ns = desk.now_ns
    tried = desk.dice.choice(choice)
    before = desk.line.placements[desk.ply - 1]
    desk.perform(stroke(desk.hand, tried, before, desk.now_ns))
    desk.wait(2500 * MS)
    desk.put_right()
    desk.wait(SECOND)
    raises = ("move-released-then-changed", "castle-king-released-then-other")
    desk.note("take-back", since_ns, raises)
    return True


def knocked_piece(desk: Desk) -> bool:
    """A man falls, rolls over up to three squares, is stood up wrong and then right."""
    men = [
        s
        for s in men_of(desk, desk.side)
        if free_beside(desk.hand, s, tuple(desk.board), frozenset())
    ]
    if not men:
        return False
    desk.wait(SECOND)
    since_ns = desk.now_ns
    home = here = desk.dice.choice(men)
    piece = desk.lift(home)
    for _ in range(desk.dice.randint(1, 3)):
        free = free_beside(desk.hand, here, tuple(desk.board), frozenset({home}))
        if not free:
            break
        here = desk.dice.choice(free)
        desk.wait(150 * MS)
        desk.place(here, piece)
        desk.wait(200 * MS)
        desk.lift(here)
    desk.wait(1500 * MS)
    desk.place(home, piece)
    desk.wait(SECOND)
    raises = ("displaced-on-opp-time", "displaced-own-restored", "touch-own-then-other")
    desk.note("knocked-piece", since_ns, raises)
    return True


def sleeve(desk: Desk) -> bool:
    """A sleeve shifts two men to squares beside them; both are put right."""
    men = [
        s
        for s in men_of(desk, desk.side)
        if free_beside(desk.hand, s, tuple(desk.board), frozenset())
    ]
    if len(men) < 2:
        return False
    desk.wait(SECOND)
    since_ns = desk.now_ns
    for square in desk.dice.sample(men, 2):
        free = free_beside(desk.hand, square, tuple(desk.board), frozenset())
        if free:
            desk.place(desk.dice.choice(free), desk.lift(square))
            desk.wait(60 * MS)
    desk.wait(3 * SECOND)
    desk.put_right()
    desk.wait(SECOND)
    raises = (
        "displaced-on-opp-time",
        "displaced-two",
        "displaced-own-restored",
        "touch-own-several",
        "touch-own-then-other",
    )
    desk.note("sleeve", since_ns, raises)
    return True


def illegal_pressed(desk: Desk) -> bool:
    """A man goes where it cannot and the clock is pressed; the arbiter has it put right."""
    target = _illegal_target(desk)
    if target is None:
        return False
    origin, square = target
    desk.wait(3 * SECOND)
    since_ns = desk.now_ns
    piece = desk.lift(origin)
    desk.wait(desk.profile.pace.carry_ns)
    desk.place(square, piece)
    desk.wait(desk.profile.pace.press_ns)
    desk.press(desk.side)
    desk.wait(4 * SECOND)
    desk.stop()
    desk.note("illegal-pressed", since_ns, ("illegal-first", "illegal-second"), must=True)
    desk.wait(8 * SECOND)
    desk.put_right()
    desk.wait(5 * SECOND)
    desk.run(desk.side)
    return True


def _illegal_target(desk: Desk) -> tuple[Square, Square] | None:
    """An own man and an empty square it cannot legally reach; the moves of its kind first."""
    rules, position = desk.line.rules, desk.line.positions[desk.ply - 1]
    legal = {
        (carry.origin, carry.target)
        for move in rules.legal_moves(position)
        for carry in step_of(rules, position, move).carries
    }
    found = [
        (origin, square)
        for origin in men_of(desk, desk.side)
        if desk.board[origin] not in ("K", "k")
        for square in around(rules.geometry, origin)
        if desk.board[square] == EMPTY and (origin, square) not in legal
    ]
    return desk.dice.choice(found) if found else None


def _known(*episodes: Episode) -> MappingProxyType[str, Episode]:
    return MappingProxyType({episode.name: episode for episode in episodes})


EPISODES: Final[MappingProxyType[str, Episode]] = _known(
    Episode("adjust", adjust),
    Episode("adjust-six", adjust_six),
    Episode("lift-and-think", lift_and_think),
    Episode("take-back", take_back),
    Episode("knocked-piece", knocked_piece),
    Episode("sleeve", sleeve),
    Episode("illegal-pressed", illegal_pressed),
)
