"""Articles 7.4 and 7.6: pieces that stand where no move put them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from arbiterd.laws.articles.art_03_10_unlawful import CAUSE as UNLAWFUL
from arbiterd.laws.articles.art_05_ends import END
from arbiterd.laws.case.hands import newest_change, swept_off
from arbiterd.laws.case.misplay import Misplay, MisplayRow
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.catalogue import of_group
from arbiterd.laws.catalogue.row import Group
from arbiterd.laws.drafting import (
    ASK,
    LOG,
    RESTORE,
    back_to,
    cause_of,
    displaced_of,
    draft,
    out_of_turn_of,
)
from arbiterd.laws.register import Close, Finding, Looked, Opinion, Remember, Watch, Woken, law
from arbiterd.laws.ruling import RulingState
from arbiterd.rules.ruleset import differing, read_board_field
from arbiterd.rules.sensed import may_be
from arbiterd.tracking.facts import Explained, KingsInCentre, Knocked, Settled, Touch, Turn
from eboards.events import EMPTY, Piece, Placement, Square

DISPLACED = of_group(Group.DISPLACED)


OFF_WITH_A_MOVE = ("capture-wrong-piece-off", "capture-not-removed", "move-twice-before-press")
"""Rows of a press that leave a piece standing wrong, or off, in the turn after it."""


def two_moves(play: Misplay) -> MisplayRow | None:
    """Two own moves and nothing else, each legal by itself, or the second after the first: 4.7, the
    first one stands."""
    if len(play.own_left) != 2:
        return None
    for first, rest in play.held_moves:
        for second, other in play.held_moves:
            if first != second and not set(rest) & set(other):
                wires = [play.wire(first), play.wire(second)]
                earliest = {touch.square: touch.lifted_at_ns for touch in reversed(play.touches)}
                wires.sort(key=lambda wire: earliest.get(_origin(play, wire), 0))
                return _made_twice(wires)
    wires = next(_one_after_the_other(play), [])
    return _made_twice(wires) if wires else None


def _made_twice(wires: list[str]) -> MisplayRow:
    facts = {"moves": wires, "first": wires[0]}
    return MisplayRow("move-twice-before-press", "", facts, either=True)


def _one_after_the_other(play: Misplay) -> Iterator[list[str]]:
    """Two own moves, in wire form, after which the board stands as it does: the first one makes way
    for the second."""
    rules = play.rules
    for first in play.legal:
        origin = rules.touched(play.position, first)[0]
        if origin not in play.own_left:
            continue
        placement = rules.placement(rules.play(play.position, first))
        between = rules.taken_as_played(play.position, placement, play.mover)
        for second in () if between is None else rules.legal_moves(between):
            own = rules.touched(between, second)[0]
            after = rules.play(between, second)
            if own in play.own_left and rules.placement(after) == play.now:
                yield [play.wire(first), rules.wire(between, second)]


def _origin(play: Misplay, wire: str) -> Square:
    return play.rules.geometry.square(wire[:2])


def others_displaced(play: Misplay) -> MisplayRow | None:
    """A legal move, and other pieces off their squares (7.4)."""
    best = min(play.held_moves, key=lambda held: len(held[1]), default=None)
    if best is None:
        return None
    move, rest = best
    stand = [s for s in rest if play.now[s] != EMPTY]
    kind = "displaced-two" if len(stand) == 2 else "displaced-pressed"
    return MisplayRow(kind, "", {"squares": play.names(rest), "attempt": play.wire(move)})


def stood_before(reading: MisplayRow, play: Misplay, turn: Turn) -> bool:
    """What stands wrong beside the move did so when the other side pressed: this side moved only,
    and has displaced nothing."""
    before = play.scene.record.plies[play.ply - 2] if play.ply > 1 else None
    if reading.kind not in DISPLACED or before is None or before.completed_at_ns is None:
        return False
    since_ns, names = before.completed_at_ns, play.scene.rules.geometry.names
    changed = {names[seen.square] for seen in turn.changes if seen.at_ns > since_ns}
    return changed.isdisjoint(reading.facts["squares"])


def left_by_the_other(reading: MisplayRow, play: Misplay, turn: Turn) -> Iterator[Opinion]:
    """What stood wrong when the other side pressed. It may have been the reply begun then; this
    side has replied with something else, so it is displaced (7.4), if that was not told before. A
    piece that the other side captured lies on the board since."""
    names = reading.facts["squares"]
    squares = [play.rules.geometry.square(name) for name in names]
    again = _captured_piece_again(play, squares, play.scene)
    if again is not None:
        side = play.mover.other
        ruling = draft("capture-not-removed", play.scene, side, ASK, turn=turn, facts=again)
        yield Finding(ruling, cause_of(play.ply - 1))
    elif not _was_told(play.ply, play.scene):
        facts = {"squares": names}
        ruling = draft("displaced-on-opp-time", play.scene, None, RESTORE, turn=turn, facts=facts)
        yield Finding(ruling, displaced_of(play.ply))


def _was_told(ply: int, scene: Scene) -> bool:
    """The arbiter has been called for what stands wrong before this half-move."""
    causes = (cause_of(ply - 1), displaced_of(ply - 1), displaced_of(ply))
    told = (scene.file.held(cause) or scene.file.last_closed(cause) for cause in causes)
    wrong = (*DISPLACED, *OFF_WITH_A_MOVE)
    return any(one is not None and one.urgency and one.kind in wrong for one in told)


@law(Settled)
def displaced_at_rest(fact: Settled, scene: Scene) -> Iterator[Opinion]:
    """The hands are off, nothing explains the board, and no attempt of the side to move does."""
    turn, rules = fact.turn, scene.rules
    if _told_already(turn.ply, scene):
        return
    play = Misplay(
        rules, scene.position, turn.placement, turn.side, scene=scene, ply=turn.ply,
        touches=turn.touches,
    )  # fmt: skip
    cause = displaced_of(turn.ply)
    facts = {"squares": play.names(play.squares)}
    wrong = _put_back_wrong(play, scene, cause)
    again = _captured_piece_again(play, play.squares, scene)
    if wrong is not None:
        kind, facts = "displaced-put-back-wrong", {"squares": wrong}
    elif again is not None:
        ruling = draft("capture-not-removed", scene, turn.side.other, ASK, turn=turn, facts=again)
        yield Finding(ruling, cause_of(turn.ply - 1))
        return
    elif not play.squares or play.unread(play.squares) or _may_be_a_move_begun(play):
        return
    elif len([s for s in play.squares if play.now[s] != EMPTY]) == 2 and not play.held_moves:
        kind = "displaced-two"
    else:
        kind = "displaced-on-opp-time"
    if scene.file.held(cause) is not None and kind != "displaced-put-back-wrong":
        yield Close(cause, (), RulingState.SUPERSEDED)
    ruling = draft(kind, scene, None, RESTORE, turn=turn, facts=facts)
    yield Finding(ruling, cause, deed_ns=newest_change(play.squares, turn))
    yield _remembered(turn.ply, play.squares, play.now, scene)


def _remembered(ply: int, squares: Sequence[Square], shown: Placement, scene: Scene) -> Remember:
    """Which squares have lost their pieces, and where a piece lay when that was told."""
    names = scene.rules.geometry.names
    gone = [names[square] for square in squares if shown[square] == EMPTY]
    lying = [names[square] for square in squares if shown[square] != EMPTY]
    return Remember("gone", {"ply": ply, "squares": [*gone], "lying": [*lying]})


def _may_be_a_move_begun(play: Misplay) -> bool:
    """What the side to move may still be doing by itself: its own piece moved, lifted or put down
    wrongly, a piece it is about to capture in the hand, castling or promotion half done."""
    own_changed = bool(play.own_left)
    if len(play.own_came) > len(play.own_left):
        return False
    if not play.enemy_came and len(play.own_left) <= 1 and len(play.enemy_gone) <= 1:
        if own_changed:
            return True
        return any(
            square in play.rules.touched(play.position, move)[1:]
            for move in play.legal
            for square in play.enemy_gone
        )
    castling = sorted(play.before[s].upper() for s in play.own_left) == ["K", "R"]
    return castling and not play.enemy_left and not play.enemy_came


def _captured_piece_again(
    play: Misplay, squares: Sequence[Square], scene: Scene
) -> dict[str, Any] | None:
    """A piece more than the position has, of the kind that was captured just before."""
    if play.ply < 2 or len(squares) != 1 or play.before[squares[0]] != EMPTY:
        return None
    before, wire = scene.before(play.ply - 1), scene.record.plies[play.ply - 2].move
    if not wire:
        return None
    taken = play.rules.touched(before, play.rules.parse(before, wire))[1:]
    square = squares[0]
    placement = play.rules.placement(before)
    if not any(placement[s] == play.now[square] for s in taken):
        return None
    return {"squares": play.names([square]), "attempt": wire}


def _put_back_wrong(play: Misplay, scene: Scene, cause: str) -> list[str] | None:
    """A piece that was gone, or lay elsewhere, has been put down since on a square that is not
    its own; both squares."""
    held = scene.file.held(cause)
    note = scene.file.notes.get("gone")
    if held is None or not isinstance(note, dict) or note.get("ply") != play.ply:
        return None
    missing, lying = note.get("squares"), note.get("lying", [])
    assert isinstance(missing, list), "as it was written"
    assert isinstance(lying, list), "as it was written"
    for square in play.squares:
        if play.name(square) in lying:
            continue
        home = next(
            (
                s
                for s in play.squares
                if play.now[s] == EMPTY
                and play.name(s) in missing
                and play.before[s] == play.now[square]
            ),
            None,
        )
        if home is not None and play.now[square] != EMPTY:
            return [play.name(home), play.name(square)]
    return None


ALOFT_NS = 3_000_000_000
"""Pieces that are in no hand's way to a move have been off for so long: displaced."""
KNOCKED_PIECES = 6
"""So many pieces off their squares at once, and the board was knocked."""


