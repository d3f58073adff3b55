"""The keys of the configuration, section by section, as frozen values.

A field is a key: its reader, and its default. No default: the key must be there.
"""

# `key` gives a frozen value's field, which is nothing that could be shared by mistake.
# ruff: noqa: RUF009

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field
from typing import Any

from arbiterd.config import values
from arbiterd.config.values import BrokerUrl, Listen
from arbiterd.timing.control import Kind, Period, Rate


def key(read: Callable[[object], Any], default: Any = MISSING) -> Any:
    """A key of a section."""
    return field(default=default, metadata={"read": read})


@dataclass(frozen=True, slots=True)
class HallConfig:
    """`[hall]`"""

    name: str = key(
        values.matching("[a-z0-9-]{1,40}", "1 to 40 small letters, digits and hyphens"), "main"
    )
    laws: str = key(values.one_of("FIDE-2023"), "FIDE-2023")


@dataclass(frozen=True, slots=True)
class RateOfPlay:
    """`[rates.NAME]`"""

    kind: str = key(values.one_of(*Kind))
    time: tuple[Period, ...] = key(values.list_of(values.period))
    supervised: bool = key(values.flag, True)
    count: str = key(values.one_of("exact", "minutes"), "exact")

    @property
    def rate(self) -> Rate:
        return Rate(Kind(self.kind), self.supervised, self.time, self.count == "minutes")


@dataclass(frozen=True, slots=True)
class Mqtt:
    """`[mqtt]`: a broker by its URL, else the embedded one."""

    url: BrokerUrl | None = key(values.broker_url, None)
    username: str = key(values.text, "")
    password_file: str = key(values.path, "")
    ca_file: str = key(values.path, "")
    listen: Listen | None = key(values.listen, Listen("127.0.0.1", 1883))
    """The embedded broker's."""
    websocket: Listen | None = key(values.listen, None)
    origins: tuple[str, ...] = key(values.list_of(values.origin), ())
    """Web origins whose pages may connect over WebSocket, beside the broker's own."""
    tls_cert: str = key(values.path, "")
    tls_key: str = key(values.path, "")


@dataclass(frozen=True, slots=True)
class JournalFile:
    """`[journal]`"""

    path: str = key(values.path, "")
    """Empty: in the user's state folder."""
    keep: int | None = key(values.long_duration_ns, 365 * 86_400_000_000_000)
    """Nanoseconds; None: for ever."""


@dataclass(frozen=True, slots=True)
class Http:
    """`[http]`: the arbiter's side."""

    listen: Listen | None = key(values.listen, Listen("127.0.0.1", 8480))
    tls_cert: str = key(values.path, "")
    tls_key: str = key(values.path, "")
    origins: tuple[str, ...] = key(values.list_of(values.origin), ())
    """Web origins whose pages may ask, beside the service's own."""
    session: int = key(values.duration_ns, 12 * 3600 * values.NS)
    """Nanoseconds: so long a browser is not asked for its password again."""


@dataclass(frozen=True, slots=True)
class PublicConfig:
    """`[public]`"""

    listen: Listen | None = key(values.listen, None)
    origins: tuple[str, ...] = key(values.list_of(values.origin), ())
    """Web origins whose pages may read it, beside its own."""


@dataclass(frozen=True, slots=True)
class LiveChessConfig:
    """`[livechess]`"""

    enabled: bool = key(values.flag, False)
    listen: Listen | None = key(values.listen, Listen("127.0.0.1", 1982))
    origins: tuple[str, ...] = key(values.list_of(values.origin), ())


@dataclass(frozen=True, slots=True)
class Broadcast:
    """`[broadcast]`"""

    delay: int = key(values.duration_ns, 15 * 60 * values.NS)
    """Nanoseconds."""
    folder: str = key(values.path, "")
    """Where the games are written as LiveChess writes them; empty: nowhere."""
    upload: tuple[str, ...] = key(values.list_of(values.text), ())
    """A command and its words, run after the folder changed."""
    lichess: tuple[str, ...] = key(values.list_of(values.text), ())
    """Ids of the broadcast's rounds there, the first of round 1; empty: nothing is pushed."""
    lichess_token_file: str = key(values.path, "")


