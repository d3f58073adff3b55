"""Hand stands that are sensed: which piece was dropped, and which one was taken."""

from __future__ import annotations

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.rules.shogi import ShogiRules
from arbiterd.tracking.facts import MoveReplaced, PlyCertainty
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from eboards.events import SensingClass

from .hands import Hands

SHOGI = ruleset("shogi")
DROP = "4k4/9/9/9/9/9/9/9/4K4 b GSNLPp 1"
TAKE = "3k5/9/4p4/9/4R2s1/9/9/9/3K5 b P 1"


def at(fen: str) -> Hands:
    hands = Hands(fen, kind=SensingClass.OCCUPANCY, rules=SHOGI)
    hands.pieces = ["?" if piece != "." else piece for piece in hands.pieces]
    hands.facts += hands.tracker.scanned(hands.now_ns, tuple(hands.pieces))
    return hands


def stand(hands: Hands, pieces: str) -> Hands:
    """Sente's stand shows these pieces."""
    hands.wait(0.3)
    assert isinstance(SHOGI, ShogiRules)
    shown = SHOGI.read_beside(pieces)[Colour.BLACK]
    hands.facts += hands.tracker.beside(hands.now_ns, Colour.BLACK, shown)
    return hands


def told(hands: Hands) -> tuple[str, PlyCertainty, int]:
    """The newest half-move, how sure it is, and how much else it may be."""
    ply = hands.tracker.record.plies[-1]
    return ply.move, ply.sureness, len(ply.alternatives)


def test_without_a_stand_a_drop_stays_open() -> None:
    hands = at(DROP).show("5e", "?").press("black").wait(5)

    assert told(hands)[1:] == (PlyCertainty.LIKELY, 4)


@pytest.mark.parametrize(
    ("left", "move"), [("GSNL", "P*5e"), ("SNLP", "G*5e"), ("GSNP", "L*5e"), ("GNLP", "S*5e")]
)
def test_the_piece_that_left_the_stand_is_the_one_that_was_dropped(left: str, move: str) -> None:
    before = stand(stand(at(DROP), "GSNLP"), left).show("5e", "?").press("black").wait(5)
    assert told(before) == (move, PlyCertainty.CERTAIN, 0)

    after = stand(stand(at(DROP), "GSNLP").show("5e", "?").press("black").wait(5), left)
    assert told(after) == (move, PlyCertainty.CERTAIN, 0)
    assert any(isinstance(fact, MoveReplaced) for fact in after.facts), "the record is corrected"


@pytest.mark.parametrize(("gained", "move"), [("PS", "5e2e"), ("2P", "5e5c")])
def test_the_piece_that_came_to_the_stand_is_the_one_that_was_taken(gained: str, move: str) -> None:
    hands = stand(at(TAKE), "P").lift("5e").press("black").wait(5)
    assert told(hands)[1] is PlyCertainty.LIKELY, "a piece in the fingers settles nothing"

    found, sure, _ = told(stand(hands, gained))

    assert found.rstrip("+") == move
    # Whether it was turned over where it may be, no stand tells.
    assert sure is (PlyCertainty.LIKELY if move == "5e5c" else PlyCertainty.CERTAIN)


def test_a_stand_takes_no_half_move_back() -> None:
    hands = stand(at(TAKE), "P").lift("5e").press("black").wait(5)

    assert told(stand(hands, "P"))[1] is PlyCertainty.LIKELY
    assert told(stand(hands, "-"))[1] is PlyCertainty.LIKELY


def test_a_stand_that_fits_no_line_refutes_none() -> None:
    hands = stand(at(DROP).show("5e", "?").press("black").wait(5), "4R")

    assert told(hands)[1:] == (PlyCertainty.LIKELY, 4)


def test_a_tracker_read_back_knows_the_stands() -> None:
    hands = stand(at(DROP), "SNLP")
    data = hands.tracker.checkpoint()
    restored: Tracker = Tracker.restored(SHOGI, TrackingSettings(), data)
    assert restored.checkpoint() == data

    hands.tracker = restored
    hands.show("5e", "?").press("black").wait(5)
    assert told(hands) == ("G*5e", PlyCertainty.CERTAIN, 0)
