"""Article 6 on the clock itself: the side that runs, settings, defects, periods, little time.

Flags are in `art_06_flags`, presses in `art_06_presses`, pauses in `art_06_11_pauses`.
"""

from __future__ import annotations

from collections.abc import Iterator

from arbiterd.laws.articles.art_06_flags import completed_moves, unpressed
from arbiterd.laws.case.casefile import ClockHeard
from arbiterd.laws.case.on_board import pending
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import ASK, LOG, draft
from arbiterd.laws.register import (
    Close,
    Finding,
    Looked,
    Opinion,
    Remember,
    Ticked,
    Watch,
    Woken,
    law,
)
from arbiterd.laws.ruling import JsonValue, Proposal
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour
from arbiterd.timing.control import Kind
from arbiterd.timing.facts import (
    ClockBack,
    ClockLost,
    CreditOdd,
    Edited,
    Paused,
    PeriodAdded,
    Press,
    Restarted,
    TimeJumped,
)
from arbiterd.tracking.facts import MoveMade, Pressed

LOW_MS, LOW_INCREMENT_MS = 300_000, 30_000
"""8.4: less than five minutes, without thirty seconds for every move."""
ODD_PRESSES = 2
"""A credit is told once it was seen so often in a row."""
DEFECT_MS = 5_000
"""A clock that comes back and shows more or less than this beside the old one is another."""
LOOK_AGAIN_NS = 2_000_000_000
COUNTER_MOVES = 5
"""So many moves before the time control a counter that is short is worth a look."""
IN_VAIN = "pressed_in_vain"
"""The note of half-moves that were pressed for when the board showed none."""


# 6.2.1: whose clock runs.


@law(Restarted, ClockBack)
def wrong_side(fact: Restarted | ClockBack, scene: Scene) -> Iterator[Opinion]:
    """The clock of the side that has the move runs, or of one that may still press (6.2.2).

    Where a piece is touched already, or one shows before the square it left, the half-move and its
    press may lie within one second of the clock: that is looked at again.
    """
    runs = fact.runs if isinstance(fact, Restarted) else fact.shown.running
    begun = scene.turn.touches or not _as_told(scene)
    if begun and runs is scene.turn.side.other:
        yield Watch("clock-side", scene.at_ns + LOOK_AGAIN_NS)
    else:
        yield from _wrong_side(runs, fact.at_ns, scene)


