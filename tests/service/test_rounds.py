"""Nine rounds one after another on one service, with late changes: no file edited, no restart."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from aiohttp import ClientSession
from click.testing import CliRunner

from arbiterd.cli.round import group as command
from arbiterd.config import Config
from arbiterd.config.files import PAIRINGS_MAX
from arbiterd.config.model import Http, RateOfPlay, Round, TableEntry
from arbiterd.config.values import Listen
from arbiterd.edges import Received
from arbiterd.hall.round.pairings import read_pairings, seated
from arbiterd.messages.commands import read_command
from arbiterd.outlets.mqtt.commands import Address, read_order
from arbiterd.outlets.pgn.files import of_round
from arbiterd.outlets.pgn.safe import safe_pgn
from arbiterd.timing.control import Period
from eboards.events import CHESS_BOARD, EMPTY, UNKNOWN, LinkUp, Scan, Sensing, SensingClass
from eboards.memory import START
from hall.test_trf import report

TABLES = [str(number) for number in range(1, 9)]
_IDS = count(1)


def hall(config: Config) -> Config:
    return replace(config, tables=tuple(TableEntry(table=name, device="auto") for name in TABLES))


async def commanded(house, op: str, **said: Any) -> dict[str, Any]:
    command = read_command(
        {"action": "round", "op": op, "by": "ana", "id": f"r{next(_IDS)}", **said}
    )
    found: dict[str, Any] = json.loads(await house.service.journal.submit_round(command, ""))
    return found


async def acted(house, table: str, **said: Any) -> dict[str, Any]:
    command = read_command({"by": "ana", "id": f"a{next(_IDS)}", **said})
    found: dict[str, Any] = json.loads(await house.service.command(table, command, ""))
    return found


async def move(house, table: str, *moves: str) -> None:
    for text in moves:
        answer = await acted(house, table, action="set-move", op="insert", move=text)
        assert answer["ok"], answer


def games(house, number: int) -> dict[str, chess.pgn.Game]:
    text = of_round(house.service.journal.read, number, form=safe_pgn) or ""
    stream, found = io.StringIO(text), {}
    while (game := chess.pgn.read_game(stream)) is not None:
        found[game.headers["Board"]] = game
    return found


async def test_nine_rounds_with_five_late_changes(
    path: Path, running, config: Config, tmp_path: Path
) -> None:
    file = tmp_path / "open.trf"
    file.write_text(report(), "utf-8")
    async with running(path, hall(config)) as house:
        for number in range(1, 10):
            wanted = seated(read_pairings(file, number), TABLES)
            said = [
                {"table": table, "white": pairing.white, "black": pairing.black,
                 "white_player": {"rating": pairing.white_player.rating}}
                for table, pairing in wanted.items()
            ]  # fmt: skip
            answer = await commanded(house, "begin", round=number, games=said)
            assert answer["ok"], answer
            assert any("no board" in line for line in answer["findings"])
            again = await commanded(house, "begin", round=number, games=said)
            assert again["ok"], "what is sent again begins no game anew"
            names = {table: [p.white, p.black] for table, p in wanted.items()}
            await late_changes(house, number, names)
            playing = [table for table in TABLES if names[table][0]]
            for table in playing:
                await move(house, table, "e2e4", "e7e5")
            if number == 3:
                # In the middle of the game.
                answer = await commanded(house, "rename", tables=["5"], black="Right, Name")
                assert answer["ok"], answer
                names["5"][1] = "Right, Name"
            if number == 5:
                known = {"table": "6", "white": names["6"][0], "black": names["6"][1],
                         "white_player": {"title": "GM", "rating": 2700}}  # fmt: skip
                answer = await commanded(house, "rename", tables=["6"], games=[known])
                assert answer["ok"], answer
            if number == 7:
                # They sit at each other's boards: the names change, the half-moves stay.
                answer = await commanded(house, "swap", tables=["3", "8"])
                assert answer["ok"], answer
                names["3"], names["8"] = names["8"], names["3"]
            if number == 8:
                answer = await commanded(house, "delay", delay_s=60 * number, tables=["4"])
                assert answer["ok"], answer
            refused = await commanded(house, "end")
            assert "no result" in refused["error"]
            for table in playing:
                await acted(house, table, action="set-result", result="1-0", reason="resigned")
            ended = await commanded(house, "end")
            assert ended["ok"], ended
            found = games(house, number)
            assert {
                table: [game.headers["White"], game.headers["Black"]]
                for table, game in found.items()
            } == {table: names[table] for table in playing}
            assert {len(list(game.mainline_moves())) for game in found.values()} == {2}
            assert {game.headers["Result"] for game in found.values()} == {"1-0"}
            assert found["2"].headers["WhiteElo"].isdecimal()
            if number == 5:
                assert found["6"].headers["WhiteTitle"] == "GM"
        assert len(games(house, 3)) == 8


async def late_changes(house, number: int, names: dict[str, list[str]]) -> None:
    """Of three rounds before the first half-move; the other changes come in mid-game."""
    if number == 2:
        answer = await commanded(house, "swap", tables=["1", "4"])
        assert answer["ok"], answer
        names["1"], names["4"] = names["4"], names["1"]
    if number == 4:
        answer = await commanded(house, "bye", tables=["7"])
        assert answer["ok"], answer
        names["7"] = ["", ""]
    if number == 6:
        for one, other in (("1", "2"), ("2", "3")):
            await commanded(house, "swap", tables=[one, other])
            names[one], names[other] = names[other], names[one]


async def test_what_cannot_be_done_is_refused_in_a_sentence_and_changes_nothing(
    path: Path, running, config: Config
) -> None:
    async with running(path, hall(config)) as house:
        one = [{"table": "1", "white": "A", "black": "B"}]
        await commanded(house, "begin", round=1, games=one)
        await move(house, "1", "e2e4")
        for op, said, words in (
            ("begin", {"round": 2, "games": one}, "play goes on at table 1"),
            ("move", {"tables": ["1", "2"]}, "table 2 has no board"),
            ("delay", {"tables": ["1"]}, "needs 'delay_s'"),
            ("swap", {"tables": ["1"]}, "'swap' needs two tables"),
            ("move", {"tables": ["1"]}, "'move' needs two tables"),
            ("swap", {"tables": ["1", "1", "2"]}, "'swap' needs two tables"),
            ("bye", {"tables": ["1"]}, "has begun"),
            ("bye", {"tables": ["99"]}, "no table '99'"),
            ("rename", {"tables": ["1"]}, "needs 'white' or 'black'"),
            ("begin", {"round": 1, "file": "../../etc/passwd"}, "outside"),
            ("begin", {"round": 2}, "'games'"),
            ("begin", {"round": 2, "games": one, "rate": "fast"}, "no rate 'fast'"),
        ):
            answer = await commanded(house, op, **said)
            assert not answer["ok"]
            assert words in answer["error"], answer
        await house.until(lambda: house.broker.last("tables/1/state").get("ply") == 1)
        state = house.broker.last("tables/1/state")
        assert (state["white"], state["round"], state["ply"]) == ("A", 1, 1)


async def test_a_table_that_is_being_made_again_loses_no_game_to_a_round(
    path: Path, running, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows yet how its game stands: it would have been begun anew without a word."""
    two = [{"table": "1", "white": "A", "black": "B"}, {"table": "2", "white": "C", "black": "D"}]
    async with running(path, hall(config)) as house:
        await commanded(house, "begin", round=1, games=two)
        await move(house, "1", "e2e4")
    db = sqlite3.connect(path)
    with db:
        db.execute("DELETE FROM checkpoint WHERE table_name = '1'")
    db.close()
    monkeypatch.setattr("arbiterd.hall.tables.seating.START_ROWS", 1)
    monkeypatch.setattr("arbiterd.hall.tables.desk.SLICE_REST_S", 1.0)
    async with running(path, hall(config)) as house:
        seat = house.service.desk.seats["1"]
        assert seat.failing
        for op, said in (
            ("begin", {"round": 2, "games": two}),
            ("swap", {"tables": ["1", "2"]}),
            ("bye", {"tables": ["1"]}),
            ("rename", {"tables": ["1"], "white": "E"}),
            ("end", {}),
        ):
            answer = await commanded(house, op, **said)
            assert not answer["ok"], op
            assert "Send this again in a minute" in answer["error"]
        checked = await commanded(house, "check")
        assert "table 1 is being made again" in checked["findings"][0]
        await house.until(lambda: not seat.failing)
        assert list(seat.table.moves) == ["e2e4"]
        answer = await commanded(house, "begin", round=2, games=two)
        assert "play goes on at table 1" in answer["error"]


