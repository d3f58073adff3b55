"""How often what a weight speaks of happens in true play, counted from stories and what was heard.

    story (what was played) + device events (what was shown) ──▶ Counts: name ▸ n of N

A weight of so many nats says that what it speaks of is seen once in e^nats half-moves; so the table
sets each beside -ln(n/N). What nobody counts here (what a search costs, what a press in vain means)
stays a judgement and is not listed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import log
from types import MappingProxyType
from typing import Final

from arbiterd.simulation.benchmarks.trial import Trial
from arbiterd.simulation.world import PlyPlayed
from arbiterd.tracking import weights
from eboards.events import EMPTY, Piece, Square

LISTED: Final = MappingProxyType(
    {
        "UNWATCHED": weights.UNWATCHED,
        "UNPRESSED": weights.UNPRESSED,
        "UNTOUCHED": weights.UNTOUCHED,
        "UNSEEN": weights.UNSEEN,
        "OVERLAPPED": weights.OVERLAPPED,
        "REVERSED": weights.REVERSED,
        "PASSED": weights.PASSED,
        "DRAGGED": weights.DRAGGED,
        "TAKEN_BACK": weights.TAKEN_BACK,
    }
)
"""Weights that are counted, as they stand."""
OF: Final = MappingProxyType({"DRAGGED": "captures"})
"""Counted of these, and not of all half-moves."""


@dataclass(slots=True)
class MatcherCounts:
    """Of many games."""

    seen: Counter[str] = field(default_factory=Counter)

    def add(self, other: MatcherCounts) -> None:
        self.seen.update(other.seen)

    def of(self, name: str) -> tuple[int, int]:
        """How often, of how many."""
        return self.seen[name], self.seen[OF.get(name, "half-moves")]

    def nats(self, name: str) -> float | None:
        """-ln(n/N); None where it never happened."""
        hits, tries = self.of(name)
        return -log(hits / tries) if hits else None


@dataclass(frozen=True, slots=True)
class _Shown:
    """A square's change as it was heard."""

    at_ns: int
    square: Square
    piece: Piece


def counted(trial: Trial) -> MatcherCounts:
    """One game."""
    counts, line, truth = MatcherCounts(), trial.line, trial.story.truth
    shown, placements = _heard(trial)
    scan_ns = trial.profile.scan_ns
    for number, ply in enumerate(truth.plies):
        until_ns = ply.made_ns + 2 * scan_ns
        step, after = line.steps[number], line.placements[number + 1]
        own = [c for c in shown if ply.begun_ns <= c.at_ns <= until_ns]
        changed = {change.square for change in own}
        squares = step.squares
        left = [s for s in squares if after[s] == EMPTY]
        came = [(s, after[s]) for s in squares if after[s] != EMPTY]
        tell = trial.profile.sensing.value.startswith("identity")
        counts.seen["half-moves"] += 1
        counts.seen["UNWATCHED"] += not _stood(placements, truth.plies, number, after, tell)
        counts.seen["UNPRESSED"] += ply.pressed_ns is None
        counts.seen["UNTOUCHED"] += any(square not in changed for square in left)
        counts.seen["UNSEEN"] += any(
            not any(c.square == square and _same(c.piece, piece, tell) for c in own)
            for square, piece in came
        )
        if number:
            before = truth.plies[number - 1]
            counts.seen["OVERLAPPED"] += ply.begun_ns < before.made_ns
            counts.seen["REVERSED"] += ply.made_ns < before.made_ns
        others = changed - squares - _of_neighbours(trial, number)
        counts.seen["PASSED"] += any(c.square in others and c.piece != EMPTY for c in own)
        if step.victim is not None:
            counts.seen["captures"] += 1
            victim = line.placements[number][step.victim]
            counts.seen["DRAGGED"] += any(
                c.square in others and _same(c.piece, victim, tell) for c in own
            )
    counts.seen["TAKEN_BACK"] += sum(one.name == "take-back" for one in truth.happened)
    return counts


def _heard(trial: Trial) -> tuple[list[_Shown], list[tuple[int, tuple[Piece, ...]]]]:
    """Every change, and every picture of the board that they make."""
    image = list(trial.story.before)
    changes: list[_Shown] = []
    pictures: list[tuple[int, tuple[Piece, ...]]] = []
    for call in trial.told:
        if call.name == "changed":
            now = [call.args]
        elif call.name == "scanned":
            now = [(s, piece) for s, piece in enumerate(call.args[0]) if image[s] != piece]
        else:
            continue
        for square, piece in now:
            image[square] = piece
            changes.append(_Shown(call.at_ns, square, piece))
        pictures.append((call.at_ns, tuple(image)))
    return changes, pictures


def _stood(
    pictures: list[tuple[int, tuple[Piece, ...]]],
    plies: tuple[PlyPlayed, ...],
    number: int,
    after: tuple[Piece, ...],
    tell: bool,
) -> bool:
    """The board showed exactly the position after this half-move, before the one after the next."""
    since_ns = plies[number].begun_ns
    until_ns = plies[number + 2].made_ns if number + 2 < len(plies) else pictures[-1][0]
    return any(
        since_ns <= at_ns <= until_ns
        and all(_same(now, piece, tell) for now, piece in zip(image, after, strict=True))
        for at_ns, image in pictures
    )


def _same(shown: Piece, piece: Piece, tell: bool) -> bool:
    return shown == piece if tell else (shown == EMPTY) == (piece == EMPTY)


def _of_neighbours(trial: Trial, number: int) -> frozenset[Square]:
    steps = trial.line.steps
    near = [steps[n] for n in (number - 1, number + 1) if 0 <= n < len(steps)]
    return frozenset(square for step in near for square in step.squares)
