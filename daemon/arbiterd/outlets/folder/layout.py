"""The files of a tournament as programs that watch a LiveChess folder read them.

    tournament.json              name, rounds, rate of play
    round-N/index.json           who plays whom, results, which games go on
    round-N/game-M.json          moves with clocks; M counts the round's boards from 1
    round-N/game-M.pgn           the same game, broadcast-safe
    round-N/games.pgn            all of the round

A move in `game-M.json` is its SAN, then the clock after it in seconds and `+` the seconds it took,
each where it was read: `e4 3010+12`, `e4 3010`, `e4 +12`, `e4`. That file knows no start position
but chess and the 960: a game that goes on from elsewhere ends in it with a comment, and goes on in
its PGN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import chess
import msgspec

from arbiterd.journal.roster import Match
from arbiterd.messages.times import from_rfc3339
from arbiterd.outlets.folder.page import page, row
from arbiterd.outlets.pgn.book import RoundBoard
from arbiterd.outlets.pgn.games import Score, ScoreMove
from arbiterd.outlets.pgn.movetext import Stretch, elapsed_ms
from arbiterd.outlets.pgn.safe import is_game, playable, safe_parts
from arbiterd.outlets.pgn.tags import lines_of, result_of
from arbiterd.rules.customs import Custom
from arbiterd.rules.registry import ruleset
from arbiterd.table.player import Player
from arbiterd.timing.control import Period

FIRST = "tournament.json"
"""What a reader asks for before anything else."""
HEAD = '[ePGN "0.1;DGT LiveChess/2.2.6"]\n'
RESULTS = {"1-0": "WHITEWIN", "0-1": "BLACKWIN", "1/2-1/2": "DRAW"}
USUAL_960 = 518
"""The number of the usual start among the 960."""
ELSEWHERE = "play goes on from another position: see the PGN of this game"

Rounds = Mapping[int, Sequence[RoundBoard]]


@dataclass(frozen=True, slots=True)
class Entry:
    """What the files of a round have of one of its boards."""

    game: bytes
    """`game-M.json`."""
    pgn: str
    row: str
    """In the page."""


class Entries:
    """The entries of all boards. A hall has hundreds of games, most of which are as they were a
    moment ago: an entry is kept until its game, its players, its place or its board change."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], tuple[tuple[object, ...], Entry]] = {}
        """By round and place, with what it was made of."""

    def of_round(
        self, number: int, boards: Sequence[RoundBoard], serials: Mapping[str, str]
    ) -> list[Entry]:
        """In the order of the boards. `serials`: of boards, by table."""
        found = []
        for place, board in enumerate(boards, 1):
            serial, score = serials.get(board.match.table, ""), board.score
            made_of = (board.match, serial, score and (score.game, score.changes))
            kept = self._kept.get((number, place))
            if kept is None or kept[0] != made_of:
                kept = self._kept[number, place] = made_of, _entry(place, board, serial)
            found.append(kept[1])
        return found


def files(
    hall: str, rounds: Rounds, serials: Mapping[str, str], entries: Entries
) -> dict[str, bytes]:
    """Every file by its path in the folder. `serials`: of boards, by table; `entries`: those of
    this hall, as they were made before."""
    found = {FIRST: _json(_tournament(hall, rounds, serials))}
    for number, boards in rounds.items():
        folder, made = f"round-{number}", entries.of_round(number, boards, serials)
        found[f"{folder}/index.json"] = _json(_index(boards))
        found[f"{folder}/games.pgn"] = "".join(entry.pgn for entry in made).encode()
        found[f"{folder}/index.html"] = page(hall, number, [entry.row for entry in made]).encode()
        for place, entry in enumerate(made, 1):
            found[f"{folder}/game-{place}.json"] = entry.game
            found[f"{folder}/game-{place}.pgn"] = entry.pgn.encode()
    return found


def _entry(place: int, board: RoundBoard, serial: str) -> Entry:
    parts = [] if board.score is None else playable(board.score)
    game = _json(_game(board, parts, serial))
    return Entry(game, _pgn(board, parts), row(place, board, parts))