@dataclass(frozen=True, slots=True)
class Round:
    """`[round]`"""

    number: int | None = key(values.positive, None)
    pairings: str = key(values.path, "")
    rate: str = key(values.text, "")
    """A name under `[rates]`."""
    delay: int | None = key(values.duration_ns, None)
    """Nanoseconds; None: as `[broadcast]` has it."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """`[simulation]`: the boards are emulated. Every payload then says so."""

    speed: float = key(values.speed, 1.0)
    """How fast the one clock runs that stamps all input."""
    since: int | None = key(values.moment, None)
    """Nanoseconds since the epoch: when it began to run so fast; None: with each start."""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """`[[tables]]`"""

    table: str = key(
        values.matching("[A-Za-z0-9_-]{1,20}", "1 to 20 letters, digits, hyphens, underscores")
    )
    device: str = key(values.device, values.AUTO)
    label: str = key(values.text, "")
    driver: str = key(values.text, "")
    white: str = key(values.text, "")
    black: str = key(values.text, "")
    ruleset: str = key(values.a_game, "chess")
    orientation: int | None = key(values.orientation, None)
    start: str = key(values.text, "")
    """A FEN to begin from; empty: the rule set's own start."""
    delay: int | None = key(values.duration_ns, None)
    """Of what is public of this table, in nanoseconds; None: as the round has it."""


ROLES = ("arbiter", "chief-arbiter", "technician", "producer", "viewer", "spectator")
"""What each may is in `access.rights`."""


@dataclass(frozen=True, slots=True)
class Person:
    """`[[people]]`: who may log in, to the embedded broker and over HTTP."""

    name: str = key(values.login)
    password_file: str = key(values.file)
    role: str = key(values.one_of(*ROLES), "arbiter")


@dataclass(frozen=True, slots=True)
class OtherHall:
    """`[[halls]]`: another hall of the event, at the same broker."""

    name: str = key(values.matching("[a-z0-9-]{1,40}", "1 to 40 small letters, digits and hyphens"))
    page: str = key(values.origin, "")
    """The address of its own page; empty: nobody is sent there."""


@dataclass(frozen=True, slots=True)
class Config:
    """The whole. Paths are as written; relative ones count from the file's folder."""

    hall: HallConfig = HallConfig()
    rates: Mapping[str, RateOfPlay] = field(default_factory=dict)
    mqtt: Mqtt = Mqtt()
    journal: JournalFile = JournalFile()
    http: Http = Http()
    public: PublicConfig = PublicConfig()
    livechess: LiveChessConfig = LiveChessConfig()
    broadcast: Broadcast = Broadcast()
    round: Round = Round()
    simulation: Simulation | None = None
    tables: tuple[TableEntry, ...] = ()
    people: tuple[Person, ...] = ()
    halls: tuple[OtherHall, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the settings page."""

    def delay_of(self, entry: TableEntry) -> int:
        """How long what a table tells waits before it is public: nanoseconds."""
        said = (entry.delay, self.round.delay, self.broadcast.delay)
        return next(delay for delay in said if delay is not None)

    @property
    def rate(self) -> Rate:
        """The round's rate of play; the only one where the round names none."""
        if self.round.rate:
            return self.rates[self.round.rate].rate
        if len(self.rates) == 1:
            return next(iter(self.rates.values())).rate
        return Rate()


SECTIONS: Mapping[str, type] = {
    "hall": HallConfig,
    "mqtt": Mqtt,
    "journal": JournalFile,
    "http": Http,
    "public": PublicConfig,
    "livechess": LiveChessConfig,
    "broadcast": Broadcast,
    "round": Round,
    "simulation": Simulation,
}
LISTS: Mapping[str, type] = {"tables": TableEntry, "people": Person, "halls": OtherHall}
