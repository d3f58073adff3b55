"""Bytes of a line that have said nothing yet go into the row of what they become.

    8e | 00 05 | 34 00      three reads, one event, one row with all five bytes

A slow line brings a message in many reads; a row for each would cost the journal twice what the
messages cost it. Nothing is made of what is held here, so a kill loses no more than the line does.
"""

from __future__ import annotations

from arbiterd.messages.limits import Limit

HELD_NS = 1_000_000_000
"""Longer than any message takes on its line; then they get a row of their own."""
HELD_BYTES = 1024


class Fragments:
    """Of one line, for one session."""

    def __init__(self) -> None:
        self._raw = b""
        self.due_at_ns: int | None = None
        """When they are to be let go, whatever comes."""

    def holds(self, raw: bytes, at_ns: int) -> bool:
        """Keeps them; False: it is too much, and all goes now."""
        if len(self._raw) + len(raw) > HELD_BYTES:
            return False
        self._raw += raw
        if self._raw and self.due_at_ns is None:
            self.due_at_ns = at_ns + HELD_NS
        return True

    def let_go(self) -> bytes:
        """What was held."""
        raw, self._raw, self.due_at_ns = self._raw, b"", None
        return raw


LIMITS = (
    Limit("a board's line", "bytes of a message that is not whole", "bytes",
          f"{HELD_BYTES}, for {HELD_NS // 1_000_000} ms", "a row of their own in the journal"),
)  # fmt: skip
