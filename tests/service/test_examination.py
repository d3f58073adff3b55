"""A proof that takes long, in a whole service: asked, lost with the service, asked again."""

from __future__ import annotations

import json
from pathlib import Path

from arbiterd.edges.real import FileStore
from arbiterd.journal.export import export
from arbiterd.journal.reader import Reader
from arbiterd.journal.verify import verify
from arbiterd.messages.commands import Command
from arbiterd.table import Table
from arbiterd.table.inputs import MatingAnswered

LONG_PROOF = "k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 60"


def told(path: Path) -> list[dict[str, object]]:
    read = Reader(FileStore(path).connect_for_reading())
    said = [json.loads(row.payload) for row in read.outputs("1") if row.topic == "rulings"]
    return [ruling for ruling in said if ruling["kind"] == "resign-unwinnable"]


def answers(path: Path) -> int:
    read = Reader(FileStore(path).connect_for_reading())
    return sum(isinstance(row.item, MatingAnswered) for row in read.inputs("1"))


async def test_a_question_outlives_the_service(path: Path, running) -> None:
    async with running(path) as house:
        command = house.service.command
        for order in (
            Command(action="set-position", by="ana", id="c1", fen=LONG_PROOF),
            Command(action="resign", by="ana", id="c2", side="black"),
        ):
            assert json.loads(await command("1", order, ""))["ok"]
    (first,) = told(path)
    assert first["facts"]["opponent_can_mate"] == "being-examined"
    assert answers(path) == 0

    async with running(path) as house:
        await house.until(lambda: answers(path))
        await house.service.journal.synced()

    first, then = told(path)
    assert (then["id"], then["revision"]) == (first["id"], 2)
    assert then["facts"]["opponent_can_mate"] == "possible"
    assert (then["proposal"]["result"], then["certainty"]) == ("1-0", "fact")
    db = FileStore(path).connect_for_reading()
    assert verify(db).whole
    assert sum(b'"MatingAnswered"' in line for line in export(Reader(db))) == 1

    read, table, again = Reader(db), None, []
    for row in read.inputs("1"):
        if table is None:
            table = Table(row.item)
        elif row.item is not None:
            again += table.take(row.number, row.item).outputs
    assert table is not None
    last = read.last_output("1")
    assert last is not None
    again += table.due(last.at_ns).outputs
    assert [(o.topic, o.payload) for o in again] == [
        (r.topic, r.payload) for r in read.outputs("1")
    ]