@law(Looked)
def pieces_off(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """Several pieces are off their squares that no move of the side to move takes together."""
    aloft = _aloft(scene)
    if not scene.loses_turns and len(aloft) > 1 and not _of_one_move(aloft, scene):
        off_ns = _off_since(aloft, scene)
        if off_ns + ALOFT_NS > scene.at_ns:
            yield Watch("aloft", off_ns + ALOFT_NS)


@law(Woken)
def pieces_still_off(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """They are still off: the other side's pieces among them were not moved by this one (7.4)."""
    aloft = _aloft(scene) if fact.name == "aloft" else []
    if len(aloft) < 2 or _of_one_move(aloft, scene):
        return
    off_ns = _off_since(aloft, scene)
    if off_ns + ALOFT_NS > scene.at_ns:
        yield Watch("aloft", off_ns + ALOFT_NS)
        return
    turn, names = scene.turn, scene.rules.geometry.names
    press = scene.file.last_press
    if press is not None and turn.since_ns < press.at_ns and scene.at_ns < press.at_ns + ALOFT_NS:
        # It is not judged yet what that press completes, and the record may lag behind it.
        yield Watch("aloft", press.at_ns + ALOFT_NS)
        return
    if _told_already(turn.ply, scene) or scene.shown.running is turn.side.other:
        # Whose clock runs has not pressed: that player may be taking the move back before it
        # counts.
        return
    squares = [names[touch.square] for touch in aloft]
    if len(aloft) >= KNOCKED_PIECES:
        yield from _knocked(squares, scene)
    elif any(touch.colour is not turn.side for touch in aloft):
        facts = {"squares": squares}
        ruling = draft("displaced-on-opp-time", scene, None, RESTORE, facts=facts)
        yield Finding(ruling, displaced_of(turn.ply), deed_ns=off_ns)
        shown = scene.known(scene.placement)
        yield _remembered(turn.ply, differing(scene.wanted, shown), shown, scene)


def _told_already(ply: int, scene: Scene) -> bool:
    """Whether what stands wrong was told of this half-move's press, or of the one before; or
    will be, because the press has come and waits for its pieces. A board that was away is a gap;
    what changes while both clocks stand, and kings in the centre, have rows of their own."""
    held, press = scene.file.held, scene.file.last_press
    if scene.file.board_back_ply == scene.turn.ply:
        return True
    if (scene.shown.known and scene.shown.running is None) or _put_away(scene):
        return True
    if scene.signal_begun or scene.signal is not None:
        return True
    if press is not None and press.at_ns > scene.turn.since_ns:
        last = scene.record.plies[-1] if scene.record.plies else None
        if press.side is scene.turn.side:
            return True
        if last is not None and last.completed_at_ns not in (None, press.at_ns):
            return True  # It follows a press that is not judged yet.
    if _ruled_on(ply, scene):
        return True
    before, drawn = held(cause_of(ply - 1)), held(UNLAWFUL)
    if held(cause_of(ply + 1)) is not None or (drawn is not None and drawn.proposal.result):
        return True  # An illegal move was answered by another one.
    twice = held(out_of_turn_of(ply))
    if twice is not None and twice.kind in OFF_WITH_A_MOVE:
        return True  # Both moves of one press.
    return held(cause_of(ply)) is not None or (
        before is not None and (before.kind in DISPLACED or before.kind in OFF_WITH_A_MOVE)
    )


def _ruled_on(ply: int, scene: Scene) -> bool:
    """The arbiter has confirmed what the half-move before was, and nobody has touched the board
    since: what it shows is to be put right."""
    ruled = scene.file.last_closed(cause_of(ply - 1))
    if ruled is None or ruled.state is not RulingState.CONFIRMED:
        return False
    return ruled.placement == scene.placement


def _put_away(scene: Scene) -> bool:
    """The game is over, if the arbiter says so; or both clocks were stopped, and one that is not
    heard since was switched off. What happens to the pieces then has rows of its own."""
    stopped = scene.file.notes.get("pause_board") is not None
    return stopped or scene.file.held(END) is not None


def _off_at_the_stop(squares: Sequence[Square], scene: Scene) -> bool:
    """Some of these were not as they should be when both clocks were stopped: they are stopped
    because of it."""
    field = scene.file.notes.get("pause_board")
    if field is None:
        return False
    shown = scene.known(read_board_field(scene.rules.geometry, str(field)))
    wanted = scene.wanted
    return any(shown[square] != wanted[square] for square in squares)


def _aloft(scene: Scene) -> list[Touch]:
    if not scene.playing:
        return []
    shown = scene.placement
    return [
        touch
        for touch in scene.turn.touches
        if touch.returned_at_ns is None
        and shown[touch.square] == EMPTY
        and not _never_stood(touch, scene)
    ]


def _never_stood(touch: Touch, scene: Scene) -> bool:
    """The first picture of the game has it off its square: play was on before anybody looked."""
    return not scene.record.plies and any(
        seen.pictured and (seen.square, seen.at_ns) == (touch.square, touch.lifted_at_ns)
        for seen in scene.turn.changes
    )


def _off_since(aloft: list[Touch], scene: Scene) -> int:
    """Since when all of these squares are empty: a piece may have stood on one meanwhile."""
    squares = {touch.square for touch in aloft}
    changed = [seen.at_ns for seen in scene.turn.changes if seen.square in squares]
    return max([*changed, *(touch.lifted_at_ns for touch in aloft)])


def _of_one_move(aloft: list[Touch], scene: Scene) -> bool:
    """Whether some legal move lifts all of these; or one is made already, not yet told, and the
    rest is the reply: begun, or made too and standing on the squares of the first; or the piece
    of the first is up again, for the half-move after the reply."""
    off = {touch.square for touch in aloft}
    rules, position, shown = scene.rules, scene.position, scene.placement
    stands = partial(may_be, rules, sensing=scene.sensing.kind)
    replier = rules.turn(position).other
    for move in rules.legal_moves(position):
        lifted = set(rules.touched(position, move))
        if off <= lifted:
            return True
        unlike = {
            square: piece
            for square, piece in rules.footprint(position, move)
            if not stands(piece, shown[square]) and not _up_again(square, piece, scene)
        }
        if any(
            piece == EMPTY or rules.owner(shown[s]) is not replier for s, piece in unlike.items()
        ):
            continue
        after, rest = rules.play(position, move), off - lifted
        for reply in rules.legal_moves(after):
            if rest <= set(rules.touched(after, reply)):
                footprint = rules.footprint(after, reply)
                if unlike.keys() <= {s for s, piece in footprint if stands(piece, shown[s])}:
                    return True
    return False


def _up_again(square: Square, piece: Piece, scene: Scene) -> bool:
    """The piece was set down there in this turn, and is in the air now."""
    rules, sensing = scene.rules, scene.sensing.kind
    came = any(
        seen.square == square and may_be(rules, piece, seen.after, sensing)
        for seen in scene.turn.changes
    )
    return came and piece != EMPTY and scene.placement[square] == EMPTY


@law(Knocked)
def board_knocked(fact: Knocked, scene: Scene) -> Iterator[Opinion]:
    """Many squares changed within seconds (7.4.2)."""
    told = [scene.file.held(cause_of(ply)) for ply in (fact.turn.ply - 1, fact.turn.ply)]
    if any(held.kind in DISPLACED for held in told if held is not None):
        return  # At the press: whose doing it is, is known.
    if scene.file.board_back_ply == fact.turn.ply:
        return
    if _put_away(scene) and not _off_at_the_stop(fact.squares, scene):
        return
    names = scene.rules.geometry.names
    yield from _knocked([names[s] for s in fact.squares], scene)


@law(KingsInCentre)
def knocked_into_the_centre(fact: KingsInCentre, scene: Scene) -> Iterator[Opinion]:
    """The board was knocked (7.4.2), and both kings have come to lie in the centre."""
    swept = swept_off(fact.turn)
    if swept and scene.result is None:
        yield from _knocked([scene.rules.geometry.names[s] for s in swept], scene)


def _knocked(squares: list[str], scene: Scene) -> Iterator[Opinion]:
    """Restore from the record; the clock times of that moment."""
    turn = scene.turn
    facts = {
        "squares": squares,
        "white_clock": scene.shown.white_ms,
        "black_clock": scene.shown.black_ms,
    }
    proposal = back_to(turn.fen)
    ruling = draft("displaced-board-knocked", scene, None, proposal, facts=facts)
    changed = [scene.rules.geometry.square(name) for name in squares]
    yield Finding(ruling, displaced_of(turn.ply), deed_ns=newest_change(changed, turn))
    yield _remembered(turn.ply, changed, turn.placement, scene)


@law(Explained)
def restored(fact: Explained, scene: Scene) -> Iterator[Opinion]:
    """All pieces are back before the press: in the player's own time, and fine (7.4.1)."""
    turn = fact.turn
    cause = displaced_of(turn.ply)
    yield Close(cause, DISPLACED)
    lay = scene.file.held(cause_of(turn.ply - 1))
    if lay is not None and lay.kind == "capture-not-removed" and lay.ply == turn.ply:
        # Not pressed for with that piece on the board, and it is off.
        yield Close(cause_of(turn.ply - 1), (), RulingState.SUPERSEDED)
    facts = {"squares": [scene.rules.geometry.names[touch.square] for touch in turn.touches]}
    yield Finding(
        draft("displaced-own-restored", scene, turn.side, LOG, turn=turn, facts=facts), cause
    )
