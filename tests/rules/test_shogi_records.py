"""CSA and KIF: what is written is read again, by us and by an independent library."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from arbiterd.rules.shogi import SHOGI
from arbiterd.rules.shogi_csa import RecordError, ShogiGame, read_csa, write_csa
from arbiterd.rules.shogi_kif import HANDICAPS, read_kif, write_kif
from arbiterd.rules.shogi_position import ShogiPosition

MIDDLE = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"


def random_game(seed: int, start: str = "", plies: int = 120) -> ShogiGame:
    dice = Random(seed)
    position: ShogiPosition = SHOGI.start(start)
    first, moves, seconds = position, [], []
    for _ in range(plies):
        legal = SHOGI.legal_moves(position)
        if not legal:
            break
        moves.append(dice.choice(legal))
        seconds.append(dice.choice([None, dice.randrange(0, 4000)]))
        position = SHOGI.play(position, moves[-1])
    return ShogiGame(first, tuple(moves), tuple(seconds), "sente", "gote", "TORYO")


GAMES = [random_game(seed) for seed in range(4)] + [
    random_game(5, MIDDLE),
    random_game(6, HANDICAPS["二枚落ち"]),
]


@pytest.mark.parametrize("game", GAMES)
def test_csa_is_read_as_it_was_written(game: ShogiGame) -> None:
    assert read_csa(write_csa(game)) == game


@pytest.mark.parametrize("game", GAMES)
def test_kif_is_read_as_it_was_written(game: ShogiGame) -> None:
    assert read_kif(write_kif(game)) == game


@pytest.mark.parametrize("game", GAMES)
def test_an_independent_library_reads_the_same_moves(game: ShogiGame) -> None:
    record = pytest.importorskip("rsshogi.record", reason="the shogi extra is not installed")
    position, wires = game.start, []
    for move in game.moves:
        wires.append(SHOGI.wire(position, move))
        position = SHOGI.play(position, move)

    for read in (record.Record.from_csa_str(write_csa(game)),
                 record.Record.from_kif_str(write_kif(game))):  # fmt: skip
        assert read.to_usi_position().split(" moves ")[1].split() == wires


@pytest.mark.parametrize("name", HANDICAPS)
def test_a_handicap_is_written_by_its_name(name: str) -> None:
    game = ShogiGame(SHOGI.start(HANDICAPS[name]))

    assert write_kif(game).startswith(f"手合割：{name}\n")
    assert read_kif(write_kif(game)).start == game.start


@pytest.mark.parametrize("text", ["V2.2\nPI\n+\n+7775FU\n", "V2.2\nPI\n+\n?\n", "Q\n"])
def test_a_wrong_csa_line_is_named(text: str) -> None:
    with pytest.raises(RecordError, match=f"line {len(text.splitlines())}"):
        read_csa(text)


@pytest.mark.parametrize("line", ["1 ７五歩(77)", "1 投降"])
def test_a_wrong_kif_line_is_named(line: str) -> None:
    with pytest.raises(RecordError, match="line 2"):
        read_kif(f"手合割：平手\n{line}\n")


def test_csa_puts_all_that_is_left_in_a_hand() -> None:
    text = "P1 *  *  *  * -OU *  *  *  * \nP+23TO00KI00FU00FU\nP-00AL\n+\n"

    assert SHOGI.fen(read_csa(text).start) == "4k4/9/7+P1/9/9/9/9/9/9 b G2P2r2b3g4s4n4l15p 1"


@pytest.mark.parametrize("plies", [2, 3])
@pytest.mark.parametrize("culprit", ["+", "-"])
def test_a_foul_is_the_culprits_whoever_has_the_move(culprit: str, plies: int) -> None:
    """KIF says whether the side to move has won or lost by it, CSA who did it."""
    whole = random_game(1, plies=plies)
    game = replace(whole, end=f"{culprit}ILLEGAL_ACTION")
    to_move = "+" if plies % 2 == 0 else "-"

    text = write_kif(game)

    assert ("反則負け" if culprit == to_move else "反則勝ち") in text
    assert read_kif(text).end == ("ILLEGAL_MOVE" if culprit == to_move else game.end)


def test_kif_as_people_have_it() -> None:
    """The other signs for king and dragon, comments, a variation, the older file's encoding."""
    text = (
        "# KIF\r\n開始日時：2026/11/21\r\n手合割：平手\r\n先手：甲\r\n後手：乙\r\n"
        "手数----指手---------消費時間--\r\n   1 ７六歩(77)   ( 0:16/00:00:16)\r\n*note\r\n"
        "   2 ３四歩(33)   ( 0:00/00:00:00)+\r\n   3 ２二角成(88) ( 1:02/00:01:18)\r\n"
        "   4 同　銀(31)   ( 0:01/00:00:01)\r\n   5 ４五角打     ( 0:01/00:01:19)\r\n"
        "   6 ５二王(51)   ( 0:01/00:00:02)\r\n   7 投了\r\n\r\n変化：2手\r\n   2 ８四歩(83)\r\n"
    )

    game = read_kif(text.encode("cp932").decode("cp932"))

    assert [SHOGI.wire(game.start, move) for move in game.moves] == [
        "7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "5a5b"
    ]  # fmt: skip
    assert game.seconds == (16, 0, 62, 1, 1, 1)
    assert (game.black, game.white, game.end) == ("甲", "乙", "TORYO")


def test_the_independent_library_is_no_judge_of_drop_mates() -> None:
    """The reference names engines that count a pawn drop that mates; ours leaves it out."""
    position = SHOGI.start("7nk/9/7G1/9/9/9/9/9/4K4 b P 1")

    assert "P*1b" not in {SHOGI.wire(position, move) for move in SHOGI.legal_moves(position)}


def test_a_csa_record_of_the_third_version_and_several_on_a_line() -> None:
    text = "'CSA encoding=UTF-8\nV3.0\nN+甲\nPI\n+\n+7776FU,T12,-3334FU,T6\n%CHUDAN\n"

    game = read_csa(text)

    assert (game.seconds, game.black, game.end) == ((12, 6), "甲", "CHUDAN")


@pytest.mark.parametrize("end", ["%TORYO,T39", "%TORYO\nT39"])
def test_what_the_end_took_is_no_time_of_the_move_before(end: str) -> None:
    game = read_csa(f"V2.2\nPI\n+\n+7776FU\nT12\n-3334FU\nT6\n{end}\n")

    assert (game.seconds, game.end) == ((12, 6), "TORYO")


@pytest.mark.parametrize("opened_as", ["   4 ２二銀(31)", "   5 ２二銀(31)"])
def test_a_sealed_move_adjourns_and_is_opened_on_the_next_line(opened_as: str) -> None:
    """A title match of two days: its clock times have hours, and play goes on the next morning."""
    head = (
        "棋戦：番勝負\n手合割：平手　　\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n"
        "   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 ３四歩(33)   (1:02:03/01:02:03)\n"
        "   3 ２二角成(88) ( 1:02/00:01:18)\n*封じ手は乙\n   4 封じ手       (50:00/01:52:03)\n"
    )
    sealed = read_kif(head)
    assert (len(sealed.moves), sealed.end) == (3, "CHUDAN")
    assert sealed.seconds == (16, 3723, 62)

    game = read_kif(f"{head}{opened_as} ( 0:00/01:52:03)\n   6 投了\nまで4手で後手の勝ち\n")
    assert SHOGI.wire(SHOGI.start(), game.moves[3]) == "3a2b"
    assert (len(game.moves), game.end) == (4, "TORYO")
    assert read_csa(write_csa(game)).moves == game.moves
