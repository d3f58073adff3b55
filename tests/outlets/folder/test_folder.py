"""The folder as a program finds it that knows the LiveChess layout from its field lists alone."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from arbiterd.edges.real import WallClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.laws.act import Act
from arbiterd.laws.settings import LawSettings
from arbiterd.messages import topics
from arbiterd.outlets.folder import layout
from arbiterd.outlets.folder.outlet import FolderOutlet
from arbiterd.outlets.pgn.book import ScoreBook
from arbiterd.outlets.pgn.games import Score
from arbiterd.outlets.pgn.movetext import Stretch
from arbiterd.outlets.pgn.safe import playable, safe_pgn
from arbiterd.table.player import Player
from arbiterd.table.setup import TableSetup
from broadcast.hands import Hands, write
from broadcast.reader import read

RUY = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7".split()
MOVE = re.compile(r"(?P<san>\S+)(?: (?P<clock>\d+)?(?P<used>\+\d+)?)?$")
PERSON = {
    "fname": str, "mname": str, "lname": str, "title": str, "federation": str, "gender": str,
    "fideid": int,
}  # fmt: skip
GAME = {
    "live": bool, "serialNr": str, "firstMove": int, "chess960": int, "result": str,
    "comment": str, "clock": dict, "moves": list,
}  # fmt: skip
TOURNAMENT = {
    "id": str, "name": str, "location": str, "country": str, "website": str, "rules": str,
    "chess960": str, "timecontrol": str, "rounds": list, "eboards": list,
}  # fmt: skip
NEVER_NULL = {"live", "moves", "clock", "rules", "chess960", "rounds", "eboards", "id", "name"}


def typed(value: dict[str, Any], kinds: dict[str, type]) -> dict[str, Any]:
    assert set(value) == set(kinds)
    for name, kind in kinds.items():
        assert type(value[name]) is kind or (value[name] is None and name not in NEVER_NULL), name
    return value


class Reader:
    """Reads all of a folder, every field by its type."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tournament = typed(self._json("tournament.json"), TOURNAMENT)
        for said in self.tournament["rounds"]:
            typed(said, {"count": int, "live": int})
            assert said["live"] in (0, 1)

    def _json(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / name).read_bytes())
        return found

    def pairings(self, number: int) -> list[dict[str, Any]]:
        index = self._json(f"round-{number}/index.json")
        assert set(index) == {"date", "pairings"}
        assert index["date"] is None or re.fullmatch(r"\d{4}-\d\d-\d\d", index["date"])
        for pairing in index["pairings"]:
            assert set(pairing) == {"white", "black", "result", "live"}
            typed(pairing["white"], PERSON)
            typed(pairing["black"], PERSON)
            assert pairing["result"] in ("1-0", "0-1", "1/2-1/2", "*")
            assert type(pairing["live"]) is bool
        found: list[dict[str, Any]] = index["pairings"]
        return found

    def game(self, number: int, place: int) -> tuple[dict[str, Any], list[str]]:
        """Its fields, and its moves as from and to."""
        game = typed(self._json(f"round-{number}/game-{place}.json"), GAME)
        assert set(game["clock"]) == {"white", "black", "time"}
        assert all(value is None or type(value) is int for value in game["clock"].values())
        assert game["result"] in (None, "WHITEWIN", "BLACKWIN", "DRAW")
        usual = game["chess960"] == 518
        board = chess.Board() if usual else chess.Board.from_chess960_pos(game["chess960"])
        moves = []
        for text in game["moves"]:
            match = MOVE.match(text)
            assert match, text
            moves.append(board.push_san(match["san"]).uci())
        return game, moves

    def pgn(self, number: int, name: str) -> list[chess.pgn.Game]:
        text = (self.folder / f"round-{number}/{name}.pgn").read_text("utf-8")
        assert text.startswith('[ePGN "0.1;DGT LiveChess/2.2.6"]\n')
        read(text.replace('[ePGN "0.1;DGT LiveChess/2.2.6"]\n', ""))
        stream, found = io.StringIO(text), []
        while (game := chess.pgn.read_game(stream)) is not None:
            assert game.errors == []
            found.append(game)
        return found


