"""What a ruling rests on: inputs of the journal, with the bytes they were read from."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiterd.journal.encode import BYTES
from arbiterd.journal.reader import Reader
from arbiterd.journal.rows import InputRow
from arbiterd.messages.times import rfc3339


class JournalEvidence:
    """The evidence of the arbiter's side, read from the journal each time it is asked for."""

    def __init__(self, read: Reader) -> None:
        self._read = read

    async def inputs(self, table: str, first: int, last: int) -> Sequence[bytes]:
        found: list[bytes] = []
        for row in self._read.inputs(table, after=first - 1):
            if row.number > last:
                break
            found.append(_told(row))
        return found


def _told(row: InputRow) -> bytes:
    said = {} if row.item is None else msgspec.to_builtins(row.item)
    said.pop("at_ns", None)
    told = {
        "number": row.number,
        "at": rfc3339(row.at_ns),
        "kind": BYTES if row.item is None else type(row.item).__name__,
        "said": said,
        "raw": row.raw.hex(" "),
    }
    return msgspec.json.encode(told)
