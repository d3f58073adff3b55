"""What the gate has let through, carried to a process of its own and kept there.

    gate, book ─▶ MirrorFeed ─▶ frames ─▶ Mirror ─▶ the public's pages, in their own process

No frame holds anything that is not public at the time it is made. A frame is its length in four
bytes and a message; a mirror that begins is given all that the gate still keeps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from arbiterd.journal.live import NumberedEvent
from arbiterd.journal.pulse import Pulse
from arbiterd.messages.topics import place_of
from arbiterd.outlets.public.gate import DelayGate
from arbiterd.outlets.public.released import Released

LENGTH = 4
FRAME_MAX = 1 << 28
"""A longer frame is none of ours."""


class Said(msgspec.Struct, frozen=True, array_like=True, tag="said"):
    """Events in their order, by number, table, topic and payload."""

    events: tuple[tuple[int, str, str, bytes], ...]


class Retained(msgspec.Struct, frozen=True, array_like=True, tag="retained"):
    """New payloads of retained topics."""

    payloads: dict[str, bytes]


class Games(msgspec.Struct, frozen=True, array_like=True, tag="games"):
    """All games of a table as texts, with their rounds, in order."""

    table: str
    texts: tuple[tuple[int, str], ...]


class Beat(msgspec.Struct, frozen=True, array_like=True, tag="beat"):
    """The public's time, and whether the service does its work."""

    now_ns: int
    speed: float
    ill: bool


class Renew(msgspec.Struct, frozen=True, array_like=True, tag="renew"):
    """The certificate's files hold another one."""


Frame = Said | Retained | Games | Beat | Renew
_DECODER: msgspec.msgpack.Decoder[Frame] = msgspec.msgpack.Decoder(Frame)


def framed(frame: Frame) -> bytes:
    """As it goes over the pipe."""
    body = msgspec.msgpack.encode(frame)
    return len(body).to_bytes(LENGTH) + body


def read_frame(body: bytes) -> Frame:
    """Raises msgspec.DecodeError."""
    return _DECODER.decode(body)


class MirrorFeed:
    """What one mirror has been told, and what is new to it."""

    def __init__(self, gate: DelayGate) -> None:
        self._gate = gate
        self._told: int | None = None
        """The newest event that was told; None: nothing was."""
        self._mark = -1
        self._retained: Mapping[str, bytes] = {}
        self._games: dict[str, tuple[tuple[int, str], ...]] = {}

    def news(self) -> Iterator[Frame]:
        """Events first, then the states that include them."""
        if self._mark == self._gate.mark and self._retained is self._gate.retained():
            return
        self._mark = self._gate.mark
        events = self._gate.kept(self._told)
        if events:
            rows = tuple((each.number, table, each.topic, each.payload) for table, each in events)
            self._told = events[-1][1].number
            yield Said(rows)
        retained = self._gate.retained()
        if retained is not self._retained:
            before, self._retained = self._retained, retained
            yield Retained({t: p for t, p in retained.items() if before.get(t) != p})

    def texts(self, games: Mapping[str, tuple[tuple[int, str], ...]]) -> Iterator[Frame]:
        """The tables whose games read differently now."""
        for table in [*games, *(self._games.keys() - games.keys())]:
            texts = games.get(table, ())
            if self._games.get(table, ()) != texts:
                yield Games(table, texts)
        self._games = dict(games)


class Mirror:
    """The public's reader and scores, as far as the frames have told them."""

    def __init__(self) -> None:
        self._released = Released()
        self._retained: Mapping[str, bytes] = {}
        self._texts: dict[str, tuple[tuple[int, str], ...]] = {}
        self._pulse = Pulse()
        self.beat = Beat(0, 1.0, ill=True)

    def take(self, frame: Frame) -> None:
        match frame:
            case Said(events):
                for number, table, topic, payload in events:
                    self._released.put(table, NumberedEvent(number, topic, payload))
                self._pulse.beat()
            case Retained(payloads):
                self._retained = {**self._retained, **payloads}
                self._pulse.beat()
            case Games(table, texts):
                self._texts[table] = texts
            case Beat():
                self.beat = frame

    # Of a reader.

    def retained(self) -> Mapping[str, bytes]:
        return self._retained

    @property
    def last(self) -> int:
        return self._released.last

    async def after(self, number: int, limit: int) -> Sequence[NumberedEvent]:
        """Who was away for longer than what is kept is given the oldest that is."""
        return self._released.after(number, limit)

    async def timeline(self, table: str, after_seq: int, limit: int) -> Sequence[NumberedEvent]:
        return self._released.timeline(table, after_seq, limit)

    @property
    def mark(self) -> int:
        return self._pulse.mark

    async def changed(self, mark: int) -> None:
        await self._pulse.changed(mark)

    # Of scores.

    async def of_round(self, number: int) -> str | None:
        """All games of a round, table by table."""
        texts = (self._texts[table] for table in sorted(self._texts, key=place_of))
        return "".join(text for games in texts for no, text in games if no == number) or None

    async def of_table(self, table: str) -> str | None:
        """Its present game."""
        games = self._texts.get(table, ())
        return games[-1][1] if games else None
