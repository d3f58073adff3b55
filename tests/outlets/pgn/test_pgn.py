"""Games as PGN that other programs read."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import chess.pgn
import pytest

from arbiterd.journal.delays import Delays
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import Batch, InputRow, OutputRow
from arbiterd.laws.act import Act
from arbiterd.messages.times import from_rfc3339, rfc3339
from arbiterd.outlets.pgn.files import PgnFiles, of_round
from arbiterd.outlets.pgn.full import full_pgn, games_pgn
from arbiterd.outlets.pgn.games import Remark, scores
from arbiterd.outlets.pgn.movetext import filled
from arbiterd.table.setup import TableSetup
from arbiterd.timing.control import Kind, Rate, read_period

RATE = Rate(Kind.STANDARD, True, (read_period("40/90:00+30"), read_period("30:00+30")))
SETUP = TableSetup(hall="main", table="1", white='Ana "Queen" A', black="Bob", round=3, rate=RATE)


LEGAL_AGAIN = "rnbqkbnr/pppp1ppp/8/4p3/4P3/6N1/PPPP1PPP/RNBQKB1R b KQkq - 0 2"


class Writer:
    """Writes a table's set-ups and events as a service would."""

    def __init__(self, journal, setup: TableSetup) -> None:
        self.journal, self.table, self.place = journal, setup.table, 0
        self.say(setup)

    def say(self, item) -> None:
        self.number = self.journal.next_input()
        self.journal.write(Batch((InputRow(self.number, self.number, self.table, item),)))

    def event(self, topic: str, game: str, **said: object) -> None:
        self.place += 1
        payload = {"game": game, "at": "2026-11-21T14:03:22.118Z", **said}
        number = self.journal.next_output()
        row = OutputRow(
            number,
            number,
            self.table,
            self.place,
            topic,
            self.place,
            False,
            self.number,
            json.dumps(payload).encode(),
        )
        self.journal.write(Batch(outputs=(row,)))

    def move(
        self, game: str, ply: int, san: str | None, seconds: int | None = None, color: str = ""
    ) -> None:
        color = color or ("white" if ply % 2 else "black")
        clock = None if seconds is None else {f"{color}_ms": seconds * 1000 + 999}
        self.event("moves", game, ply=ply, color=color, san=san, clock=clock)


@pytest.fixture
async def read(tmp_path: Path, opened):
    async with opened(tmp_path / "journal.db") as journal:
        first = Writer(journal, SETUP)
        for ply, (san, seconds) in enumerate(
            [("e4", 5403), ("e5", 5400), ("Qh5", 5300), ("Nf6", 5200), ("Bc4", 5100), ("g6", 5000)],
            start=1,
        ):
            first.move("1-1", ply, san, seconds)
        first.move("1-1", 6, None)
        first.move("1-1", 4, "Nc6", 5250)
        first.move("1-1", 6, "Nf6", None)
        first.move("1-1", 7, "Qxf7#", 3723)
        first.event("result", "1-1", result="1-0", reason="checkmate")
        first.say(Act(1, "start-game", "arbiter", white="Cy", black="Di", fen=BLACK_FIRST))
        first.move("1-2", 1, "Ka7", color="black")
        first.event("result", "1-2", result="1/2-0", reason="both phones")
        second = Writer(journal, TableSetup(table="10", white="E", black="F", round=3))
        second.move("10-1", 1, "d4")
        third = Writer(journal, TableSetup(table="2", white="G", black="H"))
        third.move("2-1", 1, "c4")
        await journal.synced()
        yield journal.read


BLACK_FIRST = "k7/8/8/8/8/8/8/K6Q b - - 0 40"


def games(text: str | None) -> list[chess.pgn.Game]:
    assert text is not None
    stream, found = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors
        found.append(game)
    return found


async def test_a_round_reads_back_as_it_was_played(read: JournalReader) -> None:
    first, second, tenth = games(of_round(read, 3))

    assert dict(first.headers) == {
        "Event": "main",
        "Site": "?",
        "Date": "2026.11.21",
        "Round": "3",
        "White": r"Ana \"Queen\" A",  # This reader leaves the escapes as they are.
        "Black": "Bob",
        "Result": "1-0",
        "Board": "1",
        "TimeControl": "40/5400+30:1800+30",
        "Termination": "normal",
    }
    moves = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7".split()
    assert [move.uci() for move in first.mainline_moves()] == moves
    clocks = [node.clock() for node in first.mainline()]
    assert clocks == [5403, 5400, 5300, 5250, 5100, None, 3723]
    assert (second.headers["White"], second.headers["Outcome"]) == ("Cy", "1/2-0")
    assert second.headers["Result"] == "*"
    assert second.headers["FEN"] == BLACK_FIRST
    assert [move.uci() for move in second.mainline_moves()] == ["a8a7"]
    assert tenth.headers["Board"] == "10"


