"""The journal as JSON Lines: inputs and outputs in the order in which they were written.

    {"input": 17, "at": "…", "table": "1", "kind": "SquareChange", "said": {…}, "raw": "8e00…"}
    {"output": 9, "at": "…", "table": "1", "topic": "moves", "input": 17, "payload": {…}}

A payload that is no JSON any more is null, and its bytes stand in "damaged" in hexadecimal; without
names it is left out, as nobody knows what it says.

Without names, each person is `player 1`, `player 2` … by order of appearance. What else is known of
a player (a FIDE number is as good as a name) and what people wrote in their own words is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from arbiterd.journal.encode import BYTES
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import InputRow, OutputRow
from arbiterd.messages.times import rfc3339
from arbiterd.table.player import NOBODY

NAMES = frozenset({"white", "black", "by", "user"})
"""Keys whose text is somebody's name."""
DAMAGED = "damaged"
"""Key of the bytes of what cannot be read any more."""
OWN_WORDS = frozenset({"note", "reason", "detail", "line", "label", "error", DAMAGED})
"""An error says who came first, and quotes what was written."""
COLOURS = frozenset({"white", "black"})
PLAYERS = frozenset({"white_player", "black_player"})
"""Keys whose object says what is known of a player beside the name."""


def export(read: JournalReader, *, names: bool = True) -> Iterator[bytes]:
    """One line a row, without line ends."""
    hide = _Hiding()
    for row in read.in_order():
        said = _input(row) if isinstance(row, InputRow) else _output(row)
        yield msgspec.json.encode(said if names else hide.all_in(said))


def _input(row: InputRow) -> Mapping[str, Any]:
    return {
        "input": row.number,
        "at": rfc3339(row.at_ns),
        "table": row.table,
        "kind": BYTES if row.item is None else type(row.item).__name__,
        "said": None if row.item is None else msgspec.to_builtins(row.item),
        "raw": row.raw.hex(),
    }


def _output(row: OutputRow) -> Mapping[str, Any]:
    said = {
        "output": row.number,
        "at": rfc3339(row.at_ns),
        "table": row.table,
        "topic": row.topic,
        "seq": row.seq,
        "input": row.input,
    }
    try:
        return said | {"payload": msgspec.json.decode(row.payload) if row.payload else None}
    except ValueError:
        return said | {"payload": None, DAMAGED: row.payload.hex()}


class _Hiding:
    """Gives each name the same false one wherever it stands."""

    def __init__(self) -> None:
        self._false: dict[str, str] = {}

    def all_in(self, value: Any, key: str = "") -> Any:
        match value:
            case dict() if key in PLAYERS:
                return msgspec.to_builtins(NOBODY)
            case dict():
                return {name: self.all_in(inner, name) for name, inner in value.items()}
            case list() | tuple():
                return [self.all_in(inner, key) for inner in value]
            case str() if value and key in OWN_WORDS:
                return "…"
            case str() if value and key in NAMES and value not in COLOURS:
                return self._name(value)
            case str() if key == "topic" and "/" in value:
                leaf, _, user = value.rpartition("/")
                return f"{leaf}/{self._name(user)}" if leaf == "reply" else value
            case _:
                return value

    def _name(self, name: str) -> str:
        return self._false.setdefault(name, f"player {len(self._false) + 1}")
