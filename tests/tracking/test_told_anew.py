"""Which half-move may still have been another one: none that was pressed for or stood for long."""

from __future__ import annotations

import pytest
from tests.tracking.hands import MS, SECOND, Hands

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.evidence import (
    handled_well,
    may_be_anothers,
    nobody_taken,
    pressed_for_another,
    stood_firm,
    stood_still,
    undoing,
)
from arbiterd.tracking.facts import MoveMade, MoveWithdrawn, PlyCertainty
from arbiterd.tracking.lines import Line
from arbiterd.tracking.phases import POSITIONS_AT_REST
from arbiterd.tracking.snapshot import Snapshot
from eboards.events import SensingClass


def last(hands: Hands) -> tuple[Snapshot, Line]:
    belief = hands.tracker._belief
    return belief.snapshot(hands.now_ns, POSITIONS_AT_REST), belief.live[0]


def pressed_within(hands: Hands, side: Colour, ns: int) -> Hands:
    """A press that became known so soon after the last change, and may be a second older."""
    hands.now_ns += ns
    hands.facts += hands.tracker.pressed(hands.now_ns, side, SECOND)
    return hands


def test_what_was_pressed_for_stands_however_soon_its_piece_was_lifted_again() -> None:
    look, line = last(Hands().move("e2", "e4").press("white").lift("e4", 0.05))
    assert stood_firm(look, line)
    assert not stood_still(look, line)
    assert undoing(look, line, None) is None


@pytest.mark.parametrize(("rested_s", "firm"), [(0.2, False), (3.0, True)])
def test_without_a_press_only_what_stood_for_long_stands(rested_s: float, firm: bool) -> None:
    look, line = last(Hands().move("e2", "e4").lift("e4", rested_s))
    assert stood_firm(look, line) is stood_still(look, line) is firm
    assert (undoing(look, line, None) is None) is firm


@pytest.mark.parametrize(
    ("waited_s", "known_ns", "anothers"),
    [(0.3, 100 * MS, True), (0.3, 400 * MS, False), (4.0, 100 * MS, True), (6.0, 100 * MS, False)],
    ids=["at once", "too late after it", "within five seconds of the reply", "later than that"],
)
def test_a_press_may_be_for_the_half_move_before_that_was_forgotten(
    waited_s: float, known_ns: int, anothers: bool
) -> None:
    """White played e4 and pressed for nothing, Black replied and pressed, White played Nf3; then a
    press of White came to be known."""
    hands = Hands().move("e2", "e4").move("e7", "e5").press("black").wait(waited_s)
    look, line = last(pressed_within(hands.move("g1", "f3"), Colour.WHITE, known_ns))
    assert line.wire() == "g1f3"
    assert pressed_for_another(line) is anothers
    assert (undoing(look, line, None) is None) is not anothers


def test_a_press_is_for_no_half_move_that_had_one() -> None:
    hands = Hands().move("e2", "e4").press("white").move("e7", "e5").press("black")
    _, line = last(pressed_within(hands.move("g1", "f3"), Colour.WHITE, 100 * MS))
    assert line.hastily_pressed
    assert not may_be_anothers(line)


@pytest.mark.parametrize(
    ("reply_s", "sureness"), [(0.4, PlyCertainty.LIKELY), (0.6, PlyCertainty.CERTAIN)]
)
def test_a_reply_sooner_than_half_a_second_answers_nothing_that_was_seen(
    reply_s: float, sureness: PlyCertainty
) -> None:
    """The pawn that rests on e4 may be on its way yet: nobody sees, thinks and plays in less."""
    hands = Hands().lift("e2").lift("e7", 0.1).show("e4", "P")
    hands.show("e5", "p", reply_s).wait(5)

    assert hands.moves == ["e2e4", "e7e5"]
    told = [fact for fact in hands.of(MoveMade) if fact.ply == 1]
    assert [fact.sureness for fact in told] == [sureness]


@pytest.mark.parametrize(
    ("lifted", "nobody"),
    [((), True), (("e4",), True), (("d5",), True), (("e4", "e1"), True), (("e4", "d5"), False)],
    ids=["nothing", "a pawn", "what it could take", "two of one side", "one of each side"],
)
def test_where_only_pieces_are_counted_a_capture_takes_one_of_each_side_off(
    lifted: tuple[str, ...], nobody: bool
) -> None:
    hands = Hands("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", kind=SensingClass.OCCUPANCY)
    hands.pieces = list(hands.tracker._belief.image.shown)
    root = hands.tracker._belief.book.told[0]
    for square in lifted:
        hands.lift(square)
    belief = hands.tracker._belief
    assert nobody_taken(belief.sensors, belief.book.changes, root) is nobody


def test_a_half_move_is_handled_well_where_its_own_pieces_alone_left_their_squares() -> None:
    assert handled_well(*last(Hands().move("e2", "e4")))
    assert not handled_well(*last(Hands().lift("d2").show("d2", "P").move("e2", "e4")))


def test_a_piece_may_be_in_the_air_before_what_it_replies_to_is_made() -> None:
    hands = Hands().lift("e2").lift("e7").show("e4", "P").show("e5", "p")
    assert handled_well(*last(hands))


@pytest.mark.parametrize("held_s", [0.02, 0.4])
def test_a_lever_the_arbiter_turned_takes_nothing_back(held_s: float) -> None:
    """Four half-moves ago the board was the same. The lever is turned to let White think again, and
    White's next piece is in the hand when the press is judged that Black did not make."""
    hands = Hands("6k1/8/3q4/4p3/8/3P4/2P5/K7 w - - 0 60")
    for side, start, goal in (
        ("white", "a1", "b1"),
        ("black", "d6", "e6"),
        ("white", "b1", "a1"),
        ("black", "e6", "d6"),
    ):
        hands.wait(20).move(start, goal)
        pressed_within(hands, Colour(side), 600 * MS)
    hands.wait(30)
    pressed_within(hands, Colour.BLACK, 300 * MS)
    hands.lift("d3", held_s).wait(2)
    hands.show("d4", "P")
    pressed_within(hands, Colour.WHITE, 300 * MS).wait(10)

    assert hands.moves == ["a1b1", "d6e6", "b1a1", "e6d6", "d3d4"]
    assert hands.of(MoveWithdrawn) == []


def test_whoever_has_the_turn_by_what_is_believed_is_accused_of_nothing_else() -> None:
    """A rook rested on its way while the reply was made, and was told as two half-moves of White.
    Then White moves two pieces and presses: it was its turn."""
    hands = Hands("6k1/5ppp/2n5/8/8/2N5/1P3PPP/R5K1 w - - 0 1", scan_ns=50 * MS).wait(20)
    hands.lift("a1").show("b1", "R", 0.5).lift("c6", 0.35).lift("b1", 0.4)
    hands.show("d4", "n", 0.17).show("d1", "R", 0.09).wait(0.55)
    hands.press_of_two("white").wait(5)
    assert hands.moves == ["a1b1", "c6d4", "b1d1"], "it may be so"
    hands.move("b2", "b3").wait(0.7)
    pressed_within(hands.move("c3", "a4"), Colour.WHITE, 900 * MS).wait(10)

    assert hands.moves == ["a1d1", "c6d4"]
    assert [(press.turn.ply, press.turn.side) for press in hands.empty_presses] == [
        (3, Colour.WHITE)
    ]
