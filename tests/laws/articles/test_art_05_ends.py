"""Section 10, first half: ends on the board, results, resignation, signals."""

from __future__ import annotations

from typing import Any

import pytest

from laws.talk import BLITZ, OPENING, STANDARD, Line, Said, act, claim, clock, moved, said

MATE = ["f2f3", "e7e5", "g2g4"]
MATING = moved(1000, "d8", "h4", "q", "black")
SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]
READY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
QUIET = "4k3/8/8/8/8/8/8/R3K3 w - - {} 90"
KINGS = {
    "1-0": (("e8", "d5", "k"), ("e1", "e4", "K")),
    "0-1": (("e8", "e5", "k"), ("e1", "d4", "K")),
    "1/2-1/2": (("e8", "d4", "k"), ("e1", "e4", "K")),
}


def game(*lines: Line, **head: Any) -> Said:
    """A game under way; the clock of the side to move runs."""
    runs = ("white", "black")[len(head.get("moves", OPENING)) % 2]
    scene = {"moves": OPENING, "clock": clock(600_000, 600_000, runs), "rate": STANDARD}
    return said(*lines, **{**scene, **head})


def kings(result: str, t: int = 3000, clear: tuple[str, ...] = ("e4", "e5")) -> list[Line]:
    """Both kings lifted, the centre cleared, both kings placed."""
    steps = KINGS[result]
    lines = [{"t": t + 100 * n, "lift": origin} for n, (origin, _, _) in enumerate(steps)]
    lines += [{"t": t + 300 + 100 * n, "lift": square} for n, square in enumerate(clear)]
    return lines + [
        {"t": t + 800 + 400 * n, "place": target, "piece": piece}
        for n, (_, target, piece) in enumerate(steps)
    ]


# Ends on the board (5.1.1, 5.2, 9.6).


@pytest.mark.parametrize("press", ["black", ""], ids=["pressed", "not pressed"])
def test_mate_ends_the_game_when_it_is_made(press: str) -> None:
    heard = game(*moved(1000, "d8", "h4", "q", press), moves=MATE)
    ruling = heard.last("end-checkmate")

    assert heard.opened() == ["end-checkmate"]
    assert (ruling["certainty"], ruling["urgency"], ruling["articles"]) == ("fact", 2, ["5.1.1"])
    assert (ruling["ply"], ruling["proposal"]["result"]) == (4, "0-1")
    assert heard.result == ("0-1", "checkmate", "5.1.1", "fact")


def test_a_mate_that_broke_the_touch_rule_waits_for_the_arbiter() -> None:
    touched = [{"t": 200, "lift": "g8"}, {"t": 900, "place": "g8", "piece": "n"}]
    heard = game(*touched, *MATING, moves=MATE)
    ruling = heard.last("end-checkmate")

    assert heard.opened() == ["touch-own-then-other", "end-checkmate"]
    assert ruling["facts"]["pending"] == ["touch-own-then-other"]
    assert ruling["certainty"] == "probable"
    assert heard.result is None


def test_check_is_no_mate() -> None:
    assert (
        game(*moved(1000, "d8", "h4", "q", "black"), moves=["f2f3", "e7e5", "a2a3"]).opened() == []
    )


def test_stalemate() -> None:
    heard = said(*moved(1000, "g5", "g6", "Q"), fen="7k/8/8/6Q1/8/8/8/K7 w - - 0 1")
    assert heard.opened() == ["end-stalemate"]
    assert heard.result == ("1/2-1/2", "stalemate", "5.2.1", "fact")


