"""What players do beside moving and may do: adjust, hold, try and take back."""

from __future__ import annotations

from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.game import HandMove, step_of
from arbiterd.simulation.hands.desk import StagedTable
from arbiterd.simulation.hands.strokes import stroke
from arbiterd.simulation.profiles import MS, SECOND
from eboards.events import Square

TOUCHES = (
    "touch-own-then-other",
    "touch-own-several",
    "touch-both-own-first",
    "touch-both-opp-first",
    "touch-both-order-unclear",
    "castle-touch-both",
)
"""What a piece that was lifted and put back may lead to, whatever is moved then."""


def pieces_of(desk: StagedTable, side: Colour) -> list[Square]:
    """Where this side's pieces stand."""
    owner = desk.line.rules.owner
    return [square for square, piece in enumerate(desk.board) if owner(piece) is side]


def adjust(desk: StagedTable) -> bool:
    """A piece of the side to move is lifted and set down where it stood; another piece then
    moves."""
    own = pieces_of(desk, desk.side)
    pieces = [square for square in own if square not in desk.step.taken_up]
    if not pieces:
        return False
    desk.wait(SECOND)
    since_ns = desk.now_ns
    square = desk.dice.choice(pieces)
    piece = desk.lift(square)
    desk.wait(800 * MS)
    desk.place(square, piece)
    desk.note("adjust", since_ns, TOUCHES)
    return True


def adjust_six(desk: StagedTable) -> bool:
    """j'adoube, six pieces in a row."""
    done = [adjust(desk) for _ in range(6)]
    return any(done)


def lift_and_think(desk: StagedTable) -> bool:
    """The piece that will move is lifted, held, put back, thought over, and then moved."""
    origin = desk.step.mover
    if origin is None:
        return False
    desk.wait(SECOND)
    since_ns = desk.now_ns
    piece = desk.lift(origin)
    desk.wait(6 * SECOND)
    desk.place(origin, piece)
    desk.note("lift-and-think", since_ns, TOUCHES)
    return True


def other_moves(desk: StagedTable) -> list[HandMove]:
    """Legal half-moves that could be played here instead, without an exchange of pieces."""
    rules, position = desk.line.rules, desk.line.positions[desk.ply - 1]
    steps = [step_of(rules, position, move) for move in rules.legal_moves(position)]
    return [
        step
        for step in steps
        if step.move != desk.step.move
        and all(carry.origin is not None and carry.before == carry.after for carry in step.carries)
    ]


def take_back(desk: StagedTable) -> bool:
    """Another legal move is made, looked at, and taken back before the clock is pressed."""
    others = other_moves(desk)
    same_piece = [step for step in others if step.mover == desk.step.mover]
    choice = same_piece or others
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
    raises = (
        "move-released-then-changed",
        "castle-king-released-then-other",
        "move-corrected-before-press",
        "sh-matta",  # In shogi a move is complete at its release.
        *TOUCHES,
    )
    desk.note("take-back", since_ns, raises)
    return True
