"""What happens to pieces by accident: one falls, a sleeve shifts two, the whole board is
knocked."""

from __future__ import annotations

from arbiterd.simulation.hands.desk import StagedTable
from arbiterd.simulation.hands.restless import TOUCHES, pieces_of
from arbiterd.simulation.hands.strokes import free_beside
from arbiterd.simulation.profiles import MS, SECOND
from eboards.events import EMPTY

FALLEN = (
    "displaced-pressed",
    "displaced-put-back-wrong",
    "move-corrected-before-press",
    "castle-rook-first",
    "castle-rook-first-pressed",
    *TOUCHES,
)
"""What fallen pieces may also lead to: a rook that was stood up may castle next."""


def knocked_piece(desk: StagedTable) -> bool:
    """A piece falls, rolls over up to three squares, is stood up wrong and then right."""
    pieces = [
        s
        for s in pieces_of(desk, desk.side)
        if free_beside(desk.hand, s, tuple(desk.board), frozenset())
    ]
    if not pieces:
        return False
    desk.wait(SECOND)
    since_ns = desk.now_ns
    home = here = desk.dice.choice(pieces)
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
    raises = ("displaced-on-opp-time", "displaced-own-restored", *FALLEN)
    desk.note("knocked-piece", since_ns, raises)
    return True


def sleeve(desk: StagedTable) -> bool:
    """A sleeve shifts two pieces to squares beside them; both are put right."""
    pieces = [
        s
        for s in pieces_of(desk, desk.side)
        if free_beside(desk.hand, s, tuple(desk.board), frozenset())
    ]
    if len(pieces) < 2:
        return False
    desk.wait(SECOND)
    since_ns = desk.now_ns
    for square in desk.dice.sample(pieces, 2):
        free = free_beside(desk.hand, square, tuple(desk.board), frozenset())
        if free:
            desk.place(desk.dice.choice(free), desk.lift(square))
            desk.wait(60 * MS)
    desk.wait(3 * SECOND)
    desk.put_right()
    desk.wait(SECOND)
    raises = ("displaced-on-opp-time", "displaced-two", "displaced-own-restored", *FALLEN)
    desk.note("sleeve", since_ns, raises)
    return True


def board_knocked(desk: StagedTable) -> bool:
    """Eight pieces are thrown about at once; the clocks are stopped and all is set up again."""
    pieces = [square for square, piece in enumerate(desk.board) if piece != EMPTY]
    free = [square for square, piece in enumerate(desk.board) if piece == EMPTY]
    if len(pieces) < 10:
        return False
    desk.wait(2 * SECOND)
    since_ns = desk.now_ns
    for square, target in zip(desk.dice.sample(pieces, 8), desk.dice.sample(free, 8), strict=True):
        desk.place(target, desk.lift(square))
        desk.wait(40 * MS)
    desk.wait(3 * SECOND)
    desk.stop()
    desk.wait(10 * SECOND)
    allows = ("displaced-two", "displaced-on-opp-time", "move-corrected-before-press", *TOUCHES)
    desk.note("board-knocked", since_ns, ("displaced-board-knocked",), must=True, allows=allows)
    desk.put_right()
    desk.wait(5 * SECOND)
    desk.run(desk.side)
    return True
