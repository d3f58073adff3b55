"""How answers go back on MQTT 5: to the topic that was asked for, with the sender's own mark.

A restart forgets both; the sender repeats until answered, and says them again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import msgspec

from arbiterd.edges import Received
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics
from arbiterd.messages.limits import Limit

EXPIRY_S = 60
"""Who has not fetched an answer by then has asked again."""
CORRELATION_MAX, TOPIC_MAX = 256, 256
"""Bytes, and characters."""
KEPT = 256


@dataclass(frozen=True, slots=True)
class Answering:
    """What one sender asked for."""

    topic: str = ""
    """Whole; empty: the usual one."""
    correlation: bytes = b""


USUAL = Answering()


def read_answering(root: str, received: Received, user: str) -> Answering:
    """What a command asks for, within bounds.

    The service may publish where its clients may not, so it goes nowhere for them but to where
    this login's answers go anyway, and below.
    """
    asked, correlation = received.respond_to, received.correlation
    own = rf"{re.escape(root)}/(tables/[^/+#\0]+/)?{re.escape(topics.reply(user))}(/[^+#\0]*)?"
    if len(asked) > TOPIC_MAX or not re.fullmatch(own, asked):
        asked = ""
    return Answering(asked, correlation if len(correlation) <= CORRELATION_MAX else b"")


class Answers:
    """What was asked for with the latest commands, until their answers leave through the outbox."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Answering] = {}

    def remember(self, user: str, command_id: str, answering: Answering) -> None:
        """Of a command without an id the answer cannot be told from others'."""
        if not command_id:
            return
        self._kept[topics.reply(user), command_id] = answering
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]

    def of(self, reply: OutputRow) -> Answering:
        """How this one goes back."""
        if not self._kept:
            return USUAL
        try:
            command_id = msgspec.json.decode(reply.payload, type=_Id).id
        except msgspec.DecodeError:  # A row that was damaged on the disk is sent as it is.
            return USUAL
        return self._kept.get((reply.topic, command_id), USUAL)


class _Id(msgspec.Struct):
    id: str = ""


LIMITS = (
    Limit("MQTT commands", "correlation data", "bytes", f"{CORRELATION_MAX}", "not sent back"),
    Limit("MQTT commands", "response topic", "topic",
          f"{TOPIC_MAX} characters, the login's own reply topic or below it",
          "answered on the usual topic"),
)  # fmt: skip
