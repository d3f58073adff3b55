"""A hall is measured: what is counted, and that a whole run says it."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import suppress

import pytest
from click.testing import CliRunner

from arbiterd.cli import FailedError
from arbiterd.cli.bench.hall import hall as bench_hall
from arbiterd.cli.bench.measured.hall_figures import ladder
from arbiterd.cli.bench.measured.heard_moves import HeardMove, HeardMoves
from arbiterd.cli.bench.measured.processes import AT_MOST_S, PATIENCE_S, waited_for
from arbiterd.simulation.hall import hall
from arbiterd.simulation.profiles import CLEAN
from arbiterd.simulation.virtual_loop import VirtualClock, run_virtually

MS = 1_000_000
PRESS = "1970-01-01T00:00:10.000Z"


def heard(how: str, heard_ms: int) -> HeardMoves:
    return HeardMoves({("1", 1): (HeardMove("1", 1, PRESS, how), heard_ms * MS)})


def test_what_counts_is_the_last_byte_before_the_message() -> None:
    said = {"1": [9_000 * MS, 9_990 * MS, 10_400 * MS], "2": [9_999 * MS]}

    assert heard("pressed", 10_020).latencies_ms(said) == [30.0]


def test_a_half_move_that_was_told_as_time_passed_says_nothing() -> None:
    assert heard("settled", 10_020).latencies_ms({"1": [9_990 * MS]}) == []


def waited_s(works_until_s: float, there_at_s: float = 1e9) -> float:
    """How long something is waited for that comes, or not, while somebody works on it."""

    async def wait() -> float:
        clock = VirtualClock()
        begun_ns = clock.now_ns()

        def passed_s() -> float:
            return (clock.now_ns() - begun_ns) / 1e9

        with suppress(FailedError):
            await waited_for(
                lambda: True if passed_s() >= there_at_s else None,
                clock,
                "it is not there",
                lambda: min(passed_s(), works_until_s),
            )
        return passed_s()

    return run_virtually(wait())


def test_a_busy_machine_is_waited_for_as_long_as_anything_goes_on() -> None:
    assert waited_s(works_until_s=1e9, there_at_s=300.0) == pytest.approx(300.0, abs=1.0)
    assert waited_s(works_until_s=100.0) == pytest.approx(100.0 + PATIENCE_S, abs=1.0)
    assert waited_s(works_until_s=1e9) == pytest.approx(AT_MOST_S, abs=1.0)


def test_boards_of_several_processes_are_those_of_one() -> None:
    whole = hall(5, CLEAN, 1)

    assert (*hall(2, CLEAN, 1), *hall(3, CLEAN, 1, first=2)) == whole


def test_the_ladder_is_the_mean_of_each_station() -> None:
    metrics = (
        'arbiterd_station_seconds_bucket{le="0.0005",station="heard"} 3.0\n'
        'arbiterd_station_seconds_count{station="heard"} 4.0\n'
        'arbiterd_station_seconds_sum{station="heard"} 0.006\n'
        'arbiterd_message_age_seconds_count{kind="move",left="sent"} 0.0\n'
        'arbiterd_message_age_seconds_sum{kind="move",left="sent"} 0.0\n'
    )

    assert ladder(metrics) == (1.5, None, None, None, None)


@pytest.mark.parametrize("wrong", [["--boards", "1,many"], ["--pace", "1,99"]])
def test_a_number_that_cannot_be_measured_is_named(wrong: list[str]) -> None:
    done = CliRunner().invoke(bench_hall, wrong)

    assert done.exit_code == 2
    assert wrong[1].split(",")[1] in done.output


@pytest.mark.slow
def test_several_halls_make_a_table_of_a_row_each() -> None:
    code = "from arbiterd.cli import main; main()"
    words = ("bench", "hall", "--boards", "1,2", "--pace", "4", "--seconds", "8")
    ran = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
    )

    assert ran.returncode == 0, ran.stderr
    head, *rows = ran.stdout.splitlines()
    assert head.split()[:2] == ["boards", "pace"]
    assert [row.split()[:2] for row in rows] == [["1", "4"], ["2", "4"]]


@pytest.mark.slow
def test_a_small_hall_loses_nothing() -> None:
    code = "from arbiterd.cli import main; main()"
    words = ("bench", "hall", "--boards", "2", "--pace", "4", "--seconds", "8")
    ran = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
    )

    assert ran.returncode == 0, ran.stderr
    assert re.search(r"lost +0 of \d+", ran.stdout)
    assert re.search(
        r"byte to subscriber +median [\d.]+ ms, 95 % [\d.]+ ms, 99 % [\d.]+ ms", ran.stdout
    )
    assert re.search(r"stations, mean +heard [\d.]+ ms, folded [\d.]+ ms, journalled", ran.stdout)


def test_a_broker_without_an_address_is_named_before_anything_starts() -> None:
    said = CliRunner().invoke(bench_hall, ["--broker", "mosquitto"])

    assert said.exit_code == 2
    assert "'--broker'" in said.output
    assert "write mqtt://" in said.output