@contextmanager
def full_disk(house) -> Iterator[None]:
    journal = house.service.journal
    journal.full, journal.trouble = True, "the disk is full; make room"
    yield
    journal.full, journal.trouble = False, ""


async def test_a_round_is_refused_while_nothing_can_be_recorded(
    path: Path, running, config: Config
) -> None:
    one = [{"table": "1", "white": "A", "black": "B"}]
    async with running(path, hall(config)) as house:
        with full_disk(house):
            answer = await commanded(house, "begin", round=1, games=one)
        assert not answer["ok"], "before, the answer was yes and nothing was begun"
        assert "make room" in answer["error"]


async def test_one_minute_is_one(path: Path, running, config: Config) -> None:
    async with running(path, hall(config)) as house:
        answer = await commanded(house, "delay", delay_s=61)
    assert answer["findings"] == ["every table: what is public is 1 minute 1 second behind"]


async def test_a_refusal_for_now_is_looked_at_anew_when_the_same_id_comes_again(
    path: Path, running, config: Config
) -> None:
    one = [{"table": "1", "white": "A", "black": "B"}]
    async with running(path, hall(config)) as house:
        with full_disk(house):
            refused = await commanded(house, "begin", round=1, games=one, id="again")
        answer = await commanded(house, "begin", round=1, games=one, id="again")
        assert (refused["ok"], answer["ok"]) == (False, True), answer


