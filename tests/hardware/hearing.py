"""Somebody outside the machine who subscribes to all that its service says, and writes it down."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

EVENTS = ("moves", "rulings", "result")


@dataclass
class Hearing:
    """What was heard and confirmed, over all lives of the machine."""

    events: dict[str, dict[int, bytes]] = field(default_factory=dict)
    """By table and number, byte for byte."""
    states: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What was retained last, by topic."""
    contradictions: list[str] = field(default_factory=list)
    count: int = 0
    """Of moves heard, repeats included."""
    _client: Client | None = None
    _order: threading.Lock = field(default_factory=threading.Lock)

    def listen(self, port: int) -> None:
        """At a broker on loopback, until told to leave; it is tried again while nobody answers."""
        self.leave()
        self.states.clear()
        client = Client(CallbackAPIVersion.VERSION2, client_id="outside")
        client.reconnect_delay_set(1, 1)
        client.on_connect = lambda *_: client.subscribe("arbiterd/#", qos=1)
        client.on_message = lambda _client, _data, message: self._hear(message)
        client.connect_async("127.0.0.1", port)
        client.loop_start()
        self._client = client

    def leave(self) -> None:
        if self._client is not None:
            self._client.disconnect()
            self._client.loop_stop()
            self._client = None

    @property
    def connected(self) -> bool:
        """A broker answers."""
        return self._client is not None and self._client.is_connected()

    def heard(self) -> dict[str, dict[int, bytes]]:
        """A copy of the events so far."""
        with self._order:
            return {table: dict(said) for table, said in self.events.items()}

    def state(self, topic: str) -> dict[str, Any]:
        """What is retained there, below the hall; empty: nothing was heard."""
        return self.states.get(topic, {})

    def moves(self, table: str) -> list[str]:
        """The record of a table as it stands after all corrections that were heard."""
        line: dict[int, str | None] = {}
        for _, payload in sorted(self.heard().get(table, {}).items()):
            said = json.loads(payload)
            if "uci" in said:
                line[said["ply"]] = said["uci"]
        return [uci for _, uci in sorted(line.items()) if uci is not None]

    def _hear(self, message: MQTTMessage) -> None:
        """Confirmed to the broker once this returns."""
        _, _, topic = message.topic.split("/", 2)
        if not message.payload:
            return
        with self._order:
            said = json.loads(message.payload)
            leaf = topic.rpartition("/")[2]
            if topic.startswith("tables/") and leaf in EVENTS and said.get("seq") is not None:
                table = self.events.setdefault(said["table"], {})
                before = table.setdefault(said["seq"], message.payload)
                if before != message.payload:
                    self.contradictions.append(f"{topic} {said['seq']} was told twice, unlike")
                self.count += leaf == "moves"
            self.states[topic] = said
