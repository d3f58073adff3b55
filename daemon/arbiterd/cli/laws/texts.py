"""Every text of the catalogue with real facts: what the situations that come with the Laws say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arbiterd.cli.laws.situations import Situation, tell
from arbiterd.laws.catalogue import ROWS, SECTIONS


@dataclass(frozen=True, slots=True)
class RulingText:
    """One ruling in one language, and where it was told."""

    kind: str
    where: str
    """The situation: file and number."""
    line: str
    detail: str


def said(situations: Iterable[Situation], language: str) -> Iterator[RulingText]:
    """Every ruling of the situations, in their order; closed ones say what they said before."""
    for situation in situations:
        where = f"{situation.name} {situation.number}"
        for ruling in tell(situation).rulings:
            text = ruling["text"][language]
            yield RulingText(ruling["kind"], where, text["line"], text["detail"])


def page(
    found: Iterable[RulingText], kinds: tuple[str, ...] = (), *, every: bool = False
) -> list[str]:
    """Sections, rows and what each says: once, with most facts known, or with `every` each time
    that it says something else; `kinds` empty: all rows."""
    told: dict[str, list[RulingText]] = {kind: [] for kind in ROWS}
    for one in found:
        known = told[one.kind]
        if all((k.line, k.detail) != (one.line, one.detail) for k in known):
            known.append(one)
    lines: list[str] = []
    for section, title in SECTIONS.items():
        rows = [row for row in ROWS.values() if row.section == section]
        rows = [row for row in rows if not kinds or row.id in kinds]
        if rows:
            lines += ["", f"{section}. {title}"]
        for row in rows:
            lines += ["", f"  {row.id}" + (f"  ({row.unplayed})" if row.unplayed else "")]
            fullest = [max(told[row.id], key=lambda one: len(one.detail))] if told[row.id] else []
            for one in told[row.id] if every else fullest:
                lines += [f"    {one.line}", f"      {one.detail}"]
    return lines
