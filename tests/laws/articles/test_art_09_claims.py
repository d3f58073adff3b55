"""Section 10, second half: claims, adjudicated from the record."""

from __future__ import annotations

from typing import Any

import pytest

from laws.talk import (
    BLITZ,
    BLITZ_WATCHED,
    OPENING,
    RAPID_WATCHED,
    STANDARD,
    Line,
    Said,
    act,
    claim,
    clock,
    moved,
    said,
)

SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]
QUIET = "4k3/8/8/8/8/8/4P3/R3K3 w - - {} 80"


def game(*lines: Line, **head: Any) -> Said:
    """A game under way; the clock of the side to move runs."""
    runs = ("white", "black")[len(head.get("moves", OPENING)) % 2]
    scene = {"moves": OPENING, "clock": clock(600_000, 600_000, runs), "rate": STANDARD}
    return said(*lines, **{**scene, **head})


# Threefold (9.2).


def test_the_third_time_on_the_board() -> None:
    heard = game(claim(1000, "threefold", "white"), moves=SHUFFLE * 2)
    ruling = heard.last("claim-3-onboard-ok")

    assert heard.opened() == ["claim-3-onboard-ok"]
    assert (ruling["certainty"], ruling["urgency"], ruling["against"]) == ("fact", 2, "white")
    assert ruling["facts"]["plies"] == [0, 4, 8]
    assert ruling["proposal"]["result"] == "1/2-1/2"
    assert heard.replies == [
        {**heard.replies[0], "ok": True, "ruling": ruling["id"]},
    ]
    assert heard.result is None


def test_the_fourth_time_will_do_as_well() -> None:
    assert game(claim(1000, "threefold", "white"), moves=SHUFFLE * 3).opened() == [
        "claim-3-onboard-ok"
    ]


def test_what_stands_for_the_third_time_is_counted_whatever_move_was_announced() -> None:
    heard = game(claim(1000, "threefold", "white", "e2e4"), moves=SHUFFLE * 2)
    ruling = heard.last("claim-3-onboard-ok")

    assert ruling["facts"]["plies"] == [0, 4, 8]
    assert ruling["text"]["en"]["detail"].startswith("The position has appeared 3 times")


def test_the_arbiters_word_draws_the_game() -> None:
    confirm = act(2000, action="confirm", ruling="claim-3-onboard-ok")
    heard = game(claim(1000, "threefold", "white"), confirm, moves=SHUFFLE * 2)
    assert heard.result == ("1/2-1/2", "threefold", "9.2", "fact")


# Several claims in one turn: each is judged and answered for by itself (9.5.2, 9.5.3).


@pytest.mark.parametrize("first", ["threefold", "fifty-move"])
def test_a_claim_that_is_wrong_hides_none_that_is_correct(first: str) -> None:
    second = {"threefold": "fifty-move", "fifty-move": "threefold"}[first]
    asked = [claim(1000, first, "white"), claim(3000, second, "white")]
    heard = game(*asked, fen=QUIET.format(100), moves=[])
    assert sorted(heard.opened()) == ["claim-3-wrong", "claim-50-onboard-ok"]
    assert heard.state("claim-3-wrong") == heard.state("claim-50-onboard-ok") == "open"
    answered = [reply["ruling"] for reply in heard.replies]
    assert answered == [ruling["id"] for ruling in heard.rulings]


def test_each_of_two_wrong_claims_gives_the_opponent_time() -> None:
    heard = game(claim(1000, "threefold", "white"), claim(3000, "fifty-move", "white"))
    for kind in ("claim-3-wrong", "claim-50-wrong"):
        ruling = heard.last(kind)
        assert ruling["state"] == "open"
        assert ruling["proposal"]["clock_delta_ms"] == {"black": 120_000}


def test_the_same_claim_made_again_after_it_was_refused_is_another_one() -> None:
    asked = claim(1000, "threefold", "white")
    heard = game(asked, {**claim(2000, "threefold", "white")})
    assert heard.opened() == ["claim-3-wrong"], "entered twice, made once"
    confirm = act(2000, action="confirm", ruling="claim-3-wrong")
    heard = game(asked, confirm, claim(3000, "threefold", "white"))
    assert heard.opened() == ["claim-3-wrong"] * 2
    assert heard.state("claim-3-wrong") == "open"