@pytest.mark.parametrize(
    ("fen", "move", "dead"),
    [
        ("8/8/3k4/8/3pK3/8/8/6N1 w - - 0 1", ("e4", "d4", "K"), True),
        ("8/8/3k4/8/3pK3/8/8/6R1 w - - 0 1", ("e4", "d4", "K"), False),
        ("8/8/3k4/1p1p1p1p/1P1P1P1P/3KB3/8/8 w - - 0 1", ("e3", "d2", "B"), True),
        ("8/8/3k4/1p1p1p2/1P1P1P1P/3KB3/8/8 w - - 0 1", ("e3", "d2", "B"), False),
    ],
    ids=["bare pieces", "a rook", "a wall", "a hole in the wall"],
)
def test_a_position_in_which_nobody_can_mate(
    fen: str, move: tuple[str, str, str], dead: bool
) -> None:
    heard = said(
        *moved(1000, *move, "white", taken="x" if fen[9] == "k" and "pK" in fen else ""), fen=fen
    )
    assert ("end-dead" in heard.opened()) is dead
    if dead:
        assert heard.last("end-dead")["certainty"] == "fact"
        assert heard.last("end-dead")["facts"]["proof"]
        assert heard.result is None, "the arbiter steps in"


def test_the_fifth_time_is_the_arbiters_and_the_fourth_is_not() -> None:
    back = moved(1000, "f6", "g8", "n", "black")
    fifth = game(*back, moves=SHUFFLE * 3 + SHUFFLE[:3])
    fourth = game(*back, moves=SHUFFLE * 2 + SHUFFLE[:3])

    assert fifth.opened() == ["end-fivefold"]
    assert fifth.last("end-fivefold")["facts"]["plies"] == [0, 4, 8, 12, 16]
    assert fifth.last("end-fivefold")["urgency"] == 1
    assert fourth.opened() == [], "a threefold is claimed, never suggested (12.6)"


@pytest.mark.parametrize(("before", "fires"), [(148, False), (149, True)])
def test_seventy_five_moves_by_each(before: int, fires: bool) -> None:
    heard = said(*moved(1000, "a1", "a2", "R", "white"), fen=QUIET.format(before))
    assert heard.opened() == (["end-seventyfive"] if fires else [])


def test_mate_on_the_last_of_the_seventy_five_moves_goes_first() -> None:
    heard = said(*moved(1000, "a7", "a8", "R", "white"), fen="7k/R7/6K1/8/8/8/8/8 w - - 149 90")
    assert heard.opened() == ["end-checkmate"]


def test_fifty_moves_are_never_suggested() -> None:
    assert said(*moved(1000, "a1", "a2", "R", "white"), fen=QUIET.format(99)).opened() == []


# Playing on.


def test_moves_after_an_end_are_void() -> None:
    heard = said(
        *moved(1000, "a1", "a2", "R", "white"),
        *moved(5000, "e8", "e7", "k", "black"),
        fen=QUIET.format(149),
    )
    assert heard.opened() == ["end-seventyfive", "end-played-on"]
    assert heard.state("end-seventyfive") == "superseded"
    assert heard.last("end-played-on")["facts"]["end_ply"] == 1
    assert heard.last("end-played-on")["proposal"]["result"] == "1/2-1/2"


def test_an_end_that_was_dismissed_is_none() -> None:
    heard = said(
        *moved(1000, "a1", "a2", "R", "white"),
        act(3000, action="dismiss", ruling="end-seventyfive"),
        *moved(5000, "e8", "e7", "k", "black"),
        fen=QUIET.format(149),
    )
    assert "end-played-on" not in heard.opened()


@pytest.mark.parametrize("sensing", ["colour", "occupancy"])
@pytest.mark.parametrize(
    ("fen", "promoted", "reply", "kind"),
    [
        ("7k/1P6/6K1/8/8/p7/8/8 w - - 0 1", ("b7", "b8"), ("h8", "g8"), "end-checkmate"),
        ("8/5P1k/8/6K1/8/8/8/8 w - - 0 1", ("f7", "f8"), ("h7", "g7"), "end-stalemate"),
    ],
    ids=["mate by a queen alone", "stalemate by a queen alone"],
)
def test_a_reply_shows_that_the_promoted_piece_was_another(
    fen: str, promoted: tuple[str, str], reply: tuple[str, str], kind: str, sensing: str
) -> None:
    """The board does not tell what the pawn became: told as a queen, and the game goes on."""
    pieces = ("w", "b") if sensing == "colour" else ("?", "?")
    heard = said(
        *moved(1000, *promoted, pieces[0], "white"),
        *moved(9000, *reply, pieces[1], "black"),
        fen=fen,
        clock=clock(600_000, 600_000),
        sensing=sensing,
    )
    assert heard.moves[0]["uci"] == "".join(promoted) + "q"
    assert heard.moves[-1]["uci"] == "".join(reply)
    assert heard.opened() == [kind], "nobody has played on after an end that was none"
    assert heard.state(kind) != "open"
    assert heard.result is None


