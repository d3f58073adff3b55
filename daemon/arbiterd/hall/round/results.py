"""Results of a round, out again: into the organiser's TRF, or as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from arbiterd.hall.round.trf import SCORES, TrfReport

FORMULA = ("=", "+", "-", "@")
"""A spreadsheet takes a field that begins so for one of its formulas, quoted or not."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How one game of a round ended; `result` None: it has not."""

    table: str
    white: str
    black: str
    result: str | None
    reason: str = ""


def as_csv(results: Iterable[GameResult]) -> str:
    """With a head, one line a game; `*` where there is no result yet.

    What a player or an arbiter has written is text to spreadsheets too: `'` before what would not
    be.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("table", "white", "black", "result", "reason"))
    for game in results:
        who = _as_text(game.white), _as_text(game.black)
        writer.writerow((game.table, *who, game.result or "*", _as_text(game.reason)))
    return text.getvalue()


def _as_text(value: str) -> str:
    return f"'{value}" if value.lstrip().startswith(FORMULA) else value


def into_trf(
    report: TrfReport, number: int, results: Iterable[GameResult]
) -> tuple[TrfReport, tuple[str, ...]]:
    """The report with the results of a round, and a sentence for each that has no place in it."""
    pairs = {
        (white.name, black.name): (white.number, black.number)
        for white, black in report.pairs(number)
    }
    notes = []
    for game in results:
        players = pairs.get((game.white, game.black))
        if game.result is None:
            notes.append(f"table {game.table}: no result yet")
        elif players is None:
            notes.append(
                f"table {game.table}: the report pairs no {game.white} – {game.black} in round"
                f" {number}; enter {game.result} there by hand"
            )
        elif game.result not in SCORES:
            notes.append(f"table {game.table}: {game.result} is no result of a report")
        else:
            report = report.with_result(number, *players, game.result)
    return report, tuple(notes)
