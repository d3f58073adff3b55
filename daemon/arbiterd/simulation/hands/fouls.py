"""Fouls of shogi as hands commit them: a piece goes, is turned or is dropped as it may not.

A move is complete at its release, so half of these are never pressed. The arbiter then has the
pieces put right, and the game goes on, as if it were a friendly one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from arbiterd.rules.shogi_moves import (
    RAYS,
    TARGETS,
    has_pawn_on_file,
    in_check,
    in_zone,
    never_moves_again,
)
from arbiterd.rules.shogi_position import HAND, PROMOTED, UNPROMOTED, ShogiPosition, shown
from arbiterd.simulation.game import Carry, HandMove
from arbiterd.simulation.hands.desk import StagedTable
from arbiterd.simulation.hands.offences import carried_over, restored
from arbiterd.simulation.hands.restless import other_moves
from arbiterd.simulation.profiles import SECOND
from eboards.events import EMPTY, Square

MATTA: Final = "sh-matta"
COMES_NS: Final = 8 * SECOND
"""So long after a foul the arbiter comes."""


@dataclass(frozen=True, slots=True)
class Foul:
    """One piece goes from here to there and shows this face; no origin: from the hand."""

    origin: Square | None
    target: Square
    face: str
    """As the rules write it: one letter."""


def _fouled(desk: StagedTable, name: str, kind: str, found: list[Foul]) -> bool:
    """One of these is made and stays; half of them are pressed.

    Never back to what stood on the board before: that would be taking back.
    """
    position = _position(desk)
    new = [one for one in found if shown(_after(position, one)) not in _before(desk)]
    if not new:
        return False
    one = desk.dice.choice(new)

    def hands() -> None:
        if one.origin is None:
            desk.place(one.target, shown(one.face)[0])
        else:
            carried_over(desk, one.origin, one.target, shown(one.face)[0])

    return released_and_restored(desk, name, (kind,), hands)


def released_and_restored(
    desk: StagedTable, name: str, raises: tuple[str, ...], hands: Callable[[], None]
) -> bool:
    """What the hands leave there, pressed or not, and the arbiter."""
    if desk.running is not desk.side:
        return False
    desk.wait(3 * SECOND)
    since_ns = desk.now_ns
    hands()
    if desk.hand.chance(0.5):
        desk.wait(desk.profile.pace.press_ns)
        desk.press(desk.side)
    restored(desk, name, since_ns, raises, comes_ns=COMES_NS, allows=())
    return True


def _position(desk: StagedTable) -> ShogiPosition:
    position = desk.line.positions[desk.ply - 1]
    assert isinstance(position, ShogiPosition), "fouls are shogi's"
    return position


def _before(desk: StagedTable) -> set[tuple[str, ...]]:
    return set(desk.line.placements[: desk.ply])


def _after(position: ShogiPosition, foul: Foul) -> str:
    board = list(position.board)
    if foul.origin is not None:
        board[foul.origin] = EMPTY
    board[foul.target] = foul.face
    return "".join(board)


def _own(position: ShogiPosition) -> list[tuple[Square, str]]:
    """Where pieces of the side to move stand."""
    own = str.isupper if position.black else str.islower
    return [(s, piece) for s, piece in enumerate(position.board) if own(piece)]


def _goes(position: ShogiPosition, origin: Square, piece: str) -> Iterable[Square]:
    """As it moves, onto whatever stands there but its own side's pieces and kings."""
    board = position.board
    on_rays: list[Square] = []
    for ray in RAYS[piece][origin]:
        free = next((n for n, at in enumerate(ray) if board[at] != EMPTY), len(ray))
        on_rays += ray[: free + 1]
    for at in (*TARGETS[piece][origin], *on_rays):
        mine = board[at] != EMPTY and board[at].isupper() == position.black
        if not mine and board[at] not in "Kk":
            yield at


def _held(position: ShogiPosition) -> list[str]:
    """Kinds in the hand of the side to move, as pieces of that side."""
    hand = position.hands[0 if position.black else 1]
    kinds = [kind for kind, count in zip(HAND, hand, strict=True) if count]
    return [kind if position.black else kind.lower() for kind in kinds]


def _free(position: ShogiPosition) -> list[Square]:
    return [square for square, piece in enumerate(position.board) if piece == EMPTY]


# Pieces on the board.


def moved_wrong(desk: StagedTable) -> bool:
    """A piece goes to an empty square that is none of its own, by whatever way."""
    position = _position(desk)
    found = [
        Foul(origin, target, piece)
        for origin, piece in _own(position)
        for target in _free(position)
        if target not in TARGETS[piece][origin]
        and not any(target in ray for ray in RAYS[piece][origin])
    ]
    return _fouled(desk, "moved-wrong", "sh-illegal-movement", found)