class Then:
    speed = 1.0

    def __init__(self, at_ns: int) -> None:
        self.at_ns = at_ns

    def now_ns(self) -> int:
        return self.at_ns

    async def rest(self, _seconds: float) -> None: ...


def played() -> list[Hands]:
    ana = Player("GM", 2701, 400041, "IND", "Goa")
    first = TableSetup(
        hall="main", table="1", white="Ñandú, Zoë", black="Bo", white_player=ana, round=2
    )
    won, open_, waits = (
        Hands(first),
        Hands(replace(first, table="2", white="C, D", black="E, F", white_player=Player())),
        Hands(replace(first, table="3", white="G", black="H", white_player=Player())),
    )
    won.play(*RUY)
    won.act("set-result", result="1-0", reason="resigned")
    open_.play(*RUY[:5])
    return [won, open_, waits]


@pytest.fixture
async def journal(tmp_path: Path, opened):
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, played())
        await journal.synced()
        yield journal


def outlet(
    journal,
    folder: Path,
    clock: Then,
    delay_ns: int | None = None,
    tables: tuple[str, ...] = ("1", "2", "3"),
    **said,
) -> FolderOutlet:
    delays = None if delay_ns is None else Delays(journal.read, (), delay_ns)
    book = ScoreBook(journal.read, clock, delays, safe_pgn)
    return FolderOutlet("main", book, tables, folder, clock, journal._workers, **said)


async def test_a_folder_that_hangs_keeps_nobody_waiting(journal, tmp_path: Path) -> None:
    """A network drive that answers no more stopped the whole hall, boards and alerts too."""
    folder = tmp_path / "out"
    folder.mkdir()
    hanging = folder / ".tournament.json.new"
    os.mkfifo(hanging)
    looking = asyncio.create_task(outlet(journal, folder, Then(0)).look())
    done, _ = await asyncio.wait({looking}, timeout=0.1)
    assert not done

    await asyncio.to_thread(hanging.read_bytes)
    assert await looking == ""


async def test_every_field_is_typed_right_and_the_games_are_those_that_were_played(
    journal, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    assert await outlet(journal, folder, Then(0)).look() == ""
    found = Reader(folder)

    assert found.tournament["rounds"] == [{"count": 0, "live": 0}, {"count": 3, "live": 1}]
    first, second, third = found.pairings(2)
    assert (first["white"]["lname"], first["white"]["fname"]) == ("Ñandú", "Zoë")
    assert (first["white"]["title"], first["white"]["fideid"]) == ("GM", 400041)
    assert (first["result"], first["live"]) == ("1-0", False)
    assert (second["result"], second["live"]) == ("*", True)
    assert (third["result"], third["live"]) == ("*", False)
    game, moves = found.game(2, 1)
    assert (moves, game["result"], game["live"]) == (RUY, "WHITEWIN", False)
    assert [text.split(" ")[1] for text in game["moves"][:2]] == ["3595", "3595+4"]
    assert (game["clock"]["white"], game["clock"]["black"]) == (3575, 3575)
    assert found.game(2, 2)[1] == RUY[:5]
    assert found.game(2, 3)[1] == []
    assert [len(list(game.mainline_moves())) for game in found.pgn(2, "games")] == [10, 5, 0]
    assert found.pgn(2, "game-1")[0].headers["WhiteFideId"] == "400041"
    page = (folder / "round-2/index.html").read_text("utf-8")
    assert "GM Ñandú, Zoë (2701)" in page
    assert "<script" not in page


async def test_a_table_that_was_taken_out_in_mid_round_keeps_its_place(
    journal, tmp_path: Path
) -> None:
    """Its game was missing, and every later board was another's file."""
    writer = outlet(journal, tmp_path / "out", Then(0), tables=("1", "3"))
    assert await writer.look() == ""
    found = Reader(tmp_path / "out")

    assert [pairing["white"]["lname"] for pairing in found.pairings(2)] == ["Ñandú", "C", "G"]
    assert [len(list(game.mainline_moves())) for game in found.pgn(2, "games")] == [10, 5, 0]
    assert found.game(2, 2)[1] == RUY[:5]


async def test_a_table_of_an_earlier_tournament_is_in_no_round_of_this_one(
    opened, tmp_path: Path
) -> None:
    past = TableSetup(hall="main", table="2", white="Past", black="Gone", round=2)
    before, now = Hands(past), Hands(replace(past, table="1", white="A", black="B"))
    before.play(*RUY[:2])
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, [before])
        write(journal, [now], at_ns=before.at_ns + 10**12)
        await journal.synced()
        assert await outlet(journal, tmp_path / "out", Then(0), tables=("1",)).look() == ""

    (only,) = Reader(tmp_path / "out").pairings(2)
    assert only["white"]["lname"] == "A"


