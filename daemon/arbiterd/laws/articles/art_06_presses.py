"""Articles 6.2.4 and 7.5.3: presses without a move, before one, and to and fro.

The press that opens White's clock, a restart and a press after the result are none of these, and
a press after the opponent's reply completes the move it belongs to (6.2.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from arbiterd.laws.articles.art_03_7_pawns import promotes
from arbiterd.laws.case.misplay import Misplay, MisplayRow
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import ASK, cause_of, draft
from arbiterd.laws.register import Close, Finding, Opinion, Remember, Wake, Woken, law
from arbiterd.laws.ruling import NOTE, JsonValue, Proposal, RulingState
from arbiterd.timing.facts import Press
from arbiterd.tracking.facts import How, MoveCompleted, MoveMade, PlyCertainty, Pressed
from arbiterd.tracking.presses import HEARD_LATE_NS
from arbiterd.tracking.record import RecordedPly
from eboards.events import EMPTY

AT_ONCE_MS = 3_000
"""A move that comes so soon after a press was meant to be made before it."""
LAG_MS = 100
"""Beside one scan: how much later than the hand the board may tell a placement."""
BURST, BURST_PRESSES, BURST_MS = "burst", 4, 10_000
"""So many presses without a move, within so long, are a burst."""
SET_GOING = "set_going"
"""Note: the last press that set the clock going from a standing start, or that only the times tell
of: when it became known, in milliseconds. Nothing was to be made before such a one."""
ANSWERED_NS = 3_000_000_000
"""Who has moved already presses so soon after its clock was set going."""
UNANSWERED = "unanswered"
"""Note: a press that may be of the half-move before, until an answer is due."""
CROSSED = "crossed"
"""The cause of presses that belong to the board next door."""
HELD_MAX = 2
"""A hand holds a piece and the one it takes, or king and rook."""


def _counts(play: Misplay) -> bool:
    """Whether a press without a move is a press of a game under way."""
    last = play.scene.file.last_press
    # A press and its answer within one message: who replied had the move, so it was made.
    restart = last is not None and (last.restart or not last.seen)
    explained = play.scene.file.held(BURST) or play.scene.file.held(CROSSED)
    return play.scene.playing and not restart and explained is None


def no_move(play: Misplay) -> MisplayRow | None:
    """The board is as it was when the turn began."""
    if play.squares or not _counts(play):
        return None
    return MisplayRow("press-no-move", "7.5.3")


def piece_in_hand(play: Misplay) -> MisplayRow | None:
    """A piece was lifted and is nowhere: the move is not made."""
    # Not by whose it is: where pieces are only counted, one that came is nobody's.
    nothing_came = all(play.before[s] != EMPTY for s in play.squares if play.now[s] != EMPTY)
    nothing_came = nothing_came and not play.own_came and not play.enemy_came
    if not nothing_came or not 1 <= len(play.own_left) <= HELD_MAX or len(play.enemy_gone) > 1:
        return None
    if not _counts(play):
        return None
    return MisplayRow("press-piece-in-hand", "7.5.3", {"held": play.names(play.own_left)})


READERS = (no_move, piece_in_hand)
"""Asked after all readers of misplayed moves."""


@law(Pressed)
def pressed_without_a_move(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """Remembered for 6.2.4. A press that sets the clock going is none of it, nor the other side's:
    Black's hand starts White's clock."""
    at_ms = fact.at_ns // 1_000_000
    if (
        fact.move is None
        and fact.side is fact.turn.side
        and not sets_going(fact.at_ns, scene)
        and not perhaps_heard_late(fact.ply, fact.at_ns, scene)
    ):
        yield Remember("bare_press", {"ply": fact.ply, "at": at_ms})


def sets_going(pressed_ns: int, scene: Scene) -> bool:
    """This press set the clock going from a standing start, or only the times tell of it."""
    return scene.file.notes.get(SET_GOING) == pressed_ns // 1_000_000


def perhaps_heard_late(ply: int, pressed_ns: int, scene: Scene) -> bool:
    """The press may be that of its side's half-move before; the press told for that one, of the one
    before it; and so on to one for which none was heard. Where one was lost or each is heard late
    there are not more presses than half-moves, and nobody pressed without one."""
    plies = scene.record.plies
    for before in range(ply - 2, 0, -2):
        if before > len(plies):
            continue
        own = plies[before - 1]
        if pressed_ns - own.made_at_ns > HEARD_LATE_NS:
            return False
        heard_ns = _press_heard(plies, before)
        if heard_ns is None:
            return own.how is How.REPLIED or _unseen(plies, before)
        pressed_ns = heard_ns
    return False


def _press_heard(plies: Sequence[RecordedPly], ply: int) -> int | None:
    """When the press for this half-move was heard; None: it was not. One that its reply showed is
    completed when that was made, and anew by a press."""
    own = plies[ply - 1]
    pressed = own.how is How.PRESSED
    if own.how is How.INFERRED and ply < len(plies):
        pressed = own.completed_at_ns != plies[ply].made_at_ns
    return own.completed_at_ns if pressed else None


def _unseen(plies: Sequence[RecordedPly], ply: int) -> bool:
    """Only its reply showed this half-move: both are dated by the same change."""
    return (
        plies[ply - 1].how is How.INFERRED
        and ply < len(plies)
        and plies[ply - 1].made_at_ns == plies[ply].made_at_ns
    )


def perhaps_anothers(fact: Pressed, scene: Scene) -> bool:
    """The press may have come before this turn began, and then belongs to another half-move.

    So it is where the clock was not heard for a while and only its times tell of presses, and
    where what the clock tells is heard late. But then the other side has made its half-move by
    now, its clock runs, and it presses: where it has not, the press is of this turn.
    """
    if fact.at_ns - fact.late_ns < fact.turn.since_ns:
        return True
    last = scene.file.last_press
    answered = last is not None and last.at_ns > fact.at_ns
    waited = scene.at_ns - fact.at_ns >= ANSWERED_NS
    return (answered or not waited) and perhaps_heard_late(fact.ply, fact.at_ns, scene)


def asked_again(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """Once an answer would have come, what a press may have been for is asked once more."""
    due_ns = fact.at_ns + ANSWERED_NS
    if due_ns > scene.at_ns:
        noted: dict[str, JsonValue] = {
            "ply": fact.ply,
            "at": fact.at_ns,
            "witnessed": fact.witnessed,
        }
        yield Remember(UNANSWERED, noted)
        yield Wake(UNANSWERED, due_ns)


def unanswered(fact: Woken, scene: Scene) -> Pressed | None:
    """The press of which that is asked now, with its turn as it is by now; None: there is none, or
    play has gone on."""
    noted, last, turn = scene.file.notes.get(UNANSWERED), scene.file.last_press, scene.turn
    if fact.name != UNANSWERED or not isinstance(noted, dict) or last is None:
        return None
    if last.at_ns != noted["at"] or turn.ply != noted["ply"]:
        return None
    witnessed = bool(noted["witnessed"])
    return Pressed(last.at_ns, last.late_ns, last.side, None, turn.ply, turn, False, witnessed)


@law(Press)
def clock_set_going(fact: Press, _: Scene) -> Iterator[Opinion]:
    if fact.restart or not fact.seen:
        yield Remember(SET_GOING, fact.at_ns // 1_000_000)


@law(MoveMade)
def moved_after_the_press(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """6.2.4: the clock first, the move at once after it. Within a scan the board cannot tell."""
    interval = after_the_press(fact, scene)
    held = scene.file.held(cause_of(fact.ply))
    early = held is not None and held.kind in ("press-no-move", "press-piece-in-hand")
    if interval is None or interval > AT_ONCE_MS or scene.result is not None:
        return
    if fact.how is How.ARBITER:
        return  # What an arbiter puts on the record is no player's act.
    if perhaps_heard_late(fact.ply, fact.made_at_ns - interval * 1_000_000, scene):
        return
    position = scene.before(fact.ply)
    if in_the_hand(fact, interval) and promotes(
        scene.rules, position, scene.rules.parse(position, fact.move)
    ):
        return  # The piece for a pawn that was off already (7.5.2).
    if fact.ply > 1 and scene.record.plies[fact.ply - 2].sureness is PlyCertainty.LIKELY:
        # What was made before the press may be a part of the half-move before.
        return
    scan_ms = scene.sensing.scan_ns // 1_000_000
    if interval <= scan_ms + LAG_MS or by_one_scan(fact):
        if early and (by_one_scan(fact) or _just_pressed(fact, scene)):
            yield Close(cause_of(fact.ply))
        return
    facts: dict[str, JsonValue] = {"interval_ms": interval, "scan_ms": scan_ms, "played": fact.move}
    ruling = draft(
        "press-before-move-then-move",
        scene,
        fact.side,
        ASK,
        turn=fact.turn,
        facts=facts,
        ply=fact.ply,
    )
    if in_the_hand(fact, interval):
        # A coil that sees a piece only once it is centred shows the same: nobody is called for it.
        ruling = replace(ruling, urgency=NOTE)
    yield Finding(ruling, cause_of(fact.ply))


def _just_pressed(fact: MoveMade, scene: Scene) -> bool:
    """Whether the press without a move was so near to the move that the board cannot order them.
    One before it that the opponent has answered stays what it was."""
    pressed = scene.file.notes.get("bare_press")
    if not isinstance(pressed, dict) or pressed["ply"] != fact.ply:
        return True
    assert isinstance(pressed["at"], int), "noted as a number"
    scan_ms = scene.sensing.scan_ns // 1_000_000
    return fact.made_at_ns // 1_000_000 - pressed["at"] <= scan_ms + LAG_MS


def in_the_hand(fact: MoveMade, interval_ms: int) -> bool:
    """The piece that moved had left its square before the press."""
    pressed_ns = fact.made_at_ns - interval_ms * 1_000_000
    return any(
        touch.colour is fact.side
        and touch.returned_at_ns is None
        and touch.lifted_at_ns < pressed_ns
        for touch in fact.turn.touches
    )


def by_one_scan(fact: MoveMade) -> bool:
    """Squares that changed at one instant were seen by a scan of the whole board, after changes
    that were lost: when the move was made is then not known."""
    if fact.unheard:
        return True
    times = [*(touch.lifted_at_ns for touch in fact.turn.touches), fact.made_at_ns]
    return len(times) == 1 or len(set(times)) < len(times)


def after_the_press(fact: MoveMade, scene: Scene) -> int | None:
    """By how many milliseconds the move came after the press that was meant for it."""
    if fact.how is How.PRESSED and fact.completed_at_ns is not None:
        if sets_going(fact.completed_at_ns, scene):
            return None
        return max(0, fact.made_at_ns - fact.completed_at_ns) // 1_000_000
    pressed = scene.file.notes.get("bare_press")
    if not isinstance(pressed, dict) or pressed["ply"] != fact.ply:
        return None
    assert isinstance(pressed["at"], int), "noted as a number"
    return fact.made_at_ns // 1_000_000 - pressed["at"]


@law(Press)
def pressed_to_and_fro(fact: Press, scene: Scene) -> Iterator[Opinion]:
    """6.2.4, 11.5: each of these presses may have credited an increment."""
    if fact.restart or fact.late_ns > BURST_MS * 1_000_000 or scene.result is not None:
        return  # Of presses in a silence nobody knows how close they came.
    now = fact.at_ns // 1_000_000
    noted = scene.file.notes.get("presses")
    times = [at for at in noted if isinstance(at, int)] if isinstance(noted, list) else []
    recent: list[JsonValue] = [at for at in (*times, now) if now - at <= BURST_MS]
    yield Remember("presses", recent)
    first = recent[0]
    assert isinstance(first, int), "times are numbers"
    moved_ns = max((change.at_ns for change in scene.turn.changes), default=0)
    if len(recent) < BURST_PRESSES or moved_ns > first * 1_000_000:
        return
    yield Close(cause_of(scene.turn.ply), ("press-no-move",), RulingState.SUPERSEDED)
    facts: dict[str, JsonValue] = {"presses": len(recent), "within_ms": now - first}
    ruling = draft(
        "press-burst",
        scene,
        None,
        Proposal(("pause", "ask")),
        facts=facts,
        from_ns=first * 1_000_000,
    )
    yield Finding(ruling, BURST, deed_ns=first * 1_000_000)


@law(MoveMade, MoveCompleted)
def moved_again(_: MoveMade | MoveCompleted, scene: Scene) -> Iterator[Opinion]:
    """A press that belongs to a move is none of a burst."""
    if scene.file.notes.get("presses"):
        yield Remember("presses", None)
