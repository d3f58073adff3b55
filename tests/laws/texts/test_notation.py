"""Moves in the texts of rulings stand as arbiters write them, in the letters of the language."""

from __future__ import annotations

from typing import Any

import pytest

from arbiterd.cli.laws.situations import read_situations, tell
from arbiterd.laws.texts.notation import Notation
from arbiterd.rules.registry import ruleset

BISHOP_TOUCHED_FIRST = """game chess, standard 90:00+30
play e4 e5 Nf3 Nc6
lift f1  after 4s
place f1 after 2s
move d4 press
----
"""
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


def told(kind: str, text: str) -> dict[str, Any]:
    (situation,) = read_situations(kind, text)
    return next(ruling for ruling in tell(situation).rulings if ruling["kind"] == kind)


def test_pieces_and_moves_have_the_letters_of_the_language() -> None:
    ruling = told("touch-own-then-other", BISHOP_TOUCHED_FIRST)
    assert ruling["facts"]["obligation"] == ["f1e2", "f1d3", "f1c4", "f1b5", "f1a6"], "the wire's"
    english, spanish = ruling["text"]["en"], ruling["text"]["es"]
    assert english["line"] == "3. White touched Bf1 (2.0 s) and Pd2 and played d4"
    assert "Be2, Bd3, Bc4, Bb5 or Ba6" in english["detail"]
    assert spanish["line"] == "3. Las blancas tocaron Af1 (2,0 s) y Pd2 y jugaron d4"
    assert "Ae2, Ad3, Ac4, Ab5 o Aa6" in spanish["detail"]


@pytest.mark.parametrize(
    ("fen", "wires", "written"),
    [
        ("", ("b1b3", "e2e5", "d1d7"), ("Cb1-b3", "e2-e5", "Dd1xd7")),
        ("", ("e2e4", "g8f6", "e4e5"), ("e4", "Cf6", "e5")),
        ("8/4P1k1/8/8/8/8/6K1/8 w - - 0 50", ("e7e8q", "e7e8n"), ("e8=D", "e8=C+")),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ("e1g1", "h1g1"), ("O-O", "Tg1")),
        (MATED, ("e1f2",), ("Re1-f2",)),
        (MATED, ("d8h4",), ("Dd8-h4",)),
    ],
)
def test_choices_sequences_and_what_is_not_legal(
    fen: str, wires: tuple[str, ...], written: tuple[str, ...]
) -> None:
    rules = ruleset("chess")
    fen = rules.fen(rules.start(fen))
    assert Notation(rules, fen, "RDTACP").moves(wires) == written


def test_other_games_keep_their_own_notation() -> None:
    rules = ruleset("shogi")
    notation = Notation(rules, rules.fen(rules.start()), "RDTACP")
    assert notation.moves(("7g7f", "2h3g", "P*5e")) == ("P-7f", "R2h-3g", "P*5e")
    assert notation.letter("R") == "R"


def test_the_river_has_the_letters_of_chess_and_its_own_word_for_a_plank() -> None:
    rules = ruleset("guadalete")
    notation = Notation(rules, rules.fen(rules.start()), "RDTACP")
    assert notation.moves(("e2e4t", "b1c3")) == ("e4=T", "Cc3")
    assert notation.moves(("b1c4",)) == ("Cb1-c4",)
