"""A board that nothing explains: a player's doing, or a game that is lost from sight. The one is
told of them, the other is said once, and nothing after it until the game is found again."""

from __future__ import annotations

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import (
    Gap,
    IrregularEntered,
    Knocked,
    MoveMade,
    MoveReplaced,
    OutOfTurn,
    PlyCertainty,
    Settled,
    TookBack,
)
from eboards.events import CHESS_BOARD, SensingClass

from .hands import Hands

square_of = CHESS_BOARD.square
OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")


def lost() -> Hands:
    """White pressed, and pieces of both sides stand where nobody saw them come from: no hand of
    theirs did this, and no play leads there."""
    hands = Hands(moves=OPENING).show("f8", ".").show("c5", "b").show("d5", "N").show("h5", "q")
    return hands.press("white").wait(5)


def test_pieces_that_come_from_nowhere_are_no_players_offence() -> None:
    hands = lost()

    assert hands.empty_presses == []
    assert [gap.candidates for gap in hands.of(Gap)] == [()]


@pytest.mark.parametrize(
    ("rules", "side", "moved"),
    [
        ("guadalete", "white", ("g8e5n", "b1g4N", "b8b4n")),
        ("shogi", "black", ("8b5es", "8h5gB", "2b4fs")),
    ],
)
def test_nor_are_they_in_games_in_which_pieces_leave_the_board_or_come_from_a_hand(
    rules: str, side: str, moved: tuple[str, ...]
) -> None:
    """Pieces of both sides stand elsewhere as one presses, and nobody saw why."""
    hands = Hands(rules=ruleset(rules))
    for move in moved:
        hands.show(move[:2], ".").show(move[2:4], move[4])
    hands.press(side).wait(5)

    assert hands.empty_presses == []


def test_a_board_that_explains_itself_before_the_hands_have_left_was_not_lost() -> None:
    """A press waits in vain while pieces are held and dragged about; a moment later all is
    clear."""
    hands = Hands(moves=OPENING)
    hands.show("f8", ".").show("c5", "b").show("d5", "N").show("h5", "q").press("white").wait(2)
    hands.lift("d5").lift("h5").lift("c5").show("f8", "b").wait(6)

    assert hands.empty_presses == hands.of(Gap) == []


def test_a_clock_set_going_while_a_capture_is_in_the_hand_loses_no_game() -> None:
    """The clock that an arbiter sets going reads as a press for nothing. The capture comes and is
    pressed for, and the other side holds its king for long."""
    hands = Hands("4k3/p5pp/8/5N2/8/8/P5PP/4K3 b - - 0 20", moves=("a7a6",))
    hands.play((0.35, "g7", "."), (0.98, "black", "presses"), (1.41, "f5", "."))
    hands.play((3.1, "g7", "N"), (3.98, "white", "presses"), (4.06, "e8", ".")).wait(5)
    assert hands.moves == ["a7a6", "f5g7"]

    hands.show("e8", "k").wait(1).move("e8", "d8").press("black").wait(5)
    assert hands.told == ["f5g7", "e8d8"]
    assert hands.of(Gap) == hands.of(MoveReplaced) == []


def test_what_follows_a_lost_game_is_not_told() -> None:
    hands = lost()
    hands.move("a7", "a5").wait(6).press("black").wait(3)
    hands.move("h2", "h5").wait(6).press("white").wait(3)
    hands.move("b7", "b4").move("g7", "e4").wait(6)

    assert hands.empty_presses == []
    assert len(hands.of(Gap)) == 1
    for kind in (OutOfTurn, Settled, Knocked):
        assert hands.of(kind) == []


def test_a_lost_game_is_found_where_the_pieces_are_put_right() -> None:
    hands = lost()
    hands.lift("d5").lift("h5").lift("c5").show("f8", "b").wait(6)
    hands.move("f1", "e3").press("white").wait(2)

    assert hands.moves == list(OPENING)
    assert [press.side for press in hands.empty_presses] == ["white"], "an illegal move is told"


def test_play_that_goes_on_from_a_lost_game_accuses_nobody_of_what_led_there() -> None:
    hands = lost().move("a7", "a6").press("black").wait(3)

    (entered,) = hands.of(IrregularEntered)
    assert (entered.ply, entered.sureness) == (5, PlyCertainty.LIKELY)
    assert len(hands.of(Gap)) == 1
    assert hands.moves == [*OPENING, "", "a7a6"]


def test_after_some_half_moves_from_there_the_game_is_held_again() -> None:
    hands = lost()
    for side, origin, target in (
        ("black", "a7", "a6"), ("white", "d2", "d3"), ("black", "h7", "h6"),
        ("white", "h2", "h3"), ("black", "g7", "g6"), ("white", "a2", "a3"),
    ):  # fmt: skip
        hands.move(origin, target).press(side).wait(3)
    hands.move("b7", "b2").press("black").wait(3)

    (told,) = hands.empty_presses
    assert (told.side, told.ply) == ("black", 12)


@pytest.mark.parametrize("firm", [True, False])
def test_the_other_sides_piece_is_alleged_only_where_the_record_is_firm(firm: bool) -> None:
    """A pawn of White's goes too far, and a piece of Black's is off another square. White may have
    done both; or they were half-moves that nobody saw, as the two before."""
    hands = Hands(moves=OPENING)
    if firm:
        hands.move("f1", "c4").press("white").wait(3).move("g8", "f6").press("black").wait(3)
    else:
        hands.show("c4", "B").show("f6", "n").lift("g8").lift("f1").press("black").wait(3)
    assert hands.moves == [*OPENING, "f1c4", "g8f6"]
    hands.move("a2", "a5").lift("c6").press("white").wait(6)

    assert len(hands.empty_presses) == firm
    assert len(hands.of(Gap)) == (not firm)


