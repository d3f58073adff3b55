"""What an emulated device fulfils: bytes in, bytes out, with the time passed in.

    receive(data, at_ns)          what the computer sent
    due_at_ns                     when there will be something to send
    advance(at_ns) -> data        time goes by; what was sent until then

Its owner drives it: a simulation under a time of its own, or a pseudo-terminal (transport/pty.py)
that lets a real program talk to it. No emulator imports a codec: each is written from what goes
over the wire, so that a misreading of one shows in the other.
"""

from __future__ import annotations

from typing import Protocol


class Emulator(Protocol):
    """One end of a wire. Times never go back."""

    @property
    def due_at_ns(self) -> int | None:
        """When `advance` will have something to send. None: not before something happens."""
        ...

    def receive(self, data: bytes, at_ns: int) -> None:
        """Bytes from the computer. What they lead to comes out of `advance`."""
        ...

    def advance(self, at_ns: int) -> bytes:
        """Let time go by, and take what was sent until then."""
        ...
