"""Texts of section 9: flags."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "flag-last-period": (
        "{side}'s flag",
        (
            "{side}'s flag was shown at {flag_at}[ (known to {flag_late_ms})]. The moves are "
            "not done: lost, once you call it (6.8, 6.9). Can {opponent} mate: "
            "{opponent_can_mate}. Proposed: {result}. {else}"
        ),
    ),
    "flag-unwinnable": (
        "{side}'s flag, but {opponent} cannot mate",
        (
            "{side}'s {flag_seen} at {flag_at}. {opponent} has no series of legal moves "
            "that mates, so the game is drawn ({articles}).[ {proof}] Proposed: {result}."
        ),
    ),
    "flag-period-short": (
        "{side}'s flag with {completed} of {required} moves",
        (
            "{side}'s {flag_seen} at {flag_at} with {completed:completed move|completed "
            "moves}; {required} are required. A move made and not pressed is not completed "
            "(6.2.1). Can {opponent} mate: {opponent_can_mate}. Proposed: {result}. {else}"
        ),
    ),
    "flag-period-reached": (
        "Flag shown, {required} moves completed: play on",
        (
            "{side} has completed {completed} moves of the {required} required: nothing is "
            "lost (6.4). Some clocks add the next period's time only at zero."
        ),
    ),
    "flag-count-uncertain": (
        "{side}'s flag, count not certain ({completed} to {completed_at_most} of {required})",
        (
            "{side}'s {flag_seen} at {flag_at}. The record has between {completed} and "
            "{completed_at_most} completed moves, {pressed} of them pressed; {required} are "
            "required. Pause, and let both bring their scoresheets up to date (8.5). If it "
            "cannot be shown that the time was overstepped, the next move is the first of the "
            "next period (8.6)."
        ),
    ),
    "flag-both-order-known": (
        "Both flags: {first}'s first",
        (
            "Both flags are shown and {first}'s fell first: that side has lost, or it is a "
            "draw if the opponent cannot mate (6.9). Can they: {opponent_can_mate}. Proposed: "
            "{result}."
        ),
    ),
    "flag-both-order-unknown": (
        "Both flags, order not known",
        "Both flags are shown and it cannot be said which fell first. {ruled}",
    ),
    "flag-then-mate": (
        "{side}'s flag, then mate: the mate stands",
        (
            "{side}'s flag was shown at {flag_at}[ (known to {flag_late_ms})], the mating move "
            "was made at {made_at}. Nobody had called the flag: a flag has fallen when it is "
            "noticed (6.8), so mate stands. If you or a player called it before, the flag "
            "counts. Proposed: {result}."
        ),
    ),
    "mate-then-flag": (
        "Flag after the end",
        "The game had ended on the board when {side}'s flag was shown at {flag_at} (5.1.1).",
    ),
    "flag-then-stalemate-or-dead": (
        "{side}'s flag, then a draw on the board: the draw stands",
        (
            "{side}'s flag was shown at {flag_at}[ (known to {flag_late_ms})], the move that "
            "ended the game was made at {made_at}. Nobody had called the flag (6.8): the draw "
            "stands. Proposed: {result}."
        ),
    ),
    "flag-after-agreement-or-resign": (
        "Flag after the result",
        "{side}'s flag was shown at {flag_at}; the result stands[ ({stands_result})].",
    ),
    "flag-during-claim": (
        "{side}'s flag during a claim: decide the claim first",
        (
            "{side}'s flag was shown at {flag_at} while a claim[ of {claimant}] was open "
            "({claim}). The claim came first and is decided first (9.5.1)."
        ),
    ),
    "flag-piece-in-hand": (
        "{side}'s flag with a piece in the hand ({held})",
        (
            "{side}'s {flag_seen} at {flag_at} while the piece from {held} was in the air. "
            "The move is not made, so the position before it counts (6.9).[ Touched: "
            "{touched}; allowed: {obligation}.][ Only one move is left, {forced_move}: it "
            "would lead to {after_forced_move}.] Proposed from the position before: {result}."
        ),
    ),
    "flag-while-paused": (
        "Flag shown although both clocks stood",
        ("{side}'s flag appeared at {flag_at} while both clocks stood. Check the clock (6.10.1)."),
    ),
    "flag-claimed-without": (
        "{side} claims a flag, the clock shows none",
        (
            "[The clock shows White {white_clock}, Black {black_clock} and no flag of the "
            "opponent. ]Look at the clock on the table: it decides (6.8)."
        ),
    ),
}
