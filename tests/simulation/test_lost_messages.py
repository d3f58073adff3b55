"""Messages are lost or come late; the players did nothing wrong, and nobody says they did."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from arbiterd.simulation.benchmarks.losses import (
    BRISK,
    RATES,
    STEADY,
    Late,
    LossyGame,
    LostMessages,
    Message,
    forty_moves,
)
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.profiles import MS, SECOND
from eboards.dgt.codec import SETTLE_NS

GAME = forty_moves(FAMOUS)
SLICE = 100
"""One loss in so many is tried where there is little time."""
SECONDS_LOST = 200
LATE = {
    "in time": Late(),
    "late pictures": Late(picture_ns=3 * SECOND),
    "late clocks": Late(clock_ns=2 * SECOND),
    "both late": Late(3 * SECOND, 2 * SECOND),
}
COUNTED_AT_NS = 500 * MS
"""Messages that are named below by their numbers were counted when the driver asked for a picture
after so much quiet; with more of it there are fewer, and a number is of another message."""
WHOLE = [pytest.mark.slow, pytest.mark.timeout(3600)]


def judged(game: LossyGame) -> bool:
    """Nobody is accused, no hole is left, what differs from the game is marked. True: nothing."""
    assert not game.accusations, [ruling["text"]["en"]["line"] for ruling in game.accusations]
    plies = [entry["ply"] for entry in game.readers_record]
    assert plies == list(range(1, len(plies) + 1)), "a hole"
    assert game.exact or game.says_so, game.table.moves
    return game.exact


def every_loss(
    game: StagedGame, rate: str, late: Late, step: int
) -> list[tuple[str, LostMessages]]:
    """Each message, each pair of neighbours, and seconds of the clock, one in `step` of them."""
    clean = LossyGame(game, RATES[rate], "losses", late=late).run()
    said, seconds = clean.wire.said, clean.wire.seconds
    assert clean.exact
    assert set(said) == set(Message) - {Message.SECOND}
    one = [(said[n].value, LostMessages(frozenset((n,)))) for n in range(0, len(said), step)]
    two = [
        ("pair", LostMessages(frozenset((n, n + 1)))) for n in range(step // 2, len(said) - 1, step)
    ]
    drawn = Random(1).sample(range(seconds), SECONDS_LOST // step)
    return [*one, *two, *(("second", LostMessages(seconds=frozenset((n,)))) for n in drawn)]


@pytest.mark.parametrize("step", [SLICE, pytest.param(1, id="whole", marks=WHOLE)])
@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("rate", RATES)
def test_no_message_that_is_lost_accuses_anybody(rate: str, late: str, step: int) -> None:
    tried, exact = Counter[str](), Counter[str]()
    for kind, loss in every_loss(GAME, rate, LATE[late], step):
        tried[kind] += 1
        exact[kind] += judged(LossyGame(GAME, RATES[rate], "losses", loss, LATE[late]).run())
    print(rate, late, {kind: f"{exact[kind]} of {tried[kind]} exact" for kind in tried})
    assert sum(exact.values()) >= 0.99 * sum(tried.values())


MANY = [
    *((late, 3) for late in LATE),
    *(pytest.param(late, 200, id=f"{late}-whole", marks=WHOLE) for late in LATE),
]


@pytest.mark.parametrize(("late", "runs"), MANY)
def test_many_losses_in_one_game_of_quick_hands_accuse_nobody(late: str, runs: int) -> None:
    """A reply has begun before a late picture comes; one message in ten is lost."""
    exact = sum(judged(in_a_hurry(late, seed)) for seed in range(runs))
    print(late, f"{exact} of {runs} exact")


def in_a_hurry(late: str, seed: int, settle_ns: int = SETTLE_NS) -> LossyGame:
    """One message in ten is lost."""
    dice = Random(seed)
    lost = LostMessages(frozenset(n for n in range(20, 800) if dice.random() < 0.1))
    hurry = (f"quick {seed}", lost, LATE[late], BRISK, settle_ns)
    return LossyGame(GAME, RATES["standard"], *hurry).run()


PRESSED_EARLY_ONCE = [("late clocks", seed) for seed in (113, 137, 164, 170)]
"""Seeds in which a press that was lost, and others that were heard after the reply, made somebody
press without a move, or before it."""
PRESSED_BEFORE_ONCE = [("both late", 134)]
"""One picture told two half-moves, and the press of the first was heard after the second's: it was
taken for a press before the third."""
UNPRESSED_ONCE = [("late clocks", 69)]
"""The rook's two messages of a castling were lost, and the reply came before the press was heard:
an illegal half-move, as a fact."""
MOVED_AGAIN_ONCE = [("late clocks", 95)]
"""Where the queen was put down was lost, and the reply came before the picture: the other side had
moved again, as a fact; and so were four more offences in the half-moves after it. The record was
marked, as not whole, until a picture that contradicts what was told was asked for again."""


@pytest.mark.parametrize(
    ("late", "seed"),
    [*PRESSED_EARLY_ONCE, *PRESSED_BEFORE_ONCE, *UNPRESSED_ONCE, *MOVED_AGAIN_ONCE],
)
def test_clocks_that_are_heard_late_accuse_nobody_any_more(late: str, seed: int) -> None:
    assert judged(in_a_hurry(late, seed, COUNTED_AT_NS))


FAILED_ONCE = [("late pictures", (63, 64))]
"""Lost messages after which somebody was accused: the king's, of a castling, so that a rook's move
was all that showed."""


@pytest.mark.parametrize(("late", "lost"), FAILED_ONCE)
def test_what_once_accused_somebody_accuses_nobody(late: str, lost: tuple[int, ...]) -> None:
    loss = LostMessages(frozenset(lost))
    game = LossyGame(GAME, RATES["standard"], "losses", loss, LATE[late], settle_ns=COUNTED_AT_NS)
    assert judged(game.run())


IN_A_ROW = [(20, 109), (35, 38), (35, 47), (35, 52), (35, 182), (35, 245), (35, 326), (12, 111)]
"""So many messages from that one on: of touches and presses that came after the picture, somebody
was accused as a fact."""


IN_ANOTHER_ORDER = [(12, 20), (20, 160), (20, 320), (20, 416)]
"""After these half-moves that nobody saw were told in another order than they were played in, as
certain."""
SAID_TOO_SURELY = [(12, 360), (12, 384), (20, 376), (35, 340)]
"""After these illegal moves were found later, or completed ones taken back, as a fact, before the
picture was there or with a half-move before them that was only likely."""


@pytest.mark.parametrize(("number", "first"), [*IN_A_ROW, *IN_ANOTHER_ORDER, *SAID_TOO_SURELY])
def test_many_messages_in_a_row_accuse_nobody_as_a_fact(number: int, first: int) -> None:
    lost = LostMessages(frozenset(range(first, first + number)))
    game = LossyGame(
        GAME, RATES["rapid"], "losses", lost, profile=BRISK, settle_ns=COUNTED_AT_NS
    ).run()
    assert not game.accusations, [ruling["text"]["en"]["line"] for ruling in game.accusations]
    assert game.exact or game.says_so


LOST_IN_A_ROW = (3, 5, 8, 12, 16, 20, 30)


def drawn(seed: int) -> LossyGame:
    """A famous game, quick hands or slow, heard in time or late, with messages lost in a row."""
    dice = Random(seed)
    game, number = dice.choice(FAMOUS), dice.choice(LOST_IN_A_ROW)
    first = dice.randrange(10, min(700, max(11, 8 * len(game.moves))))
    rate, late = dice.choice(tuple(RATES)), dice.choice(("in time", "late pictures", "late clocks"))
    lost = LostMessages(frozenset(range(first, first + number)))
    hands = dice.choice((BRISK, STEADY))
    return LossyGame(game, RATES[rate], f"drawn {seed}", lost, LATE[late], hands).run()


def ends_in_time(game: LossyGame) -> bool:
    """Something is heard after what was lost: else nobody could know."""
    return len(game.wire.said) > max(game.wire.lost) + 20


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(700), id="whole", marks=WHOLE)])
def test_messages_lost_in_a_row_accuse_nobody_as_a_fact(seeds: range) -> None:
    games = {seed: game for seed in seeds if ends_in_time(game := drawn(seed))}
    accused = [seed for seed, game in games.items() if game.accusations]
    silent = [seed for seed, game in games.items() if not (game.exact or game.says_so)]
    exact = sum(game.exact for game in games.values())
    print(f"{exact} of {len(games)} exact, accused in {accused}, silent in {silent}")
    assert len(accused) + len(silent) <= len(games) // 200


def test_a_wire_that_is_whole_loses_nothing() -> None:
    game = LossyGame(GAME, RATES["standard"], "losses", profile=STEADY).run()
    assert judged(game)
    assert [r["kind"] for r in game.told("rulings")] == ["clock-paused-by-player"]


def test_what_is_told_anew_within_one_input_stops_no_table() -> None:
    """Eighteen messages are lost, and what is found then is found otherwise by the next press: the
    half-move that was told first is not legal in the record that is told last."""
    game = next(game for game in FAMOUS if game.name == "Edward Lasker – George Thomas")
    lost = LostMessages(frozenset(range(66, 84)))

    judged(LossyGame(game, RATES["standard"], "l174", lost, LATE["both late"], BRISK).run())
