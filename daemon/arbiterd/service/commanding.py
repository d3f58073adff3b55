"""Arbiters' commands to their tables: carried out, or refused in a sentence."""

from __future__ import annotations

from typing import Any

import msgspec

from arbiterd.config.values import device as read_device
from arbiterd.edges import ServiceClock
from arbiterd.hall.patchbay import Patchbay
from arbiterd.hall.tables.desk import Desk
from arbiterd.journal.encode import RowError
from arbiterd.journal.journal import NotTakenError
from arbiterd.messages.commands import Command
from arbiterd.messages.payloads import Reply, RoundReply
from arbiterd.messages.times import rfc3339
from arbiterd.outlets.mqtt.commands import Order


class _Ok(msgspec.Struct):
    ok: bool


class Commanding:
    """Who takes the commands of one hall."""

    def __init__(
        self, hall: str, desk: Desk, patchbay: Patchbay, clock: ServiceClock, *, simulated: bool
    ) -> None:
        self._hall, self._simulated = hall, simulated
        self._desk, self._patchbay, self._clock = desk, patchbay, clock

    async def command(self, table: str, command: Command, user: str) -> bytes:
        """Carries one out, or refuses it in a sentence; the answer's payload."""
        try:
            return await self.fold(table, command, user)
        except NotTakenError as refused:
            return refused.answer

    async def fold(self, table: str, command: Command, user: str) -> bytes:
        """The answer's payload, once it is on the disk as an output.

        Raises NotTakenError with a refusal that the table does not know of.
        """
        seat = self._desk.seats.get(table)
        error = ""
        if seat is None:
            error = f"there is no table {table!r} in this hall"
        elif seat.failing:
            error = self._desk.not_now(seat)
        elif command.action == "assign-device":
            error = await self._not_to_open(command.device)
        if error:
            raise self._not_taken(table, command, error)
        try:
            reply = await self._desk.command(table, command, user)
        except RowError as refused:
            raise self._not_taken(table, command, str(refused)) from None
        given = command.action == "assign-device" and not command.preview
        if given and msgspec.json.decode(reply, type=_Ok).ok:
            self._patchbay.rebind(table, command.device or "")
        return reply

    def _not_taken(self, table: str, command: Command, error: str) -> NotTakenError:
        order = Order((table,), command, error, command.id, command.action)
        return NotTakenError(self.refusal(table, order))

    async def _not_to_open(self, device: str | None) -> str:
        """Why an arbiter's word cannot bring this device to a table; empty: it can."""
        try:
            known = read_device(device)
        except ValueError as error:
            return f"the device {error}"
        if await self._patchbay.may_open(known):
            return ""
        return (
            f"{known} is neither plugged in nor named in the configuration; 'arbiterd devices'"
            " lists what is there, and anything else has to be written into [[tables]]"
        )

    def refusal(self, table: str | None, order: Order) -> bytes:
        """The answer's payload to a command that is not carried out; None: one about a round."""
        head: dict[str, Any] = {
            "hall": self._hall,
            "at": rfc3339(self._clock.now_ns()),
            "simulated": self._simulated,
        }
        said: dict[str, Any] = {"ok": False, "id": order.id, "action": order.action}
        said["error"] = order.error
        if table is None:
            return msgspec.json.encode(
                RoundReply(**head, **said, op=order.op, round=None, findings=[])
            )
        seat = self._desk.seats.get(table)
        head |= {"table": table, "game": "", "seq": 0}
        if seat is not None:
            head = seat.table.view.announcer.head(self._desk.now_ns(seat))
        return msgspec.json.encode(Reply(**head, **said))