@pytest.mark.parametrize(
    ("fen", "last", "reply", "both"),
    [
        ("8/1P5k/p4K2/8/P7/8/8/8 w - - 0 1", ("b7", "g7"), ("h7", "h8"), False),
        ("8/1P3K1k/p7/8/8/8/8/8 w - - 0 1", ("b2", "h2"), ("a5", "a4"), True),
    ],
    ids=["a rook stalemates", "a rook mates as well"],
)
@pytest.mark.parametrize("sensing", ["identity", "colour", "occupancy"])
def test_a_mate_by_a_piece_that_may_be_another_waits_for_the_arbiter(
    sensing: str, fen: str, last: tuple[str, str], reply: tuple[str, str], both: bool
) -> None:
    """The pawn became a queen or a rook, as far as the board tells, and moves as both do."""
    queen, pawn, other = {"identity": "Qpp" if both else "Qpk", "colour": "wbb"}.get(sensing, "???")
    heard = said(
        *moved(1000, "b7", "b8", queen, "white"),
        *moved(7000, "a6", "a5", pawn, "black"),
        *moved(13_000, "b8", last[0], queen, "white"),
        *moved(19_000, *reply, other, "black"),
        *moved(25_000, *last, queen, "white"),
        fen=fen,
        clock=clock(600_000, 600_000),
        sensing=sensing,
    )
    sure = both or sensing == "identity"

    assert heard.moves[-1]["certainty"] == "certain"
    assert heard.last("end-checkmate")["proposal"]["result"] == "1-0"
    assert heard.last("end-checkmate")["certainty"] == (
        "fact" if sensing == "identity" else "probable"
    )
    assert heard.result == (("1-0", "checkmate", "5.1.1", "fact") if sure else None)


def test_pressing_after_a_mate_nobody_saw() -> None:
    reply = [{"t": 9000, "lift": "e1"}, {"t": 9500, "place": "f2", "piece": "K"}]
    heard = game(
        *MATING,
        *reply,
        {"t": 10_000, "press": "white"},
        moves=MATE,
    )
    assert heard.opened() == ["end-checkmate", "end-played-on"]
    analysis = game(*MATING, *reply, moves=MATE)
    assert analysis.opened() == ["end-checkmate"], "looking at the game is no play"


def test_playing_on_after_a_result_that_people_gave() -> None:
    resigned = act(1000, action="resign", side="white")
    heard = game(resigned, *moved(3000, "g1", "f3", "N", "white"))
    assert heard.opened() == ["end-played-on-result"]
    assert heard.result == ("0-1", "resignation", "5.1.2", "human")
    assert game(resigned, *moved(3000, "g1", "f3", "N")).opened() == []


# Resignation (5.1.2).


def test_a_resignation_loses_at_once() -> None:
    assert game(act(1000, action="resign", side="black")).result == (
        "1-0",
        "resignation",
        "5.1.2",
        "human",
    )


def test_a_resignation_to_one_who_cannot_mate_is_a_draw() -> None:
    lines = [act(1000, action="resign", side="black")]
    heard = said(*lines, fen="8/8/8/4k3/8/3q4/8/4K1N1 w - - 0 1")
    ruling = heard.last("resign-unwinnable")

    assert heard.opened() == ["resign-unwinnable"]
    assert (ruling["certainty"], ruling["urgency"], ruling["against"]) == ("fact", 1, "black")
    assert ruling["proposal"]["result"] == "1/2-1/2"
    assert heard.result is None
    confirm = act(2000, action="confirm", ruling="resign-unwinnable")
    settled = said(*lines, confirm, fen="8/8/8/4k3/8/3q4/8/4K1N1 w - - 0 1")
    assert settled.result == ("1/2-1/2", "resignation", "5.1.2", "fact")


