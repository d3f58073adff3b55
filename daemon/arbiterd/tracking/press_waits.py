"""How long the oldest press waits for the half-move it is for, and what ends the wait.

two scans and `press_grace_ns`     what was set down just before it may be told so much later,
                                   though an older half-move could take the press
`missing_ns`                       a piece of its side shows nowhere and was not taken: it may
                                   stand badly
`missing_ns`                       nothing has changed, and its side has pieces in hand: one that it
                                   dropped may stand badly
`missing_ns`                       its half-move was undone while the reply is in the air
until the picture has come         on boards that are asked for one: a message may be lost
with the picture                   there too, where the board shows that nothing more can come
"""

from __future__ import annotations

from arbiterd.tracking.belief import Belief
from arbiterd.tracking.image import Image
from arbiterd.tracking.presses import (
    HEARD_LATE_NS,
    PendingPress,
    exchanges_a_piece,
    misses_a_piece,
    stands_whole,
    unpressed,
)


def lands_yet(belief: Belief, press: PendingPress) -> bool:
    """The press would be for a half-move that was replied to, so long ago that it was not heard
    late, and its side has the next piece in the hand: it may have set that down before it pressed,
    and the next scan shows it there."""
    newest = belief.live[0]
    own = unpressed(newest, press)
    return (
        press.seen
        and not (press.followed or press.lands_late)
        and belief.status.loss_ns is None
        and newest.seen.turn is press.side
        and misses_a_piece(belief.image, newest, press.side)
        and bool(own)
        and press.at_ns - own[0].made_at_ns > HEARD_LATE_NS
    )


def press_due_ns(belief: Belief) -> int | None:
    """When the oldest press has waited long enough; None: none waits."""
    if not belief.presses:
        return None
    press, settings = belief.presses[0], belief.settings
    shown_ns = 2 * belief.sensors.sensing.scan_ns + settings.press_grace_ns
    if lands_yet(belief, press):
        return press.at_ns + shown_ns
    newest = [*belief.anchors, belief.live[0]][0]
    if misses_a_piece(belief.image, newest, press.side) and not _was_taken(belief, press):
        soon = exchanges_a_piece(belief.image, newest, press.side)
        missing_ns = press.at_ns + settings.missing_ns // (1 + soon)
        stopped_ns = belief.status.stands_since_ns
        if stopped_ns is None:
            return missing_ns
        # Somebody has seen it: what stands there when the clocks are stopped is judged.
        return min(missing_ns, max(press.at_ns, stopped_ns) + shown_ns)
    if _may_be_given_back(belief, press) or _may_have_dropped(belief, press):
        return press.at_ns + settings.missing_ns
    due_ns = press.at_ns + shown_ns
    if not belief.sensors.sensing.pictures:
        return due_ns
    if not belief.witnessed(press.at_ns):
        return max(due_ns, _picture_due_ns(belief, press))
    return min(due_ns, _seen_whole_ns(belief)) if _is_all(belief, press) else due_ns


def _was_taken(belief: Belief, press: PendingPress) -> bool:
    """What is missing stood there when it was pressed for, and the other side has pressed since."""
    if not any(later.side is not press.side for later in belief.presses):
        return False
    pressed = Image(belief.sensors, press.placement)
    return not misses_a_piece(pressed, belief.live[0], press.side)


def _may_be_given_back(belief: Belief, press: PendingPress) -> bool:
    """A half-move of its side stood and is undone, or may be, while the reply is in the air: where
    that goes tells whether it was made. Unless what is missing was taken by one that stood."""
    image, replying = belief.image, press.side.other
    stood = [past.line for past in belief.given_up if past.line.side is press.side]
    if not misses_a_piece(image, belief.live[0], replying):
        return False
    if any(not misses_a_piece(image, line, replying) for line in stood):
        return False
    return bool(stood) or any(unpressed(line, press) for line in belief.live)


def _may_have_dropped(belief: Belief, press: PendingPress) -> bool:
    """Its side has the move, and pieces in hand that its stand, where that is sensed, does not all
    show; and nothing of its own has changed on the board."""
    dropping, newest, side = belief.sensors.dropping, belief.live[0], press.side
    if dropping is None or newest.seen.turn is not side:
        return False
    held, lies = dropping.beside(newest.seen.position, side), belief.status.beside.get(side)
    if not held or (lies is not None and len(lies) == len(held)):
        return False
    owners, pieces, shown = belief.sensors.owners, newest.seen.placement, belief.image.shown
    squares = newest.seen.differing(tuple(shown))
    return not any(side in (owners[pieces[s]], owners[shown[s]]) for s in squares)


def _picture_due_ns(belief: Belief, press: PendingPress) -> int:
    """How long it waits for a picture: not longer than a reply stands that came after it."""
    changed_at_ns, settings = belief.status.changed_at_ns, belief.settings
    picture_ns = press.at_ns + settings.picture_ns
    if changed_at_ns is None or changed_at_ns <= press.at_ns:
        return picture_ns
    return min(picture_ns, changed_at_ns + settings.settle_ns)


def _is_all(belief: Belief, press: PendingPress) -> bool:
    """The press can only be for what stands there, and that is whole."""
    if not belief.sensors.sensing.one_wire:
        return False
    newest, alone = belief.live[0], len(belief.presses) == 1 and press.seen and not press.followed
    owed = newest.seen.turn is press.side and not unpressed(newest, press)
    return alone and owed and stands_whole(belief.image, newest, press.side)


def _seen_whole_ns(belief: Belief) -> int:
    """Since when nothing that was done before the press can come any more.

    The picture came after the press on the same wire, so what the coils had noticed is known, and
    no lost message hides anything. What has stood for two scans rests, and is in no hand. A coil
    may miss a piece that stands on it, but shows none that is gone: whatever left its square later,
    and is not noticed yet, left it within one scan. It would have been taken up, set down elsewhere
    and pressed for in that time, and hands need longer.
    """
    pictured_ns, changes = belief.status.pictured_ns, belief.book.changes
    assert pictured_ns is not None, "the board was seen whole"
    rests_ns = changes[-1].at_ns + 2 * belief.sensors.sensing.scan_ns if changes else 0
    return max(pictured_ns, rests_ns)
