"""Delays that change: nothing is public before its time, and what is public stays so."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arbiterd.table.public_delay import PublicDelay

TIMES = st.integers(0, 200)
CHANGES = st.lists(st.tuples(TIMES, st.integers(0, 60), st.booleans()), max_size=5)


def changed(first: int, changes: list[tuple[int, int, bool]]) -> PublicDelay:
    delay = PublicDelay(((0, first),))
    for at, long, waits_too in sorted(changes, key=lambda change: change[0]):
        delay = delay.from_now_on(at, long) if waits_too else delay.for_what_follows(at, long)
    return delay


@given(st.integers(0, 60), CHANGES)
def test_both_ways_of_asking_agree_and_time_goes_one_way(first, changes) -> None:
    delay = changed(first, changes)
    until = [delay.until_ns(now) for now in range(400)]
    assert until == sorted(until)
    for told in range(0, 200, 7):
        due = delay.due_ns(told)
        assert due >= told
        assert [until[now] >= told for now in (due - 1, due)] == [False, True] or due == 0


@given(st.integers(0, 60), CHANGES, TIMES, st.integers(0, 60), st.booleans())
def test_what_was_public_stays_so_and_what_waits_waits_as_it_was_said(
    first, changes, at, long, waits_too
) -> None:
    before = changed(first, [change for change in changes if change[0] < at])
    after = before.from_now_on(at, long) if waits_too else before.for_what_follows(at, long)
    for told in range(200):
        was, due = before.due_ns(told), after.due_ns(told)
        if was <= at:
            assert due == was
        elif waits_too:
            assert due == max(at, told + long)
        elif told < at:
            assert due == was


def test_a_longer_delay_holds_what_waits_and_a_shorter_one_lets_it_go() -> None:
    usual = PublicDelay(((0, 15),))
    assert (usual.due_ns(90), usual.until_ns(100)) == (105, 85)
    longer, shorter = usual.from_now_on(100, 30), usual.from_now_on(100, 5)
    assert (longer.due_ns(90), longer.until_ns(100), longer.until_ns(110)) == (120, 85, 85)
    assert (shorter.due_ns(90), shorter.until_ns(100), shorter.due_ns(99)) == (100, 95, 104)
    assert usual.for_what_follows(100, 0).due_ns(99) == 114
    assert usual.for_what_follows(100, 0).due_ns(100) == 115
