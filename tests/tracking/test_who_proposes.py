"""What speaks against several half-moves at once is the same whichever search found them: the one
among all moves, the one among squares that were seen to change, and in whatever order."""

from __future__ import annotations

from itertools import permutations
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.tracking.hands import Hands

from arbiterd.tracking.leaping import Weighed, regrown
from arbiterd.tracking.propose import branches, leaps, retraces
from arbiterd.tracking.sliding import in_haste
from arbiterd.tracking.snapshot import Effort, Snapshot

BEGUN = ("e2e4", "e7e5", "g1f3", "b8c6")
CHOICES = st.lists(st.integers(0, 10**6), min_size=2, max_size=2)
LATE = st.lists(st.integers(0, 3), min_size=8, max_size=8)


def played_unwatched(choices: list[int], late: list[int]) -> tuple[Hands, Snapshot]:
    """Half-moves whose changes come one over another, looked at when all have come."""
    hands = Hands(moves=BEGUN)
    belief, rules = hands.tracker._belief, hands.rules
    position, changes = belief.position, []
    for number, choice in enumerate(choices):
        moves = sorted(rules.legal_moves(position), key=lambda m: rules.wire(position, m))
        written = rules.footprint(position, moves[choice % len(moves)])
        position = rules.play(position, moves[choice % len(moves)])
        for place, (square, piece) in enumerate(written):
            changes.append((2 * number + late[(4 * number + place) % len(late)], square, piece))
    for after, square, piece in sorted(changes, key=lambda change: change[0]):
        hands.now_ns = (after + 1) * 10**9
        belief.write(hands.now_ns, square, piece)
    return hands, belief.snapshot(hands.now_ns, 10**5)


def costs(found: list[Weighed]) -> dict[tuple[int, tuple[str, ...]], float]:
    return {(line.ply, tuple(past.wire() for past in line.back())): cost for cost, line in found}


@settings(max_examples=80, deadline=None)
@given(CHOICES, LATE)
def test_two_searches_say_the_same_of_one_line(choices: list[int], late: list[int]) -> None:
    hands, look = played_unwatched(choices, late)
    before = branches(look, hands.tracker._belief.live)

    by_all = costs([way for n in (1, 2) for way in leaps(look, before, n)])
    by_changed = costs([way for n in (1, 2) for way in retraces(look, before, (n,), odd=inf)])

    for line in by_all.keys() & by_changed.keys():
        assert by_all[line] == by_changed[line]


@settings(max_examples=80, deadline=None)
@given(CHOICES, LATE)
def test_nor_does_it_matter_from_where_was_searched_first(
    choices: list[int], late: list[int]
) -> None:
    hands, look = played_unwatched(choices, late)
    before = branches(look, hands.tracker._belief.live)[:3]

    said = [
        costs([way for n in (1, 2) for way in leaps(replace(look, effort=Effort(10**5)), order, n)])
        for order in permutations(before)
    ]

    assert all(one == said[0] for one in said)


@settings(max_examples=80, deadline=None)
@given(CHOICES, LATE)
def test_a_line_made_anew_from_its_moves_alone_has_as_much_against_it(
    choices: list[int], late: list[int]
) -> None:
    hands, look = played_unwatched(choices, late)
    origin: Any = hands.tracker._belief.live[0]
    for cost, line in leaps(look, [(0.0, origin)], 2):
        moves = [past.move for past in line.path()[-2:] if past.move is not None]
        again, end = regrown(look, origin, moves, 0.0)
        assert again + in_haste(look, origin, end) == cost


@settings(max_examples=80, deadline=None)
@given(CHOICES, LATE)
def test_what_speaks_against_a_line_is_the_sum_of_what_speaks_against_its_half_moves(
    choices: list[int], late: list[int]
) -> None:
    hands, look = played_unwatched(choices, late)
    origin: Any = hands.tracker._belief.live[0]
    for _, line in leaps(look, [(0.0, origin)], 2):
        moves = [past.move for past in line.path()[-2:] if past.move is not None]
        cost, end = regrown(look, origin, moves, 0.0)
        assert end.own + end.parent.own == pytest.approx(cost)


def test_both_searches_find_such_lines() -> None:
    """Or the tests above would compare nothing."""
    hands, look = played_unwatched([7, 11], [0, 1, 2, 3, 0, 1, 2, 3])
    before = branches(look, hands.tracker._belief.live)
    by_all = costs(leaps(look, before, 2))
    by_changed = costs(retraces(look, before, (2,), odd=inf))
    assert by_all.keys() & by_changed.keys()
