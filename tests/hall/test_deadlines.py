"""Of many tables the one that is due next is found, whatever was put and taken back before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arbiterd.hall.tables.deadlines import SLACK, Deadlines

PUTS = st.lists(st.tuples(st.sampled_from("abcde"), st.none() | st.integers(0, 20)), max_size=60)


@given(PUTS)
def test_the_next_one_is_the_earliest_of_those_that_stand(
    puts: list[tuple[str, int | None]],
) -> None:
    deadlines, stand = Deadlines(), dict[str, int]()
    for table, at_ns in puts:
        deadlines.put(table, at_ns)
        if at_ns is None:
            stand.pop(table, None)
        else:
            stand[table] = at_ns
        assert deadlines.next_ns == min(stand.values(), default=None)


@given(PUTS, st.integers(0, 20))
def test_whoever_is_due_is_called_once_the_earliest_first(
    puts: list[tuple[str, int | None]], now_ns: int
) -> None:
    deadlines, stand = Deadlines(), dict[str, int]()
    for table, at_ns in puts:
        deadlines.put(table, at_ns)
        stand[table] = 99 if at_ns is None else at_ns

    called = []
    for table in deadlines.due(now_ns):
        called.append(table)
        deadlines.put(table, now_ns + 1)

    assert sorted(called) == sorted(table for table, at_ns in stand.items() if at_ns <= now_ns)
    assert [stand[table] for table in called] == sorted(stand[table] for table in called)


def test_a_table_that_moves_its_deadline_all_day_takes_no_room() -> None:
    deadlines = Deadlines()
    for at_ns in range(10_000):
        deadlines.put("1", 10_000 - at_ns)

    assert deadlines.next_ns == 1
    assert len(deadlines._queue) <= 2 + SLACK
