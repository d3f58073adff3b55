"""The ledger of exactness: per profile, seed and game, what is exact, said open, or wrong.

    club 1: 20 games, 20 exact, 0 open, 0 wrong, 0 false, 0 missed
    overlapping 1: 20 games, 17 exact, 2 open, 1 wrong, 0 false, 0 missed
      4 Paul Morphy – Louis Paulsen: wrong from half-move 31; false: gap at 33

A change of tracking is read as a change of this text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arbiterd.simulation.benchmarks.tracking import Miss, Tally, exactness, use
from arbiterd.simulation.game import StagedGame


def entries(
    games: Sequence[StagedGame], profiles: Iterable[str], seeds: Iterable[int]
) -> Iterator[str]:
    """Its lines; those of one profile and seed stand together."""
    use(list(games))
    profiles = list(profiles)
    for seed in seeds:
        for profile in profiles:
            tally = exactness(profile, seed, tuple(range(len(games))))
            yield _counts(tally, seed)
            yield from (_miss(miss, games[miss.game].name) for miss in tally.misses)


def _counts(tally: Tally, seed: int) -> str:
    said_open = tally.games - tally.exact - tally.silent
    return (
        f"{tally.profile} {seed}: {tally.games} games, {tally.exact} exact, {said_open} open,"
        f" {tally.silent} wrong, {tally.false_alarms} false, {tally.missed} missed"
    )


def _miss(miss: Miss, name: str) -> str:
    said = []
    if miss.first_wrong is not None:
        said.append(f"{'open' if miss.said_so else 'wrong'} from half-move {miss.first_wrong}")
    if miss.alarms:
        said.append("false: " + ", ".join(f"{one.kind} at {one.ply}" for one in miss.alarms))
    if miss.missed:
        said.append("missed: " + ", ".join(miss.missed))
    return f"  {miss.game} {name}: {'; '.join(said)}"


def slice_of(lines: Iterable[str], seed: int) -> list[str]:
    """What a ledger says of one seed."""
    found, within = [], False
    for line in lines:
        if not line.startswith(" "):
            within = line.split(":")[0].endswith(f" {seed}")
        if within:
            found.append(line)
    return found
