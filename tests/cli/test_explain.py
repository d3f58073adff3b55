"""`arbiterd replay --explain PLY`: what was seen, what stood, and why it was told so."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from arbiterd.cli.replay import replay
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.table.explained import Telling
from arbiterd.table.setup import TableSetup
from arbiterd.tracking import weights
from eboards.events import CHESS_BOARD, LinkUp, Scan, Sensing, SensingClass, SquareChange
from eboards.memory import START

TESTS = Path(__file__).parents[1]
STOPPED = TESTS / "docs" / "stopped.scenario.jsonl"
CABLE_OUT = TESTS / "docs" / "cable_out.scenario.jsonl"
SLIDE = TESTS / "recordings" / "dgt" / "slide.log"
SECOND = 1_000_000_000
PAGE = (TESTS.parent / "docs" / "tracking.md").read_text(encoding="utf-8")
EXAMPLES = [
    (TESTS.parent / file, int(ply), shown)
    for file, ply, shown in re.findall(
        r"\(`(tests/\S+) --explain (\d+)`\).*?```\n(.*?)```", PAGE, re.DOTALL
    )
]
"""File, half-move and what the page shows of it."""


def explain(file: Path, ply: int, *more: str) -> Result:
    return CliRunner().invoke(replay, [str(file), "--explain", str(ply), *more])


def tellings(file: Path, ply: int, *more: str) -> list[Telling]:
    out = explain(file, ply, "--json", *more).output
    return [msgspec.json.decode(line, type=Telling) for line in out.splitlines()]


def test_a_slide_shows_the_stop_that_was_given_up() -> None:
    (told,) = tellings(SLIDE, 1)
    best = {moment.seen: moment.held[0].moves for moment in told.moments if moment.seen}
    assert best["e3 shows P"] == ("e2e3",)
    assert best["e4 shows P"] == ("e2e4",)
    assert (told.uci, told.certainty, told.margin) == ("e2e4", "certain", None)


def test_rivals_have_their_shares_and_what_speaks_against_them_and_a_press_decides() -> None:
    """It was e3 and then e4 until Black pressed: two half-moves need three presses."""
    told = tellings(STOPPED, 1)
    assert [(one.uci, one.certainty) for one in told] == [
        ("e2e3", "likely"),
        ("e2e3", "likely"),
        ("e2e4", "certain"),
    ]
    assert told[0].margin is not None
    assert told[0].margin < weights.MARGIN < (told[-1].margin or 0)
    held = told[-1].moments[-1].held
    assert [line.moves for line in held] == [("e2e4", "e7e5"), ("e2e3", "e7e5", "e3e4")]
    assert 0.99 < sum(line.share for line in held) < 1
    assert "never shown by itself" in [item.name for item in held[0].items]


def test_people_read_the_same() -> None:
    out = explain(STOPPED, 1).output
    assert "00:00:03.300  Black pressed\n" in out
    assert "told again: half-move 1 is e2e4, pressed, certain, 0.997 (margin 3.9 nats)" in out


def test_what_silence_told_stands_before_what_ended_it() -> None:
    """Half-move 3 rests until 34.2 s; the next piece is lifted at 36 s."""
    told = tellings(CABLE_OUT, 3)
    assert (told[0].how, told[0].moments[-1].at < told[0].at) == ("settled", True)
    for before, after in pairwise(told):
        assert all(before.at <= moment.at <= after.at for moment in after.moments)


def test_a_half_move_that_was_never_told_is_said_in_one_sentence() -> None:
    done = explain(SLIDE, 40)
    assert done.exit_code == 1
    assert done.output == "Error: half-move 40 is never told here; name one that is\n"


Opened = Callable[[Path], AbstractAsyncContextManager[Journal]]


@pytest.mark.parametrize("more", [(), ("--table", "1")])
async def test_a_journal_is_explained_by_table(
    opened: Opened, tmp_path: Path, more: tuple[str, ...]
) -> None:
    items = (
        TableSetup(),
        LinkUp(0, "dgt", "p", Sensing(SensingClass.IDENTITY, 200_000_000, CHESS_BOARD)),
        Scan(1, tuple(START)),
        SquareChange(SECOND, CHESS_BOARD.names.index("e2"), "."),
        SquareChange(2 * SECOND, CHESS_BOARD.names.index("e4"), "P"),
        SquareChange(3 * SECOND, CHESS_BOARD.names.index("e7"), "."),
        SquareChange(4 * SECOND, CHESS_BOARD.names.index("e5"), "p"),
    )
    async with opened(tmp_path / "journal.db") as journal:
        for item in items:
            at_ns = getattr(item, "at_ns", 0)
            row = InputRow(journal.next_input(), at_ns, "1", item, b"")
            journal.write(Batch(inputs=(row,)))
        await journal.synced()

    (told,) = tellings(tmp_path / "journal.db", 1, *more)
    assert (told.uci, told.how) == ("e2e4", "replied")
    assert "no table '2'" in explain(tmp_path / "journal.db", 1, "--table", "2").output


@pytest.mark.parametrize("place", EXAMPLES, ids=lambda place: f"{place[0].name} {place[1]}")
def test_the_page_shows_what_is_printed(place: tuple[Path, int, str]) -> None:
    """docs/tracking.md, its example and its hard half-moves: who follows them sees the same."""
    file, ply, shown = place
    assert explain(file, ply).output.strip() == shown.strip()


def test_the_page_has_its_examples() -> None:
    assert len(EXAMPLES) == 4
