"""A story played out over a wire: emulated board, wire, codec and the whole table.

    hands ─▶ emulated board ─▶ wire ─▶ codec ─▶ table ─▶ outputs
                                ▲                 │
                                └──── commands ───┘

Which board, which wire and what is asked of the outputs is each benchmark's own.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Protocol, Self

from arbiterd.messages.step import Output, Step
from arbiterd.simulation.examiner import Examiner
from arbiterd.simulation.virtual import VirtualTime
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Rate
from eboards.codec import Codec, DeviceCommand
from eboards.events import DeviceEvent, Fault, LinkUp


class WireEnd(Protocol):
    """The board's end of a wire, as the computer has it."""

    @property
    def due_at_ns(self) -> int | None: ...

    def receive(self, data: bytes, at_ns: int) -> None: ...

    def advance(self, at_ns: int) -> bytes: ...


class PlayedOut:
    """One game until `end_ns`; a party of virtual time."""

    def __init__(self, codec: Codec, wire: WireEnd, rate: Rate, end_ns: int) -> None:
        self.table = Table(TableSetup(table="1", rate=rate, simulated=True))
        self.outputs: list[Output] = []
        """What is told: every output with a `seq`."""
        self.events: list[DeviceEvent] = []
        self.heard: list[tuple[int, bytes]] = []
        self._codec, self._end = codec, wire
        self._examiner = Examiner()
        self._up = False
        self._end_ns = end_ns

    def run(self) -> Self:
        """The whole game, by itself."""
        VirtualTime([self]).run()
        return self

    @property
    def due_at_ns(self) -> int | None:
        times = [self._codec.due_at_ns, self._end.due_at_ns, self.table.due_at_ns]
        times.append(self._examiner.due_at_ns)
        due_ns = min((time for time in times if time is not None), default=self._end_ns + 1)
        return max(0, due_ns) if due_ns <= self._end_ns else None

    def due(self, at_ns: int) -> None:
        if self._codec.due_at_ns is not None and self._codec.due_at_ns <= at_ns:
            out, events = self._codec.due(at_ns)
            self._end.receive(out, at_ns)
            self._take(events, at_ns)
        data = self._end.advance(at_ns)
        if data:
            self.heard.append((at_ns, data))
        self._take(self._codec.receive(data, at_ns), at_ns)
        self._keep(self.table.due(at_ns), at_ns)
        for answer in self._examiner.answers(at_ns):
            self._keep(self.table.take(len(self.events), answer), at_ns)
        self._examiner.asked(self.table.questions, at_ns)

    def _take(self, events: list[DeviceEvent], at_ns: int) -> None:
        if events and not self._up and not all(isinstance(event, Fault) for event in events):
            self._up = True
            events = [LinkUp(at_ns, self._codec.driver, "", self._codec.sensing), *events]
        for event in events:
            self.events.append(event)
            self._keep(self.table.take(len(self.events), event), at_ns)

    def _keep(self, step: Step, at_ns: int) -> None:
        self.outputs += [output for output in step.outputs if output.seq is not None]
        self._command(step.commands, at_ns)

    def _command(self, commands: Collection[DeviceCommand], at_ns: int) -> None:
        """What the table asks of its board goes to it."""
        for command in commands:
            self._end.receive(self._codec.send(command, at_ns), at_ns)

    def told(self, topic: str) -> list[dict[str, Any]]:
        return [json.loads(o.payload) for o in self.outputs if o.topic == topic and o.payload]