def jumped(desk: StagedTable) -> bool:
    """A piece goes along its line over another."""
    position = _position(desk)
    found = [
        Foul(origin, target, piece)
        for origin, piece in _own(position)
        for ray in RAYS[piece][origin]
        for target in ray
        if position.board[target] == EMPTY
        and target not in _goes(position, origin, piece)
        and target not in TARGETS[piece][origin]
    ]
    return _fouled(desk, "jumped", "sh-illegal-movement", found)


def own_taken(desk: StagedTable) -> bool:
    """A piece takes another of its own side, as it moves."""
    position = _position(desk)
    pieces = dict(_own(position))
    found = [
        Foul(origin, target, piece)
        for origin, piece in pieces.items()
        for target in TARGETS[piece][origin]
        if target in pieces and pieces[target] not in ("K", "k", piece)
    ]
    return _fouled(desk, "own-taken", "sh-illegal-movement", found)


def king_left(desk: StagedTable) -> bool:
    """A piece moves as it may, and its king stands in check after that."""
    position = _position(desk)
    found = [
        foul
        for origin, piece in _own(position)
        for target in _goes(position, origin, piece)
        for foul in (Foul(origin, target, piece),)
        if in_check(_after(position, foul), position.black)
        and not never_moves_again(piece.upper(), target, position.black)
    ]
    return _fouled(desk, "king-left", "sh-king-left-in-check", found)


# Faces.


def _steps(desk: StagedTable) -> list[tuple[Square, Square, str, bool]]:
    """Legal half-moves of pieces on the board: from, to, the piece, whether it is turned."""
    position = _position(desk)
    legal = desk.line.rules.legal_moves(position)
    return [
        (move.origin, move.target, position.board[move.origin], move.promotes)
        for move in legal
        if not move.drop
    ]


def not_turned(desk: StagedTable) -> bool:
    """A pawn, lance or knight that could never move again is not turned."""
    black = _position(desk).black
    found = [
        Foul(origin, target, piece)
        for origin, target, piece, turned in _steps(desk)
        if turned and never_moves_again(piece.upper(), target, black)
    ]
    return _fouled(desk, "not-turned", "sh-must-promote", found)


def turned_outside(desk: StagedTable) -> bool:
    """A piece is turned on a way that lies outside of the zone."""
    black = _position(desk).black
    found = [
        Foul(origin, target, PROMOTED[piece])
        for origin, target, piece, _ in _steps(desk)
        if piece in PROMOTED and not in_zone(origin, black) and not in_zone(target, black)
    ]
    return _fouled(desk, "turned-outside", "sh-illegal-movement", found)


def turned_back(desk: StagedTable) -> bool:
    """A promoted piece moves and shows its first face again."""
    found = [
        Foul(origin, target, UNPROMOTED[piece])
        for origin, target, piece, _ in _steps(desk)
        if piece in UNPROMOTED
    ]
    return _fouled(desk, "turned-back", "sh-illegal-movement", found)


def turned_in_place(desk: StagedTable) -> bool:
    """A piece is turned where it stands, and that is all."""
    found = [Foul(s, s, PROMOTED[p]) for s, p in _own(_position(desk)) if p in PROMOTED]
    return _fouled(desk, "turned-in-place", "sh-illegal-movement", found)


# Drops.


def two_pawns(desk: StagedTable) -> bool:
    """Nifu: a pawn is dropped on a file that has one."""
    position = _position(desk)
    found = [
        Foul(None, square, piece)
        for piece in _held(position)
        for square in _free(position)
        if piece in "Pp"
        and has_pawn_on_file(position.board, square, position.black)
        and not never_moves_again("P", square, position.black)
    ]
    return _fouled(desk, "two-pawns", "sh-nifu", found)


def dropped_dead(desk: StagedTable) -> bool:
    """A piece is dropped where it could never move."""
    position = _position(desk)
    found = [
        Foul(None, square, piece)
        for piece in _held(position)
        for square in _free(position)
        if never_moves_again(piece.upper(), square, position.black)
    ]
    return _fouled(desk, "dropped-dead", "sh-drop-dead-end", found)


def dropped_turned(desk: StagedTable) -> bool:
    """A piece is dropped with its promoted face."""
    position = _position(desk)
    found = [
        Foul(None, square, PROMOTED[piece])
        for piece in _held(position)
        for square in _free(position)
        if piece in PROMOTED
    ]
    return _fouled(desk, "dropped-turned", "sh-drop-promoted", found)


