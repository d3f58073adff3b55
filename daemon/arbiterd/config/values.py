"""What may stand behind a key. Each reader takes what TOML gives and returns our value.

A reader raises ValueError with the second half of a sentence: what is wrong, and what to write.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TypeVar
from unicodedata import category
from urllib.parse import urlsplit

from arbiterd.rules.registry import names
from arbiterd.timing.control import Period, read_period

T = TypeVar("T")
NS = 1_000_000_000
TEXT_MAX = 200
"""Characters; a longer one is no name of anything."""
PATH_MAX = 1000
NUMBER_MAX = 999
"""Rounds of an event."""
PORT_MAX = 65535
SHOWN_MAX = 60
"""Of what was written, so much is said back."""
AUTO = "auto"
"""Of a device: the first board that nobody has."""
NO_TEXT = frozenset({"Cc", "Zl", "Zp"})
"""Unicode categories that a line of text does not hold: control characters and line ends."""
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what stands beside them."""


def unprintable(value: str) -> str:
    """The first character that no line of text should hold, by its code; empty: there is none."""
    return next(
        (f"U+{ord(c):04X}" for c in value if c in TURNING or category(c) in NO_TEXT),
        "",
    )


def text(value: object) -> str:
    """One printable line."""
    return _line(value, TEXT_MAX)


def path(value: object) -> str:
    """The name of a file; empty: none."""
    return _line(value, PATH_MAX)


def file(value: object) -> str:
    """The name of a file that there must be."""
    if not path(value):
        raise ValueError("is empty; name a file")
    return str(value)


def _line(value: object, most: int) -> str:
    if not isinstance(value, str):
        raise ValueError(f"is {_kind(value)}; write text in quotes")
    if len(value) > most:
        raise ValueError(f"has {len(value)} characters; write {most} at most")
    if bad := unprintable(value):
        raise ValueError(f"holds the character {bad}, which no line of text has; take it out")
    return value


def flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"is {_kind(value)}; write true or false")
    return value


def positive(value: object) -> int:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not 1 <= value <= NUMBER_MAX:  # type: ignore[operator]
        raise ValueError(f"is {_kind(value)}; write a whole number from 1 to {NUMBER_MAX}")
    return int(value)  # type: ignore[call-overload,no-any-return]


