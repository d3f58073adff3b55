"""Does tracking tell what it told before, fact for fact? For work that is to change nothing.

    .venv/bin/python -m tests.tracking.same_facts keep FILE [GAMES]
    … change something …
    .venv/bin/python -m tests.tracking.same_facts compare FILE

It keeps what a table would tell its tracker of simulated games under every profile, with every
fact, when tracking wanted to be called, and the lines it held with what speaks against each.
No pytest: it compares two states of the code, and what it keeps is worth nothing to a third.
"""

from __future__ import annotations

import pickle
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arbiterd.cli.bench.tracking import games_from
from arbiterd.simulation.benchmarks.feed import Call
from arbiterd.simulation.benchmarks.tracking import seed_of
from arbiterd.simulation.benchmarks.trial import Trial, make_trial
from arbiterd.simulation.game import follow
from arbiterd.simulation.profiles import PROFILES, SECOND
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from eboards.events import Sensing

GAMES = 20
"""Of each profile."""
APART = 13
"""So many games lie between two that are played, so that all sources have their share."""
SEED = 7


@dataclass(frozen=True, slots=True)
class Kept:
    name: str
    trial: Trial
    told: bytes


def said(trial: Trial) -> Iterator[str]:
    """Line by line: each input, what was told then, what is held, and when it is due."""
    rules, profile = trial.line.rules, trial.profile
    sensing = Sensing(profile.sensing, profile.scan_ns, rules.geometry)
    begin_ns, end = trial.story.begin_ns, trial.story.end_ns + 60 * SECOND
    tracker = Tracker(rules, sensing, TrackingSettings(), trial.line.positions[0], begin_ns)
    for call in (*trial.told, Call("end", end, ())):
        while (due_ns := tracker.due_at_ns) is not None and due_ns <= call.at_ns:
            yield from (f"due {fact}" for fact in tracker.due(due_ns))
        if call.name != "end":
            facts = getattr(tracker, call.name)(call.at_ns, *call.args)
            yield from (f"{call} {fact}" for fact in facts)
            held = [(h.ply, h.moves[-1:], h.nats, h.shown) for h in tracker.hypotheses()]
            yield f"{call} due {tracker.due_at_ns} holds {held}"


def text(trial: Trial) -> bytes:
    return zlib.compress("\n".join(said(trial)).encode(), 1)


def keep(path: Path, number: int) -> None:
    games, kept = games_from(()), []
    for at in range(number):
        game = at * APART % len(games)
        line = follow(games[game])
        for profile in PROFILES.values():
            name = seed_of(profile.name, SEED, game)
            trial = make_trial(line, profile, name)
            kept.append(Kept(name, trial, text(trial)))
    path.write_bytes(pickle.dumps(kept))
    print(f"{len(kept)} games kept")


def compare(path: Path) -> int:
    games, other = pickle.loads(path.read_bytes()), 0
    for game in games:
        before = zlib.decompress(game.told).decode().split("\n")
        now = list(said(game.trial))
        if before != now:
            other += 1
            pairs = zip([*before, "(nothing)"], [*now, "(nothing)"], strict=False)
            was, tells = next(pair for pair in pairs if pair[0] != pair[1])
            print(f"{game.name}\n  told  {was[:400]}\n  tells {tells[:400]}")
    print(f"{len(games)} games, {other} told otherwise")
    return min(other, 1)


if __name__ == "__main__":
    doing, where, *many = sys.argv[1:]
    if doing == "keep":
        keep(Path(where), int(many[0]) if many else GAMES)
    else:
        sys.exit(compare(Path(where)))