async def test_what_is_sent_again_while_it_is_carried_out_is_done_once(
    path: Path, running, config: Config
) -> None:
    two = [{"table": "1", "white": "A", "black": "B"}, {"table": "2", "white": "C", "black": "D"}]
    async with running(path, hall(config)) as house:

        def whites() -> list[str]:
            return [house.service.desk.seats[name].table.setup.white for name in ("1", "2")]

        await commanded(house, "begin", round=1, games=two)
        swap = partial(commanded, house, "swap", tables=["1", "2"], id="swap")
        first, second = await asyncio.gather(swap(), swap())
        assert first == second
        assert whites() == ["C", "A"]

        # Whoever sent it goes away before it is answered, comes back, and sends it again.
        back = partial(commanded, house, "swap", tables=["1", "2"], id="back")
        gone = asyncio.create_task(back())
        await house.until(lambda: whites() == ["A", "C"])
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        assert (await back())["ok"]
        assert whites() == ["A", "C"]


async def test_a_pipe_that_an_arbiter_names_is_not_opened(
    path: Path, running, config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, the service waited at it for good."""
    os.mkfifo(tmp_path / "r")
    monkeypatch.chdir(tmp_path)
    async with running(path, hall(config)) as house:
        answer = await commanded(house, "check", round=1, file="r")
        assert "is no file" in answer["error"]


async def test_a_large_file_holds_up_nobody(
    path: Path, running, config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "r").write_text("table,white,black\n" + "1,A,bye\n" * (PAIRINGS_MAX // 8 - 3))
    monkeypatch.chdir(tmp_path)
    async with running(path, hall(config)) as house:
        check = asyncio.create_task(commanded(house, "check", round=1, file="r"))
        await asyncio.sleep(0)
        assert (await acted(house, "1", action="pause"))["action"] == "pause"
        assert not check.done(), "before, it came first"
        assert "too many lines" in (await check)["error"]


async def test_a_round_that_was_commanded_stands_when_the_configuration_is_read_again(
    path: Path, running, config: Config
) -> None:
    async with running(path, hall(config)) as house:
        await commanded(house, "begin", round=3, games=[{"table": "1", "white": "A", "black": "B"}])
        house.service.reload(
            replace(hall(config), journal=replace(config.journal, keep=86_400_000_000_000))
        )
        setup = house.service.desk.seats["1"].table.setup
        assert (setup.white, setup.black, setup.round) == ("A", "B", 3)


async def test_a_round_is_begun_by_the_configuration_that_was_read_last(
    path: Path, running, config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "round2.csv").write_text("table,white,black\n1,C,D\n")
    async with running(path, hall(config)) as house:
        await commanded(house, "begin", round=1, games=[{"table": "1", "white": "A", "black": "B"}])
        await move(house, "1", "e2e4")
        fast = RateOfPlay(kind="blitz", time=(Period(None, 180_000, 2_000),))
        house.service.reload(
            replace(
                hall(config),
                rates={"fast": fast},
                round=Round(number=2, pairings="round2.csv"),
                tables=(*hall(config).tables[:-1], TableEntry(table="new")),
            )
        )
        answer = await commanded(house, "begin", round=2, rate="fast", reason="told to")
        assert answer["ok"], answer
        setup = house.service.desk.seats["1"].table.setup
        assert (setup.white, setup.rate) == ("C", fast.rate)


async def test_what_stands_open_of_a_round_runs_out_with_it(
    path: Path, running, config: Config
) -> None:
    """By a command, and by a start with another configuration: nobody could decide it any more."""

    async def reported(house) -> str:
        answer = await acted(house, "1", action="report", kind="conduct-device", side="white")
        return f"tables/1/rulings/{answer['ruling']}"

    def closed(house, topic: str) -> bool:
        """It is taken off the broker, after its end was told."""
        said = [payload for name, payload in house.broker.heard if name == topic]
        return bool(said) and not said[-1]

    def told(house) -> list[str]:
        return [str(one["state"]) for one in house.broker.of("tables/1/rulings")]

    two = [{"table": "1", "white": "A", "black": "B"}]
    async with running(path, hall(config)) as house:
        await commanded(house, "begin", round=1, games=two)
        one = await reported(house)
        answer = await commanded(house, "begin", round=2, games=two)
        assert answer["ok"], answer
        await house.until(lambda: closed(house, one))
        assert told(house) == ["open", "expired"]
        other = await reported(house)
        await house.until(lambda: house.broker.of(other))
    third = replace(hall(config), round=replace(config.round, number=3))
    async with running(path, third) as house:
        await house.until(lambda: closed(house, other))
        assert told(house) == ["expired"]
        state = house.broker.last("tables/1/state")
        assert (state["open_rulings"], state["round"]) == ([], 3)


async def test_a_restart_keeps_the_round_that_was_commanded(
    path: Path, running, config: Config
) -> None:
    async with running(path, hall(config)) as house:
        two = [
            {"table": "1", "white": "A", "black": "B"},
            {"table": "2", "white": "C", "black": "D"},
        ]
        await commanded(house, "begin", round=7, games=two)
        await move(house, "1", "e2e4")
    found = CliRunner().invoke(command, ["results", "--round", "7", str(path)])
    assert found.output.splitlines()[1:] == ["1,A,B,*,", "2,C,D,*,"]
    async with running(path, hall(config)) as house:
        await move(house, "1", "e7e5")
        (game,) = games(house, 7).values()
        assert game.headers["White"] == "A"
        assert [m.uci() for m in game.mainline_moves()] == ["e2e4", "e7e5"]


async def test_names_of_the_configuration_give_way_to_those_of_a_commanded_round(
    path: Path, running, config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `arbiterd simulate` writes them, or a technician for the first round."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "round3.csv").write_text("table,white,black\n1,C,D\n")
    named = tuple(TableEntry(table=name, white="Old", black="Other") for name in ("1", "2"))
    async with running(path, replace(config, tables=named)) as house:

        def players() -> list[tuple[str, str]]:
            setups = [seat.table.setup for seat in house.service.desk.seats.values()]
            return [(setup.white, setup.black) for setup in setups]

        assert players() == [("Old", "Other")] * 2
        paired = [{"table": "1", "white": "A", "black": "B"}]
        checked = await commanded(house, "check", round=2, games=paired)
        assert "two tables" not in str(checked["findings"])
        await commanded(house, "begin", round=2, games=paired)
        assert players() == [("A", "B"), ("", "")]
        await commanded(house, "begin", round=3, file="round3.csv")
        assert players() == [("C", "D"), ("", "")]


async def test_a_result_is_held_against_all_by_which_a_game_ends_by_itself(
    path: Path, running, config: Config
) -> None:
    """A position for the fifth time ends a game too, and 1-0 after it was not looked at."""
    async with running(path, config) as house:
        await house.ready("1")
        await commanded(house, "begin", round=1, games=[{"table": "1", "white": "A", "black": "B"}])
        for _ in range(4):
            await move(house, "1", "g1f3", "g8f6", "f3g1", "f6g8")
        await acted(house, "1", action="set-result", result="1-0", reason="by mistake")
        answer = await commanded(house, "check")
        assert "table 1: the result is 1-0, the board says 1/2-1/2" in answer["findings"]


async def test_a_board_that_only_counts_pieces_is_ready_for_a_round(
    path: Path, running, config: Config
) -> None:
    async with running(path, config) as house:
        await house.ready("1")
        desk = house.service.desk
        seat, at_ns = desk.seats["1"], desk.now_ns(desk.seats["1"])
        counts = Sensing(SensingClass.OCCUPANCY, 200_000_000, CHESS_BOARD)
        counted = tuple(EMPTY if piece == EMPTY else UNKNOWN for piece in START)
        desk.take(seat, (LinkUp(at_ns, "maker", "usb0", counts), Scan(at_ns, counted)))
        game = {"table": "1", "white": "A", "black": "B"}
        answer = await commanded(house, "check", round=1, games=[game])
        assert "do not stand" not in str(answer["findings"])


async def test_the_check_list_names_each_table_that_is_not_ready(
    path: Path, running, config: Config
) -> None:
    async with running(path, config) as house:
        await house.ready("1")
        answer = await commanded(
            house,
            "check",
            round=1,
            games=[
                {"table": "1", "white": "A", "black": "B"},
                {"table": "2", "white": "A", "black": "C"},
                {"table": "9", "white": "D", "black": "E"},
            ],
        )
        assert answer["ok"], answer
        text = "\n".join(answer["findings"])
        assert "A plays at two tables" in text
        assert "1 of 3 games have no electronic board here" in text


async def test_the_command_comes_over_http_and_over_mqtt(
    path: Path, running, config: Config
) -> None:
    said = {
        "action": "round", "op": "begin", "round": 2, "by": "ana", "id": "b1",
        "games": [{"table": "1", "white": "A", "black": "B"}],
    }  # fmt: skip
    wanted = replace(hall(config), http=Http(listen=Listen("127.0.0.1", 0)))
    async with running(path, wanted) as house, ClientSession() as session:
        url = f"{house.service.addresses.page}api/v1/commands"
        async with session.post(url, json=said) as answer:
            assert (answer.status, (await answer.json())["round"]) == (200, 2)
        async with session.post(url, json=said | {"op": "end", "id": "b2"}) as answer:
            assert answer.status == 409
            assert "table 1: no result" in (await answer.json())["error"]
        at_a_table = url.replace("/commands", "/tables/1/commands")
        async with session.post(at_a_table, json=said) as answer:
            assert answer.status == 400

    root = "arbiterd/main"
    payload = json.dumps(said).encode()
    ours = Received(f"{root}/command/ana", payload, False)
    order = read_order(ours, Address(None, "ana"), ("1",))
    assert (order.tables, order.error) == ((), "")
    wrong = read_order(ours, Address("1", "ana"), ("1",))
    assert "belongs to no table" in wrong.error
    mixed = json.dumps(said | {"op": "insert"}).encode()
    assert "has no 'op'" in read_order(
        Received(f"{root}/command/ana", mixed, False), Address(None, "ana"), ("1",)
    ).error  # fmt: skip