@pytest.mark.parametrize(
    ("move", "kind"),
    [("f6g8", "claim-3-written-ok"), ("Ng8", "claim-3-written-ok"), ("", "claim-3-wrong")],
    ids=["in coordinates", "in letters", "not written"],
)
def test_the_third_time_about_to_appear_needs_the_move_in_writing(move: str, kind: str) -> None:
    heard = game(claim(1000, "threefold", "black", move), moves=[*SHUFFLE, *SHUFFLE[:3]])
    assert heard.opened() == [kind]


@pytest.mark.parametrize(
    ("rate", "gain"),
    [(STANDARD, 120_000), (RAPID_WATCHED, 60_000), (BLITZ, 60_000), (BLITZ_WATCHED, 60_000)],
    ids=["standard", "A.4", "B.3", "B.2"],
)
@pytest.mark.parametrize("move", ["", "g1f3"])
def test_a_wrong_claim_gives_the_opponent_time(rate: dict[str, Any], gain: int, move: str) -> None:
    heard = game(claim(1000, "threefold", "white", move), moves=SHUFFLE, rate=rate)
    ruling = heard.last("claim-3-wrong")

    assert heard.opened() == ["claim-3-wrong"]
    assert ruling["articles"][0] == "9.5.3"
    assert ruling["proposal"]["clock_delta_ms"] == {"black": gain}
    assert ruling["facts"]["obligation"] == ([move] if move else [])
    assert ("enforce-move" in ruling["proposal"]["actions"]) is bool(move)


def test_b_2_read_to_the_letter_keeps_two_minutes() -> None:
    heard = game(
        claim(1000, "threefold", "white"),
        moves=SHUFFLE,
        rate=BLITZ_WATCHED,
        settings={"b2_penalty_s": 120},
    )
    assert heard.last("claim-3-wrong")["proposal"]["clock_delta_ms"] == {"black": 120_000}


def test_castling_rights_make_it_another_position() -> None:
    """9.2.3.2: the king has moved and come back."""
    moves = ["e1e2", "e8e7", "e2e1", "e7e8"]
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    twice = game(claim(1000, "threefold", "white"), moves=moves * 2, fen=fen)
    thrice = game(claim(1000, "threefold", "white"), moves=moves * 3, fen=fen)

    assert twice.opened(10) == ["claim-3-wrong"]
    differs = twice.last("claim-3-wrong")["facts"]["differs"]
    assert differs == [{"ply": 0, "in": ["castling"]}]
    assert thrice.opened(10) == ["claim-3-onboard-ok"]


@pytest.mark.parametrize(
    ("fen", "kind"),
    [
        ("4k3/3p4/8/4P3/8/8/8/4K2R b - - 0 1", "claim-3-wrong"),
        ("4k3/3p4/8/8/4P3/8/8/4K2R b - - 0 1", "claim-3-onboard-ok"),
        ("7k/3p4/8/q3P2K/8/8/8/7R b - - 0 1", "claim-3-onboard-ok"),
    ],
    ids=["it could be taken", "nobody stands beside it", "the taker is pinned"],
)
def test_only_an_en_passant_that_was_legal_makes_it_another_position(fen: str, kind: str) -> None:
    """9.2.3.1."""
    rook = ["h1g1", "e8e7", "g1h1", "e7e8"] if "k" in fen[:5] else []
    rook = ["h1g1", "h8h7", "g1h1", "h7h8"] if fen.startswith("7k") else rook
    heard = game(
        claim(1000, "threefold", "white"),
        fen=fen,
        moves=["d7d5", *rook * 2],
        clock=clock(600_000, 600_000),
    )
    assert heard.opened(10) == [kind]


# Who may claim, and when (9.2, 9.4).


def test_touching_a_piece_loses_the_right_for_this_move() -> None:
    lift = {"t": 500, "lift": "g1"}
    back = {"t": 1500, "place": "g1", "piece": "N"}
    held = game(lift, claim(1000, "threefold", "white"), moves=SHUFFLE * 2)
    returned = game(lift, back, claim(3000, "threefold", "white"), moves=SHUFFLE * 2)
    made = game(*moved(500, "g1", "f3", "N"), claim(3000, "threefold", "white"), moves=SHUFFLE * 2)

    for heard in (held, returned, made):
        ruling = heard.last("claim-after-touch")
        assert "claim-after-touch" in heard.opened()
        assert (ruling["certainty"], ruling["proposal"]["clock_delta_ms"]) == (
            "probable",
            {"black": 120_000},
        )
        assert ruling["facts"]["touched"][0]["square"] == "g1"