@pytest.mark.parametrize("t", [1450, 5000], ids=["just put down", "on the record"])
def test_a_resignation_is_judged_by_the_board_as_it_stands(t: int) -> None:
    """4.7: the last black piece is off once the capture was made, pressed or not."""
    taking = moved(1000, "a1", "a7", "R", taken="p")
    scene: Line = {"fen": "4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", "moves": []}

    heard = game(*taking, act(t, action="resign", side="white"), **scene)

    assert heard.opened() == ["resign-unwinnable"]
    assert heard.last("resign-unwinnable")["proposal"]["result"] == "1/2-1/2"
    before = game(act(500, action="resign", side="white"), *taking, **scene)
    assert before.result == ("0-1", "resignation", "5.1.2", "human")


def test_a_resignation_after_the_end_is_void() -> None:
    heard = game(*MATING, act(5000, action="resign", side="black"), moves=MATE)
    assert heard.replies[-1]["ok"] is False
    assert heard.result == ("0-1", "checkmate", "5.1.1", "fact")


@pytest.mark.parametrize("pause", [True, False])
def test_a_king_laid_down_is_asked_about(pause: bool) -> None:
    lines: list[Line] = [{"t": 2000, "lift": "e1"}]
    lines += [{"t": 3000, "pause": True}] if pause else []
    heard = game(*lines)
    assert heard.opened() == ["resign-signal"]
    assert (heard.last("resign-signal")["certainty"], heard.last("resign-signal")["against"]) == (
        "human",
        "white",
    )
    assert heard.result is None


def test_a_king_that_was_only_held_is_no_sign() -> None:
    heard = game(
        {"t": 2000, "lift": "e1"},
        {"t": 9000, "place": "e2", "piece": "K"},
        {"t": 9400, "press": "white"},
    )
    assert "resign-signal" not in heard.opened()


# Signals and results (8.7).


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ("1-0", "result-kings-white"),
        ("0-1", "result-kings-black"),
        ("1/2-1/2", "result-kings-draw"),
    ],
)
def test_kings_in_the_centre_are_the_players_signal(result: str, kind: str) -> None:
    heard = game({"t": 2000, "pause": True}, *kings(result))
    assert heard.opened(10) == [kind]
    assert (heard.last(kind)["certainty"], heard.last(kind)["urgency"]) == ("probable", 2)
    assert heard.last(kind)["proposal"]["result"] == result
    confirmed = game(*kings(result), act(20_000, action="confirm", ruling=kind))
    assert confirmed.result is not None
    assert confirmed.result[0] == result


def test_a_king_that_walks_to_the_centre_is_a_move() -> None:
    heard = said(
        *moved(1000, "e3", "e4", "K", "white"),
        fen="8/8/8/3k4/8/4K3/8/R7 w - - 0 1".replace("3k4", "k7"),
    )
    assert heard.opened(10) == []


def test_a_signal_the_board_contradicts() -> None:
    mated = game(*MATING, *kings("1-0", clear=("e5",)), moves=MATE)
    assert mated.opened() == ["end-checkmate", "result-mismatch"]
    assert mated.result == ("0-1", "checkmate", "5.1.1", "fact")
    agreeing = game(*MATING, *kings("0-1", clear=("e5",)), moves=MATE)
    assert agreeing.opened() == ["end-checkmate"]


def test_a_signal_against_an_entered_result_says_nothing_of_the_position() -> None:
    """White resigned with all on the board, and then the kings say that White won."""
    heard = game(act(1000, action="resign", side="white"), *kings("1-0"))
    told = heard.last("result-mismatch")["text"]["en"]
    assert told["line"] == "Result 1-0, but the one that stands is 0-1"
    assert "position" not in told["detail"]
    mated = game(*MATING, *kings("1-0", clear=("e5",)), moves=MATE)
    assert "by the position it is 0-1" in mated.last("result-mismatch")["text"]["en"]["detail"]


