"""What nats-server keeps for MQTT clients, each kind within bounds.

It would keep all that a client with a lasting session has not fetched, and take nothing more from
anybody once its store is full. So the oldest goes instead: who was away for long reads what is
retained, as after any reconnect.
"""

from __future__ import annotations

import logging
from typing import Any

from arbiterd.messages.limits import Limit
from arbiterd.outlets.mqtt.embedded_config import AWAY_MAX, Wanted
from arbiterd.outlets.mqtt.native import asked

log = logging.getLogger(__name__)

MIB = 1024**2
OLDEST_GOES = {"discard": "old"}
ONE_EACH = {"max_msgs_per_subject": 1}
KEPT: dict[str, dict[str, Any]] = {
    "$MQTT_msgs": {
        "subjects": ["$MQTT.msgs.>"], "retention": "interest", "max_bytes": 256 * MIB,
        **OLDEST_GOES,
    },
    "$MQTT_out": {
        "subjects": ["$MQTT.out.>"], "retention": "interest", "max_bytes": 64 * MIB, **OLDEST_GOES,
    },
    "$MQTT_rmsgs": {
        "subjects": ["$MQTT.rmsgs.>"], "retention": "limits", "max_bytes": 256 * MIB,
        **OLDEST_GOES, **ONE_EACH,
    },
    "$MQTT_sess": {
        "subjects": ["$MQTT.sess.>"], "retention": "limits", "max_bytes": 64 * MIB,
        **OLDEST_GOES, **ONE_EACH,
    },
    "$MQTT_qos2in": {
        "subjects": ["$MQTT.qos2.in.>"], "retention": "limits", "max_bytes": 64 * MIB,
        "discard": "new", "discard_new_per_subject": True, **ONE_EACH,
    },
}  # fmt: skip
"""Messages not fetched, and of those on their way; retained ones; sessions; half-sent ones."""

LIMITS = (
    Limit("MQTT, the broker of our own", "kept for sessions that are away", "bytes",
          f"{KEPT['$MQTT_msgs']['max_bytes']}", "the oldest goes"),
    Limit("MQTT, the broker of our own", "a session that is away", "time", AWAY_MAX,
          "nothing is kept for it any more"),
    Limit("MQTT, the broker of our own", "retained", "bytes",
          f"{KEPT['$MQTT_rmsgs']['max_bytes']}", "the oldest goes"),
)  # fmt: skip


async def bound(wanted: Wanted) -> None:
    """Sets the bounds, before anybody comes."""
    for name, bounds in KEPT.items():
        try:
            await _bound(wanted, name, bounds)
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            log.warning("what the embedded broker keeps has no bound: %s: %r", name, error)


async def _bound(wanted: Wanted, name: str, bounds: dict[str, Any]) -> None:
    """Raises OSError, EOFError, ValueError, TimeoutError."""
    found = await asked(wanted, f"$JS.API.STREAM.INFO.{name}", {})
    verb, before = ("UPDATE", found["config"]) if "config" in found else ("CREATE", {})
    config = {"storage": "file", "num_replicas": 1, **before, "name": name, **bounds}
    answer = await asked(wanted, f"$JS.API.STREAM.{verb}.{name}", config)
    if "error" in answer:
        raise ValueError(answer["error"])
