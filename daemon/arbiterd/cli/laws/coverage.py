"""Which rows of the catalogue really fired in which situations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from arbiterd.cli.laws.situations import Situation, tell
from arbiterd.laws.catalogue import ROWS, SECTIONS, Row
from arbiterd.rules.registry import RULESETS, ruleset

RATES = ("std", "A4", "A5")
"""Standard; rapid and blitz under the Competitive Rules (A.4, B.2); without (A.5, B.3)."""


@dataclass(slots=True)
class Covered:
    """What the situations show of one row."""

    fired: Counter[str] = field(default_factory=Counter)
    """By rate of play."""
    shown: list[tuple[str, str, int]] = field(default_factory=list)
    """In which situations it fired: rate, file, number in it."""
    silent: int = 0
    """Situations of its own file in which it must not fire, and did not."""
    failed: list[str] = field(default_factory=list)
    """Situations that told something else than their file says."""


def coverage_of(situations: Iterable[Situation]) -> dict[str, Covered]:
    """Plays them all. A situation counts only where it told exactly what its file says."""
    covered = {kind: Covered() for kind in ROWS}
    for situation in situations:
        told = tell(situation)
        expected = tuple(lines for _, lines in situation.parts)
        if told.parts != expected:
            if situation.name in covered:
                covered[situation.name].failed.append(f"{situation.name} {situation.number}")
            continue
        for kind in sorted(set(told.fired)):
            covered[kind].fired[situation.rate] += 1
            covered[kind].shown.append((situation.rate, situation.name, situation.number))
        if situation.name in covered and situation.name not in told.fired:
            covered[situation.name].silent += 1
    return covered


def lacking(row: Row, covered: Covered) -> list[str]:
    """What is still missing for this row, in words."""
    missing = [f"{name} tells something else" for name in covered.failed]
    if row.unplayed:
        return missing
    if not covered.fired:
        missing.append("never fired")
    else:
        missing += [f"not fired under {rate}" for rate in row.rates if not covered.fired[rate]]
    if not covered.silent:
        missing.append("no situation in which it must not fire")
    return missing


def named(kind: str, covered: Covered) -> list[str]:
    """The situations in which a row fired, by rate: each file with the numbers of those in it."""
    lines = [kind]
    for rate in RATES:
        files: dict[str, list[str]] = {}
        for _, name, number in (each for each in covered.shown if each[0] == rate):
            files.setdefault(name, []).append(str(number))
        if files:
            told = "; ".join(f"{name} {', '.join(numbers)}" for name, numbers in files.items())
            lines.append(f"  {rate:3}  {told}")
    return lines if covered.shown else [kind, "  in none"]


def judged(covered: dict[str, Covered]) -> tuple[list[str], int]:
    """The report by section, and how many rows lack something."""
    lines: list[str] = []
    incomplete: set[str] = set()
    for section, title in SECTIONS.items():
        lines.append(f"{section}. {title}")
        for row in (row for row in ROWS.values() if row.section == section):
            found = covered[row.id]
            counts = " ".join(f"{rate} {found.fired[rate]}" for rate in RATES)
            missing = lacking(row, found)
            if missing:
                incomplete.add(row.id)
            note = f"  LACKS {'; '.join(missing)}" if missing else ""
            entered = f"  entered by people: {row.blind}" if row.blind else ""
            entered += f"  for games of one's own: {row.unplayed}" if row.unplayed else ""
            lines.append(f"  {row.id:36} {counts}  silent {found.silent}{entered}{note}")
    lines += [_share(game, incomplete) for game in RULESETS]
    return lines, len(incomplete)


def _share(game: str, incomplete: set[str]) -> str:
    """Rows that hold in this game."""
    customs = ruleset(game).customs
    rows = [row.id for row in ROWS.values() if row.holds(customs)]
    whole = sum(kind not in incomplete for kind in rows)
    return f"{game}: {whole} of {len(rows)} rows covered ({100 * whole / len(rows):.1f} %)"
