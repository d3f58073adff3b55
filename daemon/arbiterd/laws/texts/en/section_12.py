"""Texts of catalogue section 12: conduct."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "conduct-device": (
        "{side} has an electronic device",
        (
            "Loses the game unless the regulations are milder (11.3.2). Entered by {by}.[ Note: "
            "{note}]"
        ),
    ),
    "conduct-left-area": (
        "{side} left the playing area",
        (
            "The player having the move may not leave it without permission (11.2.3.2). "
            "Entered by {by}.[ Note: {note}]"
        ),
    ),
    "conduct-left-game": (
        "{side} left without resigning",
        "Not a resignation: the clock runs on; 12.9 is at hand. Entered by {by}.[ Note: {note}]",
    ),
    "conduct-distraction": (
        "{side} distracts the opponent",
        "Unreasonable claims, offers or noise are included (11.5). Entered by {by}.[ Note: {note}]",
    ),
    "conduct-third-party": (
        "Someone interferes with the game",
        (
            "Spectators, captains and parents may tell only the arbiter (12.7). Entered by "
            "{by}.[ Note: {note}]"
        ),
    ),
    "conduct-refusal": (
        "{side} persistently refuses to comply",
        (
            "Loses the game; the opponent's score is for the arbiter (11.7). Entered by {by}.[ "
            "Note: {note}]"
        ),
    ),
    "conduct-both-refuse": (
        "Both players persistently refuse to comply",
        "Both lose (11.8). Entered by {by}.[ Note: {note}]",
    ),
    "penalty-12-9": (
        "Penalty for {side}[: {penalty_kind}]",
        (
            "[Proposed: {result} (12.9). ][{gains} (12.9). Clock times change only when this is "
            "confirmed. ]Entered by {by}.[ Note: {note}]"
        ),
    ),
    "appeal": (
        "{side} appeals",
        "Kept with the game and its evidence (11.10). Entered by {by}.[ Note: {note}]",
    ),
}
