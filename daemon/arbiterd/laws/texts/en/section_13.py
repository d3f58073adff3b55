"""Texts of catalogue section 13: shogi, in its own terms with their translation."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "sh-move-released": (
        "{move} {played}",
        "The move is complete at its release.",
    ),
    "sh-matta": (
        "Matta (taking back): {side} moved the piece on {square} again",
        (
            "The piece stood released on {square} for {down_ms} and was moved again before the "
            "reply. Taking back loses. Was it released, or still in the hand? {outcome}"
        ),
    ),
    "sh-two-moves": (
        "Nite-zashi (two moves running): {side} {attempt}",
        (
            "{side} moved though the other side has the move: {attempt}. An illegal move "
            "(hansoku) loses at once in a tournament. {outcome}"
        ),
    ),
    "sh-illegal-movement": (
        "Hansoku (illegal move): {side} {attempt}",
        ("{attempt}: {reason}. An illegal move (hansoku) loses at once in a tournament. {outcome}"),
    ),
    "sh-must-promote": (
        "Unpromoted where it could never move again: {side} {attempt}",
        (
            "{attempt}: the piece had to be turned over. An illegal move (hansoku) loses at "
            "once in a tournament. {outcome}"
        ),
    ),
    "sh-drop-dead-end": (
        "Dropped where it could never move: {side} {attempt}",
        (
            "{attempt}: pawn and lance may not be dropped on the last rank, a knight not on "
            "the last two. An illegal move (hansoku) loses at once in a tournament. {outcome}"
        ),
    ),
    "sh-drop-promoted": (
        "Dropped promoted: {side} {attempt}",
        (
            "{attempt}: pieces are dropped with their plain face. An illegal move (hansoku) "
            "loses at once in a tournament. {outcome}"
        ),
    ),
    "sh-drop-occupied": (
        "Dropped on an occupied square: {side} {attempt}",
        (
            "{attempt}: a drop needs an empty square. An illegal move (hansoku) loses at once "
            "in a tournament. {outcome}"
        ),
    ),
    "sh-nifu": (
        "Nifu (two pawns): {side} {attempt}",
        (
            "{attempt}: an own unpromoted pawn stands on this file already. An illegal move "
            "(hansoku) loses at once in a tournament. {outcome}"
        ),
    ),
    "sh-uchifuzume": (
        "Uchifuzume (mate by a dropped pawn): {side} {attempt}",
        (
            "{attempt}: a pawn may not be dropped to give mate at once. An illegal move "
            "(hansoku) loses at once in a tournament. {outcome}"
        ),
    ),
    "sh-drop-not-in-hand": (
        "A piece nobody had in hand: {side} {attempt}",
        (
            "{attempt}: no capture put this piece in hand. A piece knocked back onto the board "
            "looks the same. An illegal move (hansoku) loses at once in a tournament. {outcome}"
        ),
    ),
    "sh-mate": (
        "Tsumi (mate): {winner} has won, {result}",
        "The king is in check and no legal move answers it.",
    ),
    "sh-king-left-in-check": (
        "Ote-hochi (check not answered): {side} {attempt}",
        ("{attempt}: {reason}. An illegal move (hansoku) loses at once in a tournament. {outcome}"),
    ),
    "sh-found-later": (
        "An illegal move found later: {side} {attempt}",
        (
            "{attempt}: {reason}. Play went on; back to it, and the offender has lost there "
            "(JSA 8.2). {outcome}"
        ),
    ),
    "sh-sennichite": (
        "Sennichite (fourfold repetition)",
        (
            "The same board, hands and side to move for the fourth time, after half-moves "
            "{plies}. {outcome}"
        ),
    ),
    "sh-perpetual-check": (
        "Perpetual check by {side}",
        (
            "The fourth occurrence, and every move of {side} since the first was a check. That "
            "side loses (JSA 8.7). {outcome}"
        ),
    ),
    "sh-jishogi-agreed": (
        "Jishogi (impasse) agreed",
        "Points: Black {points_black}, White {points_white}. {outcome}",
    ),
    "sh-declaration": (
        "Nyugyoku-sengen (entering king declared) by {side}: {result}",
        (
            "{king_entered:The king has entered|The king has not entered}. Other pieces in the "
            "camp: {others} (10 needed). {in_check:The king is in check|The king is not in "
            "check}. Points: {points} ({needed} needed). {outcome}"
        ),
    ),
    "sh-500-moves": (
        "Half-move {last_ply} reached",
        "The regulations end the game here as an impasse. {outcome}",
    ),
    "sh-time-byoyomi": (
        "Byoyomi over: {side}",
        "The main time and the period of {side} are over. {released} {outcome}",
    ),
    "sh-no-legal-move": (
        "No legal move: {side}",
        "No legal move and no check. {outcome}",
    ),
    "sh-wrong-start": (
        "Set-up wrong on {squares}",
        "The array is not the start: {squares}. Set it right before the game.",
    ),
    "sh-handicap-wrong-first": (
        "The wrong side moved first",
        ("In a handicap game the giver (uwate, White) moves first. {attempt} was played instead."),
    ),
    "sh-friendly-undo": (
        "Move taken back by agreement",
        "In a friendly game the players may agree to take a move back.",
    ),
}
