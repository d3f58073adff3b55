"""An act of the last minute is undone: the record, the rulings and the clock as without it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from arbiterd.messages.commands import read_command
from arbiterd.table.inputs import act_said
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

from .hands import OPERA, played
from .readers import folded
from .test_commands import Desk
from .test_confirming import ILLEGAL, Line, Told, confirm
from .test_preview import ACTS, REPLY

S = 1_000_000_000


class Heard(Desk):
    """A desk that keeps everything it was told."""

    def __init__(self, moves: int = 6, setup: TableSetup | None = None) -> None:
        self.said: list[dict[str, Any]] = []
        self.table = Table(setup or TableSetup())
        self.number = 0
        for item in played(OPERA[:moves]):
            self.take(item)

    def take(self, item: Any) -> list[dict[str, Any]]:
        said = super().take(item)
        self.said += said
        return said

    def act(self, action: str, **fields: Any) -> dict[str, Any]:
        command = read_command({"action": action, "by": "Ana", **fields})
        said = self.take(act_said(command, self.table.at_ns + 1_000_000))
        return next(one for one in said if one["topic"] == "reply")


def state_of(table: Table, at_ns: int) -> dict[str, Any]:
    """The state, without what counts events."""
    state = msgspec.to_builtins(table.state(at_ns))
    return {key: value for key, value in state.items() if key not in ("seq", "at")}


@pytest.mark.parametrize(("action", "fields"), ACTS)
def test_undone_everything_is_as_without_it(action: str, fields: dict[str, Any]) -> None:
    desk, never = Heard(), Heard()
    done = desk.act(action, id="x", **fields)
    never.take(act_said(read_command({"action": "mute", "by": "A", "preview": True}),
                        desk.table.at_ns))  # fmt: skip
    undone = desk.act("undo", of="x", id="y")

    if not done["ok"]:
        assert not undone["ok"]
        return
    assert undone["ok"], undone
    at_ns = desk.table.at_ns
    assert state_of(desk.table, at_ns) == state_of(never.table, at_ns)
    assert folded(desk.said, desk.table.state(0).game) == folded(
        never.said, never.table.state(0).game
    )
    events = [one for one in desk.said if one["topic"] in ("moves", "rulings", "result")]
    numbered = [one["seq"] for one in events if "seq" in one and one["topic"] != "log"]
    assert sorted(numbered) == list(range(1, len(numbered) + 1))


def test_what_was_played_since_is_folded_again_without_it() -> None:
    """Half-moves taken back in error: what came next was read from the wrong position."""
    desk, never = Heard(8), Heard(8)
    assert desk.act("set-move", op="take-back", ply=3, id="x")["ok"]
    rest = played(OPERA)[len(played(OPERA[:8])) :]
    for item in rest[:6]:
        desk.take(item)
        never.take(item)
    assert desk.table.moves != never.table.moves

    assert desk.act("undo", of="x")["ok"]

    assert desk.table.moves == never.table.moves
    assert folded(desk.said, "1-1") == folded(never.said, "1-1")


def test_a_confirmation_undone_opens_its_ruling_again() -> None:
    undo = {"t": 20_000, "act": {"action": "undo", "of": "c", "by": "Ana", "id": "u"}}
    told = Told(ILLEGAL, REPLY, [confirm(8000, "illegal-found-later", id="c"), undo])

    assert [reply["ok"] for reply in told.replies] == [True, True]
    assert told.table.moves == ("", "b8c6")
    newest: dict[str, Line] = {}
    for one in told.said:
        if one["topic"] == "rulings":
            assert one["revision"] > newest.get(one["id"], {"revision": 0})["revision"]
            newest[one["id"]] = one
    (ruling,) = [one for one in newest.values() if one["kind"] == "illegal-found-later"]
    assert (ruling["state"], ruling["ack"]) == ("open", None)


def test_what_was_refused_is_not_done_when_something_else_is_undone() -> None:
    """Two arbiters confirm the same alert; the one who was heard takes it back."""
    line = Heard(6)
    ruling = line.act("report", kind="conduct-device", side="white", id="r")["ruling"]
    assert line.act("confirm", ruling=ruling, id="x")["ok"]
    for more in ({"id": "z"}, {}):
        assert not line.act("confirm", ruling=ruling, **more)["ok"]

    assert line.act("undo", of="x", id="y")["ok"]

    told = [one for one in line.said if one["topic"] == "rulings"]
    assert [one["state"] for one in told] == ["open", "confirmed", "open"]
    assert line.table.state(line.table.at_ns).result is None


def test_an_undo_after_a_minute_is_refused() -> None:
    desk = Heard()
    assert desk.act("set-move", op="take-back", ply=3, id="x")["ok"]
    late = act_said(
        read_command({"action": "undo", "of": "x", "by": "Ana"}), desk.table.at_ns + 61 * S
    )

    (answer,) = [one for one in desk.take(late) if one["topic"] == "reply"]
    assert not answer["ok"]
    assert "'x'" in answer["error"]


def test_what_left_the_house_is_named() -> None:
    desk = Heard(setup=TableSetup(public_delay_ns=0))
    desk.act("pause", id="p")
    assert desk.act("set-clock", id="c", white_ms=1000, black_ms=1000, send=True)["ok"]
    refused = desk.act("undo", of="c")
    assert not refused["ok"]
    assert "sent to the clock" in refused["error"]

    assert desk.act("set-result", id="r", result="1-0", reason="arbiter")["ok"]
    refused = desk.act("undo", of="r")
    assert not refused["ok"]
    assert "1-0 has been made public" in refused["error"]


def test_a_second_undo_and_a_repeated_one() -> None:
    desk = Heard()
    assert desk.act("set-move", op="take-back", id="a")["ok"]
    assert desk.act("set-move", op="take-back", id="b")["ok"]
    assert desk.act("undo", of="a", id="u")["ok"]
    assert desk.act("undo", of="a", id="u")["ok"], "the same id is answered again"
    assert not desk.act("undo", of="a", id="v")["ok"], "it is undone already"
    assert len(desk.table.moves) == 5
    assert desk.act("undo", of="b", id="w")["ok"]
    assert len(desk.table.moves) == 6


def test_folding_on_from_a_checkpoint_undoes_the_same() -> None:
    desk = Heard()
    assert desk.act("set-move", op="take-back", id="a")["ok"]
    desk.table = Table.restored(desk.table.checkpoint())

    assert desk.act("undo", of="a")["ok"]
    assert len(desk.table.moves) == 6