def speed(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0.01 <= value <= 1000:
        raise ValueError(f"is {_kind(value)}; write a number from 0.01 to 1000")
    return float(value)


def _kind(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() if abs(value) >= 10**SHOWN_MAX:
            return "a huge number"
        case int() | float():
            return f"the number {value}"
        case str() if len(value) > SHOWN_MAX:
            return f"{value[:SHOWN_MAX]!r} and {len(value) - SHOWN_MAX} characters more"
        case str():
            return repr(value)
        case list():
            return "a list"
        case dict():
            return "a section"
        case _:
            return f"{value}"


def one_of(*choices: str) -> Callable[[object], str]:
    """Text from a short list."""

    def read(value: object) -> str:
        if text(value) not in choices:
            raise ValueError(f"is {_kind(value)}; write one of {', '.join(choices)}")
        return str(value)

    return read


def a_game(value: object) -> str:
    """The name of a rule set, those that were added from outside too."""
    return one_of(*names())(value)


def matching(pattern: str, form: str) -> Callable[[object], str]:
    """Text of a form that is said in words."""

    def read(value: object) -> str:
        if not re.fullmatch(pattern, text(value)):
            raise ValueError(f"is {_kind(value)}; write {form}")
        return str(value)

    return read


login = matching("[A-Za-z0-9_-]{1,40}", "1 to 40 letters, digits, hyphens, underscores")
"""A name of `[[people]]`: a level of MQTT's topics, and the name of a file."""


def list_of(read_one: Callable[[object], T]) -> Callable[[object], tuple[T, ...]]:
    """A list in which each entry is read the same way."""

    def read(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise ValueError(f"is {_kind(value)}; write a list in [ ]")
        return tuple(read_one(entry) for entry in value)

    return read


_UNITS_NS = {"s": NS, "m": 60 * NS, "h": 3600 * NS, "d": 86400 * NS}


def duration_ns(value: object) -> int:
    """`15m`, `365d`; nanoseconds."""
    match = re.fullmatch(r"(\d{1,6})([smhd])", text(value))
    if match is None:
        raise ValueError(f"is {value!r}; write a number with s, m, h or d, for example 15m")
    return int(match[1]) * _UNITS_NS[match[2]]


def long_duration_ns(value: object) -> int:
    """A day at least: what is shorter would go while it is played."""
    found = duration_ns(value)
    if found < _UNITS_NS["d"]:
        raise ValueError(f"is {value!r}; write a day or more, for example 365d")
    return found


def moment(value: object) -> int:
    """`2026-11-22T18:00:00Z`, without quotes; nanoseconds since the epoch."""
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise ValueError(f"is {_kind(value)}; write a time, for example 2026-11-22T18:00:00Z")
    return (value - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) * 1000


def period(value: object) -> Period:
    """One period of a time control."""
    try:
        return read_period(text(value))
    except ValueError as error:
        raise ValueError(f"does not fit: {error}") from None


@dataclass(frozen=True, slots=True)
class Listen:
    """Where something listens. Port 0: any free one."""

    host: str
    port: int

    @property
    def on_loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def is_unspecified(self) -> bool:
        """True for every address of this machine, which itself is none to connect to."""
        try:
            return ip_address(self.host).is_unspecified
        except ValueError:
            return False

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def is_loopback(host: str) -> bool:
    """True for this machine only; a name other than localhost may be anything."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(value: object) -> Listen | None:
    """`127.0.0.1:8480`, `[::1]:8480`; None where it is empty, which means: off."""
    if text(value) == "":
        return None
    found = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})", str(value))
    host = found[1].strip("[]") if found else ""
    bad_address = found and found[1].startswith("[") and not _is_address(host)
    if not found or bad_address or int(found[2]) > PORT_MAX:
        raise ValueError(
            f"is {_kind(value)}; write an address and a port, for example 127.0.0.1:8480"
        )
    return Listen(host.lower(), int(found[2]))


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class BrokerUrl:
    """Where the broker is."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def tls(self) -> bool:
        return self.scheme in {"mqtts", "wss"}

    @property
    def websocket(self) -> bool:
        return self.scheme in {"ws", "wss"}

    def __str__(self) -> str:
        place = Listen(self.host, self.port)
        return f"{self.scheme}://{place}{self.path if self.websocket else ''}"


_PORTS = {"mqtt": 1883, "mqtts": 8883, "ws": 80, "wss": 443}


def broker_url(value: object) -> BrokerUrl:
    """`mqtt://host:1883`, `wss://host/mqtt`."""
    wrong = ValueError(
        f"is {_kind(value)}; write mqtt://, mqtts://, ws:// or wss://, host and port"
    )
    try:
        parts = urlsplit(text(value))
        port = parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise wrong
    if parts.username is not None or parts.password is not None:
        raise ValueError("holds a login; write username and password_file instead")
    return BrokerUrl(
        parts.scheme, parts.hostname, port or _PORTS[parts.scheme], parts.path or "/mqtt"
    )


_DEVICES = {
    "serial": r"/.+",
    "dgt-bus": r"/.+#\d{1,5}",
    "usb": r"[0-9a-fA-F]{4}:[0-9a-fA-F]{4}(:.+)?",
    "ble": r"[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}",
    "livechess": r"wss?://[^#]+#.+",
    "replay": r".+",
    "csa": r"tcp://(\[[^]]+\]|[^:/]+):\d{1,5}",
    "usi": r"tcp://(\[[^]]+\]|[^:/]+):\d{1,5}",
    "tcp": r"(\[[^]]+\]|[^:]+):\d{1,5}",
}


def device(value: object) -> str:
    """A device by its address."""
    kind, _, address = path(value).partition(":")
    known = kind in _DEVICES and re.fullmatch(_DEVICES[kind], address)
    if value != AUTO and (not known or not _port_fits(kind, address)):
        raise ValueError(
            f"is {_kind(value)}; write auto, serial:PATH, dgt-bus:PATH#ADDRESS,"
            " usb:VID:PID[:SERIAL], ble:AA:BB:CC:DD:EE:FF, livechess:ws://HOST:1982#SERIAL, csa:tcp://HOST:PORT,"
            " usi:tcp://HOST:PORT, tcp:HOST:PORT or replay:FILE"
        )
    return str(value)


def _port_fits(kind: str, address: str) -> bool:
    """A network address has a port that there is; a WebSocket may leave it to its scheme."""
    if kind == "livechess":
        try:
            parts = urlsplit(address.partition("#")[0])
            return bool(parts.hostname) and parts.port != 0
        except ValueError:
            return False
    if kind not in {"csa", "usi", "tcp"}:
        return True
    return 0 < int(address.rpartition(":")[2]) <= PORT_MAX


def origin(value: object) -> str:
    """A web origin, as a browser says it."""
    if not re.fullmatch(r"https?://[A-Za-z0-9.:\[\]-]+", text(value)):
        raise ValueError(f"{value!r} is no web origin; write for example https://example.org")
    return str(value)


def orientation(value: object) -> int | None:
    """Degrees by which the board lies turned; None: found by itself."""
    choices = {"auto": None, "0": 0, "90": 90, "180": 180, "270": 270}
    if str(value) not in choices or isinstance(value, bool | float):
        raise ValueError(f"is {_kind(value)}; write auto, 0, 90, 180 or 270")
    return choices[str(value)]
