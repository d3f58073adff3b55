"""Which family answers on a port, and who it says it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from eboards.events import DeviceEvent, Fault, Identity, Scan
from eboards.family import Family
from eboards.transport import NowNs, WireError
from eboards.transport.conversation import converse
from eboards.transport.opening import open_port

PATIENCE_SECONDS: Final = 3.0
"""How long a port may take to answer as a family would."""


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """What came back when a port was asked."""

    family: Family | None
    """None: nothing that any of the families would say."""
    identity: Identity | None = None
    heard: bytes = b""
    """What came back where no family knows it; the beginning of it."""


async def probe(
    path: str,
    families: Iterable[Family],
    now_ns: NowNs,
    *,
    speed: float = 1.0,
) -> ProbeAnswer:
    """Ask as each family would, in order. Raises `WireError` where the port cannot be opened."""
    heard = b""
    for family in families:
        asked = _Asked()
        wire = open_port(path, family, now_ns)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS / speed):
                async for said, events in converse(wire, family.codec(), now_ns, speed=speed):
                    heard = (heard + said.data if said.direction == "<" else heard)[:64]
                    if asked.hear(events):
                        break
        except TimeoutError:
            pass
        except WireError:
            break
        finally:
            wire.close()
        if asked.known:
            return ProbeAnswer(family, asked.identity)
    return ProbeAnswer(None, heard=heard)


class _Asked:
    """A device is known once it shows its squares or says who it is; both is all there is."""

    def __init__(self) -> None:
        self.identity: Identity | None = None
        self.known = False

    def hear(self, events: list[DeviceEvent]) -> bool:
        """True once nothing more is to be waited for."""
        shown = False
        for event in events:
            if isinstance(event, Identity):
                self.identity, self.known = event, True
            elif isinstance(event, Scan):
                self.known = shown = True
        return shown and not any(isinstance(event, Fault) for event in events)