async def test_a_table_that_was_taken_out_is_public_by_its_own_delay(
    opened, tmp_path: Path
) -> None:
    """All of its game was out at once where the hall has a shorter delay."""
    first = TableSetup(hall="main", table="1", white="A", black="B", round=2)
    late = Hands(replace(first, table="2", public_delay_ns=10**12))
    late.play(*RUY[:5])
    clock = Then(late.at_ns)
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, [Hands(first), late])
        await journal.synced()
        book = ScoreBook(journal.read, clock, Delays(journal.read, ("1",), 0), safe_pgn)
        assert await book.of_round(2) is None
        clock.at_ns += 10**12
        assert "Bb5" in str(await book.of_round(2))


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC", "2026-11-21"), ("America/Lima", "2026-11-20"), ("Asia/Tokyo", "2026-11-21")],
)
async def test_a_game_has_the_date_of_the_hall(tmp_path: Path, opened, zone: str, day: str) -> None:
    """An evening in Lima is the next morning in Greenwich."""
    setup = TableSetup(
        hall="main", table="1", white="A", black="B", laws=LawSettings(time_zone=zone)
    )
    evening = Hands(setup, begins_s=int(datetime(2026, 11, 21, 1, 30, tzinfo=UTC).timestamp()))
    evening.play(*RUY[:3])
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, [evening])
        await journal.synced()
        folder = tmp_path / "folder"
        await outlet(journal, folder, Then(2 * 10**18), tables=("1",)).look()

    assert json.loads((folder / "round-1" / "index.json").read_bytes())["date"] == day
    (game,) = Reader(folder).pgn(1, "games")
    assert game.headers["Date"] == day.replace("-", ".")


async def test_a_result_stands_beside_those_who_played_for_it(tmp_path: Path, opened) -> None:
    """The return game at the same table has begun, and no half-move of it has been played."""
    async with opened(tmp_path / "journal.db") as journal:
        setup = TableSetup(hall="main", table="1", white="Ana", black="Bo", round=2)
        first = Hands(setup)
        first.play(*RUY[:3])
        first.act("set-result", result="1-0", reason="resigned")
        write(journal, [first])
        again = Act(10**12, "start-game", "ada", id="x", white="Bo", black="Ana")
        journal.write(Batch((InputRow(journal.next_input(), 10**12, "1", again),)))
        await journal.synced()
        folder = tmp_path / "folder"
        await outlet(journal, folder, Then(10**15), tables=("1",)).look()

    reader = Reader(folder)
    (pairing,) = reader.pairings(2)
    assert (pairing["white"]["lname"], pairing["black"]["lname"]) == ("Ana", "Bo")
    assert pairing["result"] == "1-0"
    assert reader.game(2, 1)[1] == RUY[:3]
    page = (folder / "round-2" / "index.html").read_text()
    assert "<td>Ana</td><td>Bo</td>" in page


