"""Reports of 200 players and nine rounds: in, out again, and with results."""

from __future__ import annotations

import csv
import io
import re
from random import Random

import pytest

from arbiterd.hall.round.results import GameResult, as_csv, into_trf
from arbiterd.hall.round.trf import TrfError, TrfReport, read_trf

PLAYERS, ROUNDS = 200, 9


def report(players: int = PLAYERS, rounds: int = ROUNDS, end: str = "\n") -> str:
    """A tournament by dice, written from the field lists of the format alone."""
    dice = Random("report")
    bouts: dict[int, list[str]] = {number: [] for number in range(1, players + 1)}
    points = dict.fromkeys(bouts, 0.0)
    for _ in range(rounds):
        order = list(bouts)
        dice.shuffle(order)
        idle = order.pop() if dice.random() < 0.5 else None
        if idle is not None:
            order.pop()
            for number in set(bouts) - set(order):
                letter = dice.choice("HFUZ")
                bouts[number].append(f"0000 - {letter}")
                points[number] += {"H": 0.5, "F": 1, "U": 1, "Z": 0}[letter]
        for white, black in zip(order[::2], order[1::2], strict=True):
            ours, theirs, gained = dice.choice(
                [("1", "0", 1), ("0", "1", 0), ("=", "=", 0.5), ("+", "-", 1), ("W", "L", 1)]
            )
            bouts[white].append(f"{black:>4} w {ours}")
            bouts[black].append(f"{white:>4} b {theirs}")
            points[white] += gained
            points[black] += 0.5 if gained == 0.5 else 1 - gained
    lines = [
        "012 Open of nine rounds", "022 Goa", "032 IND", "042 2026/11/01", "052 2026/11/09",
        f"062 {players}", "092 Individual: Swiss", "102 Ada Arbiter", "122 90 min + 30 s",
        f"XXR {rounds}", "XXZ kept as it came", "### a remark",
    ]  # fmt: skip
    for number in bouts:
        title = dice.choice(["", "GM", "IM", "WFM", "f"])
        lines.append(
            f"001 {number:>4} {dice.choice('mw ')}{title:>3} {f'Ñandú, Zoë {number}':<33}"
            f" {2800 - number:>4} IND {30_000_000 + number:>11} 1990/01/{number % 28 + 1:02d}"
            f" {points[number]:>4.1f} {number:>4}  " + "  ".join(bouts[number])
        )
    return end.join(lines) + end


