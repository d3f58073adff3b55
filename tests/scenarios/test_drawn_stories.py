"""Stories drawn from seeds, each through a whole table: irregular plies, toppled pieces, late
promotions, captured men that lie on the board, silences, pieces that are shifted and put right.

Whoever did it is named and nobody else, no half-move is told that was not played, and the record
goes on. What the sensors, the times and the rate of play are is drawn too.
"""

from __future__ import annotations

import pytest

from arbiterd.rules.ruleset import Colour
from eboards.events import EMPTY

from .drawn import (
    ALL,
    GAPS,
    KNOWING,
    SEEING,
    Check,
    Desk,
    Heard,
    Story,
    UnfairError,
    told_as_it_was,
)

SEEDS = range(60)


def wrong_and_wrong(seed: str) -> tuple[Desk, Check]:
    """An illegal move is answered by an illegal move, pressed for or not."""
    desk = Desk(seed, ALL)
    side = desk.lead()
    pressed = [desk.dice.random() < 0.6 for _ in range(2)]
    for press in pressed:
        desk.play_wrong(press=press)
        desk.wait(desk.dice.choice(GAPS[4:]))
    desk.go_on(3)

    def check(heard: Heard) -> None:
        assert heard.record == desk.truth
        rows = []
        for who, press in ((side, pressed[0]), (side.other, all(pressed))):
            kind = "illegal-found-later" if press else "illegal-unpressed-replied"
            rows += [] if desk.open_window else [f"{kind}/{who}"]
        assert heard.standing() == set(rows)

    return desk, check


def wrong_and_answered(seed: str) -> tuple[Desk, Check]:
    """An illegal move that nobody pressed for is answered, sooner or later."""
    desk = Desk(seed, SEEING)
    side = desk.lead()
    desk.play_wrong(press=False)
    desk.wait(desk.dice.choice(GAPS))
    desk.go_on(1)
    desk.wait(desk.dice.choice(GAPS[2:]))
    desk.go_on(3)

    def check(heard: Heard) -> None:
        assert heard.record == desk.truth
        assert heard.against() <= {side}
        row = f"illegal-unpressed-replied/{side}"
        assert heard.standing() == (set() if desk.open_window else {row})

    return desk, check