async def test_a_round_begun_anew_for_others_has_none_of_the_games_before_it(
    tmp_path: Path, opened
) -> None:
    """The next event's round 2, or the right pairings after the wrong ones: until each table's
    first half-move its last game stood there, with the players and the result it had."""
    past = TableSetup(hall="main", table="1", white="Ana", black="Bo", round=2, round_started_ns=1)
    tables = ("1", "2", "3", "4")
    before = [Hands(replace(past, table=name)) for name in tables]
    for hands in before:
        hands.play(*RUY[:3])
        hands.act("set-result", result="1-0", reason="resigned")
    again = replace(past, white="Cy", black="Di", round_started_ns=10**12)
    swapped = replace(past, table="2", white="Di", black="Cy")
    free = replace(again, table="3", white="", black="")
    same = replace(past, table="4", round_started_ns=10**12)
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, before)
        for setup in (again, swapped, free, same):
            row = InputRow(journal.next_input(), 10**12, setup.table, setup)
            journal.write(Batch((row,)))
        await journal.synced()
        folder = tmp_path / "folder"
        early = outlet(journal, folder, Then(10**12 - 1), 0, tables=tables)
        await early.look()
        assert [each["result"] for each in Reader(folder).pairings(2)] == ["1-0"] * 4
        await outlet(journal, folder, Then(10**15), 0, tables=tables).look()

    reader = Reader(folder)
    first, *others = reader.pairings(2)
    assert (first["white"]["lname"], first["black"]["lname"]) == ("Cy", "Di")
    assert (first["result"], first["live"]) == ("*", False)
    assert reader.game(2, 1)[1] == []
    assert reader.pgn(2, "game-1")[0].headers["White"] == "Cy"
    # Whoever changed tables, has no game there now, or plays on is of the round as it was.
    assert [each["result"] for each in others] == ["1-0"] * 3


async def test_a_hand_at_a_free_board_is_no_game_of_the_round(opened, tmp_path: Path) -> None:
    """A position that was set up there stood among the games, of nobody against nobody."""
    first = TableSetup(hall="main", table="1", white="A", black="B", round=2)
    played, free = Hands(first), Hands(replace(first, table="2", white="", black=""))
    played.play(*RUY[:2])
    free.play(RUY[0], pressed=False)
    free.wait(60)
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, [played, free])
        await journal.synced()
        assert await outlet(journal, tmp_path / "out", Then(0)).look() == ""
        book = ScoreBook(journal.read, Then(free.at_ns), None, safe_pgn)
        assert str(await book.of_round(2)).count("[Event ") == 1
        assert await book.of_table("2") is None
        assert set(await book.texts()) == {"1"}

    assert len(Reader(tmp_path / "out").pairings(2)) == 1


async def test_a_hand_at_a_board_that_was_set_up_again_takes_no_result_away(
    opened, tmp_path: Path
) -> None:
    """The round had a game without a half-move or a result there, and so had Lichess."""
    decided = Hands(TableSetup(hall="main", table="1", white="A", black="B", round=2))
    decided.play(*RUY)
    decided.act("set-result", result="1-0", reason="resigned")
    decided.stands(chess.STARTING_FEN)
    decided.back()
    decided.wait(10)
    begun = replace(decided.setup, table="2", white="C", black="D")
    first = Hands(begun)
    for hands in (decided, first):
        hands.play("d2d4", pressed=False)
        hands.wait(60)
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, [decided, first])
        await journal.synced()
        await outlet(journal, tmp_path / "out", Then(0)).look()
        pushed = (await ScoreBook(journal.read, Then(0)).rounds(["1", "2"]))[2]
        book = ScoreBook(journal.read, Then(0), None, safe_pgn)
        assert "1-0" in str(await book.of_table("1"))

    found = Reader(tmp_path / "out")
    assert [(p["result"], p["live"]) for p in found.pairings(2)] == [("1-0", False), ("*", True)]
    assert found.game(2, 1)[1] == RUY
    assert [len(board.score.moves) for board in pushed if board.score] == [len(RUY), 1]


