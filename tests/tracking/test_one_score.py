"""What speaks against a hypothesis is a matter of the hypothesis and of what was seen, and of
nothing else: not of who proposed it, nor when, nor in which order."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tracking.hands import Hands

from arbiterd.tracking import weights
from arbiterd.tracking.causes import POSITIONS_PLAYED, best_answered, causes
from arbiterd.tracking.hypothesis import (
    Cause,
    Hypothesis,
    PlacementWindow,
    against,
    score,
    window_of,
)
from arbiterd.tracking.snapshot import Effort
from eboards.events import SensingClass

SQUARES = st.sampled_from("a2 a3 b1 b6 b8 c3 c6 d2 d4 d7 d5 e2 e4 e5 e7 f3 g1 g3 g8 f6".split())
CARRIES = st.lists(st.tuples(SQUARES, SQUARES), min_size=1, max_size=7)
SENSING = st.sampled_from((SensingClass.IDENTITY, SensingClass.OCCUPANCY))


def carried(carries: list[tuple[str, str]], sensing: SensingClass) -> tuple[Hands, PlacementWindow]:
    """Pieces carried here and there by anybody, as a window shows it."""
    hands = Hands(kind=sensing)
    if sensing is SensingClass.OCCUPANCY:
        hands.pieces = list(hands.tracker.placement)
    for here, there in carries:
        square = hands.rules.geometry.square(here)
        piece = hands.pieces[square]
        if piece not in (".", "K", "k") and here != there:
            hands.lift(here).show(there, "?" if sensing is SensingClass.OCCUPANCY else piece, 0.6)
    belief = hands.tracker._belief
    return hands, window_of(belief.image, belief.book.changes)


def proposed(window: PlacementWindow, origin: Hypothesis) -> list[Hypothesis]:
    """Everything within two plies."""
    found = [origin]
    for before in (origin, None):
        grown = []
        for hypothesis in found if before is None else [before]:
            place = hypothesis.plies[-1].stage if hypothesis.plies else -1
            for stage in range(place + 1, len(window.stages)):
                grown += [
                    hypothesis.followed_by(cause)
                    for cause in causes(window, hypothesis.seen, stage)
                ]
        found += grown
    return found


@settings(max_examples=60, deadline=None)
@given(CARRIES, SENSING)
def test_a_score_is_the_sum_of_its_plies_and_none_of_them_is_less_than_nothing(
    carries: list[tuple[str, str]], sensing: SensingClass
) -> None:
    hands, window = carried(carries, sensing)
    root = Hypothesis(hands.tracker._belief.book.told[0])
    for hypothesis in proposed(window, root):
        parts, before = 0.0, root
        for cause in hypothesis.plies:
            parts += sum(item.nats for item in against(before, cause, window))
            before = before.followed_by(cause)
        evidence = score(hypothesis, window)
        assert evidence.nats == parts
        assert all(item.nats > 0 for item in evidence.items)
        # Made anew from its plies alone, by nobody who searched, it scores the same.
        again = Hypothesis(root.origin, tuple(_copied(cause) for cause in hypothesis.plies))
        assert score(again, window) == evidence


def _copied(cause: Cause) -> Cause:
    return Cause(cause.seen, cause.move, cause.stage, cause.moved, cause.lifted)


@settings(max_examples=60, deadline=None)
@given(CARRIES, SENSING)
def test_the_best_is_the_same_in_whatever_order_it_is_looked_for(
    carries: list[tuple[str, str]], sensing: SensingClass
) -> None:
    hands, window = carried(carries, sensing)
    belief = hands.tracker._belief
    lines = list({id(line): line for line in (*belief.book.told, *belief.live)}.values())[:3]
    origins = [(line.cost, line) for line in lines]
    found = set()
    for order in permutations(origins):
        best = best_answered(window, order, Effort(10**6), weights.PLAYED)
        found.add(None if best is None else score(best, window).nats + best.origin.cost)
    assert len(found) == 1


@settings(max_examples=60, deadline=None)
@given(CARRIES, SENSING, st.integers(0, POSITIONS_PLAYED))
def test_no_more_placements_are_held_against_plies_than_the_budget_says(
    carries: list[tuple[str, str]], sensing: SensingClass, budget: int
) -> None:
    hands, window = carried(carries, sensing)
    effort = Effort(budget)

    best_answered(
        window, [(0.0, line) for line in hands.tracker._belief.live], effort, weights.PLAYED
    )

    assert 0 <= effort.left <= budget
