"""Article 6.11: both clocks stand, and no arbiter stopped them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.articles.art_05_ends import END
from arbiterd.laws.articles.results import later, resign_signal
from arbiterd.laws.case.offences import is_offence
from arbiterd.laws.case.on_board import board_end, missing_king, positions_shown
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.catalogue import row
from arbiterd.laws.drafting import ASK, draft
from arbiterd.laws.register import (
    Close,
    Confirmed,
    Finding,
    Looked,
    Opinion,
    Remember,
    Wake,
    Watch,
    Woken,
    answers,
    law,
)
from arbiterd.laws.ruling import NOTE, JsonValue, RulingState
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour, board_field, differing, read_board_field
from arbiterd.timing.facts import Paused, Press, Restarted
from arbiterd.tracking.facts import BoardReset, KingsInCentre
from eboards.events import COUNTER, EMPTY, Placement

SECOND = 1_000_000_000
"""The urgency of what is only noted."""
STILL_DIFFERENT_NS = 3 * SECOND
"""So long nothing changes before it is said: a piece that is back sooner was only touched, and
pieces that are being put away keep changing."""
RESET_SQUARES = 8
"""So many squares that differ are pieces being put away, not a piece moved."""


@answers("pause")
def paused_by_act(act: Act, _: Scene) -> tuple[Answer, list[Opinion]]:
    """The arbiter stopped the game: what follows is the arbiter's, the pieces put right too."""
    return Answer(True), [*_his(act.by), Close("pause", state=RulingState.SUPERSEDED)]


def _his(arbiter: str) -> list[Opinion]:
    return [
        Remember("paused_by", arbiter),
        Remember("pause_board", None),
        Watch("pause-board", None),
        Close("pause-board"),
    ]


