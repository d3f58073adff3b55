"""Coils that lose pieces by themselves: learnt, told, believed less, and kept with their board."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from arbiterd.messages.payloads import Device
from arbiterd.messages.step import Output
from arbiterd.table.health import HOUR_NS, MS, SPOKEN_OF, Health, words
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.events import (
    CHESS_BOARD,
    EMPTY,
    Identity,
    LinkDown,
    LinkUp,
    Scan,
    Sensing,
    SensingClass,
    SquareChange,
)
from eboards.memory import START

SECOND = 1000 * MS
SCAN_NS = 250 * MS
IDENTITY = SensingClass.IDENTITY
E2, D2, E4 = (CHESS_BOARD.names.index(name) for name in ("e2", "d2", "e4"))


def flicker(health: Health, at_ns: int, square: int, piece: str = "P", ms: int = 500) -> bool:
    """A piece is lost for a while."""
    away = health.changed(at_ns, [(square, piece, EMPTY)], IDENTITY)
    return health.changed(at_ns + ms * MS, [(square, EMPTY, piece)], IDENTITY) or away


def lost(health: Health, square: int) -> int:
    return health.coils[square].lost if square in health.coils else 0


def test_a_piece_back_at_once_with_nobody_near_was_lost() -> None:
    health = Health()
    flicker(health, 10 * SECOND, E2)
    assert lost(health, E2) == 1
    assert health.pieces["P"].lost == 1


def test_a_half_move_long_ago_is_no_hand_near() -> None:
    """Its origin stays empty, and says nothing."""
    health = Health()
    health.changed(10 * SECOND, [(D2, "P", EMPTY)], IDENTITY)
    health.changed(10 * SECOND + 700 * MS, [(E4, EMPTY, "P")], IDENTITY)
    flicker(health, 20 * SECOND, E2)
    assert lost(health, E2) == 1


@pytest.mark.parametrize("ms", [801, 2000])
def test_a_piece_held_for_longer_was_in_a_hand(ms: int) -> None:
    health = Health()
    flicker(health, 10 * SECOND, E2, ms=ms)
    assert lost(health, E2) == 0


def test_what_changes_beside_other_squares_is_a_hand() -> None:
    """Just before it, meanwhile, or together with it."""
    before, meanwhile, together = Health(), Health(), Health()
    before.changed(10 * SECOND, [(E4, EMPTY, "N")], IDENTITY)
    flicker(before, 10 * SECOND + 500 * MS, E2)
    meanwhile.changed(10 * SECOND, [(E2, "P", EMPTY)], IDENTITY)
    meanwhile.changed(10 * SECOND + 200 * MS, [(D2, "P", EMPTY)], IDENTITY)
    meanwhile.changed(10 * SECOND + 400 * MS, [(E2, EMPTY, "P")], IDENTITY)
    together.changed(10 * SECOND, [(E2, "P", EMPTY), (D2, "P", EMPTY)], IDENTITY)
    together.changed(11 * SECOND, [(E2, EMPTY, "P"), (D2, EMPTY, "P")], IDENTITY)
    assert [lost(health, E2) for health in (before, meanwhile, together)] == [0, 0, 0]


def test_another_piece_that_showed_for_a_scan_was_misread() -> None:
    health = Health()
    health.changed(10 * SECOND, [(E2, "P", "q")], IDENTITY)
    health.changed(10 * SECOND + 250 * MS, [(E2, "q", "P")], IDENTITY)
    assert health.coils[E2].misread == 1
    assert words(health.coils[E2]) == "read another piece once"


def test_a_board_that_only_counts_pieces_learns_nothing_of_what_is_lost() -> None:
    """A capture looks the same there."""
    health = Health()
    for change, ms in (((E2, "?", EMPTY), 0), ((E2, EMPTY, "?"), 400)):
        health.changed(10 * SECOND + ms * MS, [change], SensingClass.OCCUPANCY)
    assert not health.coils


def test_a_coil_is_weak_by_how_often_and_not_by_the_first_time() -> None:
    """Once an hour is what hands do; again and again on one coil is that coil."""
    health = Health(watched_ns=HOUR_NS, last_ns=5 * SECOND)
    flicker(health, 10 * SECOND, E2)
    assert not health.weak
    for times in range(1, 5):
        flicker(health, (10 + 60 * times) * SECOND, E2)
    assert list(health.weak) == [E2]
    assert health.worst()[0][0] == E2


def test_pieces_that_are_lost_all_over_a_board_make_all_of_it_weak() -> None:
    health = Health()
    for number in range(8):
        flicker(health, (10 + 30 * number) * SECOND, 8 * number)
    assert len(health.weak) == 81


def test_what_a_game_of_ordinary_adjustments_teaches_makes_no_coil_weak() -> None:
    """Three quick ones in two hours, on three squares."""
    health = Health(watched_ns=HOUR_NS, last_ns=5 * SECOND)
    for number, square in enumerate((E2, D2, E4)):
        flicker(health, (10 + 1200 * number) * SECOND, square)
    assert not health.weak


def test_a_kind_of_piece_lost_on_coils_that_read_others_right_has_a_bad_chip() -> None:
    health = Health(watched_ns=2 * HOUR_NS, last_ns=5 * SECOND)
    for number, square in enumerate((E2, D2, E4)):
        flicker(health, (10 + 600 * number) * SECOND, square, "Q")
    assert [piece for piece, _ in health.odd_pieces()] == ["Q"]


# At a table.


def table() -> Table:
    made = Table(TableSetup(orientation=0))
    number = iter(range(1, 100))
    made.take(next(number), LinkUp(0, "dgt", "p", Sensing(IDENTITY, SCAN_NS, CHESS_BOARD)))
    made.take(next(number), Identity(1, "dgt", "48042", "1.0"))
    made.take(next(number), Scan(2, tuple(START)))
    return made


def loses(made: Table, at_s: float, square: int = E2) -> list[Output]:
    """A piece is lost for 0.6 s, and what people hear of it."""
    at_ns = int(at_s * SECOND)
    said = [*made.take(9, SquareChange(at_ns, square, EMPTY)).outputs]
    return [*said, *made.take(10, SquareChange(at_ns + 600 * MS, square, "P")).outputs]


def devices(outputs: list[Output]) -> list[Device]:
    bodies = [each.payload for each in outputs if each.topic == "device" and each.payload]
    return [msgspec.json.decode(body, type=Device) for body in bodies]


def touched(made: Table) -> list[int]:
    return [touch.square for touch in made.view.tracker.turn.touches]


def test_what_a_weak_coil_loses_is_no_touch_from_then_on_and_people_are_told() -> None:
    made, said = table(), list[Output]()
    for times in range(3):
        said += loses(made, 10 + 20 * times)
        made.take(11, SquareChange((20 + 20 * times) * SECOND, E4, EMPTY))
    assert E2 in touched(made), "what made the coil weak is still said"
    before = len(touched(made))
    said += loses(made, 100)
    assert len(touched(made)) == before

    sensors = devices(said)[-1].sensors
    assert isinstance(sensors, list)
    assert (sensors[0].square, sensors[0].times, sensors[0].weak) == ("e2", 4, True)
    assert "lost its piece 4 times" in sensors[0].words


def test_a_piece_held_over_a_weak_coil_for_longer_is_a_touch() -> None:
    made = table()
    for times in range(SPOKEN_OF + 1):
        loses(made, 10 + 20 * times)
    before = len(touched(made))
    made.take(20, SquareChange(200 * SECOND, E2, EMPTY))
    made.take(21, SquareChange(202 * SECOND, E2, "P"))
    assert len(touched(made)) == before + 1


def test_what_was_learnt_goes_with_the_board_and_no_further() -> None:
    """To the next round and over a restart; another board at this table begins anew."""
    made = table()
    for times in range(4):
        loses(made, 10 + 20 * times)
    weak = made.view.board.health.weak
    assert E2 in weak
    again = Table.restored(made.checkpoint())
    assert again.view.board.health == made.view.board.health
    assert made.reseated(TableSetup(orientation=0, round=2)).view.board.health.weak == weak

    loses(again, 300)
    assert len(touched(again)) == len(touched(made)), "the restored tracker knows it too"
    again.take(30, Identity(400 * SECOND, "dgt", "99999", "1.0"))
    assert not again.view.board.health.coils


def test_a_board_that_tells_its_number_in_short_and_in_full_stays_the_same_board() -> None:
    """As newer DGT boards do with every start: the short one is the end of the long one."""
    made = table()
    for times in range(4):
        loses(made, 10 + 20 * times)
    for start_ns in (200 * SECOND, 300 * SECOND):
        made.take(11, LinkDown(start_ns, "unplugged"))
        made.take(12, LinkUp(start_ns + SECOND, "dgt", "p", Sensing(IDENTITY, SCAN_NS)))
        for place, serial in enumerate(("48042", "0000048042"), 1):
            made.take(12 + place, Identity(start_ns + SECOND + place, "dgt", serial))
    assert E2 in made.view.board.health.weak

    made.take(20, Identity(400 * SECOND, "dgt", "0000048043"))
    assert not made.view.board.health.coils


def test_the_same_inputs_teach_the_same() -> None:
    def bytes_of() -> Any:
        made = table()
        for times in range(4):
            loses(made, 10 + 20 * times)
        return made.checkpoint()

    assert bytes_of() == bytes_of()
