"""The hall as a terminal knows it: fed by the service's event stream, asked by the screen. Pure.

event: state      lines of the stream, as they come
data: {…}
(empty line)      the message is whole
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import msgspec

from arbiterd.messages import topics
from arbiterd.messages.payloads import Device, Ruling, State, Status
from arbiterd.messages.times import from_rfc3339

FRESH_NS = 7_000_000_000
"""The stream says the time after five seconds of silence; longer than this nothing is known."""
SECOND_NS = 1_000_000_000


class EventLines:
    """Puts the lines of a server-sent stream together."""

    def __init__(self) -> None:
        self._kind, self._data = "", ""

    def line(self, text: str) -> tuple[str, str] | None:
        """A message's kind and data, once its last line has come."""
        if not text:
            kind, data = self._kind, self._data
            self._kind = self._data = ""
            return (kind, data) if kind else None
        name, _, value = text.partition(": ")
        if name == "event":
            self._kind = value
        elif name == "data":
            self._data += value
        return None


@dataclass
class TopHall:
    """What has been told. Times `here_ns` are of the terminal's own steady clock."""

    status: Status | None = None
    tables: dict[str, State] = field(default_factory=dict)
    devices: dict[str, Device] = field(default_factory=dict)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    connected: bool = False
    link: str = "live"
    """How the service hears it, where it is another hall: live, offline, silent or never."""
    heard: str = ""
    """When another hall said something last."""
    _speed: float = 1.0
    _told_ns: int = 0
    """The service's time when it last spoke …"""
    _heard_ns: int = 0
    """… and the time here."""

    def take(self, kind: str, data: str, here_ns: int) -> None:
        """One message of the stream. Raises msgspec.ValidationError for what is no payload."""
        now_ns = self.now_ns(here_ns)
        match kind:
            case "hello":
                self.tables, self.devices, self.rulings = {}, {}, {}
                said = json.loads(data)
                now_ns, self._speed = from_rfc3339(said["at"]), float(said["speed"])
                self.connected = True
            case "time":
                now_ns = from_rfc3339(json.loads(data)["at"])
            case "status":
                self.status = msgspec.json.decode(data, type=Status)
            case "state":
                state = msgspec.json.decode(data, type=State)
                self.tables[state.table] = state
            case "device":
                device = msgspec.json.decode(data, type=Device)
                self.devices[device.table] = device
            case "ruling":
                ruling = msgspec.json.decode(data, type=Ruling)
                self.rulings[ruling.id] = ruling
            case "cleared":
                self._cleared(json.loads(data)["topic"])
        self._told_ns, self._heard_ns = now_ns, here_ns

    def _cleared(self, topic: str) -> None:
        _, table, *rest = topic.split("/")
        if rest[:1] == ["rulings"]:
            self.rulings.pop(rest[-1], None)
        elif rest == ["state"]:
            self.tables.pop(table, None)

    def now_ns(self, here_ns: int) -> int:
        """The service's time."""
        return self._told_ns + round((here_ns - self._heard_ns) * self._speed)

    def fresh(self, here_ns: int) -> bool:
        """Whether what is shown can be believed."""
        if self.link != "live":
            return False
        return self.connected and here_ns - self._heard_ns < FRESH_NS

    def silent_s(self, here_ns: int) -> int:
        """So long nothing was heard."""
        return (here_ns - self._heard_ns) // SECOND_NS

    def alerts(self) -> list[Ruling]:
        """Most urgent first; within an urgency the oldest, which has waited longest."""
        return sorted(self.rulings.values(), key=lambda ruling: (ruling.urgency, ruling.at))

    def ordered(self) -> list[State]:
        """Tables in the order of the hall."""
        return sorted(self.tables.values(), key=lambda state: topics.place_of(state.table))

    def clock_ms(self, state: State, side: str, here_ns: int) -> int | None:
        """What a side's clock shows: it runs on while the service and the board are heard."""
        clock = state.clock
        left: Any = None if clock is None else getattr(clock, f"{side}_ms")
        if clock is None or left is None:
            return None
        ticking = clock.running == side and state.status == "playing" and state.device != "lost"
        if not ticking:
            return int(left)
        until_ns = self.now_ns(here_ns) if self.fresh(here_ns) else self._told_ns
        return max(0, int(left) - max(0, until_ns - from_rfc3339(state.at)) // 1_000_000)