def test_who_may_not_know_rulings_reads_the_same_record_without_them(read: JournalReader) -> None:
    score = next(scores(read, "1"))
    before = games_pgn(score)
    score.rulings["1-0007"] = Remark(2, "Article 11.3.2, dismissed by ana")

    assert "dismissed" in full_pgn(score)
    assert games_pgn(score) == before
    assert "Qxf7#" in before


async def test_black_first_keeps_his_number(read: JournalReader) -> None:
    assert "\n40... Ka7" in (of_round(read, 3) or "")


async def test_lines_are_short_and_clocks_in_one_piece(read: JournalReader) -> None:
    text = of_round(read, 3) or ""
    assert all(len(line) < 80 for line in text.splitlines() if not line.startswith("["))
    assert all(len(line) < 80 for line in filled(["ab"] * 100).splitlines())
    assert "{[%clk 1:30:03]}" in text
    assert "\x00" not in text


async def test_tags_beyond_the_seven_stand_in_the_order_of_their_names(read: JournalReader) -> None:
    """As the export format has it, so that programs which compare files find no difference."""
    games = re.findall(r"(?m)(?:^\[.+\n)+", of_round(read, 3) or "")
    assert games
    for tags in games:
        names = re.findall(r"(?m)^\[(\w+) ", tags)
        assert names[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
        assert names[7:] == sorted(names[7:])


@pytest.mark.parametrize(
    ("reason", "word"),
    [
        ("flag", "time forfeit"),
        ("time", "time forfeit"),  # As a ruling has it when byo-yomi is over.
        ("refusal", "rules infraction"),  # Article 11.7.
        ("resignation", "normal"),
        ("resigned in time trouble", "normal"),
    ],
)
async def test_how_a_game_ended_is_said_in_the_words_of_the_standard(
    tmp_path: Path, opened, reason: str, word: str
) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        writer.move("1-1", 1, "e4")
        writer.event("result", "1-1", result="1-0", reason=reason)
        await journal.synced()
        (game,) = games(of_round(journal.read, 3))
    assert game.headers["Termination"] == word


@pytest.mark.parametrize(("moves", "word"), [(0, "abandoned"), (1, "rules infraction")])
async def test_a_forfeit_is_of_a_game_that_was_not_played_or_lost_by_the_rules(
    tmp_path: Path, opened, moves: int, word: str
) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        for ply in range(1, moves + 1):
            writer.move("1-1", ply, "e4")
        writer.event("result", "1-1", result="1-0F", reason="did not come back")
        await journal.synced()
        (game,) = games(of_round(journal.read, 3))
    assert (game.headers["Result"], game.headers["Termination"]) == ("1-0", word)


async def test_games_without_a_round_are_round_one(read: JournalReader) -> None:
    assert [game.headers["Board"] for game in games(of_round(read, 1))] == ["2"]
    assert of_round(read, 9) is None


class Noon:
    speed = 1.0

    def __init__(self, at_ns: int) -> None:
        self.at_ns = at_ns

    def now_ns(self) -> int:
        return self.at_ns

    async def rest(self, _seconds: float) -> None: ...


async def test_a_table_file_is_its_present_game_and_the_delay_holds_it_back(
    read: JournalReader,
) -> None:
    tables = ("1", "2", "10")
    assert (games(await PgnFiles(read, tables, Noon(0)).of_table("1"))[0]).headers["White"] == "Cy"
    assert await PgnFiles(read, tables, Noon(0)).of_table("99") is None

    held = games(await PgnFiles(read, tables, Noon(103), Delays(read, (), 100)).of_table("1"))[0]
    assert [move.uci() for move in held.mainline_moves()] == ["e2e4", "e7e5", "d1h5"]
    assert held.headers["Result"] == "*"
    assert await PgnFiles(read, tables, Noon(100), Delays(read, (), 100)).of_table("1") is None


@pytest.mark.parametrize("before", [2, 4])
async def test_what_stood_without_a_legal_move_is_said_and_the_rest_can_be_played_through(
    tmp_path: Path, opened, before: int
) -> None:
    """The longest stretch of legal moves is the game, the rest stands in comments."""
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        legal = ["e4", "e5", "Nf3", "Nc6"][:before]
        for ply, san in enumerate(legal, 1):
            writer.move("1-1", ply, san)
        writer.event(
            "moves", "1-1", ply=before + 1, color="white", san=None, uci="g1g3",
            irregular=True, fen=LEGAL_AGAIN,
        )  # fmt: skip
        for ply, san in enumerate(["Nc6", "d4", "exd4"], before + 2):
            writer.move("1-1", ply, san)
        await journal.synced()
        text = await PgnFiles(journal.read, ["1"], Noon(0)).of_table("1")
    assert text is not None

    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    played = [move.uci() for move in game.mainline_moves()]
    if before == 2:
        assert game.headers["FEN"] == LEGAL_AGAIN
        assert played == ["b8c6", "d2d4", "e5d4"]
        assert game.comment.startswith("1. e4 e5")
    else:
        assert "FEN" not in game.headers
        assert len(played) == 4
        assert "2... Nc6 3. d4 exd4" in " ".join(game.end().comment.split())
    assert "White: no legal move, seen as g1g3" in " ".join(text.split())


async def test_no_name_forges_a_tag_or_a_game(tmp_path: Path, opened) -> None:
    forged = 'X"]\n\n1. e4 *\n\n[Event "forged"]\r\n[White "M\x85[Black \u2028\u202ey\x00\\'
    async with opened(tmp_path / "journal.db") as journal:
        setup = TableSetup(hall="main", table="1", white=forged, black="\n" * 9, round=3)
        writer = Writer(journal, setup)
        writer.move("3-1", 1, "e4")
        writer.event("result", "3-1", result="1-0", reason='won"]\n[Event "forged')
        await journal.synced()
        text = of_round(journal.read, 3)

    assert text is not None
    games = io.StringIO(text)
    game = chess.pgn.read_game(games)
    assert game is not None
    assert chess.pgn.read_game(games) is None
    assert game.headers["Event"] == "main"
    assert game.headers["White"].startswith("X")
    assert len(text.splitlines()) == len(text.split("\n")) - 1, "no other line ends"


async def test_no_reason_sets_a_clock_or_hides_a_line(tmp_path: Path, opened) -> None:
    """What people write stands in comments: `[%` is an order there, `%` hides a line it begins."""
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        writer.move("1-1", 1, "e4", 5403)
        writer.event("result", "1-1", result="1-0", reason=f"[%clk 0:00:01] {'% ' * 60}of it")
        await journal.synced()
        text = of_round(journal.read, 3)

    (game,) = games(text)
    assert game.end().clock() == 5403
    assert text is not None
    assert not [line for line in text.splitlines() if line.startswith("%")]


async def test_a_game_that_was_begun_in_error_is_gone_once_that_is_undone(
    tmp_path: Path, opened
) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        writer.move("1-1", 1, "e4")
        writer.say(Act(1, "start-game", "arbiter", id="x", white="Cy", black="Di"))
        writer.move("1-2", 1, "d4")
        writer.event("moves", "1-2", ply=1, color="white", san=None, uci=None)
        writer.say(Act(2, "undo", "arbiter", of="x"))
        writer.say(Act(3, "start-game", "arbiter", fen="no position"))
        writer.move("1-1", 2, "e5")
        await journal.synced()
        text = await PgnFiles(journal.read, ["1"], Noon(0)).of_table("1")

    (game,) = games(text)
    assert game.headers["Black"] == "Bob"
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5"]


async def test_times_between_half_moves_that_were_entered_are_no_elapsed_times(
    tmp_path: Path, opened
) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        hows = ("pressed", "pressed", "arbiter", "pressed", "pressed")
        for ply, (san, how) in enumerate(
            zip(["e4", "e5", "Nf3", "Nc6", "Bb5"], hows, strict=True), 1
        ):
            at = f"2026-11-21T14:0{ply}:00.000Z"
            color = "white" if ply % 2 else "black"
            writer.event("moves", "1-1", ply=ply, color=color, san=san, how=how, completed_at=at)
        await journal.synced()
        (game,) = games(of_round(journal.read, 3))
    assert [node.emt() for node in game.mainline()] == [None, 60, None, None, 60]


@pytest.mark.parametrize(
    ("passed_s", "shown", "used_s"),
    [
        (55, 5375, 55),  # And 30 s for the press.
        (55, 5375 + 1800, 55),  # Its next period has begun.
        (1255, 5375, None),  # Both clocks stood for twenty minutes.
        (61_255, 5375, None),  # Adjourned to the next morning.
        (61_255, 5375 + 1800, None),
        (1255, None, 1255),  # No clock was read: nothing speaks against it.
    ],
)
async def test_while_the_clock_stands_a_player_uses_no_time(
    tmp_path: Path, opened, passed_s: int, shown: int | None, used_s: int | None
) -> None:
    first_ns = from_rfc3339("2026-11-21T14:00:00.000Z")
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        for ply, (color, san, at_s, left_s) in enumerate(
            [("white", "e4", 0, 5400), ("black", "e5", passed_s, shown)], 1
        ):
            clock = {"white_ms": 5_430_000, "black_ms": left_s and left_s * 1000}
            writer.event(
                "moves", "1-1", ply=ply, color=color, san=san, how="pressed", clock=clock,
                completed_at=rfc3339(first_ns + at_s * 10**9),
            )  # fmt: skip
        await journal.synced()
        (game,) = games(of_round(journal.read, 3))
    assert [node.emt() for node in game.mainline()] == [None, used_s]