async def test_the_next_game_of_a_round_is_there_with_its_first_completed_half_move(
    opened, tmp_path: Path
) -> None:
    hands = Hands(TableSetup(hall="main", table="1", white="A", black="B", round=2))
    hands.play(*RUY)
    hands.act("set-result", result="replay", reason="colours reversed")
    hands.stands(chess.STARTING_FEN)
    hands.back()
    hands.wait(10)
    hands.play("d2d4", "d7d5")
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, [hands])
        await journal.synced()
        await outlet(journal, tmp_path / "out", Then(0), tables=("1",)).look()

    assert Reader(tmp_path / "out").game(2, 1)[1] == ["d2d4", "d7d5"]


async def test_a_half_move_that_an_arbiter_corrects_keeps_the_clock_of_its_press(
    opened, tmp_path: Path
) -> None:
    """It had the clock of the moment of the correction, in PGN and for everybody else."""
    hands = Hands(TableSetup(hall="main", table="1", white="A", black="B", round=2))
    hands.play(*RUY)
    pressed = [json.loads(output.payload) for _, _, output in hands.told]
    hands.wait(600)
    hands.act("set-move", op="replace", ply=6, move="d7d6")
    corrected = next(
        told
        for told in (json.loads(output.payload) for _, _, output in hands.told)
        if told.get("uci") == "d7d6"
    )
    before = next(told for told in pressed if told.get("uci") == "a7a6")
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, [hands])
        await journal.synced()
        await outlet(journal, tmp_path / "out", Then(0), tables=("1",)).look()

    assert corrected["replaces"] == before["seq"]
    for field in ("clock", "made_at", "completed_at"):
        assert corrected[field] == before[field]
    game = Reader(tmp_path / "out").game(2, 1)[0]
    clocks = [int(said.split()[1].partition("+")[0]) for said in game["moves"]]
    assert clocks[5] == before["clock"]["black_ms"] // 1000
    assert clocks[1::2] == sorted(clocks[1::2], reverse=True)


@pytest.mark.parametrize(("moves", "shown"), [(["e7e5"], "40… e5"), (["e7e5", "g1f3"], "41. Nf3")])
async def test_the_last_move_has_the_number_that_its_position_says(
    opened, tmp_path: Path, moves: list[str], shown: str
) -> None:
    start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 40"
    hands = Hands(TableSetup(hall="main", table="1", white="A", black="B", round=1, start=start))
    hands.play(*moves)
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, [hands])
        await journal.synced()
        assert await outlet(journal, tmp_path / "out", Then(0)).look() == ""
    page = (tmp_path / "out/round-1/index.html").read_text("utf-8")
    assert f"<td>{shown}</td>" in page


