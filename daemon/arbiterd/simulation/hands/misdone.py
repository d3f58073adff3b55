"""Castling, promotion and displacement that break the Laws: half-moves done wrong and pressed, or
changed after they were made."""

from __future__ import annotations

from arbiterd.simulation.game import Carry, HandMove
from arbiterd.simulation.hands.desk import StagedTable
from arbiterd.simulation.hands.offences import (
    carried_over,
    castled,
    legal_steps,
    owes_a_press,
    pressed_and_restored,
)
from arbiterd.simulation.hands.restless import TOUCHES, other_moves, pieces_of
from arbiterd.simulation.hands.strokes import between, free_beside
from arbiterd.simulation.profiles import MS, SECOND
from eboards.events import EMPTY, Piece


def castled_unlawfully(desk: StagedTable) -> bool:
    """King and rook make their castling steps though castling there is not legal."""
    lawful = {step.castling for step in legal_steps(desk) if step.castling}
    found = [
        (king, rook)
        for king, rook in _castling_steps(desk)
        if (king.origin, rook.origin) not in lawful
    ]
    if not found:
        return False
    king, rook = desk.dice.choice(found)
    raises = ("castle-illegal-pressed", "illegal-two-faults-one-move")
    return pressed_and_restored(
        desk, "castled-unlawfully", raises, lambda: castled(desk, king, rook)
    )


def _castling_steps(desk: StagedTable) -> list[tuple[Carry, Carry]]:
    """How king and rook would go where they stand as at the start, with nothing on their ways."""
    files, home = desk.line.rules.geometry.files, desk.line.placements[0]
    own = [s for s in pieces_of(desk, desk.side) if desk.board[s] == home[s]]
    king = next((s for s in own if home[s].lower() == "k"), None)
    found = []
    for rook in (s for s in own if king is not None and home[s].lower() == "r"):
        assert king is not None
        first = king // files * files
        king_to, rook_to = (first + 6, first + 5) if rook > king else (first + 2, first + 3)
        places = (king, king_to, rook, rook_to)
        way = set(range(min(places), max(places) + 1)) - {king, rook}
        if all(desk.board[square] == EMPTY for square in way):
            one, other = home[king], home[rook]
            found.append((Carry(king, king_to, one, one), Carry(rook, rook_to, other, other)))
    return found


def _promotions(desk: StagedTable) -> list[Carry]:
    """Pawns that can step to the last rank."""
    return [
        step.carries[0]
        for step in legal_steps(desk)
        if len(step.carries) == 1
        and step.victim is None
        and step.carries[0].before.lower() == "p" != step.carries[0].after.lower()
    ]


def _promoted(
    desk: StagedTable, name: str, kind: str, piece: Piece | None, *, early: bool = False
) -> bool:
    """A pawn leaves, and this piece (or nothing) comes on the last rank; early: where it stood."""
    found = _promotions(desk)
    if not found:
        return False
    carry = desk.dice.choice(found)
    assert carry.origin is not None
    assert carry.target is not None
    origin, target = carry.origin, carry.target

    def hands() -> None:
        desk.lift(origin)
        desk.wait(desk.profile.pace.carry_ns)
        if piece is not None:
            desk.place(origin if early else target, piece)

    return pressed_and_restored(desk, name, (kind,), hands)


def _own(desk: StagedTable, letter: str) -> Piece:
    """A piece of the side that moves; pieces of White have capitals."""
    white = desk.board[pieces_of(desk, desk.side)[0]].isupper()
    return letter.upper() if white else letter.lower()


def nothing_placed(desk: StagedTable) -> bool:
    """The pawn is off, nothing stands on the last rank, the clock is pressed."""
    if owes_a_press(desk):
        return False
    return _promoted(desk, "nothing-placed", "promo-nothing-placed", None)


def enemy_placed(desk: StagedTable) -> bool:
    """A queen of the other colour is put on the last rank."""
    queen = _own(desk, "q").swapcase()
    return _promoted(desk, "enemy-queen-placed", "promo-wrong-colour", queen)


def king_placed(desk: StagedTable) -> bool:
    """A second king is put on the last rank."""
    return _promoted(desk, "king-placed", "promo-king-or-pawn", _own(desk, "k"))


