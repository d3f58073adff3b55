"""Recordings as wires: when each message of a recording came, and a wire that says it again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from eboards.codec import Codec
from eboards.events import ClockReading
from eboards.transport import Chunk, DeviceTrouble, NowNs, WireError
from eboards.transport.recording import has_times, read_log, read_messages

TICK_NS: Final = 1_000_000_000
"""A running clock speaks once a second."""
LINE_NS: Final = 200_000_000
"""How long any other message of a recording without times takes."""


def heard(text: str, codec: Codec) -> list[tuple[int, bytes]]:
    """What a device said, with times from the begin. Raises `RecordingError`.

    The codec tells which messages of a recording without times are a running clock's.
    """
    if has_times(text):
        return list(read_log(text).heard)
    return timed(read_messages(text), codec)


def timed(messages: Iterable[bytes], codec: Codec) -> list[tuple[int, bytes]]:
    """Give times to messages that have none, from 0.

    While a clock runs each of its messages comes a second after the one before, and those between
    are spread evenly; otherwise a message takes 200 ms.
    """
    out: list[tuple[int, bytes]] = []
    at_ns = -LINE_NS
    waiting: list[bytes] = []
    runs = False
    for message in messages:
        runs_now = _clock_runs(message, codec)
        if runs and runs_now is None:
            waiting.append(message)
            continue
        if runs:
            step_ns = [
                TICK_NS * place // (len(waiting) + 1) for place in range(1, len(waiting) + 1)
            ]
            out += [(at_ns + step, early) for step, early in zip(step_ns, waiting, strict=True)]
            waiting.clear()
        at_ns += TICK_NS if runs else LINE_NS
        out.append((at_ns, message))
        runs = runs if runs_now is None else runs_now
    out += [(at_ns + LINE_NS * place, late) for place, late in enumerate(waiting, 1)]
    return out


def _clock_runs(message: bytes, codec: Codec) -> bool | None:
    """None for what is no reading of a clock."""
    readings = [e for e in codec.receive(message, 0) if isinstance(e, ClockReading)]
    return readings[-1].running is not None if readings else None


class ReplayWire:
    """A recording as an open device. What is written to it is ignored."""

    def __init__(
        self,
        chunks: Sequence[tuple[int, bytes]],
        port: str,
        now_ns: NowNs,
        until: Callable[[int], Awaitable[None]],
    ) -> None:
        self.port = port
        self._chunks = iter(chunks)
        self._begin_ns = now_ns()
        self._until = until

    async def read(self) -> Chunk:
        """The next bytes, when it is their time. Raises `WireError` at the end."""
        chunk = next(self._chunks, None)
        if chunk is None:
            raise WireError(DeviceTrouble.GONE, f"the recording {self.port} has ended")
        at_ns = self._begin_ns + chunk[0]
        await self._until(at_ns)
        return Chunk(at_ns, chunk[1])

    def write(self, data: bytes) -> None:
        """A recording has no ears."""

    def close(self) -> None:
        self._chunks = iter(())
