"""A game on a DGT board from which single messages are lost, or come late.

    hands ─▶ emulated board ─▶ wire that loses or keeps back messages ─▶ codec ─▶ whole table

Nobody at this table does anything wrong, so whatever is said of the players is false.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import zip_longest
from typing import Any, Final

from arbiterd.simulation.benchmarks.played_out import PlayedOut
from arbiterd.simulation.devices.emulated import EmulatedTable
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import StagedGame, follow
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import CLEAN, MS, SECOND, Pace, Profile
from arbiterd.timing.control import Kind, Rate, read_period
from eboards.dgt.codec import SETTLE_NS, DgtCodec
from eboards.dgt.frame import DgtFramer

RATES: Final = {
    "standard": Rate(periods=(read_period("90:00+30"),)),
    "rapid": Rate(Kind.RAPID, True, (read_period("15:00+10"),)),
}
STEADY: Final = replace(CLEAN, pace=Pace(5 * SECOND, 700 * MS, 500 * MS, 500 * MS, published=False))
"""Hands that do nothing but move, and press."""
BRISK: Final = replace(STEADY, pace=replace(STEADY.pace, think_ns=1500 * MS))
"""The same in a hurry: a reply has begun before a late picture comes."""
AFTER_NS: Final = 15 * SECOND
LEVER_AT: Final = 9
LEVER_BIT: Final = 0x02
"""Where a message of the clock says which way its lever lies."""
DUMP_ASKED: Final = 0x42


def forty_moves(games: Iterable[StagedGame]) -> StagedGame:
    """The game nearest to forty moves, the first of them."""
    return min(games, key=lambda game: abs(len(game.moves) - 80))


class Message(StrEnum):
    """What a wire can lose."""

    CHANGE = "change"
    PICTURE = "picture"
    PRESS = "press"
    """A message of the clock that shows another lever."""
    SECOND = "second"
    """Any other message of the clock."""


@dataclass(frozen=True, slots=True)
class LostMessages:
    """Which messages never arrive: numbers in the order of the wire, of changes, pictures and
    presses together, and of the clock's seconds."""

    messages: frozenset[int] = frozenset()
    seconds: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Late:
    """How long a loaded machine takes before it asks for a picture, or hears the clock."""

    picture_ns: int = 0
    clock_ns: int = 0


class LossyWire:
    """Between the board and its codec."""

    def __init__(self, device: EmulatedTable, loss: LostMessages, late: Late) -> None:
        self._device, self._loss, self._late = device, loss, late
        self._framer = DgtFramer()
        self._lever: int | None = None
        self._asked: list[tuple[int, bytes]] = []
        self._clock: list[tuple[int, bytes]] = []
        self.said: list[Message] = []
        """Changes, pictures and presses in the order of the wire, those that were lost too."""
        self.seconds = 0

    @property
    def lost(self) -> frozenset[int]:
        """Numbers of the messages that never arrive."""
        return self._loss.messages

    @property
    def due_at_ns(self) -> int | None:
        times = [at_ns for at_ns, _ in (*self._asked[:1], *self._clock[:1])]
        if self._device.due_at_ns is not None:
            times.append(self._device.due_at_ns)
        return min(times, default=None)

    def receive(self, data: bytes, at_ns: int) -> None:
        """Bytes from the computer."""
        if self._late.picture_ns and DUMP_ASKED in data:
            self._asked.append((at_ns + self._late.picture_ns, data))
        else:
            self._device.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        """What gets through until now."""
        while self._asked and self._asked[0][0] <= at_ns:
            self._device.receive(self._asked.pop(0)[1], at_ns)
        heard = b""
        for found in self._framer.feed(self._device.advance(at_ns), at_ns):
            assert isinstance(found, bytes), "the emulated board speaks plainly"
            if not self._is_lost(found):
                if found[0] == 0x8D and self._late.clock_ns:
                    self._clock.append((at_ns + self._late.clock_ns, found))
                else:
                    heard += found
        while self._clock and self._clock[0][0] <= at_ns:
            heard += self._clock.pop(0)[1]
        return heard

    def _is_lost(self, message: bytes) -> bool:
        kind = self._kind(message)
        if kind is None:
            return False
        if kind is Message.SECOND:
            self.seconds += 1
            return self.seconds - 1 in self._loss.seconds
        self.said.append(kind)
        return len(self.said) - 1 in self._loss.messages

    def _kind(self, message: bytes) -> Message | None:
        if message[0] == 0x8E:
            return Message.CHANGE
        if message[0] == 0x86:
            return Message.PICTURE
        if message[0] != 0x8D:
            return None
        lever, before = message[LEVER_AT] & LEVER_BIT, self._lever
        self._lever = lever
        return Message.SECOND if before in (None, lever) else Message.PRESS


class LossyGame(PlayedOut):
    """One game on such a wire."""

    def __init__(
        self,
        game: StagedGame,
        rate: Rate,
        seed: str,
        loss: LostMessages = LostMessages(),
        late: Late = Late(),
        profile: Profile = STEADY,
        settle_ns: int = SETTLE_NS,
    ) -> None:
        """`settle_ns`: of quiet, before the driver asks for a picture."""
        self.game = game
        self.story = play(follow(game), profile, dice(seed))
        self.wire = LossyWire(EmulatedTable(self.story, rate), loss, late)
        codec = DgtCodec(settle_ns=settle_ns)
        super().__init__(codec, self.wire, rate, self.story.end_ns + AFTER_NS)

    # What came out.

    @property
    def exact(self) -> bool:
        """The record is the game, in the end."""
        return self.table.moves == self.game.moves

    @property
    def readers_record(self) -> list[dict[str, Any]]:
        """The entries that a reader of `moves` holds in the end, by ply."""
        held: dict[int, dict[str, Any]] = {}
        for move in self.told("moves"):
            if move["san"] is None and not move.get("irregular"):
                del held[move["ply"]]
            else:
                held[move["ply"]] = move
        return [held[ply] for ply in sorted(held)]

    @property
    def says_so(self) -> bool:
        """Where the record is not the game, something near is told as likely, or as a gap."""
        pairs = enumerate(zip_longest(self.game.moves, self.table.moves), 1)
        wrong = next((ply for ply, (true, told) in pairs if true != told), 0)
        near = [m for m in self.told("moves") if m["ply"] >= wrong - 2]
        doubted = any(m["certainty"] == "likely" or m.get("irregular") for m in near)
        return doubted or any(ruling["kind"] == "tech-gap" for ruling in self.told("rulings"))

    @property
    def accusations(self) -> list[dict[str, Any]]:
        """Rulings that say as a fact what a player did, and call somebody for it."""
        return [
            ruling
            for ruling in self.told("rulings")
            if ruling["urgency"] in (1, 2)
            and ruling["against"]
            and "fact" in (ruling["certainty"], ruling["facts"]["certainty"])
            and ruling["state"] == "open"
            and not ruling["kind"].startswith(("end-", "result-", "tech-"))
        ]