def exchanged_early(desk: StagedTable) -> bool:
    """The pawn is exchanged where it stands, a rank too early."""
    return _promoted(desk, "exchanged-early", "promo-early", _own(desk, "q"), early=True)


def _quiet(desk: StagedTable) -> list[HandMove]:
    return [step for step in other_moves(desk) if step.victim is None and not step.castling]


def moved_on(desk: StagedTable) -> bool:
    """A piece is released where it may go, looked at, and put back; the game's own half-move is
    played with the same piece."""
    tried = [step for step in _quiet(desk) if step.mover == desk.step.mover]
    if not tried or desk.running is not desk.side or desk.step.castling:
        return False
    desk.wait(2 * SECOND)
    since_ns = desk.now_ns
    carry = desk.dice.choice(tried).carries[0]
    assert carry.origin is not None
    assert carry.target is not None
    carried_over(desk, carry.origin, carry.target)
    desk.now_ns += 3 * SECOND
    carried_over(desk, carry.target, carry.origin)
    desk.wait(SECOND)
    raises = ("move-released-then-changed", "move-released-changed-pressed")
    desk.note("released-then-other", since_ns, raises, must=True, allows=TOUCHES)
    return True


def moved_twice(desk: StagedTable) -> bool:
    """Two pieces make a legal half-move each, and then the clock is pressed."""
    quiet = _quiet(desk)
    pairs = [
        (one, other)
        for one in quiet
        for other in quiet
        if one.squares.isdisjoint(other.squares)
        and not _on_the_way(desk, one, other)
        and not _on_the_way(desk, other, one)
    ]
    if not pairs:
        return False
    one, other = desk.dice.choice(pairs)

    def hands() -> None:
        for step in (one, other):
            carry = step.carries[0]
            assert carry.origin is not None
            assert carry.target is not None
            carried_over(desk, carry.origin, carry.target)
            desk.wait(800 * MS)

    raises = ("move-twice-before-press", "move-piece-swapped", "illegal-first")
    return pressed_and_restored(desk, "moved-twice", raises, hands)


def _on_the_way(desk: StagedTable, one: HandMove, other: HandMove) -> bool:
    """A square of the other half-move lies on the line of this one."""
    carry = one.carries[0]
    assert carry.origin is not None
    assert carry.target is not None
    way = between(desk.line.rules.geometry, carry.origin, carry.target)
    return not other.squares.isdisjoint(way)


def _stands_as_before(desk: StagedTable) -> bool:
    """The piece that has just moved stands where it came from: that is a half-move taken back."""
    if desk.ply < 2:
        return False
    before, after = desk.line.placements[desk.ply - 2 : desk.ply]
    left = [s for s, piece in enumerate(before) if piece != EMPTY == after[s]]
    return any(desk.board[square] == before[square] for square in left)


def shifted_on_other_time(desk: StagedTable) -> bool:
    """The side that waits shifts two of its pieces, and puts them right after a while."""
    pieces = [
        square
        for square in pieces_of(desk, desk.side.other)
        if desk.board[square].lower() != "k"
        and free_beside(desk.hand, square, tuple(desk.board), frozenset())
    ]
    if len(pieces) < 2 or desk.running is not desk.side:
        return False
    desk.wait(2 * SECOND)
    since_ns = desk.now_ns
    for square in desk.dice.sample(pieces, 2):
        free = free_beside(desk.hand, square, tuple(desk.board), frozenset(pieces))
        if free:
            desk.place(desk.dice.choice(free), desk.lift(square))
            desk.wait(60 * MS)
    taken_back = _stands_as_before(desk)
    desk.now_ns += 6 * SECOND
    desk.put_right()
    desk.wait(SECOND)
    # Where one piece alone has room to be shifted, that is a half-move out of turn.
    raises = (
        "displaced-on-opp-time",
        "displaced-two",
        "move-out-of-turn",
        "move-twice-after-press",
        *(("takeback-after-press",) if taken_back else ()),
    )
    allows = ("displaced-put-back-wrong", "adjust-on-opponent-time", *TOUCHES)
    desk.note("shifted-on-other-time", since_ns, raises, must=True, allows=allows)
    return True
