"""A clock model and the times it is told, as a table of a hall has it."""

from __future__ import annotations

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.control import Kind, Rate, read_periods
from arbiterd.timing.face import MS, Reading
from arbiterd.timing.facts import ClockFact

WHITE, BLACK = Colour.WHITE, Colour.BLACK
CLASSICAL = Rate(Kind.STANDARD, True, read_periods(["40/90:00+30", "30:00+30"]))
BLITZ = Rate(Kind.BLITZ, True, read_periods(["3:00+2"]))


class Desk:
    """A model and the times it is told; milliseconds as in a scenario."""

    def __init__(self, rate: Rate = BLITZ, *, in_progress: bool = True) -> None:
        self.model = ClockModel(rate, in_progress=in_progress)

    def reads(
        self,
        t: int,
        white: int,
        black: int,
        running: Colour | None,
        lever: Colour | None = None,
        late: int = 0,
    ) -> list[ClockFact]:
        return self.model.read(
            Reading(t * MS, white, black, running, lever=lever, late_ns=late * MS)
        )

    def presses(
        self, t: int, side: Colour, white: int | None = None, black: int | None = None
    ) -> list[ClockFact]:
        return self.model.read(Reading(t * MS, white, black, running_said=False, press=side))

    def times(self, t: int) -> tuple[int | None, int | None]:
        shown = self.model.shown(t * MS)
        return shown.white_ms, shown.black_ms


def kinds(facts: list[ClockFact]) -> list[type]:
    return [type(fact) for fact in facts]
