"""Presses, and the half-moves they complete.

A press is known up to a second late and the board lags by a scan, so a press waits a while for
the placement it belongs to.
"""

from __future__ import annotations

from math import exp, log

from msgspec import Struct

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.tracking import weights
from arbiterd.tracking.evidence import PRESSED_SOON_NS, may_be_anothers, pressed_for_another
from arbiterd.tracking.image import Image
from arbiterd.tracking.lines import Line
from arbiterd.tracking.settings import SECOND
from eboards.events import EMPTY, Placement

PRESSES_KEPT = 4
"""So many presses wait for the placements they belong to; an older one is taken as it is."""


HEARD_LATE_NS = 5 * SECOND
"""A press may be heard so long after the half-move it was made for, on a loaded computer."""
ORPHANS_MAX = 2
"""After so many presses in a row without a half-move the next ones are no player's offence: the
game is lost from sight."""
NOTICED_NS = 2 * SECOND
"""Whose half-move was replied to and pressed for notices within this that the own press is missing:
a press that comes later is of the turn."""
PLIES_BACK = 3
"""A press may come so many half-moves after its own."""


class PendingPress(Struct, frozen=True, gc=False):
    """A press that waits for the placement it belongs to."""

    at_ns: int
    side: Colour
    late_ns: int
    placement: Placement
    """What the board showed when it became known."""
    followed: int = 0
    """So many presses had come after it by then, of either side in turn."""
    changed_at_ns: int = 0
    """The newest change before it became known."""
    seen: bool = True
    """False: the times tell of it, and others came with it."""
    left_at_ns: int | None = None
    """Since when the board had not agreed with the best explanation then."""
    lands_late: bool = False
    """The piece that its side had in the hand then did not come with the next scans."""
    restart: bool = False
    """Both clocks stood: an arbiter set them going, or a player who had moved by then."""

    @property
    def begun_ns(self) -> int:
        """When it can have come at the earliest."""
        return self.at_ns - self.late_ns


def pressed_line(
    image: Image, newest: Line, press: PendingPress, *, waited: bool = False
) -> Line | None:
    """The half-move that a press completes, if the board shows one.

    Of two that were not pressed, a press belongs to the one that was there when it became known.
    One of before the reply is not meant where the side has put down its next piece, if wrongly; but
    it is where the reply came after the press. Nor where its piece is lifted again, until the press
    has `waited` for what that piece does; nor then, if the reply was pressed: whatever that was
    for, this press came with the piece in the hand.
    """
    in_turn = None if press.seen else _in_turn(newest, press, image.sensors.sensing.scan_ns)
    if in_turn is newest and _in_the_air(image, newest) and not _reply_begun(image, newest):
        return None
    if in_turn is not None:
        return in_turn
    side, own = press.side, unpressed(newest, press)
    if press.restart:
        own = [line for line in own if _stood_by(line, press, image.sensors.sensing.scan_ns)]
    if not own or newest.ply - own[0].ply > 1:
        return None
    if (
        own[0] is not newest
        and _showed(image, press, newest)
        and (
            (_put_down(image, newest, side) and (waited or not _too_soon(press)))
            or (_up_again(image, own[0], newest) and (newest.pressed or not waited))
        )
    ):
        return None
    if len(own) > 1:
        scan_ns, reply = image.sensors.sensing.scan_ns, own[0].parent
        early = own[0].made_at_ns - scan_ns > press.at_ns
        if early or (reply and _is_older(press, own[1], reply, own[0], scan_ns)):
            return own[1]
    if own[0] is not newest or newest.seen.hash == image.hash or _reply_begun(image, newest):
        return own[0]
    begun = waited and _lifted(image, newest) and not _put_down(image, newest, side)
    return own[0] if begun else None


def _in_turn(newest: Line, press: PendingPress, scan_ns: int) -> Line | None:
    """Of presses that are heard of together each was for one half-move, the last of them for the
    newest of its side, or for one that the board will show; or all for those of before."""
    last_side = press.side if press.followed % 2 == 0 else press.side.other
    last = newest.ply - (newest.side is not last_side) - press.followed
    older, before, own, reply = (newest.at(last + number) for number in (-2, -1, 0, 1))
    if older and before and own and _is_older(press, older, before, own, scan_ns):
        return older
    if reply and not reply.hastily_pressed and _surely_pressed_before(reply, press):
        own = None  # Its side's clock ran until then.
    for line in (own, newest.at(last + 2)):
        if line is None or line.parent is None or line.given:
            continue
        if not _stood_by(line, press, scan_ns):
            continue
        if not line.pressed or may_be_anothers(line):
            return line
    return None


