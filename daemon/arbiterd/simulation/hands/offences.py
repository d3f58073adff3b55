"""Breaches of the Laws as hands commit them: irregular moves that are pressed, touches not met,
moves by the wrong side. What can be put right is put right by the arbiter before play goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.game import Carry, HandMove, step_of
from arbiterd.simulation.hands.desk import StagedTable
from arbiterd.simulation.hands.restless import TOUCHES, pieces_of
from arbiterd.simulation.hands.strokes import around, between
from arbiterd.simulation.profiles import MS, SECOND
from eboards.events import EMPTY, Piece, Placement, Square

RESTORED = (
    *TOUCHES,
    "touch-opp-capturable",
    "adjust-on-opponent-time",
    "move-corrected-before-press",
    "castle-king-released-then-other",
    "illegal-ends-game",
)
"""The pieces of an irregular half-move were touched, what is played instead may be another, and
clocks that stand after what looks like mate are a question of their own."""


PAUSED = ("clock-paused-by-player", "promo-pause-for-piece", "resign-signal")
"""What clocks that a player stopped may mean."""


def pressed_and_restored(
    desk: StagedTable, name: str, raises: tuple[str, ...], hands: Callable[[], None]
) -> bool:
    """The irregular half-move, its press, and the arbiter: clocks stopped, pieces put right.

    Not where the lever is down on this side already: such a press moves nothing.
    """
    if desk.running is not desk.side:
        return False
    desk.wait(3 * SECOND)
    since_ns = desk.now_ns
    hands()
    desk.wait(desk.profile.pace.press_ns)
    desk.press(desk.side)
    restored(desk, name, since_ns, raises)
    return True


def restored(
    desk: StagedTable,
    name: str,
    since_ns: int,
    raises: tuple[str, ...],
    *,
    comes_ns: int = 5 * SECOND,
    allows: tuple[str, ...] = RESTORED,
) -> None:
    """The arbiter comes after so long: the clocks are stopped, the pieces put right, and the side
    whose turn it is plays on."""
    desk.wait(comes_ns)
    desk.stop()
    desk.note(name, since_ns, raises, must=True, allows=allows)
    desk.wait(8 * SECOND)
    desk.put_right()
    desk.wait(5 * SECOND)
    desk.run(desk.side)


def owes_a_press(desk: StagedTable) -> bool:
    """Neither this side's half-move before nor the reply was pressed: its next press is that one
    (6.2.2), and with no piece put down nobody could tell it from another."""
    before = desk.plies[-2:]
    return len(before) == 2 and all(ply.pressed_ns is None for ply in before)


def legal_steps(desk: StagedTable) -> list[HandMove]:
    rules, position = desk.line.rules, desk.line.positions[desk.ply - 1]
    return [step_of(rules, position, move) for move in rules.legal_moves(position)]


def carried_over(
    desk: StagedTable, origin: Square, target: Square, face: Piece | None = None
) -> None:
    """A piece is carried there; it shows this face then, or the one it had."""
    piece = desk.lift(origin)
    desk.wait(desk.profile.pace.carry_ns)
    desk.place(target, piece if face is None else face)


def illegal_pressed(desk: StagedTable) -> bool:
    """A piece goes where it cannot, and the clock is pressed.

    Never back to what stood on the board before: that would be taking back.
    """
    legal = {(carry.origin, carry.target) for step in legal_steps(desk) for carry in step.carries}
    found = [
        (origin, square)
        for origin in pieces_of(desk, desk.side)
        if desk.board[origin].lower() not in ("k", "p")
        for square in around(desk.line.rules.geometry, origin)
        if desk.board[square] == EMPTY and (origin, square) not in legal
        if stands_after(desk, origin, square) not in desk.line.placements[: desk.ply]
    ]
    if not found:
        return False
    origin, target = desk.dice.choice(found)
    return pressed_and_restored(
        desk, "illegal-pressed", ("illegal-first",), lambda: carried_over(desk, origin, target)
    )


def stands_after(desk: StagedTable, origin: Square, target: Square) -> Placement:
    """What the board would show then."""
    board = list(desk.board)
    board[origin], board[target] = EMPTY, board[origin]
    return tuple(board)


def own_piece_taken(desk: StagedTable) -> bool:
    """A piece takes another of its own side, as it moves, and the clock is pressed.

    Of two pieces alike the board shows no more than that one is gone: as if it were in a hand.
    """
    pieces = [square for square in pieces_of(desk, desk.side) if desk.board[square].lower() != "k"]
    found = [
        (origin, target) for origin in pieces for target in pieces if reaches(desk, origin, target)
    ]
    if owes_a_press(desk):
        found = [(o, t) for o, t in found if desk.board[o] != desk.board[t]]
    if not found:
        return False
    origin, target = desk.dice.choice(found)
    raises = ("capture-own-piece", "illegal-first", "move-piece-swapped", "press-piece-in-hand")
    return pressed_and_restored(
        desk, "own-piece-taken", raises, lambda: carried_over(desk, origin, target)
    )


def reaches(desk: StagedTable, origin: Square, target: Square) -> bool:
    """A knight, bishop, rook or queen goes from here to there as it moves."""
    geometry, piece = desk.line.rules.geometry, desk.board[origin].lower()
    rows = abs(origin // geometry.files - target // geometry.files)
    files = abs(origin % geometry.files - target % geometry.files)
    if piece == "n":
        return {rows, files} == {1, 2}
    straight, diagonal = (rows == 0) != (files == 0), rows == files != 0
    able = (straight and piece in "rq") or (diagonal and piece in "bq")
    return able and all(desk.board[s] == EMPTY for s in between(geometry, origin, target))


def press_without_move(desk: StagedTable) -> bool:
    """The clock is pressed and nothing was moved."""
    if desk.ply < 2 or owes_a_press(desk):
        return False
    return pressed_and_restored(desk, "press-no-move", ("press-no-move",), lambda: None)


def press_with_piece_in_hand(desk: StagedTable) -> bool:
    """A piece is lifted, and the clock pressed before it stands anywhere; none whose half-move is
    just that, as where it becomes a plank."""
    made = {step.carries[0].origin for step in legal_steps(desk) if step.carries[0].target is None}
    own = [square for square in pieces_of(desk, desk.side) if square not in made]
    pieces = [square for square in own if desk.board[square].lower() != "k"]
    if not pieces or owes_a_press(desk):
        return False
    square = desk.dice.choice(pieces)
    raises = ("press-piece-in-hand", "promo-nothing-placed")
    return pressed_and_restored(desk, "piece-in-hand", raises, lambda: _drop(desk, square))


def _drop(desk: StagedTable, square: Square) -> None:
    desk.lift(square)


def victim_off_only(desk: StagedTable) -> bool:
    """What could be taken is taken off; the taker never moves; the clock is pressed."""
    victims = [step.victim for step in legal_steps(desk) if step.victim is not None]
    if not victims or owes_a_press(desk):
        return False
    square = desk.dice.choice(victims)
    raises = ("capture-removed-not-moved",)
    return pressed_and_restored(desk, "victim-off-only", raises, lambda: _drop(desk, square))


def pawn_left_on_last_rank(desk: StagedTable) -> bool:
    """A pawn reaches the last rank and is not exchanged; the clock is pressed."""
    found = [
        step.carries[0]
        for step in legal_steps(desk)
        if len(step.carries) == 1
        and step.carries[0].before.lower() == "p" != step.carries[0].after.lower()
    ]
    if not found:
        return False
    carry = desk.dice.choice(found)
    assert carry.origin is not None
    assert carry.target is not None
    origin, target = carry.origin, carry.target
    return pressed_and_restored(
        desk, "pawn-left", ("promo-pawn-left",), lambda: carried_over(desk, origin, target)
    )


def passed_pawn_left(desk: StagedTable) -> bool:
    """En passant without taking the pawn off; the clock is pressed."""
    found = [
        step.carries[0]
        for step in legal_steps(desk)
        if step.victim is not None and step.victim != step.carries[0].target
    ]
    if not found:
        return False
    origin, target = found[0].origin, found[0].target
    assert origin is not None
    assert target is not None
    raises = ("ep-pawn-not-removed",)
    return pressed_and_restored(
        desk, "passed-pawn-left", raises, lambda: carried_over(desk, origin, target)
    )


def king_alone_castles(desk: StagedTable) -> bool:
    """The king makes its castling step, the rook stays; the clock is pressed.

    Not where one of them stays, nor where the king may go there without castling, nor onto its
    rook (Chess960).
    """
    steps = legal_steps(desk)
    kings = [step.carries[0] for step in steps if step.castling and len(step.carries) == 2]
    plain = {(step.mover, step.carries[0].target) for step in steps if not step.castling}
    found = [
        (king.origin, king.target)
        for king in kings
        if king.origin is not None and king.target is not None
        if (king.origin, king.target) not in plain and desk.board[king.target] == EMPTY
    ]
    if not found:
        return False
    origin, target = desk.dice.choice(found)
    raises = ("castle-king-only-pressed",)
    return pressed_and_restored(
        desk, "king-alone", raises, lambda: carried_over(desk, origin, target)
    )


def rook_castled_wrong(desk: StagedTable) -> bool:
    """The king castles, and the rook lands beside its square; the clock is pressed."""
    steps = legal_steps(desk)
    found = [
        (king, rook, beside)
        for step in steps
        if len(step.carries) == 2 and step.castling
        for king, rook in [step.carries]
        for beside in _beside(desk, king, rook)
    ]
    if not found:
        return False
    king, rook, beside = desk.dice.choice(found)
    raises = ("castle-wrong-rook-square",)
    return pressed_and_restored(
        desk, "rook-beside", raises, lambda: castled(desk, king, replace(rook, target=beside))
    )


def _beside(desk: StagedTable, king: Carry, rook: Carry) -> list[Square]:
    """Beside the square that the rook should come to, on its rank, where nothing stands then."""
    assert rook.origin is not None
    assert rook.target is not None
    files = desk.line.rules.geometry.files
    return [
        square
        for square in (rook.target - 1, rook.target + 1)
        if square // files == rook.target // files and square not in (king.target, rook.origin)
        if desk.board[square] == EMPTY or square == king.origin
    ]


def castled(desk: StagedTable, king: Carry, rook: Carry) -> None:
    """The king goes first, then the rook; where the king comes to the rook's square, both are in
    the air at once. A piece that stays is not touched."""
    moving = [carry for carry in (king, rook) if carry.origin != carry.target]
    if king.target == rook.origin and len(moving) == 2:
        _in_the_air_at_once(desk, moving)
        return
    for carry in moving:
        assert carry.origin is not None
        assert carry.target is not None
        carried_over(desk, carry.origin, carry.target)


def _in_the_air_at_once(desk: StagedTable, carries: list[Carry]) -> None:
    for carry in carries:
        assert carry.origin is not None
        desk.lift(carry.origin)
        desk.wait(desk.profile.pace.carry_ns)
    for carry in carries:
        assert carry.target is not None
        desk.place(carry.target, carry.after)
        desk.wait(desk.profile.pace.carry_ns)


def moved_out_of_turn(desk: StagedTable) -> bool:
    """The side that has just pressed moves another piece; nobody presses.

    Never back to what stood on the board before: that would be taking back.
    """
    if desk.ply < 2 or desk.running is not desk.side:
        return False
    free = [
        (origin, square)
        for origin in pieces_of(desk, desk.side.other)
        if desk.board[origin].lower() == "n"
        for square in _jumps(desk, origin)
        if desk.board[square] == EMPTY
        and stands_after(desk, origin, square) not in desk.line.placements[: desk.ply]
    ]
    if not free:
        return False
    desk.wait(3 * SECOND)
    since_ns = desk.now_ns
    carried_over(desk, *desk.dice.choice(free))
    desk.wait(5 * SECOND)  # Only once the hands have left it is known to stay there.
    # A piece that may not go there, were it its side's turn, is merely displaced.
    raises = ("move-out-of-turn", "move-twice-after-press", "displaced-on-opp-time")
    restored(desk, "out-of-turn", since_ns, raises)
    return True


def _jumps(desk: StagedTable, square: Square) -> list[Square]:
    """A knight's."""
    geometry = desk.line.rules.geometry
    row, file = divmod(square, geometry.files)
    return [
        there
        for there in range(len(geometry))
        if {abs(there // geometry.files - row), abs(there % geometry.files - file)} == {1, 2}
    ]


def touched_then_other(desk: StagedTable) -> bool:
    """A piece that can move is lifted and put back, and another one moves."""
    able = sorted({step.mover for step in legal_steps(desk) if step.mover is not None})
    spared = [square for square in able if square not in desk.step.taken_up]
    return _touched(desk, spared, "touched-then-other", TOUCHES)


def touched_victim(desk: StagedTable) -> bool:
    """A piece of the opponent that can be taken is lifted and put back, and is not taken."""
    able = sorted({step.victim for step in legal_steps(desk) if step.victim is not None})
    spared = [square for square in able if square != desk.step.victim]
    return _touched(
        desk, spared, "touched-victim", ("touch-opp-capturable", "adjust-on-opponent-time")
    )


def rook_before_castling(desk: StagedTable) -> bool:
    """The rook is touched first, and then the player castles with it.

    Not where the king stays: such castling is done with the rook alone (Chess960).
    """
    castling = desk.step.castling
    rooks = [castling[1]] if castling and desk.step.carries[0].origin == castling[0] else []
    raises = ("castle-rook-first", "castle-rook-first-pressed")
    return _touched(desk, rooks, "rook-before-castling", raises)


def _touched(desk: StagedTable, squares: list[Square], name: str, raises: tuple[str, ...]) -> bool:
    """One of these is lifted for a second and a half and put back, on its own square.

    For three scans at least: below that it looks like a piece that a coil missed.
    """
    if not squares or (desk.running is not desk.side and desk.ply > 1):
        return False
    desk.wait(2 * SECOND)
    since_ns = desk.now_ns
    square = desk.dice.choice(squares)
    piece = desk.lift(square)
    desk.wait(1500 * MS)
    desk.now_ns = max(desk.now_ns, since_ns + 4 * desk.profile.scan_ns)
    desk.place(square, piece)
    desk.wait(1500 * MS)
    allows = (*TOUCHES, "touch-opp-capturable", "adjust-on-opponent-time")
    desk.note(name, since_ns, raises, must=True, allows=allows)
    return True


def adjusted_on_other_time(desk: StagedTable) -> bool:
    """The side that has not the move lifts one of its pieces and puts it back."""
    able = {step.victim for step in legal_steps(desk)}
    pieces = [square for square in pieces_of(desk, desk.side.other) if square not in able]
    raises = ("adjust-on-opponent-time", "touch-opp-not-capturable")
    return _touched(desk, pieces, "adjusted-on-other-time", raises)


def clock_paused(desk: StagedTable) -> bool:
    """A player stops both clocks and calls the arbiter."""
    if desk.running is None:
        return False
    running: Colour = desk.running
    desk.wait(3 * SECOND)
    since_ns = desk.now_ns
    desk.stop()
    desk.wait(20 * SECOND)
    desk.note("clock-paused", since_ns, PAUSED, must=True)
    desk.run(running)
    return True
