"""The service as a whole: what is seen of it, how it fails, how it comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import aiohttp
import msgspec
import pytest

from arbiterd.config import Config
from arbiterd.config.model import Broadcast, Http, Round, TableEntry
from arbiterd.config.values import Listen
from arbiterd.edges.real import FileStore
from arbiterd.journal.reader import JournalReader
from arbiterd.messages.commands import Command
from arbiterd.table.inputs import Missed, ServiceStarted
from arbiterd.table.table import Table
from eboards.dgt.codec import DgtCodec
from eboards.events import SquareChange


def pause(command_id: str, by: str = "ana") -> Command:
    return Command(action="pause", by=by, id=command_id)


def answer(payload: bytes) -> dict[str, object]:
    return msgspec.json.decode(payload, type=dict[str, object])


async def move(house, table: str, *changes: tuple[int, str]) -> None:
    """Hands at the board: squares in order."""
    wire = house.links.boards[f"serial:/dev/board{table}"]
    for square, piece in changes:
        wire.emulator.set_square(square, piece, house.links.clock.now_ns())
        wire.stir()
        await house.links.clock.rest(0.3)


E2, E4, E7, E5 = 52, 36, 12, 28


async def test_a_move_on_a_board_is_a_move_on_the_broker(path: Path, running) -> None:
    async with running(path) as house:
        await house.ready()
        await move(house, "1", (E2, "."), (E4, "P"), (E7, "."), (E5, "p"))
        await house.until(lambda: len(house.broker.of("tables/1/moves")) >= 1)

        first = house.broker.of("tables/1/moves")[0]
        assert (first["uci"], first["ply"], first["prev"]) == ("e2e4", 1, None)
        assert not house.broker.of("tables/2/moves")


async def test_the_public_side_gets_its_share_after_the_delay(
    path: Path, running, config: Config
) -> None:
    at_once = replace(config, broadcast=Broadcast(delay=0))
    async with running(path, at_once) as house:
        await house.ready()
        await move(house, "1", (E2, "."), (E4, "P"), (E7, "."), (E5, "p"))
        await house.until(lambda: house.broker.of("public/tables/1/moves"))
        shown = house.broker.of("public/tables/1/moves")[0]
        assert (shown["seq"], shown["uci"]) == (1, "e2e4")
        await house.until(lambda: house.broker.last("public/tables/1/state").get("ply") == 1)
    async with running(path, at_once) as house:
        await house.until(lambda: house.broker.of("public/tables/1/state"))
        await house.links.clock.rest(0.3)
        again = [event["seq"] for event in house.broker.of("public/tables/1/moves")]
        assert 1 not in again, "what was shown is not shown again"

    async with running(path.with_name("late.db"), config) as house:
        await house.ready()
        await move(house, "1", (E2, "."), (E4, "P"), (E7, "."), (E5, "p"))
        await house.until(lambda: house.broker.of("tables/1/moves"))
        assert not house.broker.of("public/tables/1/moves")


async def test_all_that_leaves_is_in_the_journal_already(path: Path, running) -> None:
    async with running(path) as house:
        original = house.broker.publish

        def publish(topic: str, payload: bytes, **said: object) -> asyncio.Future[None]:
            leaf = topic.removeprefix("arbiterd/main/tables/1/")
            if leaf in {"moves", "device"} and payload:
                db = FileStore(path).connect_for_reading()
                kept = [row.payload for row in JournalReader(db).outputs("1") if row.topic == leaf]
                assert payload in kept
            return original(topic, payload, **said)

        house.broker.publish = publish
        await house.ready()
        await move(house, "1", (E2, "."), (E4, "P"), (E7, "."), (E5, "p"))
        await house.until(lambda: house.broker.of("tables/1/moves"))


async def test_a_table_that_fails_at_a_row_goes_on_without_it_and_says_so(
    path: Path, running, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Table.take

    def fails(table: Table, number: int, item: object):
        if table.setup.table == "1" and isinstance(item, SquareChange) and item.square == E2:
            raise RuntimeError("we are wrong")
        return take(table, number, item)

    def faults(house) -> str:
        return str(house.broker.last("tables/1/device").get("faults"))

    monkeypatch.setattr(Table, "take", fails)
    async with running(path) as house:
        await house.ready("1")
        await house.ready("2")
        await move(house, "1", (E2, "."))
        await house.until(lambda: "(RuntimeError: we are wrong)" in faults(house))
        await house.until(lambda: house.broker.last("tables/1/state").get("attention"))
        await house.until(lambda: not house.service.ill())
        assert answer(await house.service.journal.submit("1", pause("c1"), ""))["ok"]

        await move(house, "2", (E2, "."), (E4, "P"), (E7, "."), (E5, "p"))
        await house.until(lambda: house.broker.of("tables/2/moves"))
        await move(house, "1", (E4, "P"))
        await house.service.journal.synced()
        inputs = list(house.service.journal.read.inputs("1"))
        assert [row.item.square for row in inputs if isinstance(row.item, SquareChange)] == [E2, E4]

    # It is told once: another start passes the same row over, with the same words.
    async with running(path) as house:
        await house.ready("1")
        assert house.service.ill() == ""
        await house.until(lambda: "(RuntimeError: we are wrong)" in faults(house))
        told = [
            row for row in house.service.journal.read.inputs("1") if isinstance(row.item, Missed)
        ]
        assert len(told) == 1


async def test_a_table_that_fails_at_everything_is_marked_and_its_neighbour_plays_on(
    path: Path, running, table_1_fails: Callable[[], None]
) -> None:
    async with running(path) as house:
        await house.ready("1")
        await house.ready("2")
        await move(house, "1", (E2, "."))
        await house.until(house.service.ill)
        assert "table 1 has stopped (RuntimeError: we are wrong" in house.service.ill()
        await house.until(lambda: house.broker.last("tables/1/state").get("attention"))
        refused = answer(await house.service.journal.submit("1", pause("c1"), ""))
        assert not refused["ok"]
        assert "start the service again" in str(refused["error"])

        await move(house, "1", (E4, "P"))
        await move(house, "2", (E2, "."), (E4, "P"), (E7, "."), (E5, "p"))
        await house.until(lambda: house.broker.of("tables/2/moves"))
        assert answer(await house.service.journal.submit("2", pause("c2"), ""))["ok"]
        await house.service.journal.synced()
        inputs = list(house.service.journal.read.inputs("1"))
        assert [row.item.square for row in inputs if isinstance(row.item, SquareChange)] == [E2, E4]

    table_1_fails()
    async with running(path) as house:
        await house.ready("1")
        assert house.service.ill() == ""


async def test_a_command_is_applied_once_however_often_it_is_sent(path: Path, running) -> None:
    async with running(path) as house:
        await house.ready()
        journal = house.service.journal
        answers = await asyncio.gather(*(journal.submit("1", pause("c1"), "ana") for _ in range(5)))
        assert len(set(answers)) == 1
        assert answer(answers[0])["ok"]
        assert answer(answers[0])["id"] == "c1"

    async with running(path) as house:
        await house.ready()
        again = await house.service.journal.submit("1", pause("c1"), "ana")
        assert again == answers[0]


async def test_commands_that_cannot_be_done_are_refused_and_not_journalled(
    path: Path, running
) -> None:
    async with running(path) as house:
        journal = house.service.journal
        await journal.synced()
        nowhere = answer(await journal.submit("9", pause("c1"), ""))
        device = Command(action="assign-device", by="ana", id="c2", device="teapot")
        wrong = answer(await journal.submit("1", device, ""))

        assert "there is no table '9'" in str(nowhere["error"])
        assert "teapot" in str(wrong["error"])
        await journal.synced()
        kinds = {type(row.item).__name__ for row in journal.read.inputs()}
        assert "Act" not in kinds


async def test_an_arbiter_gives_a_table_another_board(path: Path, running) -> None:
    async with running(path) as house:
        await house.ready()
        spare = "serial:/dev/spare"
        house.links.plug(spare)
        given = Command(action="assign-device", by="ana", id="c1", device=spare)
        assert answer(await house.service.journal.submit("1", given, ""))["ok"]
        await house.until(lambda: house.broker.last("tables/1/device").get("port") == spare)

    # The act is on record: the table has it after a new start too.
    async with running(path) as house:
        await house.until(
            lambda: "/dev/spare" in str(house.broker.last("tables/1/device").get("faults"))
        )


async def test_a_board_that_is_looked_at_is_not_given(path: Path, running) -> None:
    """The page asks what an act would do as soon as a board is chosen: the table lost its own."""
    async with running(path) as house:
        await house.ready("1")
        await house.ready("2")
        own = house.broker.last("tables/1/device")["port"]
        theirs = "serial:/dev/board2"
        asked = Command(action="assign-device", by="ana", id="c1", device=theirs, preview=True)
        assert answer(await house.service.journal.submit("1", asked, ""))["ok"]
        heard = len(house.broker.heard)
        house.links.boards["serial:/dev/board1"].pull()
        await house.until(lambda: house.broker.last("tables/1/device").get("state") == "lost")
        told = [payload for topic, payload in house.broker.heard[heard:] if "/device" in topic]

    assert house.broker.last("tables/1/device")["port"] == own
    assert not any(b"board2" in payload for payload in told)


async def test_a_board_that_another_table_has_is_let_go_before_it_is_opened_again(
    path: Path, running
) -> None:
    async with running(path) as house:
        await house.ready("1")
        await house.ready("2")
        begin = len(house.broker.heard)
        theirs = "serial:/dev/board2"
        given = Command(action="assign-device", by="ana", id="c1", device=theirs)
        assert answer(await house.service.journal.submit("1", given, ""))["ok"]
        await house.until(lambda: house.broker.last("tables/1/device").get("port") == theirs)
        told = [payload for _, payload in house.broker.heard[begin:]]
        assert not any(b"in use" in payload for payload in told)


async def test_boards_that_can_be_given_are_told_with_their_tables(path: Path, running) -> None:
    async with running(path) as house:
        await house.ready()
        house.links.plug("serial:/dev/spare")
        told = {board.device: board.table for board in await house.service.boards()}
    assert told["serial:/dev/spare"] is None
    assert "1" in told.values()


async def test_a_board_that_is_pulled_is_seen_and_others_stay(path: Path, running) -> None:
    async with running(path) as house:
        await house.ready("1")
        await house.ready("2")
        house.links.boards["serial:/dev/board1"].pull()
        await house.until(lambda: house.broker.last("tables/1/device").get("state") == "lost")
        assert house.broker.last("tables/2/device").get("faults") == ["answers, but no clock"]
        await house.until(lambda: house.broker.last("tables/1/device").get("state") != "lost")


class Watchman:
    """Knows for what the machine is kept awake now."""

    asked = 0
    why: str | None = None

    async def hold(self, why: str, /) -> str:
        self.why = why
        return ""

    async def release(self) -> None:
        self.asked += 1
        self.why = None


async def test_the_machine_is_kept_awake_while_anybody_plays(
    path: Path, running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arbiterd.service.keeping_awake.WATCHING_S", 0.05)
    watchman = Watchman()
    async with running(path, awake=watchman) as house:
        await house.ready()
        await house.until(lambda: watchman.asked)
        assert watchman.why is None, "nobody plays yet"
        await move(house, "1", (E2, "."), (E4, "P"), (E7, "."), (E5, "p"))
        await house.until(lambda: watchman.why == "a round is played")
    assert watchman.why is None, "a service that stops lets the machine sleep"


async def test_a_driver_that_fails_begins_anew_and_others_stay(
    path: Path, running, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(path) as house:
        await house.ready("1")
        await house.ready("2")
        receive = DgtCodec.receive

        def fails(codec: DgtCodec, data: bytes, at_ns: int):
            assert b"\x8e\x00\x05\x34" not in data, "we are wrong about e2"
            return receive(codec, data, at_ns)

        monkeypatch.setattr(DgtCodec, "receive", fails)
        await move(house, "1", (E2, "."))
        await house.until(
            lambda: any(
                "we are wrong about e2" in str(device["faults"])
                for device in house.broker.of("tables/1/device")
            )
        )
        await house.until(lambda: house.broker.last("tables/1/device").get("state") != "lost")
        assert house.broker.last("tables/2/device").get("faults") == ["answers, but no clock"]


async def test_boards_without_a_table_take_the_ones_with_auto(path: Path, running) -> None:
    config = Config(
        http=replace(Config().http, listen=None),
        tables=(TableEntry(table="1"), TableEntry(table="2")),
    )
    async with running(path, config) as house:
        house.links.plug("usb:1:1:A")
        await house.ready("1")
        assert not house.broker.of("tables/2/device")


async def test_a_state_is_told_five_times_a_second_at_most(path: Path, running) -> None:
    async with running(path) as house:
        await house.ready()
        before, began_ns = len(house.broker.of("tables/1/state")), house.links.clock.now_ns()
        for number in range(40):
            action = "mute" if number % 2 else "unmute"
            command = Command(action=action, by="ana", id=f"c{number}")
            await house.service.journal.submit("1", command, "")
            await house.links.clock.rest(0.025)

        def states() -> list[dict[str, object]]:
            return house.broker.of("tables/1/state")[before:]

        await house.until(lambda: states() and states()[-1]["muted"] is True)
        seconds = (house.links.clock.now_ns() - began_ns) / 1e9
        assert len(states()) <= 2 + 5 * seconds


async def test_once_it_says_that_it_runs_every_table_can_be_asked_for(
    path: Path, config: Config, running
) -> None:
    shown = replace(config, http=Http(listen=Listen("127.0.0.1", 0)))
    async with running(path, shown) as house, aiohttp.ClientSession() as http:
        for table in ("1", "2"):
            page = house.service.addresses.page
            async with http.get(f"{page}api/v1/tables/{table}/state") as said:
                assert said.status == 200
                assert (await said.json())["table"] == table


async def test_a_new_start_takes_up_where_the_old_one_was(path: Path, running) -> None:
    async with running(path) as house:
        await house.ready()
        await move(house, "1", (E2, "."), (E4, "P"), (E7, "."), (E5, "p"))
        await house.until(lambda: house.broker.of("tables/1/moves"))
    async with running(path) as house:
        await house.until(lambda: house.broker.of("tables/1/state"))
        assert house.broker.of("tables/1/state")[0]["ply"] >= 1
        await house.service.journal.submit("1", pause("c1"), "")

    db = FileStore(path).connect_for_reading()
    rows = list(JournalReader(db).outputs("1"))
    events = [row.seq for row in rows if row.seq is not None]
    assert events == list(range(1, len(events) + 1))
    assert [row.place for row in rows] == list(range(1, len(rows) + 1))
    times = [row.at_ns for row in JournalReader(db).inputs("1")]
    assert times == sorted(times)
    assert sum(isinstance(row.item, ServiceStarted) for row in JournalReader(db).inputs("1")) == 2


async def test_a_new_round_is_a_new_game_with_the_numbers_going_on(
    path: Path, running, config: Config
) -> None:
    named = replace(config, tables=tuple(replace(e, white="A", black="B") for e in config.tables))
    async with running(path, named) as house:
        await house.ready()
        first = house.broker.last("tables/1/state")
    later = replace(
        named,
        round=Round(number=2),
        tables=tuple(replace(e, white="C", black="D") for e in config.tables),
    )
    async with running(path, later) as house:
        await house.ready()
        second = house.broker.last("tables/1/state")

    assert (first["white"], first["game"], first["round"]) == ("A", "1-1", None)
    assert (second["white"], second["game"], second["round"]) == ("C", "1-2", 2)


async def test_a_journal_that_cannot_be_written_is_said_and_nothing_leaves(
    path: Path, running
) -> None:
    async with running(path) as house:
        await house.ready()
        journal = house.service.journal
        journal._db.execute("PRAGMA query_only = 1")
        done = asyncio.create_task(journal.submit("1", pause("c1"), ""))
        await house.until(house.service.ill)
        assert "the journal cannot be written" in house.service.ill()
        assert not house.broker.of("tables/1/reply")

        journal._db.execute("PRAGMA query_only = 0")
        assert answer(await done)["ok"]
        await house.until(lambda: house.broker.of("tables/1/reply"))
        assert house.service.ill() == ""


async def test_due_is_folded_at_its_own_time_whenever_the_loop_wakes(path: Path, running) -> None:
    """A replay of the journal gives the same bytes, though no timer is in it."""
    async with running(path) as house:
        await house.ready()
        await move(house, "1", (E2, "."), (E4, "P"))
        await house.until(lambda: house.broker.of("tables/1/moves"))

    read = JournalReader(FileStore(path).connect_for_reading())
    recorded = [(row.topic, row.payload) for row in read.outputs("1")]
    table, again = None, []
    for row in read.inputs("1"):
        if row.item is None:
            continue
        if table is None:
            table = Table(row.item)
            continue
        again += table.take(row.number, row.item).outputs
    assert table is not None
    last = read.last_output("1")
    assert last is not None
    again += table.due(last.at_ns).outputs
    assert [(output.topic, output.payload) for output in again] == recorded
