"""Everything a table can be told, as frozen values. Each is a row of the journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from arbiterd.laws.act import Act
from arbiterd.messages.commands import Command, act_of
from arbiterd.rules.mating import MatingAnswer
from arbiterd.rules.ruleset import Colour
from arbiterd.table.player import NOBODY, Player
from eboards.events import DeviceEvent


@dataclass(frozen=True, slots=True)
class ClockSaid:
    """What a source that knows the colours says of the clock (a scenario, a feed).

    A press stops the side's own clock. Times are milliseconds, None where not said.
    """

    at_ns: int
    white_ms: int | None = None
    black_ms: int | None = None
    running: Colour | None = None
    running_said: bool = False
    """False: `running` says nothing; a press then starts the other side's clock."""
    press: Colour | None = None
    flag: Colour | None = None
    pause: bool = False
    late_ns: int = 0


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A finished move from a source that knows the game (a feed, the arbiter's page)."""

    at_ns: int
    move: str


@dataclass(frozen=True, slots=True)
class HandShown:
    """What lies on a hand stand that is sensed (shogi): counts in SFEN letters, `2P`."""

    at_ns: int
    side: Colour
    pieces: str


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """The arbiter started the round: default times count from here (6.7.1)."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class GameLeft:
    """The set-up that follows is of another game: what is open of this one runs out."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class Renamed:
    """Who plays is put right; the game goes on as it is."""

    at_ns: int
    white: str
    black: str
    white_player: Player = NOBODY
    black_player: Player = NOBODY


@dataclass(frozen=True, slots=True)
class Labelled:
    """What people call the table, and whose time its words give; the game goes on as it is."""

    at_ns: int
    label: str
    time_zone: str | None = None
    """None: as it was."""


@dataclass(frozen=True, slots=True)
class DelaySaid:
    """What this table tells is public so long after it was told; what waits keeps to it too."""

    at_ns: int
    delay_ns: int
    configured: bool = False
    """The configuration says so, and not an arbiter's command."""


@dataclass(frozen=True, slots=True)
class RoundOrdered:
    """Who sent a command about a round that is for this table too; what it did follows it."""

    at_ns: int
    op: str
    by: str
    id: str = ""
    user: str = ""
    """The login; empty while every listener is on loopback."""
    origin: str = ""
    """As of an act."""
    round: int | None = None


@dataclass(frozen=True, slots=True)
class ServiceStarted:
    """A new run of the service reads on from this journal; links come up anew."""

    at_ns: int
    version: str
    heard_ns: int | None = None
    """The newest time that the journal has of this table, in its rows or its checkpoint: until then
    the run before was there, and nobody heard the board since. None: a version that did not say."""


@dataclass(frozen=True, slots=True)
class MatingAnswered:
    """A worker's answer to a question of this table: can a side still mate?"""

    at_ns: int
    answer: MatingAnswer


@dataclass(frozen=True, slots=True)
class Missed:
    """Rows of the journal that this table goes on without, in words for people.

    `numbers`: inputs that stand in the journal and are not folded. `seq`: so many events have
    been told already, though rows of the journal that said so may be gone.
    """

    at_ns: int
    why: str
    numbers: tuple[int, ...] = ()
    seq: int = 0


@dataclass(frozen=True, slots=True)
class ActPreviewed:
    """An arbiter asks what an act would do. It is in the journal like an act, with its answer:
    what somebody was shown before deciding belongs to the evidence. It changes nothing."""

    at_ns: int
    act: Act


def act_said(command: Command, at_ns: int, user: str = "") -> Act | ActPreviewed:
    """A command as an input of a table. `user`: see `act_of`."""
    act = act_of(command, at_ns, user)
    return ActPreviewed(at_ns, act) if command.preview else act


OtherInput: TypeAlias = (
    DeviceEvent
    | ClockSaid
    | MovePlayed
    | HandShown
    | RoundBegan
    | GameLeft
    | Renamed
    | Labelled
    | DelaySaid
    | RoundOrdered
    | ServiceStarted
    | MatingAnswered
    | Missed
)
"""All that nobody waits for an answer to."""
Input: TypeAlias = OtherInput | Act | ActPreviewed
