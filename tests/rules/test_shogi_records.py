"""CSA and KIF: what is written is read again, by us and by an independent library."""

from __future__ import annotations

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