def test_a_touched_piece_that_has_no_move_binds_nobody_to_another() -> None:
    """9.4, 4.5: the claim is lost for this move, and any move may be played."""
    touch = [{"t": 500, "lift": "a1"}, {"t": 1500, "place": "a1", "piece": "R"}]
    ruling = game(*touch, claim(3000, "threefold", "white"), moves=SHUFFLE * 2).last(
        "claim-after-touch"
    )
    assert (ruling["facts"]["obligation"], ruling["proposal"]["actions"]) == ([], ["add-time"])


def test_the_right_is_back_on_the_next_move() -> None:
    heard = game(
        {"t": 500, "lift": "g1"},
        {"t": 1500, "place": "g1", "piece": "N"},
        *moved(2000, "g1", "f3", "N", "white"),
        *moved(5000, "g8", "f6", "n", "black"),
        claim(8000, "threefold", "white"),
        moves=SHUFFLE * 2,
    )
    assert heard.opened(10) == ["claim-3-onboard-ok"]


def test_a_claim_without_the_move_is_refused() -> None:
    heard = game(claim(1000, "threefold", "black"), moves=SHUFFLE * 2)
    ruling = heard.last("claim-not-on-move")
    assert heard.opened() == ["claim-not-on-move"]
    assert (ruling["certainty"], ruling["proposal"]["clock_delta_ms"]) == (
        "fact",
        {"white": 120_000},
    )


def test_a_claim_before_the_first_move_speaks_of_no_move() -> None:
    ruling = game(claim(1000, "threefold", "black"), moves=[]).last("claim-not-on-move")

    assert ruling["text"]["en"]["detail"] == (
        "The claim is for the player having the move (9.2, 9.4). The opponent gains 2:00 (9.5.3)."
    )


def test_the_opponents_move_gives_the_move_as_soon_as_it_is_made() -> None:
    """1.3: neither the press nor the hand has to be waited for."""
    heard = game(
        *moved(1000, "f6", "g8", "n"),
        claim(1600, "threefold", "white"),
        moves=[*SHUFFLE, *SHUFFLE[:3]],
    )
    assert heard.opened(10) == ["claim-3-onboard-ok"]
    assert " w " in heard.last("claim-3-onboard-ok")["position"]


def test_an_announced_move_that_is_illegal_leaves_the_pieces_other_moves() -> None:
    heard = game(claim(1000, "threefold", "white", "g1g3"), moves=SHUFFLE * 2)
    ruling = heard.last("claim-move-illegal")
    assert heard.opened() == ["claim-move-illegal"]
    assert set(ruling["facts"]["obligation"]) == {"g1f3", "g1h3"}
    assert ruling["proposal"]["actions"] == ["add-time", "enforce-move"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([claim(1000, "threefold", "white", "hello")], "cannot be read"),
        *(
            ([act(1000, action="claim", claim=name)], "needs 'side'")
            for name in ("threefold", "fifty-move", "illegal-move", "touched-piece", "quickplay")
        ),
        ([act(1000, action="claim", claim="flag")], "needs 'side'"),
        ([act(1000, action="claim", claim="beauty", side="white")], "is no claim"),
        ([act(500, action="resign", side="white"), claim(1000, "threefold", "white")], "is over"),
    ],
)
def test_a_claim_that_cannot_be_one_is_refused_in_a_sentence(lines: list[Line], words: str) -> None:
    heard = game(*lines, moves=SHUFFLE * 2)
    assert heard.replies[-1]["ok"] is False
    assert words in heard.replies[-1]["error"]
    assert heard.opened() == []


# Fifty moves (9.3).


@pytest.mark.parametrize(
    ("quiet", "move", "kind"),
    [
        (100, "", "claim-50-onboard-ok"),
        (99, "a1a2", "claim-50-written-ok"),
        (99, "e2e3", "claim-50-wrong"),
        (99, "", "claim-50-wrong"),
        (98, "", "claim-50-wrong"),
        (98, "a1a2", "claim-50-wrong"),
        (120, "e2e3", "claim-50-onboard-ok"),
    ],
)
def test_fifty_moves_by_each_side(quiet: int, move: str, kind: str) -> None:
    heard = said(claim(1000, "fifty-move", "white", move), fen=QUIET.format(quiet))
    assert heard.opened() == [kind]
    assert heard.last(kind)["facts"]["quiet_plies"] == quiet


# Claims about what happened.


