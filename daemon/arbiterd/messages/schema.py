"""The contract for machines: JSON Schemas of every payload and an AsyncAPI 3 document.

Both are made from `payloads` and `commands` alone; `docs/asyncapi.json` is a copy that a test
holds current.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arbiterd import __version__
from arbiterd.messages import payloads
from arbiterd.messages.commands import NAMED, NEEDED, ROUND_OPS, Command
from arbiterd.messages.samples import SAMPLES, sample

CHANNELS: tuple[tuple[str, str, type, str], ...] = (
    ("status", "arbiterd/{hall}/status", payloads.Status, "retained, will"),
    ("state", "arbiterd/{hall}/tables/{table}/state", payloads.State, "retained, QoS 1"),
    ("moves", "arbiterd/{hall}/tables/{table}/moves", payloads.Move, "event, QoS 1"),
    ("rulings", "arbiterd/{hall}/tables/{table}/rulings", payloads.Ruling, "event, QoS 1"),
    (
        "openRuling",
        "arbiterd/{hall}/tables/{table}/rulings/{id}",
        payloads.Ruling,
        "retained while open, then cleared",
    ),
    ("device", "arbiterd/{hall}/tables/{table}/device", payloads.Device, "retained"),
    ("result", "arbiterd/{hall}/tables/{table}/result", payloads.Result, "retained, QoS 1"),
    ("reply", "arbiterd/{hall}/tables/{table}/reply/{user}", payloads.Reply, "QoS 1"),
    ("roundReply", "arbiterd/{hall}/reply/{user}", payloads.RoundReply, "QoS 1"),
    ("publicState", "arbiterd/{hall}/public/tables/{table}/state", payloads.PublicState, "delayed"),
    ("publicMoves", "arbiterd/{hall}/public/tables/{table}/moves", payloads.PublicMove, "delayed"),
    (
        "publicResult",
        "arbiterd/{hall}/public/tables/{table}/result",
        payloads.PublicResult,
        "delayed",
    ),
)
"""Name, address, payload, how it is sent; what the service sends."""

COMMAND_CHANNELS: tuple[tuple[str, str, str], ...] = (
    ("command", "arbiterd/{hall}/tables/{table}/command/{user}", "one table"),
    ("hallCommand", "arbiterd/{hall}/command/{user}", "several tables, or all; a round"),
)
"""What the service listens to."""


def _payload_types() -> list[type]:
    return list(dict.fromkeys([*(payload for _, _, payload, _ in CHANNELS), Command]))


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schema of each payload by its type's name; references point into the same map."""
    _, components = msgspec.json.schema_components(
        _payload_types(), ref_template="#/components/schemas/{name}"
    )
    return {**components, Command.__name__: _as_sent(components[Command.__name__])}


def _as_sent(command: dict[str, Any]) -> dict[str, Any]:
    """With what each action needs, which the type alone does not say. `by` may be left out where a
    login says who it is.
    """
    said = command["properties"]
    rounds: dict[str, Any] = {"op": {"enum": list(ROUND_OPS)}}
    return {
        **command,
        "required": ["action"],
        "properties": {**said, "by": {**said["by"], "minLength": 1}},
        "allOf": [
            {
                "if": {"properties": {"action": {"const": "round"}}},
                "then": {"properties": {**rounds, "preview": {"const": False}}},
                "else": {"not": {"properties": rounds, "required": ["op"]}},
            },
            *(
                {
                    "if": {"properties": {"action": {"const": action}}},
                    "then": {
                        "required": list(fields),
                        "properties": {name: {"not": {"enum": [None, ""]}} for name in fields},
                    },
                }
                for action, fields in NEEDED.items()
            ),
            *(
                {
                    "if": {"properties": {"action": {"const": action}}},
                    "then": {"anyOf": [{"required": [name]} for name in fields]},
                }
                for action, fields in NAMED.items()
            ),
        ],
    }


def schema(payload: type) -> dict[str, Any]:
    """One payload's schema, whole, as a validator takes it."""
    return msgspec.json.schema(payload)


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI 3 document."""
    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    for name, address, payload, kind in CHANNELS:
        channels[name] = _channel(address, payload, kind)
        operations[f"send_{name}"] = _operation("send", name)
    for name, address, kind in COMMAND_CHANNELS:
        channels[name] = _channel(address, Command, f"in, QoS 1: {kind}", _examples(address))
        operations[f"receive_{name}"] = _operation("receive", name)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "arbiterd",
            "version": __version__,
            "description": "Moves, rulings and results of a playing hall over MQTT.",
            "license": {"name": "GPL-3.0-or-later"},
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"schemas": schemas()},
    }


def _examples(address: str) -> list[dict[str, Any]]:
    """Samples of what is sent there: `round` goes to the hall, all else to a table."""
    return [
        {"name": deed, "payload": sample(deed, number)}
        for number, deed in enumerate(SAMPLES, start=1)
        if deed.startswith("round") != ("{table}" in address)
    ]


def _channel(
    address: str, payload: type, description: str, examples: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    parameters = [part[1:-1] for part in address.split("/") if part.startswith("{")]
    message: dict[str, Any] = {"payload": {"$ref": f"#/components/schemas/{payload.__name__}"}}
    if examples:
        message["examples"] = list(examples)
    return {
        "address": address,
        "description": description,
        "parameters": {name: {} for name in parameters},
        "messages": {payload.__name__: message},
    }


def _operation(action: str, channel: str) -> dict[str, Any]:
    return {"action": action, "channel": {"$ref": f"#/channels/{channel}"}}
