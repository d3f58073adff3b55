"""Fouls of shogi, as an arbiter reads them."""

from __future__ import annotations

import pytest

from laws.talk import STANDARD, Line, act, claim, clock, moved, said

WITH_A_DRAGON = "4k4/9/9/9/4P4/9/9/1+r7/4K4 b P 1"
DROPPED = [{"t": 400, "place": "5g", "piece": "P"}, {"t": 900, "press": "black"}]


@pytest.mark.parametrize("sensing", ["identity", "kind"])
def test_a_foul_is_told_while_a_turned_piece_stands_on_the_board(sensing: str) -> None:
    """A board that tells kinds shows a dragon as a rook: that was one more change, and so no
    single piece's move or drop, for as long as any turned piece stood there."""
    nifu = said(*DROPPED, {"t": 20_000, "press": "white"}, ruleset="shogi", fen=WITH_A_DRAGON,
                sensing=sensing, rate=STANDARD)  # fmt: skip
    assert nifu.opened() == ["sh-nifu"]
    assert nifu.last("sh-nifu")["facts"]["attempt"] == "P*5g"

    king = moved(100, "5i", "8i", "K", press="black")
    leap = said(*king, {"t": 20_000, "press": "white"}, ruleset="shogi", fen=WITH_A_DRAGON,
                sensing=sensing, rate=STANDARD)  # fmt: skip
    assert leap.opened() == ["sh-illegal-movement"]


@pytest.mark.parametrize("sensing", ["identity", "kind"])
def test_a_foul_that_was_answered_leaves_turned_pieces_turned(sensing: str) -> None:
    heard = said(
        *moved(100, "5i", "5g", "K", press="black"),
        *moved(9_000, "8h", "8g", "r" if sensing == "kind" else "+r", press="white"),
        {"t": 20_000, "press": "black"},
        ruleset="shogi",
        fen=WITH_A_DRAGON,
        sensing=sensing,
        rate=STANDARD,
    )

    assert heard.opened()[-1] == "sh-found-later"
    assert heard.moves[-1]["san"].startswith("+R"), "the dragon is one still"


@pytest.mark.parametrize("sensing", ["identity", "kind"])
def test_two_moves_running_are_no_drop_that_nobody_saw(sensing: str) -> None:
    """With a piece in hand the other side might have dropped it there, to be taken at once."""
    heard = said(
        *moved(9_000, "5i", "5h", "K"),
        {"t": 20_000, "lift": "5a"},
        ruleset="shogi",
        fen="4k4/9/9/9/4P4/9/9/9/4K4 b p 1",
        moves=["5e5d"],
        sensing=sensing,
        rate=STANDARD,
    )

    assert heard.opened() == ["sh-two-moves"]
    assert heard.moves == []


@pytest.mark.parametrize("sensing", ["identity", "kind"])
def test_a_move_released_before_the_flag_is_in_time_on_any_board(sensing: str) -> None:
    heard = said(
        *moved(100, "5e", "5d", "P"),
        {"t": 600, "flag": "black"},
        ruleset="shogi",
        fen=WITH_A_DRAGON,
        sensing=sensing,
        rate=STANDARD,
        clock=clock(60_000, 1_000, "black"),
    )

    ruling = heard.last("sh-time-byoyomi")
    assert ruling["facts"]["released"] == "released: before"
    assert ruling["proposal"]["result"] is None


BISHOPS_OFF = ["7g7f", "3c3d", "8h2b+", "3a2b"]
DROP: list[Line] = [{"t": 1000, "lift": "9i"}, {"t": 1500, "place": "5e", "piece": "B"}]


@pytest.mark.parametrize("pressed", [[{"t": 2500, "press": "black"}], []], ids=["pressed", "not"])
def test_a_lance_that_is_off_beside_a_legal_drop_is_not_what_was_dropped(
    pressed: list[Line],
) -> None:
    """It was knocked over, or is held: the bishop on 5e is no lance that moved there."""
    heard = said(*DROP, *pressed, moves=BISHOPS_OFF, ruleset="shogi", rate=STANDARD)
    assert heard.opened(13) == []

    back: list[Line] = [{"t": 9000, "place": "9i", "piece": "L"}]
    heard = said(*DROP, *pressed, *back, moves=BISHOPS_OFF, ruleset="shogi", rate=STANDARD)
    assert [move["uci"] for move in heard.moves] == ["B*5e"]
    assert heard.opened(13) == []


def test_a_foul_by_a_drop_is_told_by_its_name_though_a_reply_has_begun() -> None:
    """The silver is taken up to be captured while the press is looked at."""
    heard = said(
        {"t": 500, "place": "5f", "piece": "P"},
        {"t": 1000, "press": "black"},
        {"t": 1300, "lift": "5d"},
        {"t": 9000, "lift": "5c"},
        {"t": 9500, "place": "5d", "piece": "s"},
        ruleset="shogi",
        fen="4k4/9/4s4/4S4/9/9/4P4/9/4K4 b P 1",
        rate=STANDARD,
    )

    assert heard.opened()[0] == "sh-nifu"
    assert heard.rulings[0]["facts"]["attempt"] == "P*5f"


