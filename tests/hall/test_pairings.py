"""Who plays whom, from every kind of file a tournament has."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arbiterd.config import read_text
from arbiterd.config.files import PAIRINGS_MAX
from arbiterd.hall.round.pairings import Pairing, PairingsError, read_noted, read_pairings, seated
from arbiterd.hall.round.rounds import setups
from arbiterd.table.player import Player


def trf_player(rank: int, name: str, points: float, *rounds: str) -> str:
    """A line 001: name in columns 15-47, points in 81-84, rounds of ten from column 92."""
    who = f"001 {rank:>4}      {name:<33} 2400 AAA {rank:>11} 1990/01/01"
    line = f"{who} {points:>4} {rank:>4}"
    assert len(line) == 89
    return line + "  " + "".join(f"{said:<10}" for said in rounds)


TRF = "\n".join(
    [
        "012 A tournament",
        trf_player(1, "Adams, Ada", 1.0, "   4 w 1", "   3 b  "),
        trf_player(2, "Brown, Bob", 0.0, "   3 b 0", "   4 w  "),
        trf_player(3, "Clark, Cy", 1.0, "   2 w 1", "   1 w  "),
        trf_player(4, "Davis, Di", 0.0, "   1 b 0", "   2 b  "),
        trf_player(5, "Evans, Ed", 1.0, "0000 - F", "0000 - H"),
    ]
)
CSV = "Board;White;Black\n1;Adams, Ada;Brown, Bob\n2;Clark;Davis\n"
PGN = """\
[Event "x"]
[Round "2.1"]
[White "Old"]
[Black "Older"]

*

[Event "x"]
[Round "3.2"]
[White "Clark \\"Cy\\""]
[Black "Davis"]

1. e4 {[White "not a tag"]} *

[Event "x"]
[Round "3.1"]
[White "Adams, Ada"]
[Black "Brown, Bob"]

