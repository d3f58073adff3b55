"""How much time a fault costs, by the rate of play (7.5.5, 9.5.3, A.3, B.2)."""

from __future__ import annotations

from arbiterd.laws.ruling import JsonValue
from arbiterd.laws.settings import LawSettings
from arbiterd.rules.ruleset import Colour
from arbiterd.timing.control import Kind, Rate

STANDARD_MS, QUICK_MS = 120_000, 60_000


def penalty_ms(rate: Rate, settings: LawSettings) -> int:
    """What the opponent gains: two minutes; one in rapid and blitz (A.3, called in by B.3)."""
    if rate.kind is Kind.STANDARD:
        return STANDARD_MS
    if rate.kind is Kind.BLITZ and rate.supervised:
        return settings.b2_penalty_s * 1000
    return QUICK_MS


def penalty_articles(rate: Rate) -> tuple[str, ...]:
    """Which articles make it that much, beside the one that gives the time."""
    if rate.kind is Kind.STANDARD:
        return ()
    return ("B.2",) if rate.kind is Kind.BLITZ and rate.supervised else ("A.3",)


def lost_by(side: Colour) -> str:
    """The result when `side` loses."""
    return "0-1" if side is Colour.WHITE else "1-0"


DRAW = "1/2-1/2"

WINNERS = {"1-0": Colour.WHITE, "0-1": Colour.BLACK, "1-0F": Colour.WHITE, "0-1F": Colour.BLACK}


def loser_of(result: str | None) -> Colour | None:
    """Who has lost by this result; None: nobody, or both."""
    winner = WINNERS.get(result or "")
    return None if winner is None else winner.other


def sides_of(result: str | None) -> dict[str, JsonValue]:
    """Winner and loser by this result, as facts."""
    loser = loser_of(result)
    return {
        "winner": None if loser is None else loser.other.value,
        "loser": None if loser is None else loser.value,
    }
