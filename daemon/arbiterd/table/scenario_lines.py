"""The two forms a line of a scenario file has, and what each key may hold."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from arbiterd.messages.reading import MessageError, read_json
from arbiterd.rules.ruleset import Colour
from arbiterd.timing.control import Kind
from eboards.events import UNKNOWN, SensingClass

DAYS_MAX: Final = 30
"""No line is later, and no clock shows more."""
LAST_MS: Final = DAYS_MAX * 86_400_000

AtMs = Annotated[float, Meta(ge=0, le=LAST_MS)]
ShownMs = Annotated[int, Meta(ge=-LAST_MS, le=LAST_MS)]
LateMs = Annotated[int, Meta(ge=0, le=60_000)]
Offences = Annotated[int, Meta(ge=0, le=9)]
PieceLetter = Annotated[str, Meta(pattern=r"^(\+?[A-Za-z]|[.?])$")]

_Form = TypeVar("_Form", "SceneLine", "HappeningLine")


class ClockLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a clock shows; `running` left out: nothing is said of the lever."""

    white_ms: ShownMs | None = None
    black_ms: ShownMs | None = None
    running: Colour | UnsetType | None = UNSET


class RateLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`time` as in a configuration."""

    kind: Kind = Kind.STANDARD
    supervised: bool | UnsetType = UNSET
    time: tuple[str, ...] = ()


class IllegalLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Completed illegal moves before the first line."""

    white: Offences = 0
    black: Offences = 0


class SceneLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line."""

    scenario: str
    ruleset: str = "chess"
    rate: RateLine = RateLine()
    fen: str = ""
    moves: tuple[str, ...] = ()
    clock: ClockLine | None = None
    illegal: IllegalLine = IllegalLine()
    sensing: SensingClass = SensingClass.IDENTITY
    pictures: bool = False
    scan_ms: Annotated[int, Meta(ge=1, le=60_000)] = 200
    press_ms: LateMs = 0
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    round_started_t: Annotated[float, Meta(ge=-LAST_MS, le=LAST_MS)] | None = None
    white: str = ""
    black: str = ""


class HappeningLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each further line: one thing a sensor showed or an arbiter did."""

    t: AtMs
    lift: str | UnsetType = UNSET
    place: str | UnsetType = UNSET
    piece: PieceLetter = UNKNOWN
    scan: str | UnsetType = UNSET
    touch: str | UnsetType = UNSET
    down: bool = True
    press: Colour | UnsetType = UNSET
    flag: Colour | UnsetType = UNSET
    pause: bool = False
    clock: ClockLine | UnsetType | None = UNSET
    hand: dict[Colour, str] | UnsetType = UNSET
    link: Literal["up", "down"] | UnsetType = UNSET
    reason: str = "the board does not answer"
    act: dict[str, Any] | UnsetType = UNSET


HAPPENINGS: Final = tuple(
    key for key in HappeningLine.__struct_fields__ if key not in ("t", "piece", "down", "reason")
)
"""One of these says what happened; the rest go with it."""


def read_line(text: str, form: type[_Form]) -> _Form:
    """One line. Raises ValueError with the key at fault and what it may hold."""
    try:
        return msgspec.convert(read_json(text.encode()), form)
    except MessageError as wrong:
        raise ValueError(str(wrong)) from None
    except msgspec.ValidationError as wrong:
        raise ValueError(_sentence(str(wrong), form)) from None


def _sentence(wrong: str, form: type[_Form]) -> str:
    """msgspec names the key last, as in `$.clock.white_ms`."""
    what, _, place = wrong.partition(" - at `$")
    if "unknown field" in what and not place:
        name = what.split("`")[1]
        return f"{name!r} is no key of this line; use {', '.join(form.__struct_fields__)}"
    if "missing required field" in what and not place:
        return f"the key {what.split('`')[1]!r} is missing; add it"
    what = what[0].lower() + what[1:]
    return f"{place.strip('.`')}: {what}; mend it" if place else f"{what}; mend it"
