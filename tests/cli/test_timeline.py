"""Which moment a time of the day is, as people at a journal mean it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from arbiterd.cli.journal.timeline import moment_ns
from arbiterd.messages.times import from_rfc3339


@pytest.fixture(autouse=True)
def madrid(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "Europe/Madrid")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("last", "said", "meant"),
    [
        ("2026-11-21T14:30:00Z", "14:05", "2026-11-21T13:05:00Z"),
        ("2026-11-21T14:30:00Z", "16:00", "2026-11-21T15:00:00Z"),
        ("2026-11-21T23:20:00Z", "23:50", "2026-11-21T22:50:00Z"),  # It is 0:20 on the 22nd.
        ("2026-11-21T23:20:00Z", "00:10", "2026-11-21T23:10:00Z"),
        ("2026-11-21T22:59:00Z", "00:10", "2026-11-20T23:10:00Z"),  # It is 23:59 on the 21st.
        ("2026-03-29T12:00:00Z", "01:30", "2026-03-29T00:30:00Z"),  # Before summer time began.
        ("2026-10-25T12:00:00Z", "01:30", "2026-10-24T23:30:00Z"),  # Before it ended.
    ],
)
def test_a_time_of_the_day_is_the_one_that_people_mean(last: str, said: str, meant: str) -> None:
    assert moment_ns(said, from_rfc3339(last), "--since") == from_rfc3339(meant)
