"""What stands though no legal move made it: one entry of the record, for every reader."""

from __future__ import annotations

from typing import Any

from .test_commands import Desk

AFTER_A_GAP = "rnbqk2r/ppp2ppp/5n2/2bp4/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 2 5"


def test_a_position_set_during_a_game_is_an_entry_and_the_game_goes_on() -> None:
    desk = Desk()
    game = desk.table.state(0).game

    answer, said = desk.order("set-position", fen=AFTER_A_GAP)

    assert answer["ok"]
    (entry,) = [one for one in said if one["topic"] == "moves"]
    assert entry["irregular"] is True
    assert (entry["ply"], entry["san"], entry["uci"]) == (7, None, None)
    assert (entry["fen"], entry["game"], entry["how"]) == (AFTER_A_GAP, game, "arbiter")
    state = desk.table.state(desk.table.at_ns)
    assert (state.ply, state.fen, state.last_move) == (7, AFTER_A_GAP, None)


def test_moves_after_it_and_before_it_can_be_corrected() -> None:
    """Once `set-move` before such an entry stopped the table."""
    desk = Desk()
    told: list[dict[str, Any]] = []
    for action, fields in [
        ("set-position", {"fen": AFTER_A_GAP}),
        ("set-move", {"op": "insert", "move": "exd5"}),
        ("set-move", {"op": "replace", "ply": 5, "move": "Bc4"}),
    ]:
        answer, said = desk.order(action, **fields)
        assert answer["ok"], answer
        told += said

    # ply 6 was played as 3...Bg4, and does not stand in the way of the new 3.Bc4.
    assert [one["ply"] for one in told if one["topic"] == "moves"] == [7, 8, 5, 6]
    assert desk.table.state(0).fen.startswith("rnbqk2r/ppp2ppp/5n2/2bP4")


def test_a_half_move_replaced_far_back_is_told_with_every_position_after_it() -> None:
    """Notation and position of later half-moves follow from the one that was corrected."""
    desk = Desk(2)
    answer, said = desk.order("set-move", op="replace", ply=1, move="d4")

    assert answer["ok"]
    told = [one for one in said if one["topic"] == "moves"]
    assert [(one["ply"], one["san"]) for one in told] == [(1, "d4"), (2, "e5")]
    assert told[-1]["fen"] == desk.table.state(0).fen


def test_a_position_set_before_the_first_half_move_begins_the_game() -> None:
    desk = Desk(0)

    answer, said = desk.order("set-position", fen=AFTER_A_GAP)

    assert answer["ok"]
    assert not [one for one in said if one["topic"] == "moves"]
    assert (desk.table.state(0).ply, desk.table.state(0).fen) == (0, AFTER_A_GAP)