def _json(value: object) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _tournament(hall: str, rounds: Rounds, serials: Mapping[str, str]) -> dict[str, Any]:
    every = [board.match for boards in rounds.values() for board in boards]
    return {
        "id": hall,
        "name": hall,
        "location": None,
        "country": None,
        "website": None,
        "rules": "STANDARD",
        "chess960": "ANY" if any(_shuffled(match) for match in every) else "STANDARD",
        "timecontrol": _rate(every[-1].periods) if every else None,
        "rounds": [
            _round(rounds.get(number, ())) for number in range(1, max(rounds, default=0) + 1)
        ],
        "eboards": sorted(serial for serial in serials.values() if serial),
    }


def _round(boards: Sequence[RoundBoard]) -> dict[str, int]:
    return {"count": len(boards), "live": int(any(_live(board) for board in boards))}


def _rate(periods: tuple[Period, ...]) -> str | None:
    """`25m+10s`; of several periods the first."""
    if not periods:
        return None
    first = periods[0]
    credit = f"+{first.increment_ms // 1000}s" if first.increment_ms else ""
    return f"{first.base_ms // 60_000}m{credit}"


def _index(boards: Sequence[RoundBoard]) -> dict[str, Any]:
    days = [board.score.date for board in boards if board.score is not None]
    return {
        "date": min(days, default=None),
        "pairings": [
            {
                "white": _player(board.match.white, board.match.white_player),
                "black": _player(board.match.black, board.match.black_player),
                "result": "*" if board.score is None else result_of(board.score),
                "live": _live(board),
            }
            for board in boards
        ],
    }


def _player(name: str, known: Player) -> dict[str, Any]:
    last, _, first = (part.strip() for part in name.partition(","))
    return {
        "fname": first or None,
        "mname": None,
        "lname": last or None,
        "title": known.title or None,
        "federation": known.federation or None,
        "gender": None,
        "fideid": known.fide_id or None,
    }


def _shuffled(match: Match) -> bool:
    return Custom.SHUFFLED in ruleset(match.ruleset).customs


def _live(board: RoundBoard) -> bool:
    return board.score is not None and board.score.result is None


def _game(board: RoundBoard, parts: Sequence[Stretch], serial: str) -> dict[str, Any]:
    score = board.score
    number = _start_number(board.match, score)
    told = parts[0].moves if parts and number is not None else ()
    return {
        "live": _live(board),
        "serialNr": serial or None,
        "firstMove": None if score is None else from_rfc3339(score.began_at) // 1_000_000,
        "chess960": USUAL_960 if number is None else number,
        "result": None if score is None else RESULTS.get(result_of(score)),
        "comment": ELSEWHERE if len(parts) > 1 or number is None else None,
        "clock": _clock(told),
        "moves": _moves(told),
    }


def _start_number(match: Match, score: Score | None) -> int | None:
    """Of the 960; None: the game began elsewhere, or is no game of chess."""
    fen = (score.start if score is not None else "") or match.fen
    try:
        return chess.Board(fen, chess960=True).chess960_pos(ignore_counters=True)
    except ValueError:
        return None


def _moves(moves: Sequence[ScoreMove]) -> list[str]:
    found = []
    before: ScoreMove | None = None
    for move in moves:
        used_ms = elapsed_ms(move, before)
        clock = "" if move.clock_ms is None else str(move.clock_ms // 1000)
        used = "" if used_ms is None else f"+{used_ms // 1000}"
        found.append(f"{move.san} {clock}{used}".rstrip())
        before = move
    return found


def _clock(moves: Sequence[ScoreMove]) -> dict[str, int | None]:
    """Both clocks in seconds as last read, and when, in milliseconds since 1970."""
    sides: dict[str, int | None] = {"white": None, "black": None}
    at = ""
    for move in moves:
        if move.clock_ms is not None:
            sides[move.color] = move.clock_ms // 1000
            at = move.completed_at or move.made_at
    return {**sides, "time": from_rfc3339(at) // 1_000_000 if at else None}


def _pgn(board: RoundBoard, parts: Sequence[Stretch]) -> str:
    """A game that has not begun has its tags, so that readers count alike."""
    score = board.score
    if score is None:
        begun = Score("", board.match, "", 0)
        return HEAD + lines_of(begun, "", "*") + "*\n\n"
    return HEAD + "".join(safe_parts(score, parts) if is_game(score) else ())
