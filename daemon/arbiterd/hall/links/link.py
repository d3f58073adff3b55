"""One task per device: opens it, keeps its codec going, and begins again when it is gone.

    device ─ bytes ─▶ codec ─ events ─▶ table
    device ◀─ bytes ─ codec ◀ commands ─ table

What is wrong with a device is told once, and again only when it changes; other devices never
notice.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from arbiterd.edges import Links, ServiceClock
from arbiterd.hall.links.budget import LineBudget
from arbiterd.hall.links.fragments import Fragments
from arbiterd.hall.links.noises import Noises
from eboards.bounds import bounded
from eboards.codec import Codec, DeviceCommand
from eboards.events import DeviceEvent, Fault, Geometry, LinkDown, LinkUp, Noise
from eboards.transport import Chunk, DeviceTrouble, Wire, WireError

log = logging.getLogger(__name__)

BACK_OFF_S = (0.2, 0.5, 1.0, 2.0, 5.0)
SLEPT_NS = 2_000_000_000
"""Suspended for less than this, a board has said nothing that was lost."""
EARLY_MAX = 4096
"""So much is kept of what comes before a device is known."""
SLICE = 256
"""Bytes that a codec is given at once: what they say is folded before the loop goes on."""
MARK_NS = 30_000_000_000
"""So often it is said that a line is read slowly, while it is."""
COMMANDS_MAX = 64
"""Commands that wait for a device; what comes beyond is not sent."""

Tell = Callable[[Sequence[DeviceEvent], bytes], None]
"""Takes what a read led to, and the bytes of the read."""


class Link:
    """One device of one table."""

    def __init__(
        self,
        device: str,
        driver: str,
        links: Links,
        clock: ServiceClock,
        floor_ns: Callable[[], int],
        tell: Tell,
    ) -> None:
        self.device = device
        self._driver = driver
        self._links, self._clock, self._tell = links, clock, tell
        self._floor_ns = floor_ns
        """Nothing may be stamped before this: the table has already been there."""
        self.trouble: str | None = None
        self.port = ""
        """The port that is open now."""
        self._up = False
        self._early = b""
        self._commands: deque[DeviceCommand] = deque()
        self._stir = asyncio.Event()
        """Something is ordered, or has come due."""
        self._begin_session()
        self._plugged = asyncio.Event()

    def _begin_session(self) -> None:
        self._budget = LineBudget()
        self._noises = Noises(self._budget)
        self._fragments = Fragments()
        self._unheard: deque[tuple[int, bytes]] = deque()
        """What was read and has not been looked at yet."""
        self._waited = False
        """It had to wait for its budget."""
        self._marked_ns: int | None = None
        self._geometry: Geometry | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_ns: int | None = None
        """The deadline that is waited for."""

    def send(self, command: DeviceCommand) -> bool:
        """To the device, if it is there; nothing is kept for later. False: it was not taken."""
        if not self._up or len(self._commands) >= COMMANDS_MAX:
            return False
        self._commands.append(command)
        self._stir.set()
        return True

    @property
    def unread(self) -> int:
        """Reads that were not looked at yet."""
        return len(self._unheard)

    def try_again(self) -> None:
        """Something was plugged in: a device that was missing may be there."""
        self._plugged.set()

    async def run(self) -> None:
        """Until cancelled."""
        failures = 0
        while True:
            try:
                wire, codec = await self._links.open(self.device, self._driver)
            except WireError as error:
                self._down(str(error))
            else:
                self.port = wire.port
                try:
                    await self._session(wire, codec)
                except WireError as error:
                    failures = 0 if self._up else failures
                    self._down(str(error))
                finally:
                    self.port = ""
                    wire.close()
            await self._pause(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])
            failures += 1

    async def _pause(self, seconds: float) -> None:
        """So long, or until something is plugged in."""
        self._plugged.clear()
        waiting = [
            asyncio.ensure_future(self._clock.rest(seconds)),
            asyncio.ensure_future(self._plugged.wait()),
        ]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()

    async def _session(self, wire: Wire, codec: Codec) -> None:
        """From the first byte to the loss of the device, which raises WireError."""
        self._begin_session()
        both = [
            asyncio.ensure_future(self._listen(wire, codec)),
            asyncio.ensure_future(self._keep(wire, codec)),
        ]
        try:
            ended, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            self._tell_fragments()
            for task in both:
                task.cancel()
            # A task that is stopped while it waits here stays stopped; how these end is no news.
            await asyncio.gather(*both, return_exceptions=True)
            # Either of them may have set it last; it knows this session's codec.
            self._disarm()

    async def _listen(self, wire: Wire, codec: Codec) -> None:
        """Hears what comes; the next bytes are read once all before them were heard."""
        asleep_ns = self._clock.asleep_ns()
        while True:
            chunk = await wire.read()
            self._woken(asleep_ns)
            self._cut(chunk)
            self._hear(wire, codec)
            while self._unheard:
                self._arm(codec)
                await self._clock.until(self._budget.free_at_ns(self._clock.now_ns()))
                await self._clock.rest(0)
                self._hear(wire, codec)
            self._arm(codec)

    async def _keep(self, wire: Wire, codec: Codec) -> None:
        """Does what is due and what is ordered."""
        asleep_ns = self._clock.asleep_ns()
        while True:
            self._arm(codec)
            await self._stir.wait()
            self._stir.clear()
            self._woken(asleep_ns)
            while self._commands:
                self._write(wire, codec.send(self._commands.popleft(), self._now_ns()))
            self._due(wire, codec)

    def _arm(self, codec: Codec) -> None:
        """Has the next deadline kept where it comes before the one that is waited for.

        One that comes too early finds nothing due, and costs less than to be set anew at each read.
        """
        due_ns = self._due_at_ns(codec)
        if due_ns is not None and (self._alarm_ns is None or due_ns < self._alarm_ns):
            self._disarm()
            self._alarm = self._clock.wake_at(due_ns, partial(self._rings, codec))
            self._alarm_ns = due_ns

    def _rings(self, codec: Codec) -> None:
        self._disarm()
        due_ns = self._due_at_ns(codec)
        if due_ns is not None and due_ns <= self._clock.now_ns():
            self._stir.set()
        else:
            self._arm(codec)

    def _disarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._alarm_ns = None

    def _cut(self, chunk: Chunk) -> None:
        data = chunk.data
        parts = [data[begin : begin + SLICE] for begin in range(0, len(data), SLICE)]
        self._unheard += [(chunk.at_ns, part) for part in parts or (b"",)]

    def _due_at_ns(self, codec: Codec) -> int | None:
        """When something is to be done if nothing comes: by the codec, or with what waits here."""
        first_ns = codec.due_at_ns
        for at_ns in (self._noises.due_at_ns, self._fragments.due_at_ns):
            if at_ns is not None and (first_ns is None or at_ns < first_ns):
                first_ns = at_ns
        return first_ns

    def _hear(self, wire: Wire, codec: Codec) -> None:
        """The next bytes, if this line may say more now; the loop goes on between two parts."""
        now_ns = self._clock.now_ns()
        if self._budget.free_at_ns(now_ns) > now_ns:
            self._waited = True
            self._mark(wire, codec)
            return
        events: list[DeviceEvent] = []
        raw, at_ns = b"", now_ns
        while self._unheard and not events and len(raw) < EARLY_MAX:
            read_ns, data = self._unheard.popleft()
            # What had to wait counts from now: to its codec the line was not silent meanwhile.
            at_ns = max(now_ns if self._waited else read_ns, self._floor_ns())
            events += codec.receive(data, at_ns)
            raw += data
        self._waited = self._waited and bool(self._unheard)
        self._budget.read(raw, now_ns)
        self._told(events, raw, wire, codec, at_ns)

    def _mark(self, wire: Wire, codec: Codec) -> None:
        """People are told that this line is read slowly, and what to look at."""
        at_ns = self._now_ns()
        if self._marked_ns is not None and at_ns - self._marked_ns < MARK_NS:
            return
        self._marked_ns = at_ns
        note = "says more than a board can and is read slowly: look at its cable and its plug"
        log.warning("%s: it %s", self.device, note)
        self._told([Fault(at_ns, Noise.TOO_MUCH, note=note)], b"", wire, codec, at_ns)

    def _woken(self, asleep_ns: int) -> None:
        """What a board said while the machine slept is lost, and its port may be another now."""
        slept_ns = self._clock.asleep_ns() - asleep_ns
        if slept_ns >= SLEPT_NS:
            seconds = round(slept_ns / 1_000_000_000)
            raise WireError(
                DeviceTrouble.GONE, f"{self.device}: the computer slept for {seconds} s"
            )

    def _now_ns(self) -> int:
        return max(self._clock.now_ns(), self._floor_ns())

    def _due(self, wire: Wire, codec: Codec) -> None:
        at_ns = self._now_ns()
        codec_due_ns, noises_due_ns = codec.due_at_ns, self._noises.due_at_ns
        if codec_due_ns is not None and codec_due_ns <= at_ns:
            data, events = codec.due(at_ns)
            self._write(wire, data)
            if events:
                self._told(events, b"", wire, codec, at_ns)
        if noises_due_ns is not None and noises_due_ns <= at_ns:
            held, raw = self._noises.let_go(at_ns)
            self._pass_on(held, raw, at_ns)
        held_until_ns = self._fragments.due_at_ns
        if held_until_ns is not None and held_until_ns <= at_ns:
            self._tell_fragments()

    def _write(self, wire: Wire, data: bytes) -> None:
        if data:
            wire.write(data)

    def _told(
        self, events: list[DeviceEvent], raw: bytes, wire: Wire, codec: Codec, at_ns: int
    ) -> None:
        """A session begins with `LinkUp`; bytes that came before it go with what made it known."""
        board = self._geometry or codec.sensing.geometry
        events = [bounded(event, board) for event in events]
        if not self._up:
            if all(isinstance(event, Fault) for event in events):
                self._early = (self._early + raw)[-EARLY_MAX:]
            else:
                self._begin(wire, codec, at_ns)
                raw, self._early = self._early + raw, b""
        events, raw = self._noises.heard(events, raw, at_ns)
        told: list[DeviceEvent] = []
        for event in events:
            told.append(event)
            if isinstance(event, Fault) and event.noise is Noise.SILENT:
                told += self._lost(at_ns, f"{self.device}: {event.note or event.noise.value}")
        self._pass_on(told, raw if self._up or told else b"", at_ns)

    def _pass_on(self, told: list[DeviceEvent], raw: bytes, at_ns: int) -> None:
        if told or raw:
            self._budget.told(len(told), at_ns)
            if told or not self._fragments.holds(raw, at_ns):
                self._tell(told, self._fragments.let_go() + raw)

    def _tell_fragments(self) -> None:
        raw = self._fragments.let_go()
        if raw:
            self._tell([], raw)

    def _begin(self, wire: Wire, codec: Codec, at_ns: int) -> None:
        log.info("%s: a board answers (%s)", self.device, codec.driver)
        self._up, self.trouble = True, None
        self._geometry = codec.sensing.geometry
        self._tell([LinkUp(at_ns, codec.driver, wire.port, codec.sensing)], b"")

    def _down(self, reason: str) -> None:
        self._tell(self._lost(self._now_ns(), reason), b"")

    def _lost(self, at_ns: int, reason: str) -> list[DeviceEvent]:
        """Said once for each loss, and once for each reason."""
        if not self._up and self.trouble == reason:
            return []
        log.warning("%s", reason)
        self._up, self.trouble = False, reason
        self._commands.clear()
        return [LinkDown(at_ns, reason)]
