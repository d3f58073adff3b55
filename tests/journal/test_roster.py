"""Who plays at a table is read from what was said and done there, and not from what was refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arbiterd.journal.roster import Roster
from arbiterd.journal.rows import Batch, InputRow, Item, OutputRow
from arbiterd.laws.act import Act
from arbiterd.table.inputs import Renamed
from arbiterd.table.setup import TableSetup

SETUP = TableSetup(hall="main", table="1", white="Ana", black="Bob", round=3)
BEGUN = Act(1, "start-game", "ana", id="x", white="Cy", black="Di")


class Said:
    """A table's inputs, each with its answer where it has one."""

    def __init__(self, journal) -> None:
        self.journal = journal
        self.roster = Roster(journal.read, "1")

    async def __call__(self, item: Item, ok: bool | None = None) -> int:
        """The number that it has; `ok`: how it was answered."""
        number = self.journal.next_input()
        answers: tuple[OutputRow, ...] = ()
        if ok is not None:
            place, body = self.journal.next_output(), json.dumps({"ok": ok}).encode()
            answers = (OutputRow(place, number, "1", place, "reply", None, False, number, body),)
        self.journal.write(Batch((InputRow(number, number, "1", item),), answers))
        await self.journal.synced()
        return number

    def plays(self, number: int, until_ns: int | None = None) -> str:
        """White, in the game that this input belongs to."""
        found = self.roster.of_game(number, until_ns)
        return "" if found is None else found.white


@pytest.fixture
async def said(tmp_path: Path, opened):
    async with opened(tmp_path / "journal.db") as journal:
        yield Said(journal)


async def test_a_game_begun_anew_without_names_is_between_the_same_two(said) -> None:
    """An arbiter had a wrong start made again: its PGN and the public's page had '?' for both."""
    await said(SETUP)
    begun = await said(Act(1, "start-game", "ana", id="x"), True)
    match = said.roster.of_game(begun)
    assert (match.white, match.black, match.round) == ("Ana", "Bob", 3)


@pytest.mark.parametrize("ok", [True, False])
async def test_a_game_goes_back_to_the_one_before_only_where_that_was_done(said, ok: bool) -> None:
    """An arbiter thought better of a new game after its minute was over: it was refused, and the
    public read the names of the game before."""
    await said(SETUP)
    begun = await said(BEGUN, True)
    assert said.plays(begun) == "Cy"
    undone = await said(Act(2, "undo", "ana", of="x"), ok)
    assert said.plays(undone) == ("Ana" if ok else "Cy")


async def test_a_name_is_put_right_in_a_game_in_which_something_was_undone(said) -> None:
    """A table was muted and that undone; the name of its player stayed wrong in every PGN."""
    first = await said(SETUP)
    await said(Act(2, "mute", "ana", id="m"), True)
    await said(Act(3, "undo", "ana", of="m"), True)
    await said(Renamed(4, "Anna", "Bob"))
    assert said.plays(first) == "Anna"


async def test_a_name_is_put_right_in_a_game_that_came_back(said) -> None:
    first = await said(SETUP)
    await said(BEGUN, True)
    await said(Act(2, "undo", "ana", of="x"), True)
    await said(Renamed(3, "Anna", "Bob"))
    assert said.plays(first) == "Anna"


async def test_a_name_that_was_put_right_stays_when_the_game_before_comes_back(said) -> None:
    """The table does all again but what was undone; so does whoever reads who plays."""
    await said(SETUP)
    await said(BEGUN, True)
    await said(Renamed(2, "Anna", "Bob"))
    undone = await said(Act(3, "undo", "ana", of="x"), True)
    assert said.plays(undone) == "Anna"


async def test_two_arbiters_may_give_their_acts_the_same_id(said) -> None:
    await said(SETUP)
    await said(Act(1, "start-game", "ana", id="x", user="ana", white="Cy"), True)
    begun = await said(Act(2, "start-game", "bea", id="x", user="bea", white="Ed"), True)
    assert said.plays(begun) == "Ed"
    undone = await said(Act(3, "undo", "ana", user="ana", of="x"), True)
    assert said.plays(undone) == "Ed", "the other's goes on"


async def test_an_act_that_comes_again_after_it_was_undone_begins_nothing(said) -> None:
    await said(SETUP)
    await said(BEGUN, True)
    await said(Act(2, "undo", "ana", of="x"), True)
    again = await said(BEGUN, True)
    assert said.plays(again) == "Ana"


async def test_of_what_is_not_known_yet_nothing_is_said(said) -> None:
    first = await said(SETUP)
    last = await said(BEGUN, True)
    assert said.plays(last, until_ns=first) == "Ana"
    assert said.plays(last, until_ns=0) == ""
