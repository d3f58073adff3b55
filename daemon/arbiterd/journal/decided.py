"""How the game ended that a table's present one followed: the pieces are set up again after it."""

from __future__ import annotations

import msgspec

from arbiterd.journal.reader import JournalReader
from arbiterd.journal.roster import Roster
from arbiterd.messages.payloads import Result
from arbiterd.messages.topics import RESULT


def result_before(read: JournalReader, table: str, round_number: int | None, game: str) -> str:
    """The result of the game before `game` at this table, as the round has it.

    Empty: that one has none, is to be played again, was of another round, or an arbiter has begun
    `game` in its place.
    """
    row = read.newest(table, RESULT)
    if row is None or not row.payload:
        return ""
    told = msgspec.json.decode(row.payload, type=Result)
    began_ns = Roster(read, table).rounds_began().get(round_number or 1)
    if told.result in (None, "replay") or began_ns is None or row.at_ns < began_ns:
        return ""
    return str(told.result) if _number(told.game) == _number(game) - 1 else ""


def _number(game: str) -> int:
    return int(game.rpartition("-")[2])
