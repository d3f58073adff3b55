"""One emulated board with its clock, a cable that can be pulled, and the table behind it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from arbiterd.messages.commands import read_command
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.table.inputs import Input, ServiceStarted, act_said
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.codec import AskLog
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator
from eboards.events import EMPTY, LinkDown, LinkUp, Piece, Remembered, Square

MS = 1_000_000
SECOND = 1_000 * MS
CHESS = ruleset("chess")


class Hall:
    """One emulated board with its clock, a cable that can be pulled, and the table behind it."""

    def __init__(self) -> None:
        self.board = DgtEmulator(clock=EmulatedClock(600_000, 600_000))
        self.table = Table(TableSetup())
        self.position = CHESS.start()
        self.now_ns, self._inputs = 0, 0
        self.told: list[dict[str, Any]] = []
        self.codec: DgtCodec | None = None
        self.coming: list[tuple[int, Remembered]] = []
        self.memory_takes_ns = 0

    def plug_in(self, seconds: float = 4) -> None:
        self.codec = DgtCodec()
        self._take(LinkUp(self.now_ns, "dgt", "", self.codec.sensing))
        self.wait(int(seconds * SECOND))

    def start_service(self, heard_ns: int) -> None:
        """It was killed, or the power was cut, and had heard the table until then."""
        self.table = self.table.copied()
        self._take(ServiceStarted(self.now_ns, "1.0.0", heard_ns))

    def pull_out(self, said: bool) -> None:
        self.codec = None
        if said:
            self._take(LinkDown(self.now_ns, "the cable is out"))

    def _take(self, item: Input) -> None:
        self._inputs += 1
        step = self.table.take(self._inputs, item)
        self.told += [json.loads(o.payload) | {"topic": o.topic} for o in step.outputs if o.seq]
        for command in step.commands:
            if self.codec is not None and not (self.forgets and isinstance(command, AskLog)):
                self.codec.send(command, self.now_ns)

    def act(self, said: dict[str, Any]) -> None:
        """Of an arbiter, at this moment."""
        command = {"by": "Ana", "id": f"act-{self._inputs}", **said}
        self._take(act_said(read_command(command), self.now_ns))

    def wait(self, ns: int) -> None:
        end_ns = self.now_ns + ns
        while self.now_ns < end_ns:
            self.now_ns += 20 * MS
            if self.codec is None:
                self.board.advance(self.now_ns)
                continue
            if self.codec.due_at_ns is not None and self.codec.due_at_ns <= self.now_ns:
                out, events = self.codec.due(self.now_ns)
                self.board.receive(out, self.now_ns)
                for event in events:
                    self._take(event)
            for event in self.codec.receive(self.board.advance(self.now_ns), self.now_ns):
                if isinstance(event, Remembered):
                    self.coming.append((self.now_ns + self.memory_takes_ns, event))
                else:
                    self._take(event)
            while self.coming and self.coming[0][0] <= self.now_ns:
                self._take(replace(self.coming.pop(0)[1], at_ns=self.now_ns))
            step = self.table.due(self.now_ns)
            self.told += [json.loads(o.payload) | {"topic": o.topic} for o in step.outputs if o.seq]

    def put(self, square: Square, piece: Piece) -> None:
        self.board.set_square(square, piece, self.now_ns)
        self.wait(400 * MS)

    def make(self, text: str) -> None:
        """The half-move on the board; nobody presses."""
        move = CHESS.parse(self.position, text)
        changes = dict(CHESS.footprint(self.position, move))
        for square in CHESS.touched(self.position, move):
            if square in changes:
                self.put(square, EMPTY)
        for square, piece in changes.items():
            if piece != EMPTY:
                self.put(square, piece)
        self.position = CHESS.play(self.position, move)

    def play(self, text: str) -> None:
        side = CHESS.turn(self.position)
        self.make(text)
        if not self.started:
            self.board.start(self.now_ns)
            self.started = True
        self.board.press("left" if side is Colour.WHITE else "right", self.now_ns)
        self.wait(2 * SECOND)

    started = False
    forgets = False
    """Its memory is asked for in vain."""

    @property
    def moves(self) -> list[dict[str, Any]]:
        return [told for told in self.told if told["topic"] == "moves"]

    @property
    def rulings(self) -> list[dict[str, Any]]:
        """Each as it was told last."""
        newest = {told["id"]: told for told in self.told if told["topic"] == "rulings"}
        return list(newest.values())