@answers("resume")
def resumed_by_act(_: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    opinions: list[Opinion] = [Remember("paused_by", None)]
    if scene.shown.running is not None:
        opinions += _going_on()
    return Answer(True), opinions


@law(Confirmed)
def paused_by_order(fact: Confirmed, _: Scene) -> Iterator[Opinion]:
    if "pause" in fact.ruling.proposal.actions:
        yield from _his(fact.act.by)


@law(Paused)
def paused(fact: Paused, scene: Scene) -> Iterator[Opinion]:
    """6.11.2: a player may pause to seek assistance only; the arbiter goes and asks."""
    if scene.result is not None or not scene.playing:
        return
    if scene.file.notes.get("paused_by") is not None:
        return
    if _ended_now(scene) or _needs_a_piece(fact.ran, scene):
        return
    if _has_a_reason(scene):
        return
    yield Remember("pause_board", board_field(scene.rules.geometry, scene.placement))
    yield Remember("pause_plies", len(scene.record.plies))
    yield Wake("paused-long", fact.at_ns + scene.settings.paused_long_s * SECOND)
    down = missing_king(scene.rules, scene.position, scene.placement)
    if down is not None:
        yield Finding(resign_signal(down, scene), "pause", deed_ns=fact.at_ns)
        return
    shown = fact.shown
    facts = {"ran": fact.ran.value, "white_clock": shown.white_ms, "black_clock": shown.black_ms}
    ruling = draft(
        "clock-paused-by-player", scene, None, ASK, facts=facts, from_ns=fact.at_ns - fact.late_ns
    )
    if fact.said:
        yield Finding(ruling, "pause", deed_ns=fact.at_ns)
        return
    # Most games end with clocks that simply stand: a note first, a call if nothing follows.
    yield Finding(replace(ruling, urgency=NOTE), "pause", deed_ns=fact.at_ns)
    yield Wake("pause-call", fact.at_ns + scene.settings.pause_call_s * SECOND)


@law(Woken)
def pause_calls(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """Both clocks still stand, and neither a result nor an arbiter's act has explained it."""
    held = scene.file.held("pause")
    if fact.name != "pause-call" or held is None or held.kind != "clock-paused-by-player":
        return
    if scene.result is None and scene.shown.running is None and not _has_a_reason(scene):
        yield Finding(replace(held, urgency=row(held.kind).urgency), "pause")


def _has_a_reason(scene: Scene) -> bool:
    """An illegal move was made, or found, in this half-move or the one before: whoever stopped the
    clocks may have seen it. One from long before that nobody has decided is no such reason."""
    turn = scene.turn
    return any(
        is_offence(held.ruling)
        and (held.ruling.ply >= turn.ply - 1 or held.ruling.cause_to_ns >= turn.since_ns)
        for held in scene.file.open
    )


def _ended_now(scene: Scene) -> bool:
    """A move that ends the game stands on the board, told or not."""
    return board_end(scene.rules, positions_shown(scene)) is not None


def _needs_a_piece(ran: Colour, scene: Scene) -> bool:
    """6.11.2: a promotion whose new piece is not at hand is a valid reason, and has its own row."""
    rules, position = scene.rules, scene.position
    if Custom.CHESS_PIECES not in rules.customs or rules.turn(position) is not ran:
        return False
    before = rules.placement(position)
    return any(
        _exchanges(rules.footprint(position, move), before) for move in rules.legal_moves(position)
    )


def _exchanges(footprint: tuple[tuple[int, str], ...], before: Placement) -> bool:
    """Whether a piece arrives that was not among those that left: a promotion. A counter is at
    hand for every pawn."""
    arrived = [piece for _, piece in footprint if piece not in (EMPTY, COUNTER)]
    left = [before[square] for square, _ in footprint]
    return any(piece not in left for piece in arrived)


@law(Restarted, Press)
def runs_again(fact: Restarted | Press, scene: Scene) -> Iterator[Opinion]:
    """The pause is over, and with it what was said about it."""
    if isinstance(fact, Press) and not fact.restart:
        return
    if scene.file.notes.get("paused_by") is not None:
        yield Remember("paused_by", None)
    yield from _going_on()


def _going_on() -> list[Opinion]:
    return [
        Close("pause"),
        Close("pause-long"),
        Close("pause-board"),
        Close("result-missing"),
        Remember("pause_board", None),
        Wake("paused-long", None),
        Wake("pause-call", None),
        Watch("pause-board", None),
        Wake("result-missing", None),
    ]


@law(Woken)
def paused_long(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """6.11.3: the arbiter decides the restart, and has not said anything."""
    if fact.name != "paused-long" or scene.result is not None or scene.shown.running is not None:
        return
    last = scene.file.last_closed("pause")
    if scene.file.held("pause") is None and last is not None and last.ack is not None:
        return
    over = scene.file.held(END)
    if over is not None:
        # They stand because the game is over, as a ruling says that waits for its answer.
        yield Wake("paused-long", later(scene, over, scene.settings.paused_long_s))
        return
    facts = {"stands_ms": scene.settings.paused_long_s * 1000}
    yield Finding(
        draft("clock-paused-long", scene, None, ASK, facts=facts), "pause-long", deed_ns=fact.at_ns
    )


@law(Looked)
def board_while_paused(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """6.11.2, 7.4: pieces change while nobody's time runs."""
    known = scene.file.notes.get("pause_board")
    if known is None or scene.result is not None:
        return
    if _has_a_reason(scene):
        # It was judged only after the clocks were stopped; what is put back now belongs to it.
        yield Remember("pause_board", None)
        yield Close("pause", ("clock-paused-by-player",), RulingState.SUPERSEDED)
        return
    if _is_analysed(scene):
        yield Watch("pause-board", None)
        yield Close("pause-board")
        return
    field = board_field(scene.rules.geometry, scene.placement)
    waits = scene.file.watching("pause-board")
    if field == known:
        yield Watch("pause-board", None)
        yield Close("pause-board")
    elif not waits and scene.file.held("pause-board") is None:
        yield Watch("pause-board", scene.at_ns + STILL_DIFFERENT_NS)


@law(Woken)
def board_changed_while_paused(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    known = scene.file.notes.get("pause_board")
    if fact.name != "pause-board" or known is None or scene.result is not None:
        return
    before = read_board_field(scene.rules.geometry, str(known))
    squares = differing(before, scene.placement)
    last_ns = max((change.at_ns for change in scene.turn.changes), default=0)
    leaving = _kings(scene.placement) < _kings(before) and len(squares) > 1
    if scene.at_ns - last_ns < STILL_DIFFERENT_NS:
        # Hands are still at work.
        yield Watch("pause-board", scene.at_ns + STILL_DIFFERENT_NS)
        return
    if leaving:
        return  # Kings off their squares may be on their way: the next change is looked at again.
    if scene.signal is not None or len(squares) > RESET_SQUARES:
        return
    down = missing_king(scene.rules, scene.position, scene.placement)
    if down is not None:
        yield Finding(resign_signal(down, scene), "pause", deed_ns=last_ns)
    elif squares:
        names: list[JsonValue] = [scene.rules.geometry.names[square] for square in squares]
        yield Finding(
            draft(
                "paused-board-changes",
                scene,
                None,
                ASK,
                facts={"squares": names},
            ),
            "pause-board",
            deed_ns=last_ns,
        )


def _is_analysed(scene: Scene) -> bool:
    """A half-move was made while both clocks stand, and the pieces went on from there: no piece was
    shifted, the game is over and the players look at it."""
    before, plies = scene.file.notes.get("pause_plies"), len(scene.record.plies)
    if not isinstance(before, int) or plies <= before:
        return False
    return plies > before + 1 or scene.known(scene.placement) != scene.wanted


def _kings(placement: Placement) -> int:
    return sum(piece.upper() == "K" for piece in placement)


@law(KingsInCentre, BoardReset)
def pause_explained(_: KingsInCentre | BoardReset, scene: Scene) -> Iterator[Opinion]:
    """What the pieces mean is asked: that the clocks stand, for how long, and that pieces changed
    then, is part of that question."""
    yield Remember("pause_board", None)
    yield Watch("pause-board", None)
    yield Wake("pause-call", None)
    yield Wake("paused-long", None)
    for cause in ("pause", "pause-long", "pause-board"):
        if scene.file.held(cause) is not None:
            yield Close(cause, state=RulingState.SUPERSEDED)
