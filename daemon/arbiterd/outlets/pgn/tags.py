"""What stands above the moves: the seven tags, and what else is known of a game."""

from __future__ import annotations

from collections.abc import Iterator

from arbiterd.journal.roster import Match
from arbiterd.messages.reading import on_one_line
from arbiterd.outlets.pgn.games import Score
from arbiterd.rules.registry import ruleset
from arbiterd.timing.control import Period

UNKNOWN = "*"
RESULTS = {
    "1-0": "1-0",
    "0-1": "0-1",
    "1/2-1/2": "1/2-1/2",
    "1-0F": "1-0",
    "0-1F": "0-1",
}
"""What PGN has no word for (0-0, 1/2-0 …) is `*` there, with the result as it is in `Outcome`."""
TIME_WORDS = ("flag", "time forfeit", "time-forfeit")
TIME = "time"
"""The whole reason where byo-yomi is over, or an arbiter is brief."""
RULES_WORDS = ("illegal", "forfeit", "phone", "penalt", "infraction", "rules", "refusal")


def tags(score: Score, start: str, result: str) -> Iterator[tuple[str, str]]:
    """Name and value of each; `start` is the FEN the moves begin from, empty for the usual one.

    The seven come first and the others by their names, as the export format has them (8.1.1).
    """
    match = score.match
    yield "Event", match.hall
    yield "Site", "?"
    yield "Date", score.date.replace("-", ".")
    yield "Round", "?" if match.round is None else str(match.round)
    yield "White", match.white or "?"
    yield "Black", match.black or "?"
    yield "Result", result
    yield from sorted(_others(score, start))


def _others(score: Score, start: str) -> Iterator[tuple[str, str]]:
    match = score.match
    yield "Board", match.table
    yield from _players(match)
    if match.periods:
        yield "TimeControl", ":".join(_period(period) for period in match.periods)
    if variant := ruleset(match.ruleset).variant:
        yield "Variant", variant
    if start:
        yield "SetUp", "1"
        yield "FEN", start
    if score.result is not None and score.result not in RESULTS:
        yield "Outcome", score.result
    yield "Termination", termination(score)
    if match.simulated:
        yield "Annotator", "simulated"


def _players(match: Match) -> Iterator[tuple[str, str]]:
    for side, player in (("White", match.white_player), ("Black", match.black_player)):
        for name, value in (
            ("Title", player.title),
            ("Elo", str(player.rating or "")),
            ("FideId", str(player.fide_id or "")),
            ("Team", player.team),
        ):
            if value:
                yield f"{side}{name}", value


def lines_of(score: Score, start: str, result: str) -> str:
    """The tags as they stand in a file, an empty line after them."""
    said = (f'[{name} "{_quoted(value)}"]\n' for name, value in tags(score, start, result))
    return f"{''.join(said)}\n"


def result_of(score: Score) -> str:
    return RESULTS.get(score.result or "", UNKNOWN)


def termination(score: Score) -> str:
    """In the words of the standard (9.8.1)."""
    reason = score.reason.lower()
    if score.result is None or score.result == "replay":
        return "unterminated"
    if score.result.endswith("F"):
        return "abandoned" if not score.moves else "rules infraction"
    if reason == TIME or any(word in reason for word in TIME_WORDS):
        return "time forfeit"
    if any(word in reason for word in RULES_WORDS):
        return "rules infraction"
    return "normal"


def _period(period: Period) -> str:
    """As PGN has it: `40/5400+30`."""
    moves = "" if period.moves is None else f"{period.moves}/"
    credit = f"+{period.increment_ms // 1000}" if period.increment_ms else ""
    return f"{moves}{period.base_ms // 1000}{credit}"


def _quoted(value: str) -> str:
    """A string of PGN is printing characters on one line, its quotes and backslashes escaped."""
    return on_one_line(value).replace("\\", "\\\\").replace('"', '\\"')
