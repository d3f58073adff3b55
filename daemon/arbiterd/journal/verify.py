"""Is the evidence as it was written?"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from arbiterd.journal.seal import COLUMNS, Break, end_of, first_break


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `arbiterd journal verify` says."""

    breaks: tuple[Break, ...]
    inputs: int
    outputs: int
    seal: str
    """Of the last input and the last output, in hex: noted elsewhere, it proves the tail."""

    @property
    def whole(self) -> bool:
        return not self.breaks


def verify(db: sqlite3.Connection) -> Verdict:
    """Checks every row's seal, then the file itself."""
    breaks = [found for chain in COLUMNS if (found := first_break(db, chain))]
    for (said,) in db.execute("PRAGMA integrity_check"):
        if said != "ok":
            breaks.append(Break("file", 0, str(said)))
    ends = {chain: end_of(db, chain) for chain in COLUMNS}
    return Verdict(
        tuple(breaks),
        ends["input"].last - ends["input"].first + 1,
        ends["output"].last - ends["output"].first + 1,
        ends["input"].seal.hex()[:32] + ends["output"].seal.hex()[:32],
    )