def test_a_foul_that_was_claimed_is_not_told_again_when_the_board_rests() -> None:
    heard = said(
        {"t": 500, "place": "5e", "piece": "P"},
        {"t": 1000, "press": "black"},
        claim(3000, "illegal-move", "white"),
        ruleset="shogi",
        fen="4k4/9/9/9/9/9/4P4/9/4K4 b P 1",
        rate=STANDARD,
    )

    assert heard.opened(13, 10) == ["sh-nifu", "claim-illegal"]
    assert heard.state("claim-illegal") == "open"


SILVERS = "4k4/9/9/9/9/9/9/3S1S3/4K4 b P 1"


@pytest.mark.parametrize("rest_ms", [500, 6_000], ids=["soon", "later"])
def test_two_moves_before_one_press_are_told(rest_ms: int) -> None:
    """Both stand when the clock is pressed. It was told to nobody."""
    heard = said(
        *moved(1_000, "6h", "6g", "S"),
        *moved(1_400 + rest_ms, "4h", "4g", "S"),
        {"t": 3_000 + rest_ms, "press": "black"},
        {"t": 20_000, "link": "up"},
        ruleset="shogi",
        rate=STANDARD,
        clock=clock(3_600_000, 3_600_000, "black"),
        fen=SILVERS,
    )

    assert heard.opened() == ["sh-two-moves"]


def test_two_pieces_that_are_shifted_together_are_no_two_moves() -> None:
    heard = said(
        {"t": 1_000, "lift": "6h"},
        {"t": 1_040, "lift": "4h"},
        {"t": 1_200, "place": "6g", "piece": "S"},
        {"t": 1_240, "place": "4g", "piece": "S"},
        {"t": 3_000, "press": "black"},
        {"t": 20_000, "link": "up"},
        ruleset="shogi",
        rate=STANDARD,
        clock=clock(3_600_000, 3_600_000, "black"),
        fen=SILVERS,
    )

    assert heard.opened() == []


def test_who_puts_two_moves_right_before_an_arbiter_takes_nothing_back() -> None:
    """The first of them had stood released: the next move was told as matta, and lost the game a
    second time."""
    heard = said(
        *moved(1_000, "6h", "6g", "S"),
        *moved(4_000, "4h", "4g", "S"),
        {"t": 12_000, "pause": True},
        act(14_000, action="pause"),
        act(15_000, action="dismiss", ruling="sh-two-moves"),
        *moved(18_000, "6g", "6h", "S"),
        *moved(20_000, "4g", "4h", "S"),
        act(24_000, action="resume"),
        {"t": 24_000, "clock": clock(3_590_000, 3_590_000, "black")},
        *moved(30_000, "5i", "5h", "K", press="black"),
        {"t": 45_000, "link": "up"},
        ruleset="shogi",
        rate=STANDARD,
        clock=clock(3_600_000, 3_600_000, "black"),
        fen=SILVERS,
    )

    assert heard.opened() == ["sh-two-moves"]


def test_pieces_that_a_sleeve_shifts_and_that_are_put_right_were_not_released() -> None:
    heard = said(
        {"t": 1_000, "lift": "6h"},
        {"t": 1_000, "place": "6g", "piece": "S"},
        {"t": 1_200, "lift": "4h"},
        {"t": 1_200, "place": "3i", "piece": "S"},
        {"t": 4_000, "lift": "6g"},
        {"t": 4_200, "lift": "3i"},
        {"t": 4_400, "place": "6h", "piece": "S"},
        {"t": 5_000, "place": "4h", "piece": "S"},
        *moved(20_000, "5i", "5h", "K", press="black"),
        {"t": 45_000, "link": "up"},
        ruleset="shogi",
        rate=STANDARD,
        clock=clock(3_600_000, 3_600_000, "black"),
        fen=SILVERS,
    )

    assert heard.opened() == []


def test_a_piece_put_down_wrong_was_not_dropped_because_its_like_lies_in_the_hand() -> None:
    """The pawn of 7g stands on 5e for two seconds: a drop was allowed there, and to take that back
    would be matta."""
    heard = said(
        {"t": 1_000, "lift": "7g"},
        {"t": 1_300, "place": "5e", "piece": "P"},
        {"t": 3_800, "lift": "5e"},
        {"t": 4_100, "place": "7g", "piece": "P"},
        *moved(20_000, "5i", "5h", "K", press="black"),
        {"t": 45_000, "link": "up"},
        ruleset="shogi",
        rate=STANDARD,
        clock=clock(3_600_000, 3_600_000, "black"),
        fen="4k4/9/9/9/9/9/2P6/9/4K4 b P 1",
    )

    assert "sh-matta" not in heard.opened()


