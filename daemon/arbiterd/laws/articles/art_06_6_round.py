"""Articles 6.6 and 6.7: the clock at the start of the round, and players who are not there.

Presence is not visible: what is told is that a side has shown nothing, and the arbiter asks.
"""

from __future__ import annotations

from collections.abc import Iterator

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import ASK, draft
from arbiterd.laws.register import (
    Close,
    Finding,
    Looked,
    Opinion,
    Remember,
    Wake,
    Woken,
    answers,
    law,
)
from arbiterd.laws.ruling import Proposal, RulingState
from arbiterd.rules.ruleset import Colour
from arbiterd.timing.facts import Press, Restarted, SettingRight, SettingWrong
from arbiterd.tracking.facts import MoveMade, Pressed

SECOND_NS = 1_000_000_000
PRESENCE = "presence"
WRONG = "start-clock-setting-wrong"
CROSSED_PRESSES = 3
"""Presses with nothing on the board from the start: hardly this board's clock."""


@law(Restarted, Press)
def first_clock(fact: Restarted | Press, scene: Scene) -> Iterator[Opinion]:
    """6.6: the clock of the side that moves first is started."""
    if scene.record.plies:
        return
    runs = fact.runs if isinstance(fact, Restarted) else fact.side.other
    first = scene.rules.turn(scene.position)
    if isinstance(fact, Press) and not fact.restart:
        return
    untouched = scene.known(scene.placement) == scene.wanted
    if runs is not first and untouched and not scene.turn.touches:
        facts = {"runs": runs.value}
        ruling = draft(
            "start-clock-wrong-side", scene, None, Proposal(("pause", "ask")), facts=facts
        )
        yield Finding(ruling, "first-clock")
    else:
        yield Close("first-clock")
    yield Close(PRESENCE, ("start-clock-not-running",))


@law(SettingWrong)
def setting_wrong(fact: SettingWrong, scene: Scene) -> Iterator[Opinion]:
    """6.10.2: the clock does not show what the time control says."""
    facts = {
        "expected_clock": fact.expected_ms,
        "white_clock": fact.shown.white_ms,
        "black_clock": fact.shown.black_ms,
    }
    proposal = Proposal(("pause", "ask"))
    yield Finding(draft(WRONG, scene, None, proposal, facts=facts), "setting")


@law(SettingRight)
def setting_right(_: SettingRight, __: Scene) -> Iterator[Opinion]:
    """Somebody has set it, as was asked for."""
    yield Close("setting", (WRONG,))


@answers("set-clock")
def times_said(_: Act, __: Scene) -> tuple[Answer, list[Opinion]]:
    """The arbiter says what the clock is to show."""
    return Answer(True), [Close("setting", (WRONG,), RulingState.SUPERSEDED)]


@law(Looked)
def round_watched(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """From the actual start of the round on (6.7.1), a silent side is asked for."""
    started_ns = scene.round_started_ns
    if started_ns is None or scene.result is not None or _both_shown(scene):
        return
    alert_ns = started_ns + scene.settings.start_alert_s * SECOND_NS
    default_ns = started_ns + scene.settings.default_time_s * SECOND_NS
    for at_ns in sorted({alert_ns, max(alert_ns, default_ns)}):
        if at_ns > scene.at_ns:
            yield Wake(f"{PRESENCE}:{(at_ns - started_ns) // SECOND_NS}", at_ns)
    if scene.turn.changes:
        yield Remember("seen", scene.rules.turn(scene.position).value)


def _both_shown(scene: Scene) -> bool:
    return len(scene.record.plies) >= 2


@law(Woken)
def still_silent(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """The default time, or the time to look, has come."""
    started_ns = scene.round_started_ns
    if not fact.name.startswith(f"{PRESENCE}:") or started_ns is None or _both_shown(scene):
        return
    elapsed_s = (scene.at_ns - started_ns) // SECOND_NS
    facts = {"elapsed_ms": elapsed_s * 1000, "default_ms": scene.settings.default_time_s * 1000}
    over = elapsed_s >= scene.settings.default_time_s
    running, known = scene.shown.running, scene.shown.known
    silent = not scene.turn.changes and not scene.record.plies
    if running is None and scene.record.plies:
        return
    if running is None and silent and over and (scene.settings.default_time_s or not known):
        yield Close(PRESENCE, (), RulingState.SUPERSEDED)
        forfeit = Proposal(("ask", "declare-result"), result="0-0F")
        yield Finding(draft("start-absent-both", scene, None, forfeit, facts=facts), PRESENCE)
    elif running is None and known:
        yield Finding(draft("start-clock-not-running", scene, None, ASK, facts=facts), PRESENCE)
    elif running is not None and over and _shows_nothing(running, scene):
        result = "0-1F" if running is Colour.WHITE else "1-0F"
        proposal = Proposal(("ask", "declare-result"), result=result)
        ruling = draft("start-absent-one", scene, running, proposal, facts=facts)
        yield Finding(ruling, PRESENCE)


def _shows_nothing(side: Colour, scene: Scene) -> bool:
    moved = any(ply.side is side for ply in scene.record.plies)
    return not moved and not scene.turn.changes


@law(MoveMade)
def present_after_all(_: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """It has moved."""
    if scene.file.held(PRESENCE) is not None:
        yield Close(PRESENCE)


@law(Pressed)
def board_next_door(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """Presses come and the board has shown nothing from the start: whose clock is it?"""
    if fact.move is not None or scene.record.plies or fact.turn.changes:
        return
    before = scene.file.notes.get("crossed")
    count = (before if isinstance(before, int) else 0) + 1
    yield Remember("crossed", count)
    if count >= CROSSED_PRESSES:
        yield Close(f"ply:{fact.ply}", (), RulingState.SUPERSEDED)
        facts = {"presses": count}
        yield Finding(draft("start-wrong-opponent-board", scene, None, ASK, facts=facts), "crossed")