def test_an_entered_result_the_board_contradicts_stands_and_is_told() -> None:
    heard = game(
        act(1000, action="set-result", result="1-0", reason="resignation"), moves=[*MATE, "d8h4"]
    )
    assert heard.result == ("1-0", "resignation", "5.1.2", "human")
    assert heard.opened() == ["result-mismatch"]
    right = game(
        act(1000, action="set-result", result="0-1", reason="checkmate"), moves=[*MATE, "d8h4"]
    )
    assert right.opened() == []


def test_a_result_can_be_taken_back() -> None:
    heard = game(
        act(1000, action="resign", side="white"),
        act(2000, action="set-result", result=None, reason="arbiter"),
        *moved(3000, "g1", "f3", "N", "white"),
    )
    assert heard.result is not None
    assert heard.result[0] is None
    assert heard.moves[-1]["uci"] == "g1f3"


def test_a_long_rest_without_a_result() -> None:
    paused = {"t": 3000, "pause": True}
    later = {"t": 604_000, "clock": clock(597_000, 600_000, None)}
    assert "result-missing" in game(paused, later).opened()
    entered = act(9000, action="resign", side="white")
    assert "result-missing" not in game(paused, entered, later).opened()


@pytest.mark.parametrize(
    ("lines", "waits"),
    [
        (kings("1-0", 5000), "result-kings-white"),
        ([{"t": 9000, "scan": READY}], "result-board-reset"),
    ],
)
def test_an_end_that_waits_for_its_answer_is_not_missed_beside(
    lines: list[Line], waits: str
) -> None:
    """One incident, one ruling, however long nobody comes."""
    rest = [{"t": t, "clock": clock(597_000, 600_000, None)} for t in (604_000, 1_500_000)]
    heard = game({"t": 3000, "pause": True}, *lines, *rest)
    assert heard.state(waits) == "open"
    assert "result-missing" not in heard.opened()


@pytest.mark.parametrize("kind", ["result-signed-differs", "claim-withdrawn", "end-false-mate"])
def test_what_people_enter(kind: str) -> None:
    assert game(act(1000, action="report", kind=kind, side="white")).opened() == [kind]


def test_a_handshake_that_said_nothing_is_asked_about_with_what_the_rules_say() -> None:
    heard = game(act(1000, action="report", kind="result-handshake-unclear"))
    facts = heard.last("result-handshake-unclear")["facts"]
    assert heard.opened() == ["result-handshake-unclear"]
    assert (facts["white_can_mate"], facts["on_board"]) == ("possible", None)


# Agreement (5.2.3, 9.1.1) and offers.


@pytest.mark.parametrize(
    ("moves", "settings", "early"),
    [
        ([], {}, True),
        (["e2e4"], {}, True),
        (OPENING, {}, False),
        (OPENING, {"no_agreement_before_move": 2}, True),
        ([*OPENING, "g1f3", "b8c6"], {"no_agreement_before_move": 2}, False),
    ],
)
def test_a_draw_is_agreed_when_both_have_moved_and_the_regulations_allow_it(
    moves: list[str], settings: dict[str, Any], early: bool
) -> None:
    agreed = act(1000, action="set-result", result="1/2-1/2", reason="agreement")
    heard = game(
        agreed,
        moves=moves,
        settings=settings,
        clock=clock(600_000, 600_000, None),
        rate={"kind": "standard"},
    )
    assert heard.opened() == (["draw-agreed-too-early"] if early else [])
    assert heard.result == (None if early else ("1/2-1/2", "agreement", "5.2.3", "human"))


def test_an_offer_stands_until_the_opponent_touches() -> None:
    offer = act(1500, action="draw-offer", side="white")
    made = moved(1000, "g1", "f3", "N")
    pressed = [*made, offer, {"t": 2000, "press": "white"}]

    assert game(*pressed).opened() == ["draw-offer"]
    assert game(*pressed).state("draw-offer") == "open"
    assert game(*pressed, {"t": 5000, "lift": "b8"}).state("draw-offer") == "expired"


@pytest.mark.parametrize(
    ("side", "lines"),
    [("white", []), ("black", []), ("white", moved(200, "g1", "f3", "N", "white"))],
    ids=["before moving", "on the opponent's time", "after the press"],
)
def test_an_offer_at_the_wrong_time_is_valid_and_noted(side: str, lines: list[Line]) -> None:
    heard = game(*lines, act(1500, action="draw-offer", side=side))
    assert heard.opened() == ["draw-offer-wrong-time"]
    assert heard.last("draw-offer-wrong-time")["urgency"] == 3