def test_a_half_move_before_that_is_known_better_now_is_no_matta_after_it() -> None:
    """The rook rests on 7g on its way to 7h. It was taken to stay there and to go to 7h only two
    half-moves later, until it goes from 7h."""
    heard = said(
        *moved(1_200, "8h", "8d", "R", press="black"),
        {"t": 57_148, "lift": "7f"},
        {"t": 57_426, "place": "7g", "piece": "r"},
        {"t": 57_926, "lift": "7g"},
        {"t": 57_938, "lift": "3g"},
        {"t": 58_704, "place": "7h", "piece": "+r"},
        {"t": 59_406, "press": "white"},
        {"t": 59_410, "place": "3f", "piece": "P"},
        {"t": 60_406, "press": "black"},
        {"t": 78_704, "lift": "7h"},
        {"t": 79_676, "place": "7g", "piece": "+r"},
        {"t": 80_406, "press": "white"},
        {"t": 99_000, "link": "up"},
        ruleset="shogi",
        rate=STANDARD,
        scan_ms=250,
        fen="bs3ks2/l6bl/p5ppn/2pg1p3/2P1p3p/2r1G4/P5PPP/LR6L/1N1GKS1N1 b GN2Ps4p 63",
    )

    assert heard.opened() == []
    assert {move["ply"]: move["uci"] for move in heard.moves} == {
        1: "8h8d", 2: "7f7h+", 3: "3g3f", 4: "7h7g"
    }  # fmt: skip


@pytest.mark.parametrize("board", [True, False], ids=["seen", "entered"])
def test_an_arbiter_who_corrects_the_record_took_nothing_back_for_a_player(board: bool) -> None:
    """The square was typed wrong, or the board had read it so: the player was said to have moved
    the piece again, and the loss of the game was proposed."""
    entered = act(1_000, action="set-move", op="insert", move="2g2f")
    heard = said(
        *(moved(1_000, "2g", "2f", "P", press="black") if board else [entered]),
        act(9_000, action="set-move", op="replace", ply=1, move="7g7f"),
        {"t": 15_000, "link": "up"},
        ruleset="shogi",
        rate=STANDARD,
        clock=clock(3_600_000, 3_600_000, "black"),
    )

    assert heard.moves[-1]["uci"] == "7g7f"
    assert "sh-matta" not in heard.opened()


def test_half_moves_before_the_position_that_a_game_goes_on_from_count() -> None:
    """An adjourned game, or one whose board was lost: the impasse of half-move 500 was never told,
    and a declaration after it, which is too late to be one, lost the game."""
    going_on = "9/K8/9/9/9/9/9/9/7k1 b - {}"
    lines = [
        *moved(500, "9b", "8b", "K", press="black"),
        *moved(4_000, "2i", "3i", "k", press="white"),
    ]
    heard = {
        number: said(*lines, ruleset="shogi", fen=going_on.format(number), rate=STANDARD)
        for number in (497, 499)
    }
    assert heard[499].opened() == ["sh-500-moves"]
    assert heard[497].opened() == []

    claimed = {
        number: said(
            claim(500, "declaration", "black"),
            ruleset="shogi",
            fen=going_on.format(number),
            rate=STANDARD,
        )
        for number in (499, 501)
    }
    assert claimed[499].opened() == ["sh-declaration"]
    assert claimed[501].opened() == []
    assert claimed[501].replies[-1]["error"].startswith("half-move 500 has been reached")


def test_no_impasse_is_agreed_once_the_game_has_ended() -> None:
    """Sente has resigned and lost; the points of the position would have won for it."""
    heard = said(
        act(1_000, action="resign", side="black"),
        act(3_000, action="report", kind="sh-jishogi-agreed"),
        ruleset="shogi",
        fen="4K4/PPPPPPPPP/1R1B5/9/9/9/1r1b5/ppppppppp/4k4 b 4G4S4N4L 100",
        rate=STANDARD,
    )
    assert heard.opened() == []
    assert not heard.replies[-1]["ok"]
    assert heard.replies[-1]["error"].startswith("the game is over: 1-0")
    assert heard.result == ("1-0", "resignation", "5.1.2", "human")


@pytest.mark.parametrize(("choice", "white"), [("credit_giver", 30), ("none", 20)])
def test_the_points_that_are_told_are_those_that_were_counted(choice: str, white: int) -> None:
    """Rook and bishop given: 'Black 24, White 20' and no decision, where 20 would have lost."""
    heard = said(
        act(
            500,
            action="set-position",
            fen="3K5/9/9/9/9/9/9/9/5k3 b RB2G2S2N2L6P2g2s2n2l12p 101",
        ),
        act(1_000, action="report", kind="sh-jishogi-agreed"),
        ruleset="shogi",
        fen="lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        settings={"handicap_points": choice},
        rate=STANDARD,
    )

    agreed = heard.last("sh-jishogi-agreed")
    assert agreed["text"]["en"]["detail"].startswith(f"Points: Black 24, White {white}.")
    assert agreed["proposal"]["result"] == ("replay" if white == 30 else "0-1")
