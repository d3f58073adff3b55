"""Where the journal's chains end, noted outside the file: what shows that a tail was lost.

    {"input": 812, "input_seal": "…", "output": 64, "output_seal": "…", "at_ns": …,
     "ahead_ns": 0, "noted_ns": …, "seq": {"1": 40}, …}

It is written after each commit, without waiting for the disk, into two places in turn: one of
them is whole whenever the power goes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec
from msgspec import Struct, structs

from arbiterd.journal.rows import Batch
from arbiterd.journal.seal import GENESIS, ChainEnd

DIGEST = 32
LENGTH = 4


class Head(Struct, frozen=True, kw_only=True):
    """The ends of both chains, the newest time, and how far each table has counted its events."""

    format: int = 1
    """Of the journal's tables."""
    input: int = 0
    input_seal: str = GENESIS.hex()
    output: int = 0
    output_seal: str = GENESIS.hex()
    at_ns: int = 0
    ahead_ns: int = 0
    """How far the service's time was past its computer's when this was noted."""
    noted_ns: int = 0
    """When that was; of two that are noted after the same row the newer one counts."""
    hall: str = ""
    seq: dict[str, int] = {}

    @property
    def seal(self) -> str:
        """Of the last input and the last output, as `arbiterd journal verify` prints it."""
        return self.input_seal[:32] + self.output_seal[:32]

    @property
    def ends(self) -> list[tuple[int, str]]:
        """The last number and its seal, of the inputs and of the outputs."""
        return [(self.input, self.input_seal), (self.output, self.output_seal)]

    def after(self, inputs: ChainEnd, outputs: ChainEnd, batches: Sequence[Batch]) -> Head:
        """Where it all ends once these are on the disk."""
        rows = [row for batch in batches for row in batch.outputs]
        times = [row.at_ns for batch in batches for row in batch.inputs]
        times += [row.at_ns for row in rows]
        told = {row.table: row.seq for row in rows if row.seq is not None}
        return structs.replace(
            self,
            input=inputs.last,
            input_seal=inputs.seal.hex(),
            output=outputs.last,
            output_seal=outputs.seal.hex(),
            at_ns=max(self.at_ns, *times) if times else self.at_ns,
            seq={**self.seq, **told} if told else self.seq,
        )

    def encoded(self) -> bytes:
        """As it is noted."""
        body = msgspec.json.encode(self)
        body = len(body).to_bytes(LENGTH) + body
        return hashlib.sha256(body).digest() + body

    @property
    def count(self) -> int:
        """Grows with every commit that adds a row."""
        return self.input + self.output


def newest(places: Sequence[bytes]) -> Head | None:
    """The newer one of those that are whole."""
    whole = [head for place in places if (head := _read(place)) is not None]
    return max(whole, key=lambda head: (head.count, head.noted_ns), default=None)


def _read(place: bytes) -> Head | None:
    digest, length = place[:DIGEST], int.from_bytes(place[DIGEST : DIGEST + LENGTH])
    body = place[DIGEST : DIGEST + LENGTH + length]
    if not body or hashlib.sha256(body).digest() != digest:
        return None
    try:
        return msgspec.json.decode(body[LENGTH:], type=Head)
    except msgspec.DecodeError:
        return None
