"""A round in which much goes wrong: its broadcast never holds a move that is not legal."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import chess.pgn
import pytest

from arbiterd.journal.delays import Delays
from arbiterd.outlets.pgn.book import ScoreBook, in_round
from arbiterd.outlets.pgn.full import full_pgn
from arbiterd.outlets.pgn.safe import safe_pgn
from arbiterd.table.setup import TableSetup
from broadcast.hands import Hands, write
from broadcast.reader import Read, read

from .test_pgn import Noon

RUY = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8".split()
QUEENS = "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 b8d7 a1c1 c7c6".split()


def table(name: str) -> Hands:
    return Hands(TableSetup(hall="main", table=name, white=f"W{name}", black=f"B{name}", round=1))


def corrected(name: str, origin: str, target: str) -> Hands:
    """An illegal move is pressed; the arbiter has it put right and the game goes on."""
    hands = table(name)
    hands.play(*RUY[:6])
    hands.carry(origin, target)
    hands.press()
    hands.wait(20)
    hands.act("confirm", ruling=open_ruling(hands))
    hands.back()
    hands.play(*RUY[6:12])
    return hands


def standing(name: str, origin: str, target: str) -> Hands:
    """An illegal move is pressed and answered: it stands."""
    hands = table(name)
    hands.play(*RUY[:6])
    hands.carry(origin, target)
    hands.press()
    board = chess.Board(hands.rules.fen(hands.position))
    piece = board.remove_piece_at(chess.parse_square(origin))
    board.set_piece_at(chess.parse_square(target), piece)
    board.turn = chess.BLACK
    hands.position = hands.rules.start(board.fen())
    hands.play("g8f6", "b1c3", "f8e7")
    return hands


def open_ruling(hands: Hands) -> str:
    for _, _, output in reversed(hands.told):
        if output.topic == "rulings":
            told = json.loads(output.payload)
            if told["state"] == "open":
                return str(told["id"])
    raise AssertionError("nobody was called")


def last_illegal(name: str) -> Hands:
    """The last half-move is illegal; the game ends there by the arbiter's word."""
    hands = table(name)
    hands.play(*RUY[:8])
    hands.carry("h1", "h5")
    hands.press()
    hands.wait(20)
    hands.act("set-result", result="0-1", reason="illegal move")
    return hands


def signalled(name: str, white: str, black: str, result: str) -> Hands:
    hands = table(name)
    hands.play(*QUEENS)
    if int(name) % 2:
        # A piece is set down, taken back, and another move is played.
        hands.carry("f1", "d3")
        hands.wait(6)
        hands.back()
        hands.play("d1c2")
    hands.kings(white, black)
    hands.act("set-result", result=result, reason="the kings' sign")
    return hands


def lost(name: str) -> Hands:
    """The cable is pulled; what was played meanwhile can be told from the placement."""
    hands = table(name)
    hands.play(*QUEENS[:6])
    hands.lose(60)
    for text in QUEENS[6:8]:
        hands.position = hands.rules.play(hands.position, hands.rules.parse(hands.position, text))
    hands.pieces = list(hands.rules.placement(hands.position))
    hands.find()
    hands.play(*QUEENS[8:12])
    hands.carry("f1", "d3")
    hands.wait(6)
    hands.back()
    hands.play(*QUEENS[12:])
    return hands


def gap(name: str) -> Hands:
    """So much was played unseen that nobody can tell it: the arbiter says how it stands."""
    hands = table(name)
    hands.play(*RUY[:4])
    hands.lose(1500)
    fen = "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9"
    hands.stands(fen)
    hands.find()
    hands.act("set-position", fen=fen)
    hands.wait(3)
    hands.play("c6a5", "b3c2", "c7c5", "d2d4")
    return hands


@pytest.fixture(scope="module")
def hall() -> list[Hands]:
    return [
        corrected("1", "a1", "a3"),
        corrected("2", "c1", "e3"),
        standing("3", "a1", "a3"),
        standing("4", "d1", "d3"),
        last_illegal("5"),
        signalled("6", "e4", "d5", "1-0"),
        signalled("7", "d4", "e5", "0-1"),
        signalled("8", "e4", "e5", "1/2-1/2"),
        signalled("9", "d4", "d5", "1/2-1/2"),
        signalled("10", "e4", "d5", "1-0"),
        signalled("11", "d4", "e5", "0-1"),
        lost("12"),
        lost("13"),
        gap("14"),
        gap("15"),
        gap("16"),
    ]


def both_read(text: str) -> list[Read]:
    """As two readers that know nothing of each other take it."""
    found = read(text)
    stream = io.StringIO(text)
    for game in found:
        other = chess.pgn.read_game(stream)
        assert other is not None
        assert other.errors == []
        assert [move.uci() for move in other.mainline_moves()] == game.moves
        assert other.headers["Result"] == game.result
    assert chess.pgn.read_game(stream) is None
    return found


async def test_every_move_is_legal_at_every_moment_and_the_full_record_tells_all(
    tmp_path: Path, opened, hall: list[Hands]
) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, hall)
        await journal.synced()
        moments = sorted({row.at_ns for row in journal.read.outputs()})
        clock = Noon(0)
        safe_book = ScoreBook(journal.read, clock, Delays(journal.read, (), 0), safe_pgn)
        longest: Counter[str] = Counter()
        safe: list[Read] = []
        checked: dict[tuple[str, int], list[Read]] = {}
        for at_ns in moments:
            safe = []
            clock.at_ns = at_ns
            for score in in_round(await safe_book.scores(), 1):
                name = score.match.table, score.changes
                if name not in checked:
                    checked[name] = both_read(safe_book.text(score))
                safe += checked[name]
            for game in safe:
                longest[game.tags["Board"]] = max(longest[game.tags["Board"]], len(game.moves))
        full = {
            score.match.table: both_read(full_pgn(score))[0]
            for score in await ScoreBook(journal.read, clock).scores()
        }
    print(f"\n{len(moments)} moments, {len(checked)} texts, {len(safe)} games in the end")
    by_board: dict[str, list[Read]] = {}
    for game in safe:
        by_board.setdefault(game.tags["Board"], []).append(game)

    assert set(by_board) == {str(number) for number in range(1, 17)}
    for name in ("1", "2"):
        (game,) = by_board[name]
        assert game.moves == RUY[:12], "an illegal move that was put right was never there"
    for name in ("3", "4", "14", "15", "16"):
        first, second = by_board[name]
        assert (first.result, second.tags["SetUp"]) == ("*", "1")
        assert [first.tags[tag] for tag in ("Round", "Board", "White", "Black")] == [
            second.tags[tag] for tag in ("Round", "Board", "White", "Black")
        ]
    assert by_board["3"][1].moves == ["g8f6", "b1c3", "f8e7"]
    assert by_board["14"][1].moves == ["c6a5", "b3c2", "c7c5", "d2d4"]
    assert (by_board["5"][-1].result, by_board["5"][0].moves) == ("0-1", RUY[:8])
    for name in ("6", "8", "10"):
        assert by_board[name][0].moves == QUEENS
    for name in ("7", "9", "11"):
        assert by_board[name][0].moves == [*QUEENS, "d1c2"]
    for name in ("12", "13"):
        assert by_board[name][0].moves == QUEENS, "what was played unseen can be told"

    said = {name: " ".join(game.comments) for name, game in full.items()}
    for name in ("1", "2", "3", "4", "5"):
        assert "7.5" in said[name], name
    for name in ("3", "4", "14", "15", "16"):
        assert "no legal move" in said[name], name
    for name in ("7", "9", "11", "12", "13"):
        assert "Bd3" in said[name], name
