"""What a table is told before anything happens: the round's facts and the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from arbiterd.laws.settings import LawSettings, read_settings
from arbiterd.rules.registry import choices_of, chosen, names
from arbiterd.table.inputs import ClockSaid
from arbiterd.table.player import NOBODY, Player
from arbiterd.table.public_delay import PublicDelay
from arbiterd.timing.control import Rate
from arbiterd.tracking.settings import TrackingSettings, check_setting


@dataclass(frozen=True, slots=True)
class TableSetup:
    """One table of one round. The same set-up and the same inputs give the same outputs."""

    hall: str = "replay"
    table: str = "1"
    label: str = ""
    """What people call it; empty: the table's name."""
    ruleset: str = "chess"
    rules: tuple[tuple[str, object], ...] = ()
    """Choices of the rule set itself (Guadalete's river, shogi's impasse), by name."""
    rate: Rate = field(default_factory=Rate)
    laws_version: str = "FIDE-2023"
    laws: LawSettings = field(default_factory=LawSettings)
    tracking: TrackingSettings = field(default_factory=TrackingSettings)
    start: str = ""
    """FEN of the start, as it stands; empty: the rule set's own."""
    moves: tuple[str, ...] = ()
    """Half-moves on the record before the first input, each completed."""
    white: str = ""
    black: str = ""
    white_player: Player = NOBODY
    black_player: Player = NOBODY
    round: int | None = None
    simulated: bool = False
    orientation: int | None = None
    """Degrees by which the board lies turned. None: found from the start array."""
    illegal: tuple[int, int] = (0, 0)
    """Completed illegal moves that White and Black already have."""
    clock: ClockSaid | None = None
    round_started_ns: int | None = None
    public_delay_ns: int | None = None
    """So long after it was told it is public. None: no public is served."""
    delays: tuple[tuple[int, int], ...] = ()
    """Since when it is another, and how long, as arbiters said in the round."""
    commanded: bool = False
    """An arbiter's command named it, and not the configuration."""

    @property
    def public_delay(self) -> PublicDelay | None:
        """None: no public is served."""
        if self.public_delay_ns is None:
            return None
        delay = PublicDelay(((0, self.public_delay_ns),))
        for since_ns, delay_ns in self.delays:
            delay = delay.from_now_on(since_ns, delay_ns)
        return delay


def with_settings(setup: TableSetup, said: Mapping[str, Any]) -> TableSetup:
    """The set-up with settings by their names: of the Laws, of tracking, of the game itself.

    Raises ValueError for one that does not exist, or a value it cannot have.
    """
    laws = {f.name for f in fields(LawSettings)}
    tracking = {f.name for f in fields(TrackingSettings)}
    every = {name for game in names() for name in choices_of(game)}
    for name in said:
        if name not in laws | tracking | every:
            raise ValueError(
                f"{name!r} is no setting; the settings page lists them: "
                f"{', '.join(sorted(laws | tracking | every))}"
            )
    of_laws = {key: value for key, value in said.items() if key in laws}
    read_settings(of_laws)
    of_tracking = {key: value for key, value in said.items() if key in tracking}
    for key, value in of_tracking.items():
        try:
            check_setting(value)
        except ValueError as wrong:
            raise ValueError(f"{key} {wrong}") from None
    own = {key: value for key, value in said.items() if key in choices_of(setup.ruleset)}
    chosen(setup.ruleset, own)
    return replace(
        setup,
        laws=replace(setup.laws, **of_laws),
        tracking=replace(setup.tracking, **of_tracking),
        rules=tuple(sorted(own.items())),
    )
