"""What the public side remembers of games that a table has left for others."""

from __future__ import annotations

from msgspec.structs import replace

from arbiterd.messages.payloads import Clock, Move
from arbiterd.outlets.public.game import LEFT_KEPT, PublicTable

CLOCK = Clock(white_ms=1, black_ms=1, running=None, flag=None)
AT = "2026-11-21T14:03:22.118Z"
FIRST = Move(
    hall="main", at=AT, simulated=False, table="1", game="1-1", seq=1, prev=None, ply=1,
    color="white", san="e4", uci="e2e4", fen="after e4", made_at=AT, completed_at=AT, clock=CLOCK,
    how="pressed", certainty="certain", alternatives=[],
)  # fmt: skip


def first_of(game: int) -> Move:
    return replace(FIRST, game=f"1-{game}")


def test_a_game_whose_next_one_was_undone_goes_on_and_is_not_told_again() -> None:
    table = PublicTable()
    assert len(list(table.move(first_of(1)))) == 1
    assert len(list(table.move(first_of(2)))) == 1
    assert not list(table.move(first_of(1)))
    assert table.game == "1-1"


def test_a_day_of_games_is_not_remembered() -> None:
    """64 boards that played rapid games took 3 MB more each hour."""
    table = PublicTable()
    for game in range(1, 100):
        assert len(list(table.move(first_of(game)))) == 1
        assert len(table.left) <= LEFT_KEPT
    assert not list(table.move(first_of(98)))