@law(Woken)
def wrong_side_still(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    if fact.name == "clock-side" and _as_told(scene):
        yield from _wrong_side(scene.shown.running, fact.at_ns, scene)


def _as_told(scene: Scene) -> bool:
    """The board shows the position that the half-moves told lead to, as far as it tells pieces."""
    return scene.known(scene.turn.placement) == scene.wanted


def _wrong_side(runs: Colour | None, at_ns: int, scene: Scene) -> Iterator[Opinion]:
    plies = scene.record.plies
    if runs is None or not plies or scene.result is not None:
        return
    if runs is scene.turn.side or plies[-1].completed_at_ns is None or pending(scene) is not None:
        return
    facts = {"running": runs.value, "to_move": scene.turn.side.value}
    ruling = draft("clock-wrong-side-running", scene, None, Proposal(("pause", "ask")), facts=facts)
    yield Finding(ruling, "clock-side", deed_ns=at_ns)


@law(Press, Paused, MoveMade)
def right_side_again(_: Press | Paused | MoveMade, scene: Scene) -> Iterator[Opinion]:
    if scene.file.held("clock-side") is not None and scene.shown.running in (None, scene.turn.side):
        yield Close("clock-side")


# 6.10: settings and defects.


def correction_open(scene: Scene) -> bool:
    """A.5.1.1: after ten moves each the setting stays as it is, unless the schedule suffers."""
    if not scene.rate.open_window or scene.settings.schedule_suffers:
        return True
    return min(completed_moves(side, scene)[0] for side in Colour) < scene.settings.set_up_moves


@law(CreditOdd)
def increment_wrong(fact: CreditOdd, scene: Scene) -> Iterator[Opinion]:
    """6.10.2: what presses credit is not what was announced."""
    if fact.times_running < ODD_PRESSES or scene.result is not None or not correction_open(scene):
        return
    held = scene.file.held("setting")
    if held is not None and dict(held.facts).get("credited_ms") == fact.credited_ms:
        return  # The same again is no news.
    facts: dict[str, JsonValue] = {
        "credited_ms": fact.credited_ms,
        "expected_ms": fact.expected_ms,
        "presses": fact.times_running,
        "white_moves": completed_moves(Colour.WHITE, scene)[0],
        "black_moves": completed_moves(Colour.BLACK, scene)[0],
    }
    ruling = draft("clock-increment-wrong", scene, None, Proposal(("pause", "ask")), facts=facts)
    yield Finding(ruling, "setting")


@law(TimeJumped)
def time_jumped(fact: TimeJumped, scene: Scene) -> Iterator[Opinion]:
    """6.10.1: an evident defect, or somebody's hand, unless an order explains it."""
    if scene.result is not None or _ordered(fact, scene):
        return
    facts = {
        "clock_of": fact.side.value,
        "expected_clock": fact.expected_ms,
        "shown_clock": fact.shown_ms,
        "jump_ms": fact.shown_ms - fact.expected_ms,
    }
    ruling = draft("clock-time-jump", scene, None, ASK, facts=facts)
    yield Finding(ruling, "clock-jump", deed_ns=fact.at_ns)


def _ordered(fact: TimeJumped, scene: Scene) -> bool:
    order = scene.file.order
    if order is None:
        return False
    wanted = order.white_ms if fact.side is Colour.WHITE else order.black_ms
    return wanted is not None and abs(wanted - fact.shown_ms) <= scene.settings.order_tolerance_ms


@law(ClockLost)
def clock_lost(fact: ClockLost, scene: Scene) -> Iterator[Opinion]:
    """6.10.1: the clock on the table stays valid; only the wire is silent."""
    if scene.result is not None or not scene.playing:
        return
    shown = fact.shown
    yield Remember(
        "lost_clock",
        {"white": shown.white_ms, "black": shown.black_ms, "at": _ms(fact.at_ns)},
    )
    facts = {"white_clock": shown.white_ms, "black_clock": shown.black_ms}
    yield Finding(draft("clock-lost", scene, None, LOG, facts=facts), "clock", deed_ns=fact.at_ns)


def _ms(at_ns: int) -> int:
    return at_ns // 1_000_000


@law(ClockBack)
def clock_back(fact: ClockBack, scene: Scene) -> Iterator[Opinion]:
    """A clock is heard again. Times that the old one cannot have come to: it is another one."""
    yield Close("clock")
    yield ClockHeard(fact.at_ns)
    known = scene.file.notes.get("lost_clock")
    if not isinstance(known, dict) or scene.result is not None:
        return
    yield Remember("lost_clock", None)
    if fact.corrected:
        return  # The times that it was lost with are not what it went on from.
    white, black, at = known["white"], known["black"], known["at"]
    shown = fact.shown
    if not isinstance(white, int) or not isinstance(black, int) or not isinstance(at, int):
        return
    if shown.white_ms is None or shown.black_ms is None:
        return
    used = white + black - shown.white_ms - shown.black_ms
    gained = {Colour.WHITE: shown.white_ms - white, Colour.BLACK: shown.black_ms - black}
    most = {side: _gain(side, at, scene) for side in gained}
    if used <= _ms(fact.at_ns) - at + DEFECT_MS and all(
        gained[side] <= most[side] + DEFECT_MS for side in gained
    ):
        return
    facts = {
        "white_clock": white,
        "black_clock": black,
        "white_now_clock": shown.white_ms,
        "black_now_clock": shown.black_ms,
        "to_move": scene.turn.side.value,
    }
    ruling = draft("clock-defect-replaced", scene, None, ASK, facts=facts)
    yield Finding(ruling, "clock-new", deed_ns=fact.at_ns)


def _gain(side: Colour, since_ms: int, scene: Scene) -> int:
    """The most, in ms, that its time grew by unheard: what the presses since then credit, with one
    for a half-move that the board may show later, and the periods that they began (6.3)."""
    rate, plies = scene.rate, scene.record.plies
    own = [ply for number, ply in enumerate(plies, 1) if scene.side_of(number) is side]
    ends = [ply.completed_at_ns for ply in own]
    presses = 1 + sum(end_ns is None or _ms(end_ns) >= since_ms for end_ns in ends)
    moves = scene.moved_before(side) + len(own) + 1
    first, last = rate.period_of_move(moves - presses), rate.period_of_move(moves)
    periods = rate.periods[first : last + 1]
    credit = max((period.credit_ms[1] for period in periods), default=0)
    return presses * credit + sum(period.opening_ms for period in periods[1:])


@law(Edited)
def edited(fact: Edited, scene: Scene) -> Iterator[Opinion]:
    """7.1: kept for the file."""
    facts = {"white_delta_ms": fact.white_delta_ms, "black_delta_ms": fact.black_delta_ms}
    yield Finding(draft("clock-edited", scene, None, LOG, facts=facts), "edited")


# 6.3, 6.4: periods and the clock's move counter.


@law(PeriodAdded)
def period_added(fact: PeriodAdded, scene: Scene) -> Iterator[Opinion]:
    """6.3: a clock that counts presses adds the time at the wrong move if one was missed."""
    if fact.at_zero or scene.result is not None or not correction_open(scene):
        return
    if _moves_pressed(fact.side, scene) not in _controls(scene):
        # The board may be a scan behind the clock: look again.
        yield Remember("period", {"side": fact.side.value, "added": fact.added_ms})
        yield Watch("period", scene.at_ns + LOOK_AGAIN_NS)


@law(Woken)
def period_at_the_wrong_move(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    noted = scene.file.notes.get("period")
    if fact.name != "period" or not isinstance(noted, dict) or scene.result is not None:
        return
    side, controls = Colour(str(noted["side"])), _controls(scene)
    moves = _moves_pressed(side, scene)
    if moves in controls or not controls:
        return
    required = min(controls, key=lambda number: abs(number - moves))
    facts: dict[str, JsonValue] = {
        "added_clock": noted["added"],
        "completed": moves,
        "required": required,
        "missed_presses": max(0, moves - required),
    }
    ruling = draft(
        "clock-extra-time-early-or-late", scene, None, Proposal(("pause", "ask")), facts=facts
    )
    yield Finding(ruling, f"period:{side}")


def _controls(scene: Scene) -> list[int]:
    """The moves at which a period ends."""
    numbers = (scene.rate.required_moves(n) for n in range(len(scene.rate.periods)))
    return [number for number in numbers if number is not None]


def _moves_pressed(side: Colour, scene: Scene) -> int:
    return completed_moves(side, scene)[1] + (1 if _move_being_pressed(side, scene) else 0)


def _move_being_pressed(side: Colour, scene: Scene) -> bool:
    """The press that brought the time may be told before the move it completes."""
    plies = scene.record.plies
    last_own = bool(plies) and scene.side_of(len(plies)) is side
    return pending(scene) is not None or (last_own and plies[-1].completed_at_ns is None)


@law(MoveMade)
def counter_short(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """6.4: presses that were missed make the clock's move counter short, for both sides alike."""
    completed = completed_moves(fact.side, scene)[1]
    required = scene.rate.required_moves(scene.rate.period_of_move(completed))
    if required is None or completed < required - COUNTER_MOVES or scene.result is not None:
        return
    missed = {side: _missed(side, scene) for side in Colour}
    if not any(missed.values()) or not scene.shown.known:
        return
    facts: dict[str, JsonValue] = {
        **{f"{side}_missed": count for side, count in missed.items()},
        "required": required,
    }
    ruling = draft("clock-counter-mismatch", scene, None, ASK, facts=facts)
    held = scene.file.held(f"counter:{required}")
    if held is None or held.facts != ruling.facts:
        yield Finding(ruling, f"counter:{required}")


@law(Pressed)
def pressed_in_vain(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """The clock has counted it, and no press follows once the board was put right."""
    if fact.move is None:
        plies: list[JsonValue] = [*sorted({*_in_vain(scene), fact.ply})]
        yield Remember(IN_VAIN, plies)


def _in_vain(scene: Scene) -> list[int]:
    """Half-moves that were pressed for when the board showed none."""
    noted = scene.file.notes.get(IN_VAIN)
    return [ply for ply in noted if isinstance(ply, int)] if isinstance(noted, list) else []


def _missed(side: Colour, scene: Scene) -> int:
    """Presses that the clock may not have counted: nobody saw them. Those of the last two
    half-moves are left out: they may still come."""
    before, counted = len(scene.record.plies) - 1, _in_vain(scene)
    return sum(
        scene.side_of(ply) is side and ply < before and ply not in counted
        for ply in unpressed(scene)
    )


# 8.4: little time.


@law(Looked, Ticked, unless=Custom.FOULS_LOSE)
def low_time(_: Looked | Ticked, scene: Scene) -> Iterator[Opinion]:
    """8.4, 12.3: the player need not record any more; the arbiter is present."""
    rate, shown = scene.rate, scene.shown
    if rate.kind is not Kind.STANDARD or not scene.playing or (rate.initial_ms or 0) <= LOW_MS:
        return
    if shown.running is None:
        return
    ms = shown.white_ms if shown.running is Colour.WHITE else shown.black_ms
    if ms is None or ms >= LOW_MS:
        return
    number = rate.period_of_move(completed_moves(shown.running, scene)[1])
    noted = f"low:{shown.running}:{number}"
    if scene.file.notes.get(noted):
        return
    period = rate.period(number)
    assert period is not None, "the rate has periods"
    if period.increment_ms >= LOW_INCREMENT_MS:
        return
    yield Remember(noted, True)
    facts = {"clock_of": shown.running.value, "left_clock": ms}
    yield Finding(draft("low-time", scene, None, LOG, facts=facts), noted)
