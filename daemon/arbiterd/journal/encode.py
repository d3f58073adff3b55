"""Items as they stand in a row, and back: exact both ways.

    kind    the name of the value's type: Scan, SquareChange, Act, TableSetup …
    body    its fields as JSON; bytes in base64

A field that a newer version adds has a default, so old rows stay readable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from arbiterd.journal.rows import Item
from arbiterd.table.inputs import Input
from arbiterd.table.setup import TableSetup

BYTES = "bytes"
"""The kind of a row that holds nothing but what was read."""

KINDS: Mapping[str, type] = {kind.__name__: kind for kind in (*get_args(Input), TableSetup)}

_ENCODER = msgspec.json.Encoder()
_DECODERS: Mapping[str, msgspec.json.Decoder[Any]] = {
    name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()
}


class EncodeError(ValueError):
    """A row that cannot be read; the message says which kind and why."""


def encode(item: Item | None) -> tuple[str, bytes]:
    """The kind and the body of a row."""
    if item is None:
        return BYTES, b""
    kind = type(item).__name__
    assert kind in KINDS, f"{kind} is no input"
    return kind, _ENCODER.encode(item)


def decode(kind: str, body: bytes) -> Item | None:
    """The item again. Raises EncodeError."""
    if kind == BYTES:
        return None
    if kind not in _DECODERS:
        raise EncodeError(f"rows of kind {kind!r} are unknown here; use a newer version")
    try:
        item: Item = _DECODERS[kind].decode(body)
        return item
    except msgspec.DecodeError as error:
        raise EncodeError(f"a row of kind {kind!r} cannot be read: {error}") from error
