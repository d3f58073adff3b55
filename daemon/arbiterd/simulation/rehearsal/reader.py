"""Who listens to the broker from the first message to the last, and forgets nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from arbiterd.messages import topics

TellWrong = Callable[[str, str], None]
"""Takes a rule and what is wrong with it, in a sentence."""

OF_THE_END: Final = ("end-", "result-", "tech-", "clock-paused")
"""Rulings that accuse nobody: how games end, and what the devices do."""

REMEMBERED: Final = 1_000
"""Events of a table that are held against what comes twice."""


@dataclass
class GameTold:
    """The record of one game, as a reader holds it."""

    record: dict[int, str | None] = field(default_factory=dict)
    """Half-moves by ply."""
    doubts: list[int] = field(default_factory=list)
    """Plies of which something unsure was told."""

    @property
    def moves(self) -> tuple[str | None, ...]:
        return tuple(self.record[ply] for ply in sorted(self.record))


@dataclass(slots=True)
class TableTold:
    """What one table has told."""

    table: str
    events: dict[int, bytes] = field(default_factory=dict)
    """Digests of the newest by `seq`: those behind `complete`, and some before."""
    complete: int = 0
    """Up to this one every `seq` was told."""
    last: dict[str, int] = field(default_factory=dict)
    """The newest `seq` of each topic."""
    games: dict[str, GameTold] = field(default_factory=dict)
    """In the order in which they were first told of."""
    rulings: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The newest word on each, by its id."""
    kinds: set[str] = field(default_factory=set)

    @property
    def newest(self) -> int:
        return max(self.events, default=0)

    def add(self, seq: int, digest: bytes) -> None:
        """Forgets what is long told: should it come again, the journal is asked for it alone."""
        self.events[seq] = digest
        while self.complete + 1 in self.events:
            self.complete += 1
            self.events.pop(self.complete - REMEMBERED, None)


class RehearsalReader:
    """Checks each message as it comes."""

    def __init__(self, hall: str, wrong: TellWrong) -> None:
        self._root = topics.hall(hall)
        self._wrong = wrong
        self.tables: dict[str, TableTold] = {}
        self.replies: dict[str, list[dict[str, Any]]] = {}
        """Answers by the command's id."""
        self.unproved: set[tuple[str, str, bytes]] = set()
        """Table, topic and payload of what the journal is still to be asked for."""
        self.count = 0
        self._digest = hashlib.sha256()

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()

    def note(self, text: str) -> None:
        """More that has to be the same in the same run."""
        self._digest.update(text.encode())

    def hear(self, topic: str, payload: bytes) -> None:
        self.count += 1
        self._digest.update(topic.encode() + b"\0" + payload + b"\0")
        place, _, rest = topic.removeprefix(f"{self._root}/").partition("/")
        if place != "tables" or not payload:
            return
        table, _, leaf = rest.partition("/")
        if leaf.startswith("command"):
            return
        if leaf in topics.EVENTS:
            self._event(self.told(table), leaf, payload)
        elif leaf.startswith(topics.REPLY):
            said = json.loads(payload)
            self.replies.setdefault(said["id"], []).append(said)
            if not said["ok"]:
                return
        if leaf != topics.STATE:
            self.unproved.add((table, leaf, payload))

    def told(self, table: str) -> TableTold:
        return self.tables.setdefault(table, TableTold(table))

    def _event(self, told: TableTold, leaf: str, payload: bytes) -> None:
        said = json.loads(payload)
        seq, prev = said["seq"], said["prev"]
        digest = hashlib.blake2b(payload, digest_size=16).digest()
        if seq <= told.complete or seq in told.events:
            if told.events.get(seq, digest) != digest:
                self._wrong("told twice, otherwise", f"table {told.table}, seq {seq}")
            return
        told.add(seq, digest)
        last = told.last.get(leaf)
        if prev != last:
            words = f"table {told.table}, {leaf}: seq {seq} follows {prev}, and {last} was told"
            self._wrong("an event is missing", words)
        told.last[leaf] = seq
        if leaf == topics.MOVES:
            self._move(told, said)
        elif leaf == topics.RULINGS:
            self._ruling(told, said)

    def _move(self, told: TableTold, said: dict[str, Any]) -> None:
        ply, irregular = said["ply"], said.get("irregular", False)
        game = told.games.setdefault(said["game"], GameTold())
        if said["certainty"] == "likely" or irregular:
            game.doubts.append(ply)
        if "replaces" in said and said["uci"] is None and not irregular:
            game.record.pop(ply, None)
        else:
            game.record[ply] = said["uci"]
        if sorted(game.record) != list(range(1, len(game.record) + 1)):
            words = f"table {told.table}, game {said['game']}: {sorted(game.record)}"
            self._wrong("a hole in the record", words)

    def _ruling(self, told: TableTold, said: dict[str, Any]) -> None:
        told.rulings[said["id"]] = said
        told.kinds.add(said["kind"])

    def whole(self) -> None:
        """Once all has been delivered: no number is missing."""
        for told in self.tables.values():
            missing = sorted(set(range(told.complete + 1, told.newest + 1)) - set(told.events))
            if missing:
                self._wrong("seq has a gap", f"table {told.table} never told {missing[:5]}")
