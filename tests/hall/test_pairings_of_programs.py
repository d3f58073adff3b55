"""Pairings as programs for organisers export them, each in its own way."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiterd.hall.round.pairings import Pairing, PairingsError, read_noted, seated
from arbiterd.table.player import Player

GERMAN = """\
Offene Meisterschaft;;;;;;;;;
Runde 3 am 2026/11/03;;;;;;;;;
Br.;Nr.;;Weiß;Elo;Pkt.;Ergebnis;Pkt.;;Schwarz;Elo;Nr.
1;4;GM;Müller, Jörg;2601;2;;2;;Ñandú, Zoë;2400;9
2;7;;Groß, Anna;1800;1;;1;WFM;Ødegård, Liv;2101;2
3;5;;Klein, Eva;1500;1;;;;spielfrei;;
"""
SPANISH = "Mesa,Blancas,Elo,Negras,Elo\n1,García Pérez,2100,López,2000\n2,Ruiz,,Díaz,1900\n"
TABS = "Bo.\tName(White)\tTitle\tFideID\tName(Black)\n12\tAdams\tGM\t400041\tBrown\n"
NAMES = """\
Open of nine rounds,,,,,,,,,,,,
Bo.,No.,,Name,Rtg,Club/City,Pts.,Result,Pts.,,Name,Rtg,Club/City,No.
1,1,GM,"Adams, Ada",2700,London,2,,2,IM,"Brown, Bob",2500,Paris,5
2,2,,"Clark, Cy",2400,Madrid,2,,2,,"Davis, Di",2300,Rome,6
3,7,,"Evans, Ed",1500,Lima,0,,,,bye,,,
"""
FINNISH = """\
Poyta;Nimi;Seura;Nimi;Seura
1;Aalto, Aino;Oulu;Berg, Bo;Turku
2;Cajander, Cia;Espoo;Dahl, Dan;Vaasa
"""
UNKNOWN = "Doska;Belye;Chernye\n1;Ivanov, Ivan;Petrov, Petr\n2;Sidorov, Oleg;Popova, Anna\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_a_german_file_with_titles_above_its_head(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "round3.csv"
    file.write_bytes(GERMAN.encode(encoding))
    found, notes = read_noted(file, 3)

    assert found == (
        Pairing("1", "Müller, Jörg", "Ñandú, Zoë", Player("GM", 2601), Player("", 2400)),
        Pairing("2", "Groß, Anna", "Ødegård, Liv", Player("", 1800), Player("WFM", 2101)),
    )
    assert notes == ("line 6: a bye, which takes no table",)


def test_other_languages_and_separators(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    file.write_text(SPANISH, "utf-8")
    found, _ = read_noted(file, None)
    assert [(p.table, p.white, p.white_player.rating, p.black_player.rating) for p in found] == [
        ("1", "García Pérez", 2100, 2000),
        ("2", "Ruiz", 0, 1900),
    ]
    file.write_text(TABS, "utf-8")
    (game,) = read_noted(file, None)[0]
    assert (game.table, game.white, game.black) == ("12", "Adams", "Brown")
    assert game.white_player == Player("GM", fide_id=400041)


def test_two_heads_that_say_name_are_whites_and_blacks(tmp_path: Path) -> None:
    """The club beside a name is no opponent."""
    file = tmp_path / "round.csv"
    file.write_text(NAMES, "utf-8")
    found, notes = read_noted(file, None)
    assert found == (
        Pairing(
            "1", "Adams, Ada", "Brown, Bob",
            Player("GM", 2700, team="London"), Player("IM", 2500, team="Paris"),
        ),
        Pairing(
            "2", "Clark, Cy", "Davis, Di",
            Player("", 2400, team="Madrid"), Player("", 2300, team="Rome"),
        ),
    )  # fmt: skip
    assert notes == ("line 5: a bye, which takes no table",)


def test_heads_of_an_unknown_language_are_found_by_what_stands_below_and_it_is_said(
    tmp_path: Path,
) -> None:
    file = tmp_path / "round.csv"
    file.write_text(UNKNOWN, "utf-8")
    found, notes = read_noted(file, None)
    assert [pairing.white for pairing in found] == ["Ivanov, Ivan", "Sidorov, Oleg"]
    assert "'Belye' for White, 'Chernye' for Black" in notes[0]

    file.write_text(FINNISH, "utf-8")
    found, _ = read_noted(file, None)
    assert [(pairing.white, pairing.black) for pairing in found] == [
        ("Aalto, Aino", "Berg, Bo"), ("Cajander, Cia", "Dahl, Dan"),
    ]  # fmt: skip


def test_a_hall_with_8_boards_takes_a_file_of_100_games(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    rows = "".join(f"{n},White {n},Black {n}\n" for n in range(1, 101))
    file.write_text(f"table,white,black\n{rows}", "utf-8")
    found, _ = read_noted(file, None)
    tables = [str(number) for number in range(1, 9)]
    assert list(seated(found, tables)) == tables
    with pytest.raises(PairingsError, match="twice"):
        seated([*found, found[0]], tables)