TAKEN = {
    "nothing": (),
    "one, and it was seen": ("d5", "e4"),
    "one, and which was not seen": ("e4",),
}
"""What leaves its square when the pawn of e4 may take on d5 or f5."""


def taken(what: str) -> Hands:
    """White has moved and pressed, and Black has replied."""
    hands = Hands(moves=("e2e4", "d7d5", "a2a3", "f7f5"), kind=SensingClass.OCCUPANCY)
    hands.pieces = list(hands.tracker._belief.image.shown)
    if what == "nothing":
        hands.move("h2", "h3")
    for square in TAKEN[what]:
        hands.lift(square)
    if len(TAKEN[what]) == 2:
        hands.show("d5", "?")
    return hands.press("white").wait(1).move("a7", "a6").press("black").wait(1)


@pytest.mark.parametrize("what", TAKEN)
def test_where_pieces_are_alike_nobody_is_accused_unless_it_is_known_which_was_taken(
    what: str,
) -> None:
    """It may have been another piece, and what looks like an illegal move is a legal one then."""
    hands = taken(what).move("b1", "b5").press("white").wait(6)

    known = "not seen" not in what
    assert len(hands.empty_presses) == known
    assert len(hands.of(Gap)) == (not known)


def test_a_piece_in_the_air_at_a_press_was_not_taken_by_who_pressed() -> None:
    """Black's press is heard late, White has the rook in hand again, and sets it down: where the
    half-moves before were not clear, nothing was taken off by Black."""
    hands = Hands("5R2/p7/1b6/3b1p2/1P4kP/5pP1/5P2/6K1 w - - 0 46")
    hands.lift("f8").show("f7", "R").show("e4", "b").lift("f7").show("f6", "R").lift("d5")
    hands.press("white").wait(0.5).lift("f6").press("black").show("g6", "R").wait(6)

    assert hands.empty_presses == []


def test_half_moves_that_were_only_guessed_are_withdrawn_and_not_taken_back() -> None:
    """The knight goes to g6 as the rook is about to take on f6, where pieces are alike: four
    captures one upon another would show the same for a moment."""
    hands = Hands(
        "5rk1/2p1n1p1/1p2pr1p/1p6/3pP3/P2P2PP/1PPN1R2/5RK1 w - - 0 26",
        kind=SensingClass.OCCUPANCY,
        moves=("f2f4",),
    )
    hands.pieces = list(hands.tracker._belief.image.shown)
    hands.wait(5)
    for square, shown in (("e7", "."), ("f6", "."), ("g6", "?"), ("f4", "."), ("f6", "?")):
        if square == "f6" and shown == "?":
            hands.press("black")
        hands.pieces[hands.rules.geometry.square(square)] = shown
        hands.scan()
    hands.press("white").wait(6)

    assert hands.moves == ["f2f4", "e7g6", "f4f6"]
    assert hands.of(TookBack) == []


@pytest.mark.parametrize("what", TAKEN)
def test_where_pieces_are_alike_nobody_moved_out_of_turn_unless_it_is_known_which_was_taken(
    what: str,
) -> None:
    """It may have been another piece: the move would then be the other side's, or none."""
    hands = taken(what).move("h7", "h6").wait(6)

    known = "not seen" not in what
    assert len(hands.of(OutOfTurn)) == known
    assert len(hands.of(Settled)) == (not known)


def test_a_half_move_is_told_where_the_press_before_it_was_understood_only_at_rest() -> None:
    """White's press waits for its piece, and Black's last half-move of the game is never
    pressed."""
    hands = Hands(
        "1r4k1/5p1p/2q1pPp1/4P1Qn/2p5/6P1/1P5P/R5K1 b - - 0 30",
        kind=SensingClass.OCCUPANCY,
        moves=("h5g3",),
    )
    hands.pieces = list(hands.tracker._belief.image.shown)
    hands.tracker.clock(0, Colour.WHITE, True)
    hands.wait(2)
    for square in ("g3", "h2", "b2", "g3", "b8", "b2"):
        if square == "b2" and hands.pieces[square_of("b8")] == ".":
            hands.press("white")
        hands.pieces[square_of(square)] = "." if hands.pieces[square_of(square)] == "?" else "?"
        hands.scan().wait(0.2)
    hands.wait(12)

    assert hands.moves == ["h5g3", "h2g3", "b8b2"]
    assert hands.of(MoveMade)[-1].move == "b8b2"


def test_a_piece_that_goes_on_from_a_square_in_doubt_has_not_moved_out_of_turn() -> None:
    """The queen passes e4, where an unknown piece is taken for it; it had not stood there."""
    hands = Hands(
        "r1bqkb1r/p4ppp/5n2/np2p1N1/8/5Q2/PPPP1PPP/RNB1K2R w KQkq - 0 9",
        kind=SensingClass.IDENTITY_NOISY,
    )
    hands.lift("f3").show("e4", "?").press("white").show("a8", "Q").lift("e4").wait(6)

    assert hands.of(OutOfTurn) == []
