"""Virtual time: appointments in order, nobody called early, late or twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arbiterd.simulation.virtual import VirtualTime


class Diary:
    """A party with appointments, which writes down when it was called."""

    def __init__(self, name: str, times: list[int], said: list[tuple[int, str]]) -> None:
        self.name, self.times, self.said = name, sorted(times), said

    @property
    def due_at_ns(self) -> int | None:
        return self.times[0] if self.times else None

    def due(self, at_ns: int) -> None:
        assert self.times.pop(0) == at_ns
        self.said.append((at_ns, self.name))


@given(st.lists(st.lists(st.integers(0, 50)), max_size=5))
def test_every_appointment_is_kept_in_order(diaries: list[list[int]]) -> None:
    said: list[tuple[int, str]] = []
    time = VirtualTime(Diary(str(n), times, said) for n, times in enumerate(diaries))

    kept = time.run()

    assert kept == sum(map(len, diaries))
    assert [at for at, _ in said] == sorted(at for times in diaries for at in times)


def test_time_stops_where_it_is_told_to() -> None:
    said: list[tuple[int, str]] = []
    time = VirtualTime([Diary("a", [5, 10, 15], said)])
    time.run(until_ns=10)
    assert (said, time.at_ns) == ([(5, "a"), (10, "a")], 10)


def test_a_party_that_was_woken_is_called_at_its_new_time_only() -> None:
    said: list[tuple[int, str]] = []
    diary = Diary("a", [100], said)
    time = VirtualTime([diary])
    diary.times = [7]
    time.wake(diary)
    time.run()
    assert said == [(7, "a")]


def test_a_party_may_join_later() -> None:
    said: list[tuple[int, str]] = []
    time = VirtualTime([])
    time.run(until_ns=3)
    time.join(Diary("late", [4], said))
    time.run()
    assert said == [(4, "late")]
