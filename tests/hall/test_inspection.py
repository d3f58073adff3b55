"""A guided check blames what is at fault, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from arbiterd.hall.links.inspection import HOLD_NS, HOME, Inspection, InspectionStage, forward
from arbiterd.hall.links.verdicts import BoardReport, Mark, verdicts
from eboards.events import (
    CHESS_BOARD,
    ClockReading,
    DeviceEvent,
    Fault,
    Noise,
    Scan,
    Sensing,
    SensingClass,
    Side,
    SquareChange,
)
from eboards.memory import START

IDENTITY = Sensing(SensingClass.IDENTITY, 250_000_000)
FORWARD = tuple(
    {forward(home): piece for home, piece in HOME.items()}.get(square, ".") for square in range(64)
)
SECOND = 1_000_000_000

Coils = Callable[[Sequence[str]], Sequence[str]]
"""What a board makes of the pieces that stand on it."""


def check(coils: Coils = lambda pieces: pieces, sensing: Sensing = IDENTITY) -> BoardReport:
    """A whole check by somebody who does all that is asked, and goes on where nothing helps."""
    seen = Inspection(sensing)
    at_ns = 0
    for pieces in (START, FORWARD):
        seen.hear(Scan(at_ns, tuple(coils(pieces))))
        before, at_ns = seen.stage, at_ns + HOLD_NS
        seen.due(at_ns)
        if seen.stage is before:
            seen.go_on()
    assert seen.stage is InspectionStage.DONE
    return verdicts(seen)


def blamed(report: BoardReport) -> tuple[list[str], list[str]]:
    """Names of coils and of chips at fault."""
    return (
        [each.name for each in report.coils if each.mark is Mark.BAD],
        [each.name for each in report.chips if each.mark is Mark.BAD],
    )


def test_a_good_board_is_good_in_every_coil_and_chip() -> None:
    report = check()
    assert (len(report.coils), len(report.chips)) == (64, 32)
    assert report.good
    assert report.clock.words.startswith("none answers")


def test_whichever_coil_is_dead_it_alone_is_blamed() -> None:
    for square, name in enumerate(CHESS_BOARD.names):
        report = check(lambda pieces, dead=square: [*pieces[:dead], ".", *pieces[dead + 1 :]])
        assert blamed(report) == ([name], [])
        assert not report.good


def test_whichever_coil_reads_a_piece_where_none_stands_it_alone_is_blamed() -> None:
    for square, name in enumerate(CHESS_BOARD.names):

        def stuck(pieces: Sequence[str], square: int = square) -> Sequence[str]:
            return [
                *pieces[:square],
                "q" if pieces[square] == "." else pieces[square],
                *pieces[square + 1 :],
            ]

        spare = {"d6": []}
        assert blamed(check(stuck)) == (spare.get(name, [name]), []), "d6 may hold a spare queen"


@pytest.mark.parametrize("reads", [".", "n", "?"])
def test_whichever_chip_is_wrong_it_alone_is_blamed(reads: str) -> None:
    for home, piece in HOME.items():
        if piece == reads:
            continue

        def misread(pieces: Sequence[str], home: int = home) -> Sequence[str]:
            where = home if pieces is START else forward(home)
            return [*pieces[:where], reads, *pieces[where + 1 :]]

        report = check(misread)
        coils, (chip,) = blamed(report)
        assert coils == []
        assert chip.endswith(CHESS_BOARD.names[home])
        open_ones = [each.name for each in report.coils if each.mark is Mark.OPEN]
        both = sorted((home, forward(home)))
        assert open_ones == [CHESS_BOARD.names[square] for square in both], "only it stood there"


def test_a_board_that_lies_turned_is_named_as_white_sees_it() -> None:
    e4, d5 = CHESS_BOARD.square("e4"), 63 - CHESS_BOARD.square("e4")

    def turned(pieces: Sequence[str]) -> Sequence[str]:
        raw = list(reversed(pieces))
        raw[e4] = "."
        return raw

    assert blamed(check(turned)) == ([CHESS_BOARD.names[d5]], [])


@pytest.mark.parametrize("kind", [SensingClass.COLOUR, SensingClass.OCCUPANCY])
def test_a_board_is_asked_only_for_what_it_can_tell(kind: SensingClass) -> None:
    def tells(pieces: Sequence[str]) -> Sequence[str]:
        signs = {True: "w", False: "b"} if kind is SensingClass.COLOUR else {True: "?", False: "?"}
        return [piece if piece == "." else signs[piece.isupper()] for piece in pieces]

    assert check(tells, Sensing(kind, SECOND)).good


def at_home(*events: DeviceEvent) -> Inspection:
    seen = Inspection(IDENTITY)
    seen.hear(Scan(0, START))
    for event in events:
        seen.hear(event)
    return seen


@pytest.mark.parametrize(("times", "mark"), [(1, Mark.GOOD), (3, Mark.BAD)])
def test_a_coil_that_loses_its_piece_again_and_again_flickers(times: int, mark: Mark) -> None:
    e2 = CHESS_BOARD.square("e2")
    changes = [
        SquareChange(n * SECOND, e2, piece) for n in range(1, times + 1) for piece in (".", "P")
    ]
    seen = at_home(*changes)
    assert seen.due_at_ns == changes[-1].at_ns + HOLD_NS, "the pieces have to stand anew"
    seen.due(seen.due_at_ns)
    seen.hear(Scan(20 * SECOND, FORWARD))
    seen.due(30 * SECOND)

    (coil,) = [each for each in verdicts(seen).coils if each.name == "e2"]
    assert coil.mark is mark
    assert all(each.mark is Mark.GOOD for each in verdicts(seen).chips), "it stands well on e4"


def test_a_stage_that_was_left_out_says_nothing() -> None:
    seen = at_home()
    seen.due(HOLD_NS)
    seen.go_on()

    report = verdicts(seen)
    assert blamed(report) == ([], [])
    assert not report.good
    words = {each.name: each.words for each in report.coils}
    assert (words["e4"], words["e2"]) == ("no piece was tried on it", "never seen without a piece")


def test_spare_queens_are_checked_where_they_are_put() -> None:
    def spare(pieces: Sequence[str]) -> Sequence[str]:
        shown = list(pieces)
        if pieces is START:
            shown[CHESS_BOARD.square("d3")], shown[CHESS_BOARD.square("d6")] = "Q", "q"
        return shown

    report = check(spare)
    assert report.good
    assert [each.name for each in report.chips[32:]] == [
        "spare white queen d3",
        "spare black queen d6",
    ]


def test_a_clock_is_good_once_its_lever_was_seen_both_ways() -> None:
    def reading(at_ns: int, side: Side, *, low: bool = False) -> ClockReading:
        return ClockReading(at_ns, 60_000, 60_000, side, side, battery_low=low)

    def checked(*readings: ClockReading) -> Inspection:
        seen = at_home(reading(0, Side.LEFT))
        seen.due(HOLD_NS)
        seen.hear(Scan(10 * SECOND, FORWARD))
        seen.due(20 * SECOND)
        assert seen.stage is InspectionStage.CLOCK
        for event in readings:
            seen.hear(event)
        return seen

    both = checked(reading(21 * SECOND, Side.LEFT), reading(23 * SECOND, Side.RIGHT))
    assert (both.stage, verdicts(both).clock.mark) == (InspectionStage.DONE, Mark.GOOD)

    stuck = checked(reading(21 * SECOND, Side.LEFT), reading(23 * SECOND, Side.LEFT))
    assert stuck.stage is InspectionStage.CLOCK
    stuck.go_on()
    assert "its lever was not seen both ways" in verdicts(stuck).clock.words

    weak = checked(*(reading(21 * SECOND, side, low=True) for side in Side))
    assert "battery is low" in verdicts(weak).clock.words


def test_damaged_messages_are_the_cables() -> None:
    seen = at_home(Fault(1, Noise.CHECKSUM), Fault(2, Noise.SILENT))
    assert seen.silent
    assert "1 messages arrived damaged" in verdicts(seen).wire.words