def test_a_player_is_who_the_columns_say_and_has_the_points_of_a_result_put_right() -> None:
    """A title of three letters fills its columns, and what was entered before counts no more."""
    found = read_trf(
        f"001    1 wWFM {'Ñandú, Zoë':<33} 2100 IND {400041:>11} 1990/01/01  2.0    1  "
        "   2 w 1     3 b 1\n"
        f"001    2 m GM {'B, Bo':<33} 2000 IND {400042:>11} 1990/01/01  0.0    2  "
        "   1 b 0  0000 - Z\n"
        f"001    3 m  f {'C, Cy':<33} 1900 IND {400043:>11} 1990/01/01  1.0    3  "
        "0000 - F     1 w 0\n"
    )
    assert [entrant.title for entrant in found.entrants.values()] == ["WFM", "GM", "f"]
    for result, ours, theirs in (("1/2-1/2", "1.5", "0.5"), ("0-1", "1.0", "1.0")):
        changed = found.with_result(1, 1, 2, result)
        assert [line[80:84].strip() for line in changed.lines] == [ours, theirs, "1.0"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_200_players_and_nine_rounds_come_out_byte_for_byte(end: str) -> None:
    text = report(end=end)
    found = read_trf(text)

    assert found.text.encode() == text.encode()
    assert len(found.entrants) == PLAYERS
    assert {len(entrant.bouts) for entrant in found.entrants.values()} == {ROUNDS}
    first = found.entrants[1]
    assert (first.name, first.rating, first.federation, first.fide_id) == (
        "Ñandú, Zoë 1", 2799, "IND", 30_000_001
    )  # fmt: skip


def without_results(found: TrfReport, number: int) -> str:
    """The file as the pairing program writes it before the round: no result, points as before."""
    worth = {"1": 1.0, "W": 1.0, "+": 1.0, "=": 0.5}
    lines = list(found.lines)
    for player, row in found.rows.items():
        entrant = found.entrants[player]
        bout = entrant.bouts[number - 1]
        if bout.opponent:
            at = 91 + (number - 1) * 10 + 7
            line = lines[row]
            points = entrant.points - worth.get(bout.result, 0)
            lines[row] = f"{line[:80]}{points:>4.1f}{line[84:at]} {line[at + 1 :]}"
    return "".join(lines)


WORDS = {"1": "1-0", "W": "1-0", "0": "0-1", "L": "0-1", "=": "1/2-1/2", "+": "1-0F", "-": "0-1F"}


def test_the_results_of_a_round_stand_where_the_pairing_program_would_write_them() -> None:
    whole = read_trf(report().replace(" W", " 1").replace(" L", " 0"))
    open_round = read_trf(without_results(whole, ROUNDS))
    results = [
        GameResult(str(at), white.name, black.name, WORDS[white.bouts[ROUNDS - 1].result])
        for at, (white, black) in enumerate(whole.pairs(ROUNDS), 1)
    ]

    filled, notes = into_trf(open_round, ROUNDS, results)

    assert notes == ()
    assert open_round.text != whole.text
    assert filled.text == whole.text


@pytest.mark.parametrize("number", range(1, ROUNDS + 1))
def test_the_games_of_a_round_stand_in_one_order_before_it_and_after_the_last(number: int) -> None:
    found = read_trf(report())
    before = found
    for later in range(ROUNDS, number - 1, -1):
        before = read_trf(without_results(before, later))
    order = [[(w.number, b.number) for w, b in each.pairs(number)] for each in (before, found)]
    assert order[0] == order[1]


def test_what_a_report_has_no_place_for_is_said() -> None:
    found = read_trf(report(4, 1))
    white, black = next(found.pairs(1))
    _, notes = into_trf(
        found,
        1,
        [
            GameResult("1", white.name, black.name, None),
            GameResult("2", "Nobody", "Else", "1-0"),
            GameResult("3", white.name, black.name, "replay"),
        ],
    )
    assert [re.sub(r":.*", "", note) for note in notes] == ["table 1", "table 2", "table 3"]


@pytest.mark.parametrize("began", ["=", "+", "-", "@", " ="])
def test_no_name_and_no_reason_is_a_formula_in_a_spreadsheet(began: str) -> None:
    """A player registers under any name; the organiser opens the results."""
    said = f'{began}HYPERLINK("http://example.org","Carlsen")'
    _, line = csv.reader(io.StringIO(as_csv([GameResult("1", said, "B", "0-1", said)])))
    assert line == ["1", f"'{said}", "B", "0-1", f"'{said}"]


def test_results_as_csv() -> None:
    text = as_csv([GameResult("1", "A, B", "C", "1-0", "flag"), GameResult("2", "D", "E", None)])
    assert text == 'table,white,black,result,reason\n1,"A, B",C,1-0,flag\n2,D,E,*,\n'


def spoilt(line: int, begin: int, text: str) -> str:
    """A report with other letters at a column, counted from 1."""
    lines = report(6, 2).splitlines()
    row = lines[line - 1]
    lines[line - 1] = row[: begin - 1] + text + row[begin - 1 + len(text) :]
    return "\n".join(lines)


SPOILT = {
    "no number": (13, 5, "  x1", "13: this is no player line"),
    "a number twice": (14, 5, "   1", "14: player 1 stands on line 13"),
    "no points": (15, 81, "one ", "15: columns 81-84"),
    "endless points": (15, 81, " inf", "15: columns 81-84"),
    "points that are no number": (15, 81, " nan", "15: columns 81-84"),
    "a rating in words": (16, 49, "good", "16: .*the rating"),
    "an opponent who is not there": (17, 92, "  77 w 1", "17: round 1 is against 77"),
    "a result that is none": (18, 99, "?", "18: column 99"),
    "a colour that is none": (13, 97, "x", "13: column 97"),
}


@pytest.mark.parametrize(("line", "begin", "text", "words"), SPOILT.values(), ids=SPOILT)
def test_a_malformed_line_is_named_by_its_number(
    line: int, begin: int, text: str, words: str
) -> None:
    with pytest.raises(TrfError, match=f"^{words}"):
        read_trf(spoilt(line, begin, text))


def test_players_have_the_team_that_names_them() -> None:
    text = report(4, 1) + f"013 {'Torre Blanca':<32}   1    3\n013 {'Caballo Negro':<32}   2    4\n"
    found = read_trf(text)
    assert {n: e.team for n, e in found.entrants.items()} == {
        1: "Torre Blanca", 2: "Caballo Negro", 3: "Torre Blanca", 4: "Caballo Negro",
    }  # fmt: skip
    assert found.text == text