def toppled(seed: str) -> tuple[Desk, Check]:
    """A side moves, topples two or three of its own, and presses; the other puts them right."""
    desk = Desk(seed, SEEING)
    side, rules = desk.lead(), desk.rules
    desk.make(desk.dice.choice(desk.legal()), press=False)
    home = {s: piece for s, piece in enumerate(desk.pieces) if rules.owner(piece) is side}
    left = sorted(s for s, piece in home.items() if piece not in "Kk")
    left = desk.dice.sample(left, min(8, len(left)))
    lies: dict[int, int] = {}
    for square in left:
        near = [s for s in range(64) if desk.pieces[s] == EMPTY and s not in left]
        near = [s for s in near if max(abs(s % 8 - square % 8), abs(s // 8 - square // 8)) == 1]
        near = [s for s in near if home[square] not in "Pp" or 0 < s // 8 < 7]
        if near and len(lies) < 2 + desk.dice.randrange(2):
            lies[square] = desk.dice.choice(near)
            desk.lift(square)
            desk.put(lies[square], home[square])
    if len(lies) < 2:
        raise UnfairError
    desk.press(side)
    desk.wait(desk.dice.choice((5.5, 7.1, 8)))
    for square, there in lies.items():
        desk.lift(there)
        desk.put(square, home[square])
    desk.wait(desk.dice.choice(GAPS))
    desk.go_on(3)

    def check(heard: Heard) -> None:
        assert heard.record == desk.truth
        assert heard.against() == {side}

    return desk, check


PROMOTIONS = ("8/P5k1/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/3b4/8/8/2N5/6p1/1K6 b - - 0 1")


def piece_put_on_late(seed: str) -> tuple[Desk, Check]:
    """The pawn is off, the clock is pressed, and the piece comes before or after the reply."""
    number = int(seed.split()[-1]) % 2
    desk = Desk(seed, SEEING, fen=PROMOTIONS[number])
    origin, goal, piece, wire = ((8, 0, "Q", "a7a8q"), (54, 62, "q", "g2g1q"))[number]
    side, replied = desk.rules.turn(desk.position), desk.dice.random() < 0.6
    desk.lift(origin)
    desk.press(side)
    desk.position = desk.rules.play(desk.position, desk.rules.parse(desk.position, wire))
    desk.truth.append(wire)
    desk.wait(desk.dice.choice(GAPS))
    if replied:
        desk.go_on(1, but=wire[2:4])
    desk.wait(desk.dice.choice((1.6, 2.9, 3.6, 7.1, 10, 15)))
    desk.put(goal, piece)
    desk.wait(desk.dice.choice(GAPS))
    desk.go_on(3 - replied)

    def check(heard: Heard) -> None:
        assert [wire[:4] for wire in heard.record] == [wire[:4] for wire in desk.truth]
        assert heard.against() <= {side}
        told = {ruling["kind"] for ruling in heard.rulings}
        assert told & {"promo-nothing-placed", "illegal-a5-replied"}

    return desk, check


def captured_man_lies_there(seed: str) -> tuple[Desk, Check]:
    """What was captured lies on a square of the board until after the reply, or shorter."""
    desk = Desk(seed, KNOWING)
    side = desk.lead()
    takes = [w for w in desk.legal() if desk.pieces[desk.rules.geometry.square(w[2:])] != EMPTY]
    if not takes:
        raise UnfairError
    wire = desk.dice.choice(takes)
    man = desk.pieces[desk.rules.geometry.square(wire[2:])]
    lie = desk.dice.choice([s for s in range(64) if desk.pieces[s] == EMPTY])
    desk.make(wire, press=False)
    desk.put(lie, man)
    until = desk.dice.randrange(3)
    for number in range(3):
        if number == until:
            desk.wait(desk.dice.choice(GAPS))
            desk.lift(lie)
        if number == 0:
            desk.press(side)
        if number == 1:
            desk.wait(desk.dice.choice(GAPS))
            desk.go_on(1, but=desk.rules.geometry.names[lie])
    desk.wait(1)
    desk.go_on(2)

    def check(heard: Heard) -> None:
        assert heard.record == desk.truth
        assert heard.against() <= {side}
        assert until or not heard.standing()
        played = [*desk.moves, *desk.truth]
        sure = [said for said in heard.told if said["uci"] and said["certainty"] == "certain"]
        assert all(said["uci"] == played[said["ply"] - 1] for said in sure)

    return desk, check


def twice_in_a_row(seed: str) -> tuple[Desk, Check]:
    """A side moves once more, which it has pressed for before, after both, or not at all, and is
    answered."""
    desk = Desk(seed, KNOWING)
    side, pressed = desk.lead(), desk.dice.choice(("first", "for both", "never"))
    desk.go_on(1, press=pressed == "first")
    desk.wait(desk.dice.choice(GAPS[:12]))
    flipped = desk.rules.taken_as_played(desk.position, tuple(desk.pieces), side)
    if flipped is None or desk.rules.in_check(flipped, side.other):
        raise UnfairError
    desk.position = flipped
    last = desk.truth[-1][2:]
    again = [w for w in desk.legal(desk.truth[-1][:2]) if w[:2] != last]
    again = [w for w in again if desk.pieces[desk.rules.geometry.square(w[2:])] == EMPTY]
    if not again:
        raise UnfairError
    desk.make(desk.dice.choice(again), press=pressed == "for both")
    told_once = [*desk.truth[:-2], ""]
    desk.truth[-1] = ""
    desk.wait(desk.dice.choice(GAPS[6:]))
    desk.go_on(1)
    desk.wait(desk.dice.choice(GAPS[4:]))
    desk.go_on(2)

    def check(heard: Heard) -> None:
        both = [*told_once, *desk.truth[-3:]]
        assert heard.record == desk.truth or (pressed != "first" and heard.record == both)
        assert heard.against() <= {side}

    return desk, check


def badly_centred(seed: str) -> tuple[Desk, Check]:
    """A piece stands where its coil does not notice it, is pressed for, and is put right before,
    with or after the reply."""
    desk = Desk(seed, SEEING)
    side = desk.lead()
    wire = desk.dice.choice([w for w in desk.legal() if w not in ("e1g1", "e1c1", "e8g8", "e8c8")])
    goal = desk.rules.geometry.square(wire[2:])
    if desk.pieces[goal] != EMPTY:
        desk.lift(goal)
        desk.wait(1)
    desk.do("hide", goal)
    desk.make(wire)
    desk.wait(desk.dice.choice(GAPS))
    until = desk.dice.randrange(2)
    for number in range(2):
        if number == until:
            desk.do("hide", goal)
            desk.wait(desk.dice.choice(GAPS))
        if number == 0:
            desk.go_on(1, but=wire[2:])
            desk.wait(desk.dice.choice(GAPS))
    desk.go_on(2)

    def check(heard: Heard) -> None:
        assert heard.record == desk.truth
        assert heard.against() <= {side}
        assert "move-opp-too-early" not in {ruling["kind"] for ruling in heard.rulings}

    return desk, check


def lost_on_the_wire(seed: str) -> tuple[Desk, Check]:
    """What the board says of some half-moves is lost, and a whole picture comes after them."""
    desk = Desk(seed, KNOWING, pictures=True)
    desk.lead()
    desk.do("lose", True)
    desk.go_on(desk.dice.choice((2, 3, 4, 5)))
    desk.wait(desk.dice.choice((0.3, 1)))
    desk.do("lose", False)
    desk.wait(desk.dice.choice((0.5, 2, 6)))
    desk.go_on(3)

    def check(heard: Heard) -> None:
        assert heard.record[:2] == desk.truth[:2]
        assert heard.record[-3:] == desk.truth[-3:]
        assert not {r["kind"] for r in heard.called() if r["against"] and r["certainty"] == "fact"}
        sure = {said["uci"] for said in heard.told if said["certainty"] == "certain"}
        assert sure - {None} <= {*desk.moves, *desk.truth}

    return desk, check


def silence(seed: str) -> tuple[Desk, Check]:
    """The cable is out for some half-moves or for many; then it is in, and play goes on."""
    desk = Desk(seed, KNOWING, pictures=True)
    desk.lead()
    desk.do("link", False)
    known, lost = len(desk.truth), desk.dice.choice((0, 1, 2, 3, 5, 6, 7, 10, 20, 31))
    desk.go_on(lost)
    desk.wait(desk.dice.choice((0.5, 3, 10)))
    desk.do("link", True)
    desk.wait(desk.dice.choice((1.2, 3, 7)))
    desk.go_on(4)

    def check(heard: Heard) -> None:
        assert heard.record[:known] == desk.truth[:known]
        assert heard.record[-4:] == desk.truth[-4:]
        assert heard.standing() <= {"tech-gap/None", "tech-board-lost/None"}
        assert not {r["kind"] for r in heard.called() if "knock" in r["kind"]}
        assert not {r["kind"] for r in heard.called() if r["against"] and r["certainty"] == "fact"}

    return desk, check


def beside(desk: Desk, square: int) -> list[int]:
    """Empty squares next to one, where its piece can stand."""
    pawn = desk.pieces[square] in "Pp"
    return [
        s
        for s in range(64)
        if desk.pieces[s] == EMPTY
        and max(abs(s % 8 - square % 8), abs(s // 8 - square // 8)) == 1
        and not (pawn and s // 8 in (0, 7))
    ]


def centred_after_the_press(seed: str) -> tuple[Desk, Check]:
    """Who has pressed reaches back at once, and puts the piece right that was moved."""
    desk = Desk(seed, SEEING)
    desk.lead()
    wire = desk.dice.choice([w for w in desk.legal() if w not in ("e1g1", "e1c1", "e8g8", "e8c8")])
    desk.make(wire)
    goal = desk.rules.geometry.square(wire[2:])
    piece = desk.pieces[goal]
    desk.wait(desk.dice.choice((0.1, 0.3, 0.9)))
    desk.lift(goal)
    desk.put(goal, piece, (0.2, 0.6))
    desk.wait(desk.dice.choice(GAPS))
    desk.go_on(3)

    def check(heard: Heard) -> None:
        assert heard.record == desk.truth
        assert heard.called() == []

    return desk, check


def brushed_on_the_others_time(seed: str) -> tuple[Desk, Check]:
    """A sleeve shifts a piece of the side that has just pressed, and it is put right."""
    desk = Desk(seed, SEEING)
    side = desk.lead()
    desk.make(desk.dice.choice(desk.legal()))
    home = desk.dice.choice([s for s in range(64) if desk.rules.owner(desk.pieces[s]) is side])
    piece, free = desk.pieces[home], beside(desk, home)
    if not free:
        raise UnfairError
    there = desk.dice.choice(free)
    desk.wait(desk.dice.choice((0.3, 1, 3)))
    desk.lift(home)
    desk.put(there, piece)
    desk.wait(desk.dice.choice((0.3, 0.8, 1.5)))
    desk.lift(there)
    desk.put(home, piece)
    desk.wait(desk.dice.choice(GAPS))
    desk.go_on(3)

    def check(heard: Heard) -> None:
        assert heard.record == desk.truth
        assert heard.against() <= {side}

    return desk, check


def table_bumped(seed: str) -> tuple[Desk, Check]:
    """Pieces of both sides shift to squares beside theirs, and are put right one by one."""
    desk = Desk(seed, SEEING)
    desk.lead()
    pieces = [s for s, piece in enumerate(desk.pieces) if piece not in (EMPTY, "K", "k")]
    desk.dice.shuffle(pieces)
    lies: dict[int, tuple[int, str]] = {}
    number = desk.dice.choice((2, 3, 4, 5))
    for home in pieces:
        free = [s for s in beside(desk, home) if s not in lies]
        if free and len(lies) < number:
            there, piece = desk.dice.choice(free), desk.pieces[home]
            desk.put(home, EMPTY, (0, 0.08))
            desk.put(there, piece, (0, 0.08))
            lies[home] = (there, piece)
    desk.wait(desk.dice.choice((0.6, 2, 5)))
    for home, (there, piece) in lies.items():
        desk.lift(there)
        desk.put(home, piece)
    desk.wait(desk.dice.choice((0.5, 3)))
    desk.make(desk.dice.choice(desk.legal()))
    desk.wait(desk.dice.choice(GAPS))
    desk.go_on(3)

    def check(heard: Heard) -> None:
        assert heard.record == desk.truth
        assert heard.against() == set()

    return desk, check


def knocked_after_the_press(seed: str) -> tuple[Desk, Check]:
    """The board is knocked before the press is heard, and set up again from the record."""
    desk = Desk(seed, KNOWING)
    desk.lead()
    desk.make(desk.dice.choice(desk.legal()))
    desk.wait(desk.dice.choice((0.05, 0.2, 0.5, 0.9, 1.5)))
    homes = [s for s, piece in enumerate(desk.pieces) if piece not in (EMPTY, "K", "k")]
    desk.dice.shuffle(homes)
    lies: dict[int, tuple[int, str]] = {}
    for home in homes[: desk.dice.choice((8, 10, 12))]:
        free = [
            s for s in range(64) if desk.pieces[s] == EMPTY and s not in lies and s not in homes
        ]
        there, piece = desk.dice.choice(free), desk.pieces[home]
        desk.put(home, EMPTY, (0, 0.04))
        desk.put(there, piece, (0, 0.04))
        lies[home] = (there, piece)
    desk.wait(desk.dice.choice((5, 8)))
    for home, (there, piece) in lies.items():
        desk.lift(there)
        desk.put(home, piece)
    desk.wait(desk.dice.choice((0.5, 3)))
    desk.go_on(3)

    def check(heard: Heard) -> None:
        assert heard.record == desk.truth
        assert heard.against() == set()
        assert "displaced-board-knocked" in {ruling["kind"] for ruling in heard.called()}

    return desk, check


STORIES = (
    wrong_and_wrong,
    wrong_and_answered,
    toppled,
    piece_put_on_late,
    captured_man_lies_there,
    twice_in_a_row,
    badly_centred,
    lost_on_the_wire,
    silence,
    centred_after_the_press,
    brushed_on_the_others_time,
    table_bumped,
    knocked_after_the_press,
)


STILL_WRONG = {
    wrong_and_wrong: {30, 50},
    wrong_and_answered: set[int](),
    toppled: {41},
    piece_put_on_late: set[int](),
    captured_man_lies_there: set[int](),
    twice_in_a_row: {41},
    badly_centred: set[int](),
    lost_on_the_wire: set[int](),
    silence: set[int](),
    centred_after_the_press: set[int](),
    brushed_on_the_others_time: set[int](),
    table_bumped: {8, 27, 55},
    knocked_after_the_press: set[int](),
}
"""By story, the seeds that are not told as it was."""


WRONG_ONCE = {
    toppled: (1062, 1158, 1542, 1807, 1940, 1958, 2007),
    lost_on_the_wire: (1613, 1782, 1881, 1907, 2208),
    silence: (1367, 1633, 1675, 1816, 2044, 2137, 2146, 2179),
    knocked_after_the_press: (62, 79, 98, 153),
}
"""By story, seeds that were drawn for no test and were told wrongly then."""


@pytest.mark.parametrize("story", STORIES)
def test_stories_are_told_as_they_were_but_for_those_that_are_named(story: Story) -> None:
    """Read as a diff: one more is worse, one less is to be taken off the list."""
    assert {seed for seed in SEEDS if not told_as_it_was(story, seed)} == STILL_WRONG[story]


@pytest.mark.parametrize("story", WRONG_ONCE)
def test_stories_that_were_told_wrongly_once_are_told_as_they_were(story: Story) -> None:
    assert [seed for seed in WRONG_ONCE[story] if not told_as_it_was(story, seed)] == []


def test_nobody_takes_back_what_nobody_pressed_for() -> None:
    """Three pieces shifted, each as a half-move would; the clocks were pressed for none of them."""
    desk, _ = table_bumped("table_bumped 0 325")
    assert "takeback-after-press" not in {ruling["kind"] for ruling in desk.hear().called()}


def test_both_sides_are_drawn() -> None:
    sides = {Desk(str(seed), SEEING).began for seed in range(9)}
    assert sides == set(Colour)
