"""Faces, drops and pieces taken that a board cannot show: held until something settles them."""

from __future__ import annotations

from arbiterd.rules.guadalete import GUADALETE
from arbiterd.rules.shogi import SHOGI
from arbiterd.tracking.facts import PlyCertainty
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from eboards.events import SensingClass

from .hands import Hands

ROOK_ALONE = "4k4/9/9/9/9/9/9/9/R3K4 b - 1"


def rook_enters() -> Hands:
    """On a board without faces: it may have been turned over. Then kings go to and fro."""
    hands = Hands(ROOK_ALONE, kind=SensingClass.KIND, rules=SHOGI)
    hands.move("9i", "9c").press("black")
    for _ in range(5):
        hands.move("5a", "4a").press("white").move("5i", "4i").press("black")
        hands.move("4a", "5a").press("white").move("4i", "5i").press("black")
    return hands.move("5a", "4a").press("white")


def test_a_face_is_known_once_the_piece_moves_as_only_one_of_them_can() -> None:
    hands = rook_enters()
    doubtful = hands.tracker.record.plies[0]
    assert (doubtful.sureness, len(doubtful.alternatives)) == (PlyCertainty.LIKELY, 1)

    hands.move("9c", "8b").press("black")

    known = hands.tracker.record.plies[0]
    assert (known.move, known.sureness, known.alternatives) == ("9i9c+", PlyCertainty.CERTAIN, ())
    assert hands.moves[-1] == "9c8b"


def test_a_face_that_is_never_shown_stays_in_doubt_after_the_piece_is_taken() -> None:
    hands = Hands(ROOK_ALONE.replace("4k4", "k8"), kind=SensingClass.KIND, rules=SHOGI)
    hands.move("9i", "9b").press("black")
    hands.lift("9b").move("9a", "9b").press("white")
    kept = Tracker.restored(SHOGI, TrackingSettings(), hands.tracker.checkpoint())
    for _ in range(8):
        hands.move("5i", "4i").press("black").move("9b", "8b").press("white")
        hands.move("4i", "5i").press("black").move("8b", "9b").press("white")

    doubtful = hands.tracker.record.plies[0]
    assert doubtful.sureness is PlyCertainty.LIKELY
    assert {doubtful.move, *doubtful.alternatives} == {"9i9b", "9i9b+"}
    assert (
        kept.checkpoint()
        == Tracker.restored(SHOGI, TrackingSettings(), kept.checkpoint()).checkpoint()
    )


def test_a_lift_that_could_be_a_transformation_takes_nothing_back() -> None:
    """The queen took on f3 or on b7; the pawn of f3 that leaves may as well be the queen there."""
    hands = Hands(
        "r3k1nr/pBp5/n1qbb1pp/8/8/R3KP2/1PQP2P1/1NB3NR b kq - 1 15 a4,b5,c4,d5,e4,e5,f5,h4 4/4",
        kind=SensingClass.OCCUPANCY,
        rules=GUADALETE,
    )
    hands.lift("c6").press("black").wait(2)
    hands.lift("f3").lift("b7").show("f3", "?").press("white").wait(2)
    hands.move("e6", "f7").press("black").wait(5)

    assert hands.moves == ["c6f3", "b7f3", "e6f7"]
