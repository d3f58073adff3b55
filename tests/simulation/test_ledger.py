"""The ledger of exactness holds; CI plays its first seed, `arbiterd bench ledger` all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arbiterd.cli.bench.ledger import SEEDS, bench_ledger
from arbiterd.simulation.benchmarks.ledger import entries, slice_of
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.profiles import PROFILES

EXPECTED = Path(__file__).with_name("exactness.expected")


@pytest.mark.parametrize("profile", PROFILES)
def test_the_first_seed_is_as_the_ledger_has_it(profile: str) -> None:
    """Differs: look at each line, then `arbiterd bench ledger > tests/simulation/…expected`."""
    written = EXPECTED.read_text("utf-8").splitlines()
    now = list(entries(FAMOUS, [profile], [1]))
    expected, own = [], False
    for line in slice_of(written, 1):
        own = line.startswith(f"{profile} ") or (own and line.startswith(" "))
        expected += [line] * own
    assert now == expected


def test_the_ledger_has_every_profile_and_seed() -> None:
    heads = [line for line in EXPECTED.read_text("utf-8").splitlines() if line[0] != " "]
    named = [line.split(":")[0] for line in heads]
    assert named == [f"{profile} {seed}" for seed in SEEDS for profile in PROFILES]


def test_a_slice_is_all_of_one_seed() -> None:
    lines = ["club 1: 2 games", "  0 A – B: open", "club 11: 2 games", "  1 C – D: open"]
    assert slice_of(lines, 1) == lines[:2]
    assert slice_of(lines, 11) == lines[2:]


@pytest.mark.slow
def test_the_whole_ledger_is_as_it_is_written() -> None:
    done = CliRunner().invoke(bench_ledger, ["--against", str(EXPECTED)])
    assert done.exit_code == 0, done.output
