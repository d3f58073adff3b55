"""Texts of section 8: clock handling."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "press-no-move": (
        "{side} pressed without a move{verdict}",
        (
            "{move} {side} pressed the clock and the board was as before. It is treated as an "
            "illegal move (7.5.3). {block} A press made by mistake instead of a pause is for "
            "you to judge (6.2.4)."
        ),
    ),
    "press-piece-in-hand": (
        "{side} pressed with a piece in the hand ({held}){verdict}",
        (
            "{move} {side} pressed the clock while the piece from {held} stood nowhere. The "
            "move was not made, so the press is treated as an illegal move (7.5.3). A piece "
            "whose chip is not read looks the same: look first. {block}"
        ),
    ),
    "press-before-move-then-move": (
        "{side} pressed first and moved after it",
        (
            "{move} {side} pressed, and {interval_ms} later {played} stood on the board[ (one "
            "scan of the board takes {scan_ms})]. Pressing before moving is a breach of 6.2.4; "
            "whether it is penalised under 12.9 or treated as 7.5.3 is yours. A coil that sees "
            "a piece late looks the same where it had been lifted before the press."
        ),
    ),
    "press-wrong-hand": (
        "{side} pressed with the other hand",
        (
            "The clock is pressed with the hand that moved (6.2.3). It is no illegal move; "
            "12.9 applies if it goes on."
        ),
    ),
    "press-held": (
        "{side} keeps a finger on the clock",
        (
            "Nobody may keep a finger on the button or hover over it (6.2.3). Give back lost "
            "time by judgement; 12.9."
        ),
    ),
    "press-burst": (
        "{presses:press|presses} without a move",
        (
            "The lever went to and fro {presses:time|times} within {within_ms} and no move was "
            "made (6.2.4). Each of these presses may have credited an increment: correct the "
            "times. 11.5 and 12.9 if it was on purpose."
        ),
    ),
    "press-neighbour": (
        "The clock of the next board was pressed",
        (
            "Set both clocks right: this one by what it showed before the press, the other by "
            "the move made without one (6.2.1)."
        ),
    ),
    "clock-paused-by-player": (
        "Clock paused: go to the board",
        (
            "Both clocks stand and no arbiter stopped them[; {ran}'s clock ran]. A player may "
            "pause only to seek the arbiter's help (6.11.2). It may be a claim, an "
            "irregularity, a promotion piece that is missing, a resignation or an agreement: "
            "ask. Without a valid reason 12.9 (6.11.4).[ White {white_clock}, Black "
            "{black_clock}.]"
        ),
    ),
    "clock-paused-long": (
        "Both clocks have stood for {stands_ms}",
        (
            "Both clocks have stood for {stands_ms} without an arbiter's word. You decide when "
            "the game goes on (6.11.3)."
        ),
    ),
    "paused-board-changes": (
        "Pieces moved while the clocks stand: {squares}",
        (
            "Squares changed while both clocks stood and no arbiter's act covers it: "
            "{squares}. Look, and have the pieces put back (7.4)."
        ),
    ),
    "clock-wrong-side-running": (
        "The wrong clock runs: {running}'s",
        (
            "{running}'s clock runs, but {to_move} has the move and no press is outstanding. "
            "Correct it (6.2.1); the time used is by best judgement."
        ),
    ),
    "clock-increment-wrong": (
        "Increment {credited_ms} instead of {expected_ms}",
        (
            "The last {presses:press|presses} credited {credited_ms}; the time control says "
            "{expected_ms}. Stop the clock, set it, and adjust the times by best judgement "
            "(6.10.2). Completed moves: White {white_moves}, Black {black_moves}."
        ),
    ),
    "clock-time-jump": (
        "{clock_of}'s time jumped to {shown_clock}",
        (
            "{clock_of}'s clock shows {shown_clock} where {expected_clock} was expected, and "
            "no press, period or order explains it. An evident defect is a reason to replace "
            "the clock (6.10.1)."
        ),
    ),
    "clock-lost": (
        "The clock is not heard any more",
        (
            "The clock on the table stays valid (6.10.1).[ Last known: White {white_clock}, "
            "Black {black_clock}.] Leave the players alone and look at the cable after the "
            "game or in a pause.[ Note: {note}]"
        ),
    ),
    "clock-defect-replaced": (
        "Another clock, or other times",
        (
            "The clock is heard again[ and shows White {white_now_clock}, Black "
            "{black_now_clock}][; before it showed {white_clock} and {black_clock}][. "
            "{to_move} has the move]. If it was replaced, the times are by best judgement "
            "(6.10.1).[ Note: {note}]"
        ),
    ),
    "clock-counter-mismatch": (
        "The clock's move counter may be short",
        (
            "[Presses missed before the control at move {required}: White {white_missed}, "
            "Black {black_missed}. ]A clock that counts presses will add the time that much "
            "later: adjust its counter (6.10.2). Never tell the players the number of moves "
            "(12.6).[ Note: {note}]"
        ),
    ),
    "clock-extra-time-early-or-late": (
        "Extra time after {completed:move|moves} instead of {required}",
        (
            "The clock added {added_clock} when {completed:move was|moves were} completed; the "
            "time control says {required}. Presses that were probably missed: "
            "{missed_presses}. Correct the times and the counter (6.10.2)."
        ),
    ),
    "clock-edited": (
        "Times set on the clock",
        (
            "While both clocks stood the times changed (7.1).[ White: {white_delta_ms}.][ Black: "
            "{black_delta_ms}.]"
        ),
    ),
    "low-time": (
        "{clock_of}: less than five minutes",
        (
            "{clock_of} has {left_clock} left and no increment of thirty seconds: the player "
            "need not record any more in this period (8.4). Be present and keep score; never "
            "tell the number of moves (12.6)."
        ),
    ),
}
