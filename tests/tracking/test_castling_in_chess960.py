"""Castling from many of the 960 starts, by hands in every order they may use."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from arbiterd.rules.chess import ChessRules
from arbiterd.rules.chess960 import first_rank
from arbiterd.tracking.facts import MoveReplaced
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


def test_a_castling_that_swaps_squares_was_begun_when_king_and_rook_were_taken_up() -> None:
    """Both sides castle so, each over the other's half-move; nobody is made to castle later."""
    fen = "bbrknrqn/pppppppp/8/8/8/8/PPPPPPPP/BBRKNRQN w KQkq - 0 1"
    hands = Hands(fen, rules=RULES, scan_ns=225_000_000)
    hands.wait(5).lift("c2").lift("c8", 0.28).lift("d8", 0.01).show("c8", "k", 0.22)
    hands.show("d8", "r", 0.45).show("c4", "P", 0.11).wait(0.07).press_of_two("white")
    hands.lift("c1", 0.92).lift("d1", 0.01).lift("f7", 0.06).show("c1", "K", 0.16)
    hands.show("f5", "p", 0.12).show("d1", "R", 0.33).wait(0.4).press_of_two("white").wait(5)

    assert hands.moves == ["c2c4", "d8c8", "d1c1", "f7f5"]
    assert "f7f5" not in [fact.move for fact in hands.of(MoveReplaced)]


@pytest.mark.parametrize("adjusted", ["before", "after"])
def test_a_castling_no_square_shows_is_known_beside_a_piece_that_was_adjusted(
    adjusted: str,
) -> None:
    """Pieces look alike, king and rook change places. A queen is set right before it; or the other
    side takes up its pawn before the press is heard."""
    fen = "nqbrnkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBRNKRB w KQkq - 0 1"
    hands = Hands(fen, rules=RULES, kind=SensingClass.OCCUPANCY)
    hands.pieces = list(hands.tracker._belief.image.shown)
    hands.wait(5).move("d2", "d4").press("white").wait(5).move("d7", "d5").press("black").wait(5)
    if adjusted == "before":
        hands.lift("d1").show("d1", "?").wait(9)
    hands.lift("f1").lift("g1").show("g1", "?").show("f1", "?")
    if adjusted == "after":
        hands.lift("h7", 1.2)
    hands.press("white")
    if adjusted == "after":
        hands.show("h7", "?")
    hands.wait(9).move("g7", "g6").press("black").wait(5)

    assert hands.moves == ["d2d4", "d7d5", "f1g1", "g7g6"]
    assert not hands.empty_presses


BESIDE = [
    ("5k1r/pppppppp/8/8/8/8/PPPPPPPP/5K1R w Hh - 0 1", "f1 h1 g1 f1", "f8 h8 g8 f8"),
    ("1r1k4/pppppppp/8/8/8/8/PPPPPPPP/1R1K4 w Bb - 0 1", "d1 b1 c1 d1", "d8 b8 c8 d8"),
    ("rk6/pppppppp/8/8/8/8/PPPPPPPP/RK6 w Aa - 0 1", "b1 a1 c1 d1", "b8 a8 c8 d8"),
]
"""The king castles to the square beside it: where king and rook stand, and where they go."""


@pytest.mark.parametrize(
    ("fen", "white", "black"), BESIDE, ids=["short", "long", "from the b-file"]
)
@pytest.mark.parametrize("reply", ["a pawn", "castling"])
def test_a_king_beside_its_square_castles_though_the_reply_stands_before_the_rook(
    fen: str, white: str, black: str, reply: str
) -> None:
    """The king's step is a legal move by itself; its rook is in the air while the other side
    replies, and both press."""
    king, rook, king_to, rook_to = white.split()
    hands = Hands(fen, rules=RULES)
    there = "g7 g6" if reply == "a pawn" else black
    lifted, *others = there.split()
    hands.wait(5).lift(king).lift(lifted).show(king_to, "K").lift(rook, 0.01)
    if reply == "a pawn":
        hands.show(others[0], "p")
    else:
        hands.lift(others[0], 0.03).show(others[1], "k", 0.45).show(others[2], "r")
    hands.show(rook_to, "R").wait(0.2).press_of_two("white").wait(5)
    hands.move("e2", "e4").press("white").wait(5)

    assert hands.moves == [king + rook, lifted + others[0], "e2e4"]
    assert hands.empty_presses == []


@pytest.mark.parametrize("pressed", [False, True])
def test_a_reply_may_come_while_the_king_has_just_been_let_go_of(pressed: bool) -> None:
    """Its hand goes on to the rook. What was pressed for is replied to with another half-move."""
    fen, *_ = BESIDE[2]
    hands = Hands(fen, rules=RULES)
    hands.wait(5).lift("b1").lift("g7", 0.18).show("c1", "K", 0.05).show("g6", "p", 0.14)
    if pressed:
        hands.press_of_two("white")
    hands.lift("a1").show("d1", "R", 0.46).wait(0.2)
    if not pressed:
        hands.press_of_two("white")
    hands.wait(5)

    assert hands.moves == ["b1c1" if pressed else "b1a1", "g7g6"]


def test_a_rook_taken_up_after_the_reply_has_not_castled() -> None:
    """The king has moved, and nobody pressed; what the rook does is its side's next move."""
    fen, *_ = BESIDE[0]
    hands = Hands(fen, rules=RULES)
    hands.wait(5).move("f1", "g1").wait(3).move("g7", "g6").press("black").wait(5)
    hands.move("h1", "f1").wait(5)

    assert hands.moves == ["f1g1", "g7g6"]
