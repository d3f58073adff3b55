"""One half-move of a recording or a journal: what was seen, what stood, when it was told, and why.

inputs ─▶ the table ─▶ after each: the lines held ─┐
                       outputs: the half-move ─────┴─▶ Explanation
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from arbiterd.messages.step import Step
from arbiterd.messages.times import rfc3339
from arbiterd.messages.topics import MOVES
from arbiterd.rules.ruleset import Colour
from arbiterd.table.inputs import Input
from arbiterd.table.table import Table
from arbiterd.tracking.hypothesis import Held
from eboards.events import Scan, SquareChange

MOMENTS_MAX: Final = 200
"""So many looks are kept of one half-move; of more, the newest."""
HYPOTHESES_MAX: Final = 6
"""So many lines are shown of one look, the best."""


class Moment(Struct, frozen=True):
    """One input, and what was held after it."""

    at: str
    seen: str
    """The observation; empty: time went on."""
    held: tuple[Held, ...]


class Telling(Struct, frozen=True):
    """The half-move as it was told, or told again, and the looks since the telling before."""

    at: str
    game: str
    ply: int
    uci: str | None
    how: str | None
    certainty: str
    probability: float
    margin: float | None
    """In nats, between the best line and the best in which this half-move is another; None: no
    such line was held."""
    alternatives: tuple[str, ...]
    moments: tuple[Moment, ...]


class Explainer:
    """Watches a table; `tellings` are those of one half-move."""

    def __init__(self, ply: int) -> None:
        self._ply = ply
        self._moments: list[Moment] = []
        self._held: tuple[Held, ...] = ()
        self.tellings: list[Telling] = []
        self._runs: Colour | None = None

    def watch(self, table: Table, at_ns: int, item: Input | None, step: Step) -> None:
        """After each step."""
        told = [
            msgspec.json.decode(output.payload) for output in step.outputs if output.topic == MOVES
        ]
        # What the silence before this input meant was told before it came.
        due = [said for said in told if said["at"] < rfc3339(at_ns)]
        for said in due:
            self._told(said, self._held or table.view.tracker.hypotheses())
        self._look(table, at_ns, item)
        for said in told[len(due) :]:
            self._told(said, self._held)
        if len(table.view.tracker.record.plies) > self._ply + 1:
            self._moments.clear()

    def _look(self, table: Table, at_ns: int, item: Input | None) -> None:
        """What is held after this input."""
        self._held = held = table.view.tracker.hypotheses()
        newest = held[0].ply
        if newest >= self._ply - 1:
            seen = self._pressed(table) or ("" if item is None else _said(table, item))
            before = self._moments[-1].held if self._moments else None
            if seen or held != before:
                self._moments.append(Moment(rfc3339(at_ns), seen, held[:HYPOTHESES_MAX]))
                del self._moments[:-MOMENTS_MAX]
        else:
            self._moments.clear()
            self._runs = table.view.tracker.clock_runs[0]

    def _pressed(self, table: Table) -> str:
        before, self._runs = self._runs, table.view.tracker.clock_runs[0]
        if self._runs in (None, before):
            return ""
        return f"{self._runs.other.name.capitalize()} pressed"

    def _told(self, said: dict[str, Any], held: tuple[Held, ...]) -> None:
        if said["ply"] != self._ply:
            return
        self.tellings.append(
            Telling(
                at=said["at"],
                game=said["game"],
                ply=said["ply"],
                uci=said["uci"],
                how=said.get("how"),
                certainty=said["certainty"],
                probability=said["probability"],
                margin=_margin(self._ply, said["uci"], held),
                alternatives=tuple(said["alternatives"]),
                moments=tuple(self._moments),
            )
        )
        self._moments.clear()


def _margin(ply: int, move: str | None, held: tuple[Held, ...]) -> float | None:
    """Castling is written as the rules write it, so lines are compared by their best one."""
    mine = _move_at(held[0], ply) or move
    others = [line.nats for line in held if _move_at(line, ply) != mine]
    return min(others) - held[0].nats if others else None


def _move_at(line: Held, ply: int) -> str | None:
    place = ply - line.ply - 1 + len(line.moves)
    return line.moves[place] if 0 <= place < len(line.moves) else None


def _said(table: Table, item: Input) -> str:
    """An observation, for people; empty for what tells tracking nothing."""
    names = table.view.rules.geometry.names
    match item:
        case SquareChange():
            square = names[table.view.board.square(table.view.rules, item.square)]
            return f"{square} empty" if item.piece == "." else f"{square} shows {item.piece}"
        case Scan():
            return "the whole board"
        case _:
            return ""