def dropped_theirs(desk: StagedTable) -> bool:
    """A piece of the opponent's hand is dropped; its own side has none of its kind.

    Not where one of its own could go: that looks like a move whose old square is still shown.
    """
    position = _position(desk)
    theirs = position.hands[1 if position.black else 0]
    kinds = [kind for kind, count in zip(HAND, theirs, strict=True) if count]
    pieces = [kind if position.black else kind.lower() for kind in kinds]
    found = [
        Foul(None, square, piece)
        for piece in pieces
        if piece not in _held(position)
        for square in _free(position)
        if (square, piece) not in {(target, own) for _, target, own, _ in _steps(desk)}
    ]
    return _fouled(desk, "dropped-theirs", "sh-drop-not-in-hand", found)


def dropped_on_a_piece(desk: StagedTable) -> bool:
    """A piece is dropped where an opponent's stands, which is taken off."""
    position = _position(desk)
    theirs = [
        s for s, p in enumerate(position.board) if p != EMPTY and (s, p) not in _own(position)
    ]
    found = [
        Foul(None, square, piece)
        for piece in _held(position)
        for square in theirs
        if position.board[square] not in "Kk"
    ]
    return _fouled(desk, "dropped-on-a-piece", "sh-drop-occupied", found)


# Whose turn it is, and what was released.


def _pairs(desk: StagedTable) -> list[tuple[Carry, Carry]]:
    """Two half-moves of two pieces, neither in the way of the other."""
    quiet = [step for step in other_moves(desk) if step.victim is None]
    return [
        (one.carries[0], other.carries[0])
        for one in quiet
        for other in quiet
        if one.squares.isdisjoint(other.squares) and _apart(desk, one, other)
    ]


def _apart(desk: StagedTable, one: HandMove, other: HandMove) -> bool:
    """The second can be made, and leaves no check, once the first has been."""
    rules, position = desk.line.rules, _position(desk)
    after = rules.play(position, rules.parse(position, one.move))
    back = after._replace(black=position.black)
    return other.move in {rules.wire(back, move) for move in rules.legal_moves(back)}


def two_moves(desk: StagedTable) -> bool:
    """Nite-zashi: two pieces make a legal half-move each, one after the other."""
    pairs = _pairs(desk)
    if not pairs:
        return False
    carries = desk.dice.choice(pairs)

    def hands() -> None:
        for carry in carries:
            _carried(desk, carry)
            desk.wait(2 * SECOND)

    return released_and_restored(desk, "two-moves", ("sh-two-moves",), hands)


def again_after_press(desk: StagedTable) -> bool:
    """The side that has just pressed makes another legal half-move."""
    position = _position(desk)
    passed = position._replace(black=not position.black)
    if desk.ply < 2 or in_check(position.board, position.black):
        return False
    found = [
        Foul(move.origin, move.target, position.board[move.origin])
        for move in desk.line.rules.legal_moves(passed)
        if not move.drop and not move.promotes and position.board[move.target] == EMPTY
    ]
    new = [one for one in found if shown(_after(position, one)) not in _before(desk)]
    if not new or desk.running is not desk.side:
        return False
    one = desk.dice.choice(new)
    assert one.origin is not None

    desk.wait(3 * SECOND)
    since_ns = desk.now_ns
    carried_over(desk, one.origin, one.target)
    raises = ("sh-two-moves",)
    restored(desk, "again-after-press", since_ns, raises, comes_ns=COMES_NS, allows=())
    return True


def _carried(desk: StagedTable, carry: Carry) -> None:
    assert carry.origin is not None
    assert carry.target is not None
    carried_over(desk, carry.origin, carry.target, carry.after)


def released_then_other(desk: StagedTable) -> bool:
    """Matta: a piece is released where it may go, looked at, and put back; the game's own
    half-move is played with the same piece."""
    mover = desk.step.carries[0].origin
    tried = [
        step.carries[0]
        for step in other_moves(desk)
        if step.victim is None and step.carries[0].origin == mover
        if step.carries[0].target != desk.step.carries[0].target
    ]
    if mover is None or not tried or desk.running is not desk.side:
        return False
    desk.wait(2 * SECOND)
    since_ns = desk.now_ns
    carry = desk.dice.choice(tried)
    assert carry.target is not None
    _carried(desk, carry)
    desk.now_ns += 3 * SECOND
    _carried(desk, Carry(carry.target, mover, carry.after, carry.before))
    desk.wait(SECOND)
    desk.note("matta", since_ns, (MATTA,), must=True)
    return True
