"""Castling from many of the 960 starts, by hands in every order they may use."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from arbiterd.rules.chess import ChessRules
from arbiterd.rules.chess960 import first_rank
from eboards.events import EMPTY, SensingClass

from .hands import Hands

RULES = ChessRules(chess960=True)
NUMBERS = (*range(0, 960, 29), 518, 959)


def stripped(number: int, side: str) -> str:
    """The start with nothing but kings, rooks and the pawns before them, this side to move."""
    rank = "".join(piece if piece in "KR" else "1" for piece in first_rank(number).upper())
    pawns = "pppppppp"
    castling = "".join("abcdefgh"[file] for file, piece in enumerate(rank) if piece == "R")
    lower, right = rank.lower(), castling.upper() + castling
    return f"{lower}/{pawns}/8/8/8/8/{pawns.upper()}/{rank} {side} {right} - 0 1"


def castlings(fen: str) -> list[Any]:
    position = RULES.start(fen)
    return [m for m in RULES.legal_moves(position) if len(RULES.touched(position, m)) == 2]


def orders(fen: str, move: Any) -> list[tuple[tuple[int, str], ...]]:
    """Both pieces lifted, then set down; never one onto a square where the other still stands."""
    position = RULES.start(fen)
    before, after = RULES.placement(position), RULES.placement(RULES.play(position, move))
    king, rook = RULES.touched(position, move)
    came = {piece: square for square, piece in RULES.footprint(position, move)}
    deeds = [
        (king, EMPTY),
        (rook, EMPTY),
        (after.index(before[king]), before[king]),
        (came.get(before[rook], rook), before[rook]),
    ]
    found = []
    for order in permutations(range(4)):
        shown = dict(enumerate(before))
        for number in order:
            square, piece = deeds[number]
            lifted_late = piece != EMPTY and shown[square] != EMPTY
            not_held = piece != EMPTY and order.index(number) < order.index(number - 2)
            if lifted_late or not_held:
                break
            shown[square] = piece
        else:
            found.append(tuple(deeds[number] for number in order))
    return found


def swapped(fen: str, move: Any) -> bool:
    """King and rook change places: where colours alone are sensed nothing has changed. As the first
    half-move of all it is not told from setting up."""
    position = RULES.start(fen)
    return {square for square, _ in RULES.footprint(position, move)} == set(
        RULES.touched(position, move)
    )


@pytest.mark.parametrize("kind", [SensingClass.IDENTITY, SensingClass.COLOUR])
@pytest.mark.parametrize("side", ["w", "b"])
def test_castling_is_known_in_whatever_order_hands_bring_it_about(
    kind: SensingClass, side: str
) -> None:
    tried = 0
    for number in NUMBERS:
        fen = stripped(number, side)
        for move in castlings(fen):
            if kind is SensingClass.COLOUR and swapped(fen, move):
                continue
            wire = RULES.wire(RULES.start(fen), move)
            for order in orders(fen, move):
                hands = Hands(fen, rules=RULES, kind=kind)
                for square, piece in order:
                    hands.show(RULES.geometry.names[square], as_seen(kind, piece))
                hands.press("white" if side == "w" else "black").wait(5)
                tried += 1

                assert hands.moves == [wire], (fen, wire, order)
                assert hands.empty_presses == []
    assert tried > 150


def test_king_and_rook_that_change_places_have_castled() -> None:
    """If both were touched, and it was pressed for."""
    tried = 0
    for number in NUMBERS:
        fen = stripped(number, "b")
        reply = RULES.play(RULES.start(fen), RULES.parse(RULES.start(fen), "a7a6"))
        after = RULES.fen(reply)
        for move in (m for m in castlings(after) if swapped(after, m)):
            king, rook = (RULES.geometry.names[square] for square in RULES.touched(reply, move))
            for touched, pressed in (
                ((king, rook), True),
                ((rook, king), True),
                ((king,), True),
                ((rook,), True),
                ((king, rook), False),
            ):
                hands = Hands(fen, rules=RULES, kind=SensingClass.COLOUR)
                hands.lift("a7").show("a6", "b").press("black").wait(2)
                for square in touched:
                    hands.lift(square)
                for square in touched:
                    hands.show(square, "w")
                if pressed:
                    hands.press("white")
                hands.wait(5)
                castled = pressed and len(touched) == 2
                tried += 1

                assert hands.moves == ["a7a6", *[RULES.wire(reply, move)] * castled]
                assert len(hands.empty_presses) == (pressed and not castled)
    assert tried >= 15


def as_seen(kind: SensingClass, piece: str) -> str:
    if piece == EMPTY or kind is SensingClass.IDENTITY:
        return piece
    return "w" if piece.isupper() else "b"


def played(kind: SensingClass, fen: str, deeds: list[tuple[int, str]]) -> Hands:
    hands = Hands(fen, rules=RULES, kind=kind)
    for square, piece in deeds:
        hands.show(RULES.geometry.names[square], as_seen(kind, piece))
    return hands.press("white").wait(5)


@pytest.mark.parametrize("kind", [SensingClass.IDENTITY, SensingClass.COLOUR])
def test_a_piece_that_stays_where_it_is_need_not_be_touched(kind: SensingClass) -> None:
    stayed = {"K": 0, "R": 0}
    for number in NUMBERS:
        fen = stripped(number, "w")
        position = RULES.start(fen)
        for move in castlings(fen):
            changes = dict(RULES.footprint(position, move))
            stays = [s for s in RULES.touched(position, move) if s not in changes]
            if not stays:
                continue
            stayed[RULES.placement(position)[stays[0]]] += 1
            for lifted_first in (True, False):
                deeds = sorted(changes.items(), key=lambda c: (c[1] != EMPTY) is lifted_first)

                hands = played(kind, fen, deeds)

                assert hands.moves == [RULES.wire(position, move)], (fen, deeds)
                assert hands.empty_presses == []
    assert min(stayed.values()) > 1, "both kinds were met"


def test_a_king_set_down_on_its_rooks_square_on_the_way_has_castled() -> None:
    tried = 0
    for number in NUMBERS:
        fen = stripped(number, "w")
        position = RULES.start(fen)
        for move in castlings(fen):
            king, rook = RULES.touched(position, move)
            after = RULES.placement(RULES.play(position, move))
            k_to, r_to = after.index("K"), dict(RULES.footprint(position, move))
            rook_to = next((s for s, piece in r_to.items() if piece == "R"), rook)
            if rook in (k_to, rook_to):
                continue
            deeds = [(king, EMPTY), (rook, "K"), (rook, EMPTY), (k_to, "K"), (rook_to, "R")]

            hands = played(SensingClass.IDENTITY, fen, deeds)

            assert hands.moves == [RULES.wire(position, move)], (fen, deeds)
            tried += 1
    assert tried > 20
