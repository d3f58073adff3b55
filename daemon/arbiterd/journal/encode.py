"""Items as they stand in a row, and back: exact both ways.

    kind    the name of the value's type: Scan, SquareChange, Act, TableSetup …
    body    its fields as JSON; bytes in base64

A field that a newer version adds has a default, so old rows stay readable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from arbiterd.journal.rows import Item, Unread
from arbiterd.rules.registry import ruleset
from arbiterd.table.inputs import Input
from arbiterd.table.setup import TableSetup

BYTES = "bytes"
"""The kind of a row that holds nothing but what was read."""

KINDS: Mapping[str, type] = {kind.__name__: kind for kind in (*get_args(Input), TableSetup)}

_ENCODER = msgspec.json.Encoder()
_PACKER = msgspec.msgpack.Encoder()
_DECODERS: Mapping[str, msgspec.json.Decoder[Any]] = {
    name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()
}


BODY_MAX = 1 << 20
"""No row holds more than so many bytes of JSON."""
AT_NS_MAX = (1 << 63) - 1
"""What SQLite counts to."""
SHOWN = 80
"""So much is told of what a library said of a value; the rest may be the value itself."""


class EncodeError(ValueError):
    """A row that cannot be read; the message says which kind and why."""


class RowError(ValueError):
    """A value that no row can keep; the message says which kind and why."""


def kept(item: Item | None) -> tuple[str, bytes]:
    """The kind and the body of a row that gives this very item again.

    Raises RowError: a value that cannot be written, cannot be read again or comes back as another
    one (a number without an end, a NaN, half a letter, lists without a floor) gets no row.
    """
    at_ns = getattr(item, "at_ns", 0)
    if not 0 <= at_ns <= AT_NS_MAX:
        raise RowError(f"{_name(item)} at {str(at_ns)[:SHOWN]} ns is out of any time")
    try:
        kind, body = encode(item)
        _PACKER.encode(item)  # As in a checkpoint: no number is longer than 64 bits.
        again = decode(kind, body)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise RowError(f"{_name(item)} cannot be kept: {_brief(error)}") from None
    if len(body) > BODY_MAX:
        raise RowError(f"{_name(item)} of {len(body)} bytes is longer than a row, {BODY_MAX}")
    if again != item:
        raise RowError(f"{_name(item)} cannot be kept: it would be read as another value")
    return kind, body


def _name(item: Item | None) -> str:
    return BYTES if item is None else f"a value of kind {type(item).__name__}"


def _brief(error: Exception) -> str:
    return str(error).encode(errors="replace").decode()[:SHOWN]


def encode(item: Item | Unread | None) -> tuple[str, bytes]:
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
        if isinstance(item, TableSetup):
            ruleset(item.ruleset).start(item.start)  # Its game can be set up.
        return item
    except (ValueError, RecursionError) as error:
        # Bytes that are no text, numbers beyond all bounds, values that a type itself refuses.
        raise EncodeError(f"a row of kind {kind!r} cannot be read: {_brief(error)}") from error