def _stood_by(line: Line, press: PendingPress, scan_ns: int) -> bool:
    """The half-move can have been made when the press became known."""
    return line.unheard or line.made_at_ns - scan_ns <= press.at_ns


def _is_older(press: PendingPress, older: Line, reply: Line, line: Line, scan_ns: int) -> bool:
    """It was for the half-move before: both are unpressed, and that one is less of a surprise,
    though its side had not yet taken up the next piece."""
    if not older.has_move or older.given or older.pressed or reply.pressed or line.pressed:
        return False
    begun_ns = line.made_at_ns if press.left_at_ns is None else press.left_at_ns
    late = against_press(press, older, scan_ns, min(begun_ns, line.made_at_ns))
    # One that is heard of with it is for the reply then, which no other press would be for.
    pressed = (older, reply) if press.followed else (older,)
    since_ns = (press.begun_ns - past.made_at_ns for past in pressed)
    late += weights.PRESSED_LATE * sum(waited_ns > PRESSED_SOON_NS for waited_ns in since_ns)
    return late < against_press(press, line, scan_ns) + weights.UNPRESSED * len(pressed)


def _too_soon(press: PendingPress) -> bool:
    """It came, in all likelihood, before what had just changed as it became known; not while that
    was in the hand, so most of its time lies before that was taken up."""
    after_ns = press.at_ns - press.changed_at_ns
    left_ns = press.at_ns if press.left_at_ns is None else press.left_at_ns
    return after_ns < PRESSED_SOON_NS and left_ns - press.begun_ns >= after_ns


def against_press(
    press: PendingPress, line: Line, scan_ns: int, until_ns: int | None = None
) -> float:
    """What speaks against a press having come after this half-move, and before its side took up the
    next piece (`until_ns`): how little of the time in which it was made is left."""
    if line.unheard:
        return 0.0
    last_ns = press.at_ns if until_ns is None else min(press.at_ns, until_ns + scan_ns)
    left_ns = last_ns - max(line.made_at_ns - scan_ns, press.begun_ns)
    if left_ns >= press.late_ns:
        return 0.0
    least_ns = press.late_ns * exp(-weights.PRESSED_EARLY)
    return log(press.late_ns / left_ns) if left_ns > least_ns else weights.PRESSED_EARLY


def unpressed(newest: Line, press: PendingPress) -> list[Line]:
    """This side's newest half-moves without a press, newest first.

    None of before the other side's press for its reply: until then that side's clock ran, and
    this one had nothing to stop.
    """
    own: list[Line] = []
    for line in newest.back():
        if line.parent is None or newest.ply - line.ply > PLIES_BACK:
            break
        if line.seen.turn is press.side:
            late = line.pressed and press.begun_ns - line.made_at_ns > NOTICED_NS
            if late or _surely_pressed_before(line, press):
                break
        else:
            if line.given or _surely_pressed(line):
                break
            own.append(line)
    return own


def _surely_pressed(line: Line) -> bool:
    return line.pressed and not pressed_for_another(line)


def _surely_pressed_before(line: Line, press: PendingPress) -> bool:
    """Its side had stopped its own clock, for this half-move, before this press can have come."""
    done_ns = line.completed_at_ns if _surely_pressed(line) else None
    return done_ns is not None and done_ns <= press.begun_ns


def _showed(image: Image, press: PendingPress, line: Line) -> bool:
    """The pieces that the half-move brought stood there when the press became known."""
    return line.in_place(image.sensors.shown(press.placement))


def _put_down(image: Image, newest: Line, side: Colour) -> bool:
    """A piece of this side stands where no line has it, and none of them is still on its way; or it
    has put one of the other side's there that that side has not on the board.

    One that the reply took may still show beside its square.
    """
    owners, pieces = image.sensors.owners, newest.seen.placement
    came = {image.shown[square] for square in differing(pieces, image.shown)}
    if any(
        owners[piece] is side.other and image.shown.count(piece) > pieces.count(piece)
        for piece in came
    ):
        return True
    before = pieces if newest.parent is None else newest.parent.seen.placement
    taken = {
        piece
        for piece in came
        if pieces.count(piece) < image.shown.count(piece) <= before.count(piece)
    }
    return any(owners[piece] is side for piece in came - taken) and not misses_a_piece(
        image, newest, side
    )