*
"""


def read(tmp_path: Path, text: str, number: int | None) -> tuple[Pairing, ...]:
    file = tmp_path / "round"
    file.write_text(text)
    return read_pairings(file, number)


def test_csv(tmp_path: Path) -> None:
    assert read(tmp_path, CSV, None) == (
        Pairing("1", "Adams, Ada", "Brown, Bob"),
        Pairing("2", "Clark", "Davis"),
    )


def test_pgn_headers_of_the_round(tmp_path: Path) -> None:
    assert read(tmp_path, PGN, 3) == (
        Pairing("2", 'Clark "Cy"', "Davis"),
        Pairing("1", "Adams, Ada", "Brown, Bob"),
    )


def test_trf_seats_the_higher_score_first(tmp_path: Path) -> None:
    def names(number: int) -> list[tuple[str, str]]:
        return [(pairing.white, pairing.black) for pairing in read(tmp_path, TRF, number)]

    assert names(2) == [("Clark, Cy", "Adams, Ada"), ("Brown, Bob", "Davis, Di")]
    assert names(1) == [("Adams, Ada", "Davis, Di"), ("Clark, Cy", "Brown, Bob")]
    assert read(tmp_path, TRF, 1)[0].white_player == Player("", 2400, 1, "AAA")


def test_a_game_that_is_forfeited_beforehand_takes_no_table(tmp_path: Path) -> None:
    file = tmp_path / "round3.trf"
    file.write_text(
        "\n".join(
            [
                "012 A tournament",
                trf_player(1, "Adams, Ada", 3.0, "   2 w +"),
                trf_player(2, "Brown, Bob", 2.0, "   1 b -"),
                trf_player(3, "Clark, Cy", 2.0, "   4 w  "),
                trf_player(4, "Davis, Di", 1.0, "   3 b  "),
                trf_player(5, "Evans, Ed", 1.0, "   6 b -"),
                trf_player(6, "Frost, Fe", 0.0, "   5 w -"),
            ]
        )
    )
    pairings, notes = read_noted(file, 1)
    assert {table: found.white for table, found in seated(pairings, ["1", "2", "3"]).items()} == {
        "1": "Clark, Cy"
    }
    assert notes == tuple(
        f"line {number}: decided without play, which takes no table" for number in (2, 7)
    )


HEAD = "table,white,black\n"
WRONG = {
    "no head": ("1,A,B\n", None, "round:1: the first line is no head"),
    "an empty cell": ("table,white,black\n1,A,\n", None, "round:2: a cell is empty"),
    "empty": ("", None, "the first line is no head"),
    "a round that is not there": (PGN, 9, "no pairings of round 9"),
    "a TRF without a round": (TRF, None, "add number"),
    "a broken TRF line": ("001 ????\n", 1, "round:1: this is no player line"),
    "a cell without end": (f'{HEAD}1,"{"a" * 200_000}', None, "round:2: this is no line"),
    "no text": ("\0\xff" * 100_000, None, "round:1: this is no line of a table"),
    "more lines than an event": (HEAD + "1,A,bye\n" * 30_000, None, "20001: too many lines"),
    "more games than an event": ('[White "A"]\n' * 30_000, 3, "more than 20000 games"),
    "more than a list of games": ("x" * (PAIRINGS_MAX + 1), None, "is no file of at most 8 MiB"),
    "a table's name of any length": (f"{HEAD}{'1' * 9_000},A,B\n", None, "has 9000 characters"),
}


@pytest.mark.parametrize(("text", "number", "words"), WRONG.values(), ids=WRONG)
def test_a_file_that_cannot_be_read_says_where(
    tmp_path: Path, text: str, number: int | None, words: str
) -> None:
    with pytest.raises(PairingsError, match=words):
        read(tmp_path, text, number)


def test_results_that_come_in_move_nobody_to_another_table(tmp_path: Path) -> None:
    """The same report, written anew in mid-round: a player of table 2 has won, and has more points
    by now than anybody of table 1."""

    def report(points: float, white: str, black: str) -> str:
        players = (
            trf_player(1, "Adams, Ada", 1.0, "   2 w 1", "   3 w  "),
            trf_player(2, "Brown, Bob", points, "   1 b 0", f"   4 w {white}"),
            trf_player(3, "Clark, Cy", 1.0, "   4 w 1", "   1 b  "),
            trf_player(4, "Davis, Di", 0.5, "   3 b =", f"   2 b {black}"),
        )
        return "\n".join(players)

    before = read(tmp_path, report(0.5, " ", " "), 2)
    assert [pairing.white for pairing in before] == ["Adams, Ada", "Brown, Bob"]
    assert read(tmp_path, report(1.5, "1", "0"), 2) == before


def test_pairings_without_tables_fill_them_in_order() -> None:
    pairings = [Pairing("", "A", "B"), Pairing("", "C", "D"), Pairing("", "E", "F")]
    assert {table: pairing.white for table, pairing in seated(pairings, ["7", "3"]).items()} == {
        "7": "A",
        "3": "C",
    }


@pytest.mark.parametrize(
    ("tables", "words"), [(["9"], "add it to"), (["1", "1"], "twice")], ids=["unknown", "twice"]
)
def test_pairings_that_do_not_fit_the_hall_are_refused(tables: list[str], words: str) -> None:
    with pytest.raises(PairingsError, match=words):
        seated([Pairing(table, "A", "B") for table in tables], ["1", "2"])


def test_names_of_the_configuration_go_before_pairings(tmp_path: Path) -> None:
    (tmp_path / "round").write_text("table,white,black\n1,A,B\n2,C,D\n")
    config = read_text(
        '[round]\nnumber = 4\npairings = "round"\n[rates.fast]\nkind = "blitz"\ntime = ["3:00+2"]\n'
        '[[tables]]\ntable = "1"\nwhite = "X"\nblack = "Y"\n[[tables]]\ntable = "2"\n',
        str(tmp_path / "a.toml"),
    )
    found = setups(config, tmp_path)

    assert [(s.table, s.white, s.black, s.round) for s in found.values()] == [
        ("1", "X", "Y", 4),
        ("2", "C", "D", 4),
    ]
    assert {str(s.rate.kind) for s in found.values()} == {"blitz"}


NUMBERS = ("9" * 5_000, "9" * 30, "\u00b2", "\u0663", "-1", "1e9")


@pytest.mark.parametrize("said", NUMBERS, ids=[ascii(each)[:8] for each in NUMBERS])
def test_a_number_that_is_none_is_not_known(tmp_path: Path, said: str) -> None:
    csv = f"table,white,rating,black\n1,A,{said},B\n"
    assert read(tmp_path, csv, None)[0].white_player == Player()
    pgn = f'[Round "{said}.1"]\n[White "A"]\n[Black "B"]\n[WhiteElo "{said}"]\n'
    (pairing,) = read(tmp_path, pgn, 3)
    assert (pairing.white, pairing.white_player) == ("A", Player())
    assert read(tmp_path, f"{TRF}\n013 Team{' ' * 40}{said}\n", 1)[0].white_player.team == ""


def test_what_is_said_of_a_file_is_short(tmp_path: Path) -> None:
    file = tmp_path / "round"
    file.write_text(f"{'h' * 9_000},b,c\n1,Anna Smith,Bert Smith\n2,Carl Smith,Dora Smith\n")
    assert max(map(len, read_noted(file, None)[1])) < 300
    file.write_text(HEAD + "1,A,B\n" + "2,A,bye\n" * 3_000)
    assert read_noted(file, None)[1][-1] == "2992 more lines are byes"


def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "round")
    with pytest.raises(PairingsError, match="is no file"):
        read_pairings(tmp_path / "round", None)
