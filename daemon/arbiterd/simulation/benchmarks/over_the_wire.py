"""A real game over a family's wire: hands, board, wire, codec and the whole table."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final

from arbiterd.messages.step import Output, Step
from arbiterd.simulation.devices.clock import STANDARD
from arbiterd.simulation.devices.wires import KINDS, LEAD_NS
from arbiterd.simulation.dice import dice
from arbiterd.simulation.examiner import Examiner
from arbiterd.simulation.game import StagedGame, follow
from arbiterd.simulation.hands.handplayed import HandPlayed
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import CLEAN, MS, SECOND, Pace
from arbiterd.simulation.virtual import VirtualTime
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.certabo.codec import CertaboCodec
from eboards.codec import Codec
from eboards.events import DeviceEvent, Fault, LinkUp
from eboards.registry import family

BRISK: Final = replace(CLEAN, pace=Pace(6 * SECOND, 700 * MS, 500 * MS, 500 * MS, published=False))
"""Hands that take what they capture in one stroke; the hardest there is to see."""
AFTER_NS: Final = 10 * SECOND
CLOSING: Final = frozenset(("result-missing", "clock-paused-by-player"))
"""What the end of a game may raise by itself, beside what the board itself says."""


class WiredGame:
    """One game on one kind of board; a party of virtual time."""

    def __init__(self, game: StagedGame, kind: str, seed: str) -> None:
        self._line = follow(game)
        self.game = game
        self.story = play(self._line, BRISK, dice(seed), LEAD_NS)
        board = KINDS[kind]
        device = board.device(self.story.before, dice(f"{seed}/device"), STANDARD)
        self._codec = board.codec(device)
        self._wire = board.wire(HandPlayed(device, self.story), dice(f"{seed}/wire"))
        self.table = Table(TableSetup(table="1", rate=STANDARD, simulated=True))
        self.outputs: list[Output] = []
        self.events: list[DeviceEvent] = []
        self.heard: list[tuple[int, bytes]] = []
        self._examiner = Examiner()
        self._up = False
        self._end_ns = self.story.end_ns + AFTER_NS

    def run(self) -> WiredGame:
        """The whole game, by itself."""
        VirtualTime([self]).run()
        return self

    def fresh_codec(self) -> Codec:
        """One that has heard nothing yet, with the pieces that this game's codec was taught."""
        if isinstance(self._codec, CertaboCodec):
            return CertaboCodec(self._codec.tags)
        return family(self._codec.driver).codec()

    @property
    def due_at_ns(self) -> int | None:
        times = [self._codec.due_at_ns, self._wire.due_at_ns, self.table.due_at_ns]
        times.append(self._examiner.due_at_ns)
        due_ns = min((time for time in times if time is not None), default=self._end_ns + 1)
        return max(0, due_ns) if due_ns <= self._end_ns else None

    def due(self, at_ns: int) -> None:
        if self._codec.due_at_ns is not None and self._codec.due_at_ns <= at_ns:
            out, events = self._codec.due(at_ns)
            self._wire.receive(out, at_ns)
            self._take(events, at_ns)
        said = self._wire.advance(at_ns)
        if said:
            self.heard.append((at_ns, said))
        self._take(self._codec.receive(said, at_ns), at_ns)
        self._keep(self.table.due(at_ns))
        for answer in self._examiner.answers(at_ns):
            self._keep(self.table.take(len(self.events), answer))
        self._examiner.asked(self.table.questions, at_ns)

    def _take(self, events: list[DeviceEvent], at_ns: int) -> None:
        if events and not self._up and not all(isinstance(event, Fault) for event in events):
            self._up = True
            events = [LinkUp(at_ns, self._codec.driver, "", self._codec.sensing), *events]
        for event in events:
            self.events.append(event)
            self._keep(self.table.take(len(self.events), event))

    def _keep(self, step: Step) -> None:
        self.outputs += [output for output in step.outputs if output.seq is not None]

    # What came out.

    def told(self, topic: str) -> list[dict[str, Any]]:
        return [json.loads(o.payload) for o in self.outputs if o.topic == topic and o.payload]

    @property
    def moves(self) -> tuple[str, ...]:
        """The record as its reader has it in the end."""
        record: list[str] = []
        for move in self.told("moves"):
            record[move["ply"] - 1 : move["ply"]] = [move["uci"]] if move["uci"] else []
        return tuple(record)

    @property
    def exact(self) -> bool:
        return self.moves == self.game.moves

    @property
    def said_so(self) -> bool:
        """Where the record is not the game it is told as likely, or the board as lost."""
        plies = enumerate(zip_longest(self.game.moves, self.moves), start=1)
        wrong = next((ply for ply, (true, told) in plies if true != told), None)
        doubted = {move["ply"] for move in self.told("moves") if move["certainty"] == "likely"}
        return wrong is None or wrong in doubted or "tech-gap" in self._alarms

    @property
    def _alarms(self) -> list[str]:
        rulings = self.told("rulings")
        return [r["kind"] for r in rulings if r["state"] == "open" and r["urgency"] in (1, 2)]

    @property
    def false(self) -> list[str]:
        """What somebody would have been called for, and should not have been."""
        true = set(CLOSING)
        if self._line.rules.end(self._line.positions[-1]) is not None:
            true |= {"end-checkmate", "end-stalemate", "end-dead"}
        if not self.exact:
            true.add("tech-gap")
        return [kind for kind in self._alarms if kind not in true]

    @property
    def faults(self) -> int:
        return sum(isinstance(event, Fault) for event in self.events)