async def test_a_file_moves_only_with_its_content_and_is_never_half_there(
    journal, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    end_ns = max(row.at_ns for row in journal.read.outputs())
    clock = Then(0)
    writer = outlet(journal, folder, clock, delay_ns=0)
    before: dict[str, tuple[bytes, int]] = {}
    for at_ns in range(0, end_ns + 10**9, 10**9):
        clock.at_ns = at_ns
        assert await writer.look() == ""
        after = {
            str(file.relative_to(folder)): (file.read_bytes(), file.stat().st_ino)
            for file in folder.rglob("*.*")
        }
        assert not [name for name in after if name.endswith(".new")]
        for name, (data, inode) in before.items():
            assert (after[name][0] == data) == (after[name][1] == inode), name
        if (folder / "round-2/index.json").is_file():
            Reader(folder).pairings(2)
        before = after


async def test_a_folder_that_was_cleared_is_filled_again(journal, tmp_path: Path) -> None:
    """By somebody who tidies up, or because another disk is mounted there now."""
    folder = tmp_path / "folder"
    writing = outlet(journal, folder, Then(10**18))
    assert await writing.look() == ""
    before = {file.relative_to(folder) for file in folder.rglob("*")}

    shutil.rmtree(folder)
    assert await writing.look() == ""

    assert {file.relative_to(folder) for file in folder.rglob("*")} == before


async def test_only_games_that_have_changed_are_played_through_again(
    journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hall has hundreds of games, and the folder is looked at every other second."""
    through: list[str] = []

    def counted(score: Score) -> list[Stretch]:
        through.append(score.match.table)
        return playable(score)

    monkeypatch.setattr(layout, "playable", counted)
    clock = Then(0)
    writer = outlet(journal, tmp_path / "out", clock, delay_ns=0)
    news: dict[int, set[str]] = {}
    for row in journal.read.outputs():
        if row.topic in topics.EVENTS:
            news.setdefault(row.at_ns, set()).add(row.table)
    for clock.at_ns, tables in news.items():
        assert await writer.look() == ""
        assert set(through) <= tables
        assert len(through) <= len(tables), "once for all its files"
        through.clear()
        assert await writer.look() == ""
        assert not through
    assert set().union(*news.values()) == {"1", "2"}


async def test_programs_of_others_may_read_it_whatever_the_service_keeps_to_itself(
    journal, tmp_path: Path
) -> None:
    folder, mask = tmp_path / "srv/out", os.umask(0o027)  # As the unit has it.
    try:
        assert await outlet(journal, folder, Then(10**15), delay_ns=0).look() == ""
    finally:
        os.umask(mask)

    for place in [folder.parent, folder, *folder.rglob("*")]:
        assert place.stat().st_mode & 0o777 == (0o755 if place.is_dir() else 0o644), place


async def test_the_organisers_command_runs_after_a_change_and_again_after_a_failure(
    journal, tmp_path: Path
) -> None:
    folder, log = tmp_path / "out", tmp_path / "log"
    script = tmp_path / "upload"
    script.write_text(
        f"#!/bin/sh\npwd >> {log}\ntest -e {tmp_path}/up || {{ echo no net >&2; exit 7; }}\n"
    )
    script.chmod(0o755)
    clock = Then(0)
    writer = outlet(journal, folder, clock, delay_ns=0, upload=[str(script)])

    failed = f"the upload command {script} failed (7): no net"
    assert await writer.look() == failed
    (tmp_path / "up").touch()
    clock.at_ns = 59 * 10**9
    assert await writer.look() == failed
    assert (folder / "round-2/game-1.pgn").is_file(), "files are written meanwhile"
    clock.at_ns = 61 * 10**9
    assert await writer.look() == ""
    assert await writer.look() == ""
    assert log.read_text().split() == [str(folder)] * 2


async def test_while_the_command_hangs_the_folder_is_written(journal, tmp_path: Path) -> None:
    folder, script = tmp_path / "out", tmp_path / "upload"
    script.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 90\n")
    script.chmod(0o755)
    writer = outlet(journal, folder, Then(10**14), delay_ns=0, upload=[str(script)])
    running = asyncio.create_task(writer.run())
    await until(lambda: writer.looks)
    later = Hands(TableSetup(hall="main", table="1", white="Ana", black="Bo", round=3))
    write(journal, [later], at_ns=10**13)
    await until(lambda: (folder / "round-3").is_dir())
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    hung = (tmp_path / "pid").read_text().strip()
    await until(lambda: not Path("/proc", hung).exists())


async def until(enough: Callable[[], object]) -> None:
    clock = WallClock()
    async with asyncio.timeout(30):
        while not enough():
            await clock.rest(0.05)