def _up_again(image: Image, line: Line, newest: Line) -> bool:
    """The piece that the half-move brought is in the air again: it may only have rested there."""
    return any(
        piece != EMPTY and newest.seen.placement[square] == piece and image.shown[square] == EMPTY
        for square, piece in line.written()
    )


def _in_the_air(image: Image, newest: Line) -> bool:
    """The piece that it brought is up again, and has not been set down as an early next move."""
    brought = {piece for _, piece in newest.written() if piece != EMPTY}
    came = (image.shown[square] for square in differing(newest.seen.placement, image.shown))
    return _up_again(image, newest, newest) and brought.isdisjoint(came)


def _reply_begun(image: Image, line: Line) -> bool:
    """What differs from the line is the doing of the side that has the move; and once that has
    begun (nobody sees a piece that it takes up from its hand) the other may have lifted pieces for
    its next half-move, but not the one it has moved."""
    rules, side = image.sensors.rules, line.seen.turn
    pieces, dropping = rules.placement(line.seen.position), image.sensors.dropping
    moved = line.brought()
    replied = dropping is not None and bool(dropping.beside(line.seen.position, side))
    lifted = False
    for square in differing(line.seen.placement, image.shown):
        shown = image.shown[square]
        owner = rules.owner(pieces[square]) if shown == EMPTY else image.sensors.owners[shown]
        if owner is side or (owner is None and shown != EMPTY):
            replied = True
        elif shown == EMPTY and square not in moved:
            lifted = True
        else:
            return False
    return replied or not lifted


def _lifted(image: Image, line: Line) -> bool:
    """A piece of the side that has the move is in the air."""
    owners, pieces = image.sensors.owners, line.seen.placement
    return any(
        image.shown[square] == EMPTY and owners[pieces[square]] is line.seen.turn
        for square in differing(pieces, image.shown)
    )


def stands_whole(image: Image, line: Line, side: Colour) -> bool:
    """All that this side took up since the line stands on the board again, and what else there was
    stands where it stood, but for what was taken: no coil misses a piece or takes it for another.
    Nor did it go where a half-move of it leads, which may not be finished."""
    before, shown, owners = line.seen.placement, image.shown, image.sensors.owners
    squares = differing(before, shown)
    came = {square: shown[square] for square in squares if shown[square] != EMPTY}
    left = {
        square: before[square]
        for square in squares
        if shown[square] == EMPTY or owners[before[square]] is side
    }
    pieces = sorted(came.values())
    if pieces != sorted(left.values()) or any(owners[piece] is not side for piece in pieces):
        return False
    steps = line.seen.steps_touching(left)
    return not any(
        square in came and piece != EMPTY for _, written in steps for square, piece in written
    )


def exchanges_a_piece(image: Image, line: Line, side: Colour) -> bool:
    """A piece of this side that has left its square may become another where it goes."""
    rules, position = image.sensors.rules, line.seen.position
    pieces = rules.placement(position)
    left = [
        square
        for square in differing(line.seen.placement, image.shown)
        if image.shown[square] == EMPTY and rules.owner(pieces[square]) is side
    ]
    steps = (rules.footprint(position, move) for move, _ in line.seen.steps_touching(left))
    return any(
        not {piece for _, piece in footprint if piece != EMPTY}
        <= {pieces[square] for square, piece in footprint if piece == EMPTY}
        for footprint in steps
    )


def misses_a_piece(image: Image, line: Line, side: Colour) -> bool:
    """A piece of this side shows nowhere: more have left their squares than have arrived. Where
    pieces look alike those that arrived may as well be the other side's that left. One that became
    a plank is not missing."""
    rules, owners = image.sensors.rules, image.sensors.owners
    pieces = rules.placement(line.seen.position)
    squares = differing(line.seen.placement, image.shown)
    left = [rules.owner(pieces[square]) for square in squares if image.shown[square] == EMPTY]
    came = [owners[image.shown[square]] for square in squares if image.shown[square] != EMPTY]
    arrived = came.count(side) + max(0, came.count(None) - left.count(side.other))
    return left.count(side) > arrived and not _planked(image, line, side)


def _planked(image: Image, line: Line, side: Colour) -> bool:
    """All that has changed is a pawn that became a plank though it may not."""
    planks, position, shown = image.sensors.planks, line.seen.position, image.shown
    if planks is None or line.seen.turn is not side:
        return False
    gone = differing(line.seen.placement, shown)
    if any(shown[square] != EMPTY for square in gone):
        return False
    pieces = image.sensors.rules.placement(position)
    now = tuple(EMPTY if square in gone else piece for square, piece in enumerate(pieces))
    return planks.planked(position, now)
