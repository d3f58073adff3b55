"""What an organiser may settle about the Laws, each key with the article that leaves it open.

The page `docs/settings.md` is written from this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def setting(default: Any, article: str, meaning: str) -> Any:
    """A key of the settings page: its default, the article it belongs to, what it does."""
    return field(default=default, metadata={"article": article, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class LawSettings:
    """Every key has the default that the Laws give, or the milder choice where they give none."""

    # Touching and moving.
    touch_alert_at: Literal["made", "press"] = setting(
        "made",
        "4.3",
        "When a move that does not meet the touched pieces is told to the arbiter: as soon as it"
        " is made, or not before the clock is pressed.",
    )
    touch_breach_penalty_s: int = setting(
        0,
        "12.9",
        "Seconds proposed for the opponent when a move that breaks Article 4 was completed."
        " The Laws prescribe none.",
    )
    rook_first: Literal["enforce", "warn"] = setting(
        "enforce",
        "4.4.2",
        "What is proposed when the rook was touched first and castling was completed: the rook"
        " move is enforced, or the player is only warned.",
    )

    release_ms: int = setting(
        1500,
        "4.7",
        "A piece that stood on a square for so many milliseconds counts as released there; one that"
        " moves on sooner was still in the hand.",
    )
    adjust_alert_s: int = setting(
        10,
        "6.2.5",
        "When only pieces of the side that has not the move were lifted and put back, and nothing"
        " follows for so many seconds, the arbiter is asked to look.",
    )
    long_lift_s: int = setting(
        30, "4.3", "A piece in the air for so many seconds is noted in the journal."
    )

    # Irregularities.
    alert_counts_as_observation: bool = setting(
        False,
        "A.5.2",
        "Whether an alert counts as the arbiter having observed an illegal move in unsupervised"
        " rapid and blitz. If not, the arbiter must confirm it before the reply is made.",
    )
    b2_penalty_s: int = setting(
        60,
        "B.2",
        "Seconds for the opponent in supervised blitz. Read to the letter B.2 keeps the 120 of"
        " standard play, since A.3 is called in by B.3 alone.",
    )
    increment_back_7_5_1: bool = setting(
        True, "7.5.5", "Take back the increment that an illegal move's press credited."
    )
    increment_back_7_5_2: bool = setting(
        True, "7.5.5", "Take it back where a pawn was left on its last rank."
    )
    increment_back_7_5_3: bool = setting(
        True, "7.5.5", "Take it back where the clock was pressed without a move."
    )
    increment_back_7_5_4: bool = setting(
        True, "7.5.5", "Take it back where a move was made with two hands."
    )
    unpressed_counts: bool = setting(
        False,
        "6.2.1.2",
        "Whether an illegal move that was never pressed, but replied to, counts for 7.5.5.",
    )
    set_up_moves: int = setting(
        10,
        "A.5.1",
        "Moves that both must have completed before a wrong set-up, orientation or clock setting"
        " is left as it is in unsupervised rapid and blitz, and before colours are (7.3).",
    )
    schedule_suffers: bool = setting(
        False,
        "A.5.1.1",
        "Whether a wrong clock setting is corrected even after those moves, because the schedule"
        " of the event would suffer.",
    )
    order_tolerance_ms: int = setting(
        5000,
        "7.1",
        "How far the clock may stay from the times that were ordered before it is told.",
    )

    # The start and the regulations of the event.
    default_time_s: int = setting(
        0, "6.7.1", "Seconds after the start of the round at which an absent player loses."
    )
    start_alert_s: int = setting(
        45,
        "6.6",
        "How long after the start of the round a clock that stands, or a side that has not shown"
        " itself, is told, if the default time is not longer.",
    )
    no_agreement_before_move: int = setting(
        0, "9.1.1", "Agreeing to a draw is not allowed before this move is completed; 0: no rule."
    )
    pause_call_s: int = setting(
        90,
        "6.11.2",
        "Seconds after which clocks that are merely read to stand call the arbiter. Most games"
        " end so; a pause that the clock itself reports calls at once.",
    )
    paused_long_s: int = setting(
        120, "6.11.3", "Seconds that both clocks may stand without an arbiter's word."
    )
    result_missing_s: int = setting(
        600, "8.7", "Seconds of rest after which a result is missed that nobody entered."
    )
    note_s: int = setting(
        90,
        "12.6",
        "Seconds for which a note that calls nobody stays open, if it is about a moment and not"
        " about something that goes on. The journal keeps it.",
    )
    guidelines_iii: bool = setting(
        False, "III.1", "Whether the guidelines for quickplay finishes were announced."
    )
    time_zone: str = setting(
        "UTC",
        "6.8",
        "The zone of the clock on the hall's wall, such as Europe/Madrid: texts give times of the"
        " day in it, PGN its dates. The service takes the machine's where none is given. Payloads"
        " keep UTC.",
    )


def read_settings(given: Mapping[str, Any]) -> LawSettings:
    """Settings from a configuration or a scenario.

    Raises ValueError with a sentence for an unknown key or a value of the wrong type.
    """
    hints = get_type_hints(LawSettings)
    for key, value in given.items():
        if key not in hints:
            raise ValueError(f"{key} is no setting of the Laws; see the settings page")
        _check(key, hints[key], value)
    return LawSettings(**given)


def _check(key: str, wanted: Any, value: object) -> None:
    if get_origin(wanted) is Literal:
        if value not in get_args(wanted):
            raise ValueError(f"{key} is {value!r}; write one of {', '.join(get_args(wanted))}")
    elif type(value) is not wanted:
        names = {bool: "true or false", int: "a whole number", str: "a text"}
        raise ValueError(f"{key} is {value!r}; write {names[wanted]}")
    elif key == "time_zone" and not _is_zone(str(value)):
        raise ValueError(f"time_zone is {value!r}; write one such as Europe/Madrid, or UTC")
    elif isinstance(value, int) and value < 0:
        raise ValueError(f"{key} is {value}; write 0 or more")


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return name == "UTC"
    return True


def described() -> tuple[tuple[str, str, str, str], ...]:
    """Key, default, article, meaning: the rows of the settings page."""
    return tuple(
        (f.name, str(f.default).lower(), f.metadata["article"], f.metadata["meaning"])
        for f in fields(LawSettings)
    )