def test_a_claimed_illegal_move_takes_the_place_of_what_stood_open() -> None:
    heard = game(
        *moved(1000, "g1", "g3", "N", "white"), claim(4000, "illegal-move", "black"), rate=BLITZ
    )
    ruling = heard.last("claim-illegal")
    assert heard.opened() == ["illegal-a5-open", "claim-illegal"]
    assert heard.state("illegal-a5-open") == "superseded"
    assert (ruling["against"], ruling["facts"]["found"]) == ("black", "illegal-a5-open")
    assert ruling["proposal"] == heard.last("illegal-a5-open")["proposal"]


def test_a_legal_move_that_is_claimed_to_be_illegal() -> None:
    heard = game(*moved(1000, "g1", "f3", "N", "white"), claim(4000, "illegal-move", "black"))
    ruling = heard.last("claim-illegal-unfounded")
    assert heard.opened() == ["claim-illegal-unfounded"]
    assert (ruling["facts"]["move_played"], ruling["facts"]["sensors_sure"]) == ("g1f3", True)
    assert ruling["proposal"]["clock_delta_ms"] == {}


def test_of_what_no_legal_move_made_the_record_does_not_say_that_it_was_legal() -> None:
    """No clock is heard, both sides put a pawn where none can go, and play goes on. What the
    arbiter has dismissed is on no record as a legal half-move."""
    heard = said(
        *moved(5000, "a5", "h7", "p", "black"),
        *moved(6200, "a4", "g8", "P", "white"),
        *moved(8500, "d8", "e8", "k"),
        act(12_000, action="dismiss", ruling="illegal-found-later"),
        claim(12_800, "illegal-move", "black"),
        fen="4k3/8/8/p2p2p1/P2P2P1/8/8/R3K3 w - - 0 50",
        moves=["e1f2", "e8d8", "a1g1"],
        rate=RAPID_WATCHED,
    )

    assert "claim-illegal-unfounded" not in heard.opened()
    assert heard.replies[-1]["ok"] is False
    assert "cannot tell" in heard.replies[-1]["error"]


def test_a_claimed_touch() -> None:
    touched = [{"t": 500, "lift": "f1"}, {"t": 1500, "place": "f1", "piece": "B"}]
    lines = [*touched, *moved(2000, "g1", "f3", "N", "white")]
    in_time = game(*lines, claim(5000, "touched-piece", "black"))
    too_late = game(*lines, {"t": 4000, "lift": "b8"}, claim(5000, "touched-piece", "black"))

    assert in_time.opened()[-1] == "claim-touch"
    assert in_time.last("claim-touch")["facts"]["in_time"] is True
    assert in_time.last("claim-touch")["facts"]["obligation"]
    assert too_late.last("claim-touch")["facts"]["in_time"] is False
    assert too_late.last("claim-touch")["proposal"]["actions"] == ["ask"]


@pytest.mark.parametrize("what", ["stalemate", "dead-position"])
def test_an_end_that_is_none_is_answered_in_a_sentence(what: str) -> None:
    heard = game(claim(1000, what, "white"))
    assert heard.opened() == []
    assert heard.replies[-1]["ok"] is False


def test_a_dead_position_that_is_claimed_is_looked_for_in_full() -> None:
    heard = said(
        claim(1000, "dead-position", "white"),
        fen="8/8/3k4/1p1p1p1p/1P1P1P1P/3KB3/8/8 w - - 0 1",
        clock=clock(60_000, 60_000),
    )
    assert heard.opened(10) == ["end-dead"]
    assert heard.last("end-dead")["certainty"] == "fact"


@pytest.mark.parametrize(("time", "claimed"), [
    (["1/90:00", "30:00"], ["claim-quickplay"]), (["2/90:00", "30:00"], []),
    (["40/90:00", "30:00"], []), (["40/90:00", "20/30:00", "15:00"], []),
])  # fmt: skip
def test_a_quickplay_finish_is_the_last_period(time: list[str], claimed: list[str]) -> None:
    """III.1: the phase in which all moves that are left have to be made in the time."""
    rate = {"kind": "standard", "supervised": True, "time": time}
    lines = claim(1000, "quickplay", "white")

    heard = game(lines, rate=rate, clock=clock(90_000, 600_000), settings={"guidelines_iii": True})

    assert [kind for kind in heard.opened() if kind == "claim-quickplay"] == claimed
    assert ("last period" in heard.replies[-1].get("error", "")) is not bool(claimed)


