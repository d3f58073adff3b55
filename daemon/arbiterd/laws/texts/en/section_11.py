"""Texts of catalogue section 11: displaced pieces and faults."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "displaced-own-restored": (
        "Pieces displaced and put back[: {squares}]",
        "Put back before the press, on the player's own time (7.4.1).",
    ),
    "displaced-pressed": (
        "{move} {side} pressed with other pieces off their squares: {squares}",
        (
            "[{attempt} was played; ]the pieces on {squares} do not stand where they belong. "
            "Pause; restored on the player's own time; 12.9 is possible (7.4). It could be an "
            "illegal move with two pieces: ask."
        ),
    ),
    "displaced-on-opp-time": (
        "Pieces displaced on {squares}",
        (
            "No move of the side to move explains it; who did it is not known. The disturbed "
            "player pauses and does not press; the arbiter gives or takes time (7.4). A first "
            "accident never loses."
        ),
    ),
    "displaced-two": (
        "Two pieces on unexplained squares: {squares}",
        "Pause, put back, see who did it (7.4). A sleeve exchanges neighbours easily.",
    ),
    "displaced-board-knocked": (
        "Board knocked over: {squares}",
        (
            "Many squares changed within seconds. Pause; restore the last good position from "
            "the record[; clocks {white_clock} and {black_clock}] (7.4.2). Deliberate: 12.9 up "
            "to the loss of the game."
        ),
    ),
    "displaced-found-later": (
        "{move} Pieces stand where no move put them[ ({squares})] and play went on",
        (
            "[{goes_back:Back to the position before it, or the last identifiable one (7.6).|} ]No "
            "penalty of 7.5.5."
        ),
    ),
    "displaced-put-back-wrong": (
        "A fallen piece was put back wrong: {squares}",
        (
            "It belongs on the first square and stands on the second. Restore (7.6). Tell the "
            "player whose clock runs, not both."
        ),
    ),
    "disturbance-external": (
        "Disturbance from outside",
        (
            "Entered by {by}. Extra time to one or both (12.5); at an alarm pause all and note "
            "the times.[ Note: {note}]"
        ),
    ),
    "tech-flicker": (
        "Square {square} flickers",
        "It toggles faster than a hand, or is misread; ignored.",
    ),
    "tech-unknown-piece": (
        "A piece on {squares} cannot be read",
        (
            "A piece is there and its kind is unknown: nothing is ruled from its square. "
            "Replace it after the game."
        ),
    ),
    "tech-board-lost": (
        "No data from the board",
        (
            "{Why}. The game goes on; leave the players alone; the record is completed later "
            "(8.5).[ Last clocks: {white_clock}, {black_clock}.]"
        ),
    ),
    "tech-gap": (
        "Half-moves were not seen; lines that fit: {count}",
        (
            "What the board shows is not one move away.[ Candidates: {candidates}.] If it is "
            "one, confirm it; else ask for the scoresheets (8.5.3). It could be an "
            "irregularity of play."
        ),
    ),
    "tech-clock-board-skew": (
        "Clock and board differ by {skew_ms} in order",
        (
            "Events came out of order within the latency of the clock; they were put in order "
            "within it and not beyond."
        ),
    ),
    "tech-record-vs-scoresheet": (
        "A scoresheet differs from the record",
        (
            "Entered by {by}. The players' agreed record, or the arbiter's decision, counts.[ "
            "Note: {note}]"
        ),
    ),
    "record-not-kept": (
        "{side} does not record the moves",
        (
            "Entered by {by}. A warning first (8.1, 12.9); in rapid and blitz recording is not "
            "required.[ Note: {note}]"
        ),
    ),
    "record-in-advance": (
        "{side} records moves in advance",
        (
            "Entered by {by}. Allowed only for a claim or an adjournment (8.1.2). A warning "
            "first.[ Note: {note}]"
        ),
    ),
    "tech-analysis-after-end": (
        "Moves after the result",
        "The record is frozen at the result; this is analysis (11.4).",
    ),
}
