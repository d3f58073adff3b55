"""Texts of catalogue section 7: illegal moves."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "illegal-first": (
        "{move} {side} completed an illegal move ({attempt}): {reason}{verdict}",
        "{attempt}: {reason}. {block}[ Clocks at the press: {white_clock}, {black_clock}.]",
    ),
    "illegal-second": (
        "{move} {side} completed an illegal move ({attempt}){verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "illegal-two-faults-one-move": (
        "{move} {side}: one move, two faults ({attempt}){verdict}",
        "Two faults in one move count once (7.5.5). {block}",
    ),
    "illegal-again-after-restart": (
        "{move} {side}: the replacement is illegal too ({attempt}){verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "illegal-both-players": (
        "Both players have an illegal move",
        (
            "Illegal moves: White {illegal_white}, Black {illegal_black}. Each player has a "
            "count of their own (7.5.5)."
        ),
    ),
    "illegal-found-later": (
        "{move} {side} played an illegal move[ ({attempt})], found later{verdict}",
        (
            "[{attempt}: ]{reason}. Play has gone on. Later moves are void; the reply made in an "
            "unlawful position is not penalised (7.5.1). {block}"
        ),
    ),
    "illegal-position-before-unknown": (
        ("{move} {side} completed an illegal move ({attempt}) after a gap in the record{verdict}"),
        (
            "The position just before is not certain: restore the last identifiable one "
            "(7.5.1, 7.6). {block}"
        ),
    ),
    "illegal-found-after-end": (
        "{move} An illegal move of {side}[ ({attempt})] found after the result",
        "The result {stands_result} stands (7.5.1, 8.7).",
    ),
    "illegal-a5-replied": (
        "{move} Illegal move of {side}[ ({attempt})] replied to: it stands",
        (
            "[{attempt}: ]{reason}. The opponent has replied, so it stands; undone only by "
            "agreement of both, without the arbiter (A.5.2)."
        ),
    ),
    "illegal-a5-open": (
        ("{move} {side} completed an illegal move ({attempt}): confirm before the reply{verdict}"),
        (
            "{attempt}: {reason}. The arbiter who observed it acts, or the opponent claims, "
            "only until the reply is made (A.5.2)[; {since_press_ms} have passed since the "
            "press]. Confirm now. {block}"
        ),
    ),
    "illegal-both-kings-in-check": (
        "Both kings are in check",
        "{ruled} {outcome}",
    ),
    "illegal-king-in-check-not-on-move": (
        "{side}'s king is in check and {opponent} has the move",
        "It comes from an earlier illegal move, or from a forgotten press. {ruled}",
    ),
    "illegal-position-other": (
        "This position cannot arise: {why}",
        "{ruled}",
    ),
    "illegal-restarted-by-opp": (
        "{side} pressed instead of pausing after the opponent's illegal move",
        (
            "Accident or distraction: be lenient; not counted as a press without a move by "
            "itself (7.5.3)."
        ),
    ),
    "illegal-unpressed-replied": (
        "{move} An illegal move of {side}[ ({attempt})] was replied to without a press",
        (
            "No press was seen, so it is not 7.5.1 as such but an irregularity.[ {goes_back:It is "
            "taken back to before it (7.6); 12.9 is possible.|}] It {counts:counts|does not "
            "count} for 7.5.5. A press between two readings of the clock cannot be excluded."
        ),
    ),
    "illegal-ends-game": (
        "The game seems to end on an illegal move of {side} ({attempt})",
        (
            "It looks like {looks}, then {seen}. An illegal move does not mate (5.1.1); a "
            "declared resignation or agreement after it stands (5.1.2). Ask which was meant."
        ),
    ),
    "illegal-v-flag": (
        "An illegal move of {side} and {flag}'s flag",
        (
            "What was observed or claimed first decides. An illegal move observed before the flag: "
            "7.5.5 ({if_illegal}). {ruled}"
        ),
    ),
    "order-not-followed": (
        "Board or clock differ from the order of {by}",
        (
            "[Squares that differ: {squares}. ][Ordered: {ordered_white_clock} and "
            "{ordered_black_clock}; shown: {white_clock} and {black_clock}. ]Set it right "
            "(7.1)."
        ),
    ),
    "order-clock-not-restarted": (
        "Play goes on and no clock runs, {since_ms} after the order",
        (
            "{played} was made while both clocks stand. Restart; the time used is by best "
            "judgement (6.11.3)."
        ),
    ),
    "illegal-clock-proposal": (
        "{move} Clock arithmetic[: {gains}]",
        (
            "[White {white_before_clock} to {white_after_clock}, Black {black_before_clock} to "
            "{black_after_clock} (7.5.5). ]Increments of voided later moves are for the arbiter "
            "(7.1)."
        ),
    ),
}