def test_a_quickplay_claim_needs_the_guidelines_little_time_and_no_increment() -> None:
    plain = {"kind": "rapid", "supervised": True, "time": ["20:00"]}
    asked = claim(1000, "quickplay", "white")
    low = clock(100_000, 100_000)
    on = {"guidelines_iii": True}

    assert game(asked, rate=plain, clock=low, settings=on).opened() == ["claim-quickplay"]
    for refused in (
        game(asked, rate=plain, clock=low),
        game(asked, rate=plain, clock=clock(150_000, 100_000), settings=on),
        game(asked, rate=RAPID_WATCHED, clock=low, settings=on),
        game(asked, rate={"kind": "blitz", "time": ["5:00"]}, clock=low, settings=on),
    ):
        assert refused.opened() == []
        assert refused.replies[-1]["ok"] is False


def test_a_quickplay_claim_waits_for_neither_the_press_nor_the_hand_of_the_opponent() -> None:
    """1.3: it was refused until the half-move was told, as one of a side without the move."""
    heard = game(
        *moved(1000, "e7", "e5", "p"),
        claim(1600, "quickplay", "white"),
        moves=["e2e4"],
        rate={"kind": "rapid", "supervised": True, "time": ["20:00"]},
        clock=clock(100_000, 600_000, "black"),
        settings={"guidelines_iii": True},
    )

    assert heard.opened(10) == ["claim-quickplay"]
    assert heard.last("claim-quickplay")["position"].split()[1] == "w"


@pytest.mark.parametrize(("language", "words"), [("en", "No clock"), ("es", "ningún reloj")])
def test_where_no_clock_is_heard_a_quickplay_claim_says_so(language: str, words: str) -> None:
    """It said that White had – left."""
    plain = {"kind": "rapid", "supervised": True, "time": ["20:00"]}
    asked, on = claim(1000, "quickplay", "white"), {"guidelines_iii": True}

    unheard = said(asked, rate=plain, settings=on, moves=OPENING).last("claim-quickplay")
    heard = game(asked, rate=plain, clock=clock(100_000, 100_000), settings=on)

    assert words in unheard["text"][language]["detail"]
    assert "–" not in unheard["text"][language]["detail"]
    assert "1:39" in heard.last("claim-quickplay")["text"][language]["detail"]
    assert words not in heard.last("claim-quickplay")["text"][language]["detail"]


# Before the board shows what was pressed for: a clock is quicker than a board.


@pytest.mark.parametrize(
    ("late", "kind", "certainty"),
    [
        ([{"t": 1700, "lift": "f6"}, {"t": 1900, "place": "g8", "piece": "n"}], "ok", "fact"),
        ([{"t": 1700, "lift": "f6"}, {"t": 1900, "place": "d5", "piece": "n"}], "wrong", "fact"),
        ([], "awaited", "probable"),
    ],
    ids=["it is the third time", "it is not", "it never comes"],
)
def test_a_claim_between_the_press_and_its_half_move_is_judged_when_the_record_has_it(
    late: list[Line], kind: str, certainty: str
) -> None:
    pressed: Line = {"t": 1500, "press": "black", "clock": clock(600_000, 630_000, "white")}
    moves = [*SHUFFLE, *SHUFFLE[:3]]
    heard = game(pressed, claim(1600, "threefold", "white"), *late, moves=moves)
    told = [ruling for ruling in heard.rulings if ruling["id"] == heard.replies[0]["ruling"]]

    assert told[0]["kind"] == "claim-not-on-move"
    assert told[0]["certainty"] == "probable"
    assert told[0]["proposal"]["actions"] == ["ask"], "nobody gains time before it is known"
    assert "awaited" in told[0]["text"]["en"]["line"]
    kinds = {"ok": "claim-3-onboard-ok", "wrong": "claim-3-wrong", "awaited": "claim-not-on-move"}
    assert (told[-1]["kind"], told[-1]["certainty"]) == (kinds[kind], certainty)
    assert len(told) == (1 if kind == "awaited" else 2), "one incident, one ruling"


def test_the_move_announced_with_such_a_claim_is_read_in_the_position_that_comes() -> None:
    pressed: Line = {"t": 1500, "press": "white", "clock": clock(630_000, 600_000, "black")}
    late: list[Line] = [{"t": 1700, "lift": "f3"}, {"t": 1900, "place": "g1", "piece": "N"}]
    moves = [*SHUFFLE, *SHUFFLE[:2]]
    heard = game(pressed, claim(1600, "threefold", "black", "Ng8"), *late, moves=moves)
    assert heard.last("claim-3-written-ok")["facts"]["plies"] == [0, 4, 8]