def test_offers_again_and_again() -> None:
    two = [act(1000 * n, action="draw-offer", side="white") for n in (1, 2)]
    assert game(*two).opened()[-1] == "draw-offer-repeated"
    answered = game(two[0], act(1500, action="draw-offer", side="black"), two[1])
    assert "draw-offer-repeated" not in answered.opened()


# Taking back.


@pytest.mark.parametrize("rate", [STANDARD, BLITZ], ids=["standard", "B.3"])
def test_mate_announced_that_is_none(rate: dict[str, Any]) -> None:
    heard = game(claim(1000, "checkmate", "white"), rate=rate)
    assert heard.opened() == ["end-false-mate"]
    assert heard.last("end-false-mate")["facts"]["legal_moves"] == 29
    assert heard.result is None


def test_a_resignation_just_after_the_mating_move_is_void_too() -> None:
    """The hand has hardly left the queen: mate counts from when it was made."""
    heard = game(
        *moved(1000, "d8", "h4", "q"), act(1600, action="resign", side="white"), moves=MATE
    )
    assert heard.replies[-1]["ok"] is False
    assert "checkmate" in heard.replies[-1]["error"]


def test_completed_moves_that_are_taken_back_are_restored() -> None:
    """4.7: common with children; both lines are told."""
    line = [*moved(1000, "g1", "f3", "N", "white"), *moved(3000, "b8", "c6", "n", "black")]
    back = [
        {"t": 6000, "lift": "c6"},
        {"t": 6400, "place": "b8", "piece": "n"},
        {"t": 8000, "lift": "f3"},
        {"t": 8400, "place": "g1", "piece": "N"},
    ]
    heard = game(*line, *back, *moved(10_000, "f1", "c4", "B", "white"))
    ruling = heard.last("takeback-after-press")

    assert "takeback-after-press" in heard.opened()
    assert ruling["proposal"]["actions"] == ["pause", "restore", "ask"]
    restored = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    assert ruling["proposal"]["restore"] == restored == ruling["position"]
    assert "takeback-after-press" not in game(*line).opened()


def test_a_result_settles_what_was_open_about_clock_and_offer() -> None:
    heard = game(
        act(500, action="draw-offer", side="white"),
        {"t": 1000, "flag": "white"},
        act(3000, action="resign", side="black"),
        {"t": 4000, "lift": "e1"},
        clock=clock(1000, 600_000),
    )
    assert heard.opened() == ["draw-offer-wrong-time", "flag-last-period"]
    assert heard.state("flag-last-period") == "superseded"
    assert heard.state("draw-offer-wrong-time") != "open"


def test_a_mate_that_the_arbiter_dismisses_ends_nothing() -> None:
    heard = game(*MATING, act(5000, action="dismiss", ruling="end-checkmate"), moves=MATE)
    assert [result["result"] for result in heard.results] == ["0-1", None]
    assert heard.results[-1]["reason"] == "dismissed"


def test_playing_on_after_an_end_is_no_fact_while_the_move_that_made_it_is_undecided() -> None:
    """The pawn became a knight after the press: if 7.5.2 is confirmed it is a queen."""
    heard = said(
        {"t": 1000, "lift": "a7"},
        {"t": 1500, "place": "a8", "piece": "P"},
        {"t": 2500, "press": "white", "clock": clock(630_000, 600_000, "black")},
        {"t": 5500, "lift": "a8"},
        {"t": 6000, "place": "a8", "piece": "N"},
        *moved(8000, "h7", "h6", "k", "black"),
        fen="8/P6k/8/8/8/8/8/K7 w - - 0 60",
        clock=clock(600_000, 600_000),
        rate=STANDARD,
    )
    assert heard.opened() == ["promo-pawn-left", "end-dead", "end-played-on"]
    assert heard.last("end-dead")["certainty"] == "probable"
    assert heard.last("end-played-on")["certainty"] == "probable"
