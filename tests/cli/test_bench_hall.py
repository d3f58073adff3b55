"""A hall is measured: what is counted, and that a whole run says it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from arbiterd.cli.bench_hall import Heard, _Move

MS = 1_000_000
PRESS = "1970-01-01T00:00:10.000Z"


def heard(how: str, heard_ms: int) -> Heard:
    return Heard({("1", 1): (_Move("1", 1, PRESS, how), heard_ms * MS)})


def test_what_counts_is_the_last_byte_before_the_message() -> None:
    said = {"1": [9_000 * MS, 9_990 * MS, 10_400 * MS], "2": [9_999 * MS]}

    assert heard("pressed", 10_020).latencies_ms(said) == [30.0]


def test_a_half_move_that_was_told_as_time_passed_says_nothing() -> None:
    assert heard("settled", 10_020).latencies_ms({"1": [9_990 * MS]}) == []


@pytest.mark.slow
def test_a_small_hall_loses_nothing() -> None:
    code = "from arbiterd.cli import main; main()"
    words = ("bench", "hall", "--boards", "2", "--pace", "4", "--seconds", "8")
    ran = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
    )

    assert ran.returncode == 0, ran.stderr
    assert re.search(r"lost +0 of \d+", ran.stdout)
    assert re.search(r"byte to subscriber +median [\d.]+ ms, 99 % [\d.]+ ms", ran.stdout)
