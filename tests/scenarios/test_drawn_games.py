"""Stories drawn from seeds for shogi and the Guadalete game, each through a whole table: illegal
moves, second pawns on a file and pieces that are turned over where they may not be, pressed for or
not and answered by whatever the game allows, drops and planks too.
"""

from __future__ import annotations

import pytest

from arbiterd.rules.ruleset import differing
from eboards.events import EMPTY, SensingClass

from .drawn import GAPS, KNOWING, SEEING, Check, Desk, Heard, Story, UnfairError, told_as_it_was

SEEDS = range(20, 40)


def _goes_on(desk: Desk, *, press: bool) -> Check:
    """One half-move after what was irregular, and three more; the side that began is named."""
    side = desk.began
    desk.wait(desk.dice.choice(GAPS))
    desk.go_on(1)
    desk.wait(desk.dice.choice(GAPS[2:]))
    desk.go_on(3)

    def check(heard: Heard) -> None:
        # Sensors of kinds do not show which face lies up.
        faces = desk.sensing.kind is SensingClass.KIND
        record, truth = (
            [wire.rstrip("+") if faces else wire for wire in wires]
            for wires in (heard.record, desk.truth)
        )
        assert record == truth
        assert heard.against() <= {side}
        if press and not desk.open_window:
            assert heard.against() == {side}

    return check


def moved_wrongly(seed: str) -> tuple[Desk, Check]:
    """A piece goes where it may not; nobody else is named."""
    desk = Desk(seed, KNOWING, rules="shogi")
    desk.lead()
    press = desk.dice.random() < 0.5
    desk.play_wrong(press=press)
    return desk, _goes_on(desk, press=press)


def over_the_river(seed: str) -> tuple[Desk, Check]:
    """The same where pawns become planks, and the reply may be a piece that is only taken off."""
    desk = Desk(seed, SEEING, rules="guadalete")
    desk.lead()
    desk.play_wrong(press=True)
    return desk, _goes_on(desk, press=True)


def taken_at_once(seed: str) -> tuple[Desk, Check]:
    """The reply takes the piece that was moved over the river; colours alone are sensed."""
    desk = Desk(seed, (SensingClass.COLOUR,), rules="guadalete")
    desk.lead()
    before = list(desk.pieces)
    desk.play_wrong(press=True)
    came = next(s for s in differing(before, desk.pieces) if desk.pieces[s] != EMPTY)
    if desk.pieces[came] in tuple("Pp"):
        raise UnfairError  # Once it is gone the board reads as if it had become a plank.
    name = desk.rules.geometry.names[came]
    takes = [wire for wire in desk.legal() if wire[2:4] == name]
    if not takes:
        raise UnfairError
    desk.wait(desk.dice.choice(GAPS))
    desk.make(desk.dice.choice(takes))
    return desk, _goes_on(desk, press=True)


def dropped_wrongly(seed: str) -> tuple[Desk, Check]:
    """A second pawn on a file."""
    desk = Desk(seed, (SensingClass.IDENTITY,), rules="shogi")
    side = desk.lead()
    pawn = "P" if side == "black" else "p"
    files = {square % 9 for square, piece in enumerate(desk.pieces) if piece == pawn}
    free = [s for s, piece in enumerate(desk.pieces) if piece == EMPTY and s % 9 in files]
    free = [s for s in free if s // 9 != (0 if side == "black" else 8)]
    if not free or not any(wire.startswith("P*") for wire in desk.legal()):
        raise UnfairError
    return desk, _put_wrongly(desk, desk.dice.choice(free), pawn)


def turned_wrongly(seed: str) -> tuple[Desk, Check]:
    """A half-move that is legal but for the face that lies up."""
    desk = Desk(seed, (SensingClass.IDENTITY,), rules="shogi")
    desk.lead()
    rules, position = desk.rules, desk.position
    legal = [rules.wire(position, move) for move in rules.legal_moves(position)]
    square = rules.geometry.square
    plain = [w for w in legal if not ("*" in w or "+" in w or f"{w}+" in legal)]
    plain = [wire for wire in plain if desk.pieces[square(wire[:2])] in tuple("PLNSBRplnsbr")]
    plain = [wire for wire in plain if desk.pieces[square(wire[2:4])] == EMPTY]
    if not plain:
        raise UnfairError
    wire = desk.dice.choice(plain)
    piece = desk.pieces[square(wire[:2])]
    desk.lift(square(wire[:2]))
    return desk, _put_wrongly(desk, square(wire[2:4]), f"+{piece}")


def _put_wrongly(desk: Desk, square: int, piece: str) -> Check:
    rules, side = desk.rules, desk.rules.turn(desk.position)
    desk.put(square, piece)
    after = rules.taken_as_played(desk.position, tuple(desk.pieces), side.other)
    if not after or rules.end(after) or rules.in_check(after, side):
        raise UnfairError
    desk.position = after
    desk.truth.append("")
    press = desk.dice.random() < 0.5
    if press:
        desk.press(side)
    return _goes_on(desk, press=press)


STILL_WRONG = {
    moved_wrongly: set[int](),
    over_the_river: set[int](),
    taken_at_once: {39},
    dropped_wrongly: set[int](),
    turned_wrongly: set[int](),
}
"""By story, the seeds that are not told as it was."""
WRONG_ONCE = {moved_wrongly: (74,), over_the_river: (101,), taken_at_once: (92, 107)}
"""By story, seeds of outside that range that were told wrongly once."""


@pytest.mark.parametrize("story", STILL_WRONG)
def test_stories_are_told_as_they_were_but_for_those_that_are_named(story: Story) -> None:
    """Read as a diff: one more is worse, one less is to be taken off the list."""
    assert {seed for seed in SEEDS if not told_as_it_was(story, seed)} == STILL_WRONG[story]


@pytest.mark.parametrize("story", WRONG_ONCE)
def test_stories_that_were_told_wrongly_once_are_told_as_they_were(story: Story) -> None:
    assert [seed for seed in WRONG_ONCE[story] if not told_as_it_was(story, seed)] == []
