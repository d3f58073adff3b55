"""Article 7.1: after an arbiter's order, board and clock are watched until they show it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from arbiterd.laws.case.casefile import TIMES, ArbiterOrder
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import ASK, back_to, draft
from arbiterd.laws.register import (
    Close,
    Finding,
    Fulfilled,
    Opinion,
    TimesOrdered,
    Wake,
    Woken,
    law,
)
from arbiterd.laws.ruling import Ruling
from arbiterd.rules.ruleset import differing, read_board_field
from arbiterd.timing.facts import Restarted
from arbiterd.tracking.facts import MoveMade

CAUSE = "order"
TOLD_AGAIN_NS = 3_000_000_000
"""By then a clock has told its times again."""
PLAYED_ON = 4
"""So many half-moves made since, with no clock standing, are play that goes on: whether the order
was followed is past. One or two can be made before the arbiter is at the board."""


@law(Restarted)
def restarted(fact: Restarted, scene: Scene) -> Iterator[Opinion]:
    """A clock runs again: does all stand as it was ordered?"""
    order = scene.file.order
    if order is None or fact.at_ns <= order.at_ns:
        return
    yield Fulfilled()
    geometry = scene.rules.geometry
    squares: list[str] = []
    if order.fen is not None:
        wanted = read_board_field(geometry, order.fen.split()[0])
        shown = scene.known(scene.placement, wanted)
        squares = [geometry.names[s] for s in differing(wanted, shown)]
    if squares or _times_off(scene):
        yield Finding(_not_followed(order, squares, scene), CAUSE, deed_ns=fact.at_ns)
    else:
        yield Close(CAUSE)


@law(TimesOrdered)
def times_ordered(fact: TimesOrdered, scene: Scene) -> Iterator[Opinion]:
    """An arbiter gives the times: they are watched for, and no others any more."""
    if scene.result is not None:
        return
    order = scene.file.order or ArbiterOrder(fact.at_ns, fact.by, TIMES)
    shown = scene.shown
    yield replace(
        order,
        at_ns=fact.at_ns,
        by=fact.by,
        white_ms=shown.white_ms if fact.white_ms is None else fact.white_ms,
        black_ms=shown.black_ms if fact.black_ms is None else fact.black_ms,
    )
    yield Wake(TIMES, fact.at_ns + TOLD_AGAIN_NS)


@law(Woken)
def clock_ran_on(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """A clock that was never stopped shows its own times still, and those count at the table."""
    order, press = scene.file.order, scene.file.last_press
    if fact.name != TIMES or order is None or scene.shown.running is None:
        return
    if press is not None and press.at_ns > order.at_ns:
        return
    if _times_off(scene, (scene.at_ns - order.at_ns) // 1_000_000):
        yield Finding(_not_followed(order, [], scene), CAUSE, deed_ns=fact.at_ns)


def _not_followed(order: ArbiterOrder, squares: list[str], scene: Scene) -> Ruling:
    facts = {
        "squares": squares,
        "ordered_white_clock": order.white_ms,
        "ordered_black_clock": order.black_ms,
        "white_clock": scene.shown.white_ms,
        "black_clock": scene.shown.black_ms,
        "by": order.by,
    }
    proposal = back_to(order.fen)
    return draft("order-not-followed", scene, None, proposal, facts=facts)


def _times_off(scene: Scene, used_ms: int = 0) -> bool:
    """Whether the clock shows other times than ordered; `used_ms` may have run since."""
    order, shown = scene.file.order, scene.shown
    assert order is not None, "there is an order to compare with"
    tolerance = scene.settings.order_tolerance_ms + used_ms
    pairs = ((order.white_ms, shown.white_ms), (order.black_ms, shown.black_ms))
    return any(
        wanted is not None and seen is not None and abs(wanted - seen) > tolerance
        for wanted, seen in pairs
    )


@law(MoveMade)
def moved_with_clocks_stopped(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """6.11.3: moves are made after an order, and both clocks stand."""
    order = scene.file.order
    if order is None or scene.shown.running is not None or not scene.shown.known:
        return
    if fact.made_at_ns <= order.at_ns:
        return
    facts = {
        "since_ms": (scene.at_ns - order.at_ns) // 1_000_000,
        "played": fact.move,
        "white_clock": scene.shown.white_ms,
        "black_clock": scene.shown.black_ms,
    }
    ruling = draft("order-clock-not-restarted", scene, None, ASK, turn=fact.turn, facts=facts)
    yield Finding(ruling, "order-clock", deed_ns=order.at_ns)


@law(MoveMade)
def played_on(_: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """The clock was not stopped for the order, or no restart was seen: a restart long after is
    none of it, and what is taken back then was not ordered."""
    order = scene.file.order
    if order is None or (scene.shown.known and scene.shown.running is None):
        return
    newest = scene.record.plies[-PLAYED_ON:]
    if len(newest) == PLAYED_ON and all(ply.made_at_ns > order.at_ns for ply in newest):
        yield Fulfilled()