def test_such_a_claim_with_a_move_that_nobody_can_read_is_no_longer_awaited() -> None:
    pressed: Line = {"t": 1500, "press": "white", "clock": clock(630_000, 600_000, "black")}
    late: list[Line] = [{"t": 1700, "lift": "f3"}, {"t": 1900, "place": "g1", "piece": "N"}]
    moves = [*SHUFFLE, *SHUFFLE[:2]]
    heard = game(pressed, claim(1600, "threefold", "black", "Ngate"), *late, moves=moves)
    ruling = heard.last("claim-not-written")

    assert ruling["id"] == heard.replies[0]["ruling"], "one incident, one ruling"
    assert (ruling["state"], ruling["certainty"]) == ("open", "human")
    assert "Ngate" in ruling["text"]["en"]["detail"]
    assert "Ngate" in ruling["text"]["es"]["detail"]

    again = claim(4000, "threefold", "black", "Ng8")
    heard = game(pressed, claim(1600, "threefold", "black", "Ngate"), *late, again, moves=moves)
    assert heard.state("claim-not-written") == "superseded"
    assert heard.state("claim-3-written-ok") == "open"


def test_two_claims_that_wait_for_one_half_move_are_both_judged() -> None:
    pressed: Line = {"t": 1500, "press": "black", "clock": clock(600_000, 630_000, "white")}
    late: list[Line] = [{"t": 1900, "lift": "f6"}, {"t": 2100, "place": "g8", "piece": "n"}]
    asked = [claim(1600, "threefold", "white"), claim(1700, "fifty-move", "white")]
    heard = game(pressed, *asked, *late, moves=[*SHUFFLE, *SHUFFLE[:3]])
    assert [heard.state(kind) for kind in ("claim-3-onboard-ok", "claim-50-wrong")] == [
        "open",
        "open",
    ]


def test_a_claim_after_the_own_press_is_refused_once_the_own_half_move_shows() -> None:
    pressed: Line = {"t": 1500, "press": "white", "clock": clock(630_000, 600_000, "black")}
    late: list[Line] = [{"t": 1700, "lift": "g1"}, {"t": 1900, "place": "f3", "piece": "N"}]
    heard = game(pressed, claim(1600, "threefold", "white"), *late, moves=SHUFFLE * 2)
    ruling = heard.last("claim-not-on-move")
    assert (ruling["certainty"], ruling["proposal"]["clock_delta_ms"]) == (
        "fact",
        {"black": 120_000},
    )


def test_who_presses_to_stop_the_clocks_and_claims_still_has_the_move() -> None:
    pressed: Line = {"t": 1500, "press": "white", "clock": clock(630_000, 600_000, "black")}
    heard = game(pressed, claim(1600, "threefold", "white"), moves=SHUFFLE * 2)
    assert heard.last("claim-3-onboard-ok")["certainty"] == "fact"
    assert heard.opened()[-1] == "press-no-move", "that is told besides"


START_ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


@pytest.mark.parametrize("missing", [1, 2], ids=["one half-move", "two half-moves"])
def test_a_claim_while_the_board_is_silent_is_judged_anew_when_it_is_back(missing: int) -> None:
    presses: list[Line] = [
        {"t": 2000, "press": "white", "clock": clock(630_000, 600_000, "black")},
        {"t": 4000, "press": "black", "clock": clock(630_000, 630_000, "white")},
    ]
    heard = game(
        {"t": 1000, "link": "down"},
        *presses[-missing:],
        claim(9000, "threefold", "white"),
        {"t": 20_000, "link": "up"},
        {"t": 20_100, "scan": START_ARRAY},
        moves=(SHUFFLE * 2)[:-missing],
    )
    told = [ruling for ruling in heard.rulings if ruling["id"] == heard.replies[0]["ruling"]]
    assert told[0]["certainty"] == "probable", "nobody saw what was played since"
    assert told[-1]["kind"] == "claim-3-onboard-ok"


def test_a_right_claim_while_the_board_is_silent_is_no_fact_before_it_is_back() -> None:
    down: Line = {"t": 1000, "link": "down"}
    heard = game(down, claim(9000, "threefold", "white"), moves=SHUFFLE * 2)
    assert heard.last("claim-3-onboard-ok")["certainty"] == "probable"
