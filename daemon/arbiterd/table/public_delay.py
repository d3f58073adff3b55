"""How long what a table tells waits before it is public, and how that changes in mid-round.

    told at   ─▶ due_ns      when it is public
    now       ─▶ until_ns    everything told up to then is public

What is public stays public, whatever is changed: `until_ns` never goes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

FOR_EVER = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class PublicDelay:
    """One table's."""

    spans: tuple[tuple[int, int], ...] = ((0, 0),)
    """Since when, and how long, in nanoseconds; the first holds for all that was before too."""

    @property
    def newest_ns(self) -> int:
        """How long, as it was last said."""
        return self.spans[-1][1]

    def in_force_ns(self, now_ns: int) -> int:
        """How long, at this moment."""
        return [delay for begin, delay in self.spans if begin <= now_ns][-1]

    def due_ns(self, told_ns: int) -> int:
        """When what was told then is public, as things are said by now."""
        return next(
            due
            for begin, delay, end in self._bounded()
            if (due := max(begin, told_ns + delay)) <= end
        )

    def until_ns(self, now_ns: int) -> int:
        """Everything told up to then is public now. A later `now_ns` gives no earlier time."""
        first, *others = self._bounded()
        found = min(now_ns, first[2]) - first[1]
        for begin, delay, end in others:
            if begin <= now_ns:
                found = max(found, min(now_ns, end) - delay)
        return found

    def from_now_on(self, now_ns: int, delay_ns: int) -> PublicDelay:
        """An arbiter says another one: it holds for what waits, too."""
        kept = tuple(span for span in self.spans if span[0] <= now_ns)
        return self if kept == self.spans and self.newest_ns == delay_ns else PublicDelay(
            (*kept, (now_ns, delay_ns))
        )  # fmt: skip

    def for_what_follows(self, now_ns: int, delay_ns: int) -> PublicDelay:
        """Another round begins with another one: what waits keeps its own."""
        if self.newest_ns == delay_ns:
            return self
        return self.from_now_on(self.due_ns(now_ns), delay_ns)

    def _bounded(self) -> Iterator[tuple[int, int, int]]:
        ends = [*(begin for begin, _ in self.spans[1:]), FOR_EVER]
        for (begin, delay), end in zip(self.spans, ends, strict=True):
            yield begin, delay, end
