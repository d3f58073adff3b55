"""Texts of section 10: end of the game, results, draws and claims."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "end-checkmate": (
        "Mate: {winner} has won, {result}",
        (
            "The position is mate. The game ended when the move was made at {made_at}, pressed "
            "or not (5.1.1), provided it obeyed Articles 3 and 4.[ Still to be decided about "
            "that move: {pending}.]"
        ),
    ),
    "end-stalemate": (
        "Stalemate",
        (
            "The side to move has no legal move and is not in check: drawn when the move was "
            "made at {made_at} (5.2.1).[ Still to be decided about that move: {pending}.]"
        ),
    ),
    "end-dead": (
        "Dead position",
        "Neither side has a series of legal moves that mates: drawn (5.2.2).[ {proof}]",
    ),
    "end-fivefold": (
        "Same position for the fifth time",
        (
            "The position has appeared after half-moves {plies} (0 is the start). The game is "
            "drawn; the arbiter steps in (9.6.1)."
        ),
    ),
    "end-seventyfive": (
        "Seventy-five moves",
        (
            "{quiet_plies} half-moves without a pawn move or capture. The game is drawn; the "
            "arbiter steps in (9.6.2). Mate on the last move would go first."
        ),
    ),
    "end-repetition": (
        "Repetition: {result}",
        (
            "The position has appeared after half-moves {plies} (0 is the start). By the rules "
            "of this game that ends it. Proposed: {result}."
        ),
    ),
    "end-no-move": (
        "No legal move: {result}",
        (
            "The side to move has no legal move, and by the rules of this game that ends it. "
            "It ended when the last move was made at {made_at}. Proposed: {result}."
        ),
    ),
    "end-played-on": (
        "They play on: the game ended at half-move {end_ply}, {result}",
        (
            "The game had ended at half-move {end_ply} ({end}). What was played after that "
            "does not count; the end stands from that move. Proposed: {result}."
        ),
    ),
    "end-played-on-result": (
        "They play on after the result {result}",
        (
            "Pieces are moved and the clock is pressed although the result stands. It stands "
            "(5.1.2, 5.2.3, 6.9); if it was entered wrongly, take it back."
        ),
    ),
    "takeback-after-press": (
        "Completed moves taken back[: {withdrawn}]",
        (
            "The board went back to before [{withdrawn}, ]what was completed. The "
            "Laws know no taking back, not even by consent: restore the position and the times "
            "(4.7, 12.9). A correction that an arbiter ordered is none: dismiss this."
        ),
    ),
    "end-false-mate": (
        "Mate was announced and is none",
        (
            "[Legal replies: {legal_moves} (for you alone). ]The announcement has no effect; "
            "play goes on. Who believes it and concedes has resigned (5.1.2)."
        ),
    ),
    "resign-signal": (
        "Did {side} resign? Ask",
        (
            "{side}'s king is off its square and nothing else changed[; {clock_stands:the "
            "clocks stand|a clock runs}]. Laying down the king or pausing the clock can be "
            "meant otherwise: clarify (5.1.2)."
        ),
    ),
    "resign-unwinnable": (
        "{side} resigned; can {opponent} mate: {opponent_can_mate}",
        (
            "{side} resigned. Where the opponent has no series of legal moves that mates, the "
            "game is drawn (5.1.2); forced lines count.[ {proof}] Proposed: {result}. {else}"
        ),
    ),
    "result-kings-white": (
        "Kings in the centre: 1-0",
        (
            "Both kings stand on light centre squares: the players say that White won. Confirm "
            "it against both scoresheets (8.7)."
        ),
    ),
    "result-kings-black": (
        "Kings in the centre: 0-1",
        (
            "Both kings stand on dark centre squares: the players say that Black won. Confirm "
            "it against both scoresheets (8.7)."
        ),
    ),
    "result-kings-draw": (
        "Kings in the centre: draw",
        (
            "One king stands on a light and one on a dark centre square: the players say that "
            "the game is drawn. Confirm it against both scoresheets (8.7)."
        ),
    ),
    "result-mismatch": (
        "Result {said}, but {by_position:the board says|the one that stands is} {board}",
        (
            "The result given is {said}; {by_position:by the position it is|the one that stands "
            "is} {board}. Ask both players and look at the scoresheets (8.7)."
        ),
    ),
    "result-missing": (
        "No result entered",
        "The game has rested for {rest_ms} and no result was entered (8.7).",
    ),
    "result-handshake-unclear": (
        "How did the game end? Ask both, apart",
        (
            "The players stopped without saying whether it was won or drawn (5.1.2, 5.2.3). By "
            "the rules alone[: on the board, {on_board}]: can White mate: {white_can_mate}; "
            "Black: {black_can_mate}; {quiet_plies:half-move|half-moves} without a pawn move "
            "or capture.[ Note: {note}]"
        ),
    ),
    "result-signed-differs": (
        "Scoresheets or slips differ",
        "The signed results are not the same. The arbiter decides (8.7).",
    ),
    "result-board-reset": (
        "Pieces set up anew: is the game over?",
        (
            "After {plies:half-move|half-moves} the pieces went back to the start array and no "
            "result was entered. Ask (8.7)."
        ),
    ),
    "draw-offer": (
        "{side} offered a draw",
        (
            "The offer stands until it is accepted, refused by word or by touching a piece, or "
            "the game ends (9.1.2.1)."
        ),
    ),
    "draw-offer-wrong-time": (
        "{side} offered a draw at the wrong time ({when})",
        (
            "The right time is after the move and before the press. The offer is valid all the "
            "same and cannot be withdrawn; the opponent may wait for the move first. 11.5 is "
            "to be considered (9.1.2.1)."
        ),
    ),
    "draw-offer-repeated": (
        "{side} offers a draw again ({count})",
        (
            "It is offer number {count} of this side, with none by the opponent between them. "
            "Repeated offers may distract (11.5, 12.9)."
        ),
    ),
    "draw-agreed-too-early": (
        "Draw agreed too early",
        (
            "{plies:half-move was made|half-moves were made}; a draw by agreement needs "
            "{least_moves:move|moves} of both sides ({rule}). It is not allowed: the game goes "
            "on."
        ),
    ),
    "claim-3-written-ok": (
        "Threefold claim of {side} is correct",
        (
            "With {announced} the position occurs {occurrences:time|times} (half-moves "
            "{plies}). Drawn (9.2.1, 9.5.2). Placement, side to move, castling and legal en "
            "passant were compared (9.2.3)."
        ),
    ),
    "claim-3-onboard-ok": (
        "Threefold claim of {side} is correct",
        (
            "The position has appeared {occurrences:time|times} (half-moves {plies}). Drawn "
            "(9.2.2, 9.5.2). Placement, side to move, castling and legal en passant were "
            "compared (9.2.3)."
        ),
    ),
    "claim-3-wrong": (
        "Threefold claim of {side} is wrong: {occurrences:time|times}",
        (
            "The position appeared {occurrences:time|times} (half-moves {plies}).[ Positions "
            "that look the same and are not: {differs}.] The opponent gains {penalty} "
            "(9.5.3)[; the announced move must be played: {announced}]."
        ),
    ),
    "claim-after-touch": (
        "Claim of {side} after touching: refused",
        (
            "{side} touched a piece in this turn, {touched}, and so lost the right to claim on "
            "this move (9.4). The opponent gains {penalty} (9.5.3).[ The touched piece must "
            "be played (4.3): {obligation}.] The right is back on the next move."
        ),
    ),
    "claim-not-on-move": (
        "Claim of {side}{judged: without having the move: refused|: a half-move is awaited}",
        (
            "[The record ends after {record_ends:half-move|half-moves}, and the clock was pressed "
            "since or the board is silent. The claim is judged as soon as the board shows the "
            "rest. ]The claim is for the player having the move (9.2, 9.4)[; {side} had moved at "
            "{moved_at}].[ The opponent gains {penalty} (9.5.3).]"
        ),
    ),
    "claim-50-written-ok": (
        "Fifty-move claim of {side} is correct",
        (
            "With {announced} both sides have made fifty moves without a pawn move or capture "
            "({quiet_plies} half-moves before it, since half-move {last_zeroing_ply}). Drawn "
            "(9.3.1)."
        ),
    ),
    "claim-50-onboard-ok": (
        "Fifty-move claim of {side} is correct",
        (
            "{quiet_plies} half-moves without a pawn move or capture, since half-move "
            "{last_zeroing_ply}. Drawn (9.3.2)."
        ),
    ),
    "claim-50-wrong": (
        "Fifty-move claim of {side} is wrong: {quiet_plies:half-move|half-moves}",
        (
            "Only {quiet_plies:half-move|half-moves} without a pawn move or capture, since "
            "half-move {last_zeroing_ply}. The opponent gains {penalty}; the claimant's clock "
            "is not changed (9.5.3).[ The announced move must be played: {announced}.]"
        ),
    ),
    "claim-withdrawn": (
        "A claim cannot be withdrawn",
        "The check is finished and its result holds (9.5.1).",
    ),
    "claim-move-illegal": (
        "Claim of {side} with an illegal move: {announced}",
        (
            "The announced move is illegal. Another move with that piece must be played: "
            "{obligation}. The claim is incorrect and the opponent gains {penalty} (9.5.3); it "
            "is no illegal move of 7.5.5."
        ),
    ),
    "claim-not-written": (
        "Claim of {side}: the move is not written",
        (
            "[What was entered, {entered}, is no move that can be read here. ]For a position "
            "that is about to appear the player first writes or enters the move and declares it: "
            "have the claim made legal (9.2.1). Say neither which move nor whether there is one "
            "(12.6)."
        ),
    ),
    "claim-quickplay": (
        "Claim of {side} under Guidelines III",
        (
            "{time_told:|No clock is heard here: see for yourself that less than two minutes are "
            "left.}[{side} has {left_clock} left.][ The last moves: {last_moves}.] You may draw, "
            "postpone, or reject and give the opponent {if_refused_ms} (III.4, III.5)."
        ),
    ),
    "claim-illegal": (
        "{side} claims an illegal move{verdict}",
        (
            "The record shows an illegal move of {opponent}; {in_time:it was claimed in "
            "time|it was claimed too late, so it stands}.[ {block}]"
        ),
    ),
    "claim-touch": (
        "{side} claims a touched piece",
        (
            "{on_record:The record shows it|The record does not show it}; {in_time:it was "
            "claimed in time|it was claimed too late}. The right ends when the claimant "
            "touches a piece (4.8).[ Allowed moves: {obligation}.]"
        ),
    ),
    "claim-flag": (
        "{side} claims the flag",
        (
            "The clock shows the opponent's flag[ since {flag_at}]. A flag that is validly "
            "claimed has fallen (6.8).[ Proposed: {result}.]"
        ),
    ),
    "claim-illegal-unfounded": (
        "Claim of {side}: the move was legal",
        (
            "The record shows {move_played} and it is legal; the sensors {sensors_sure:are "
            "sure|are not sure}. An unfounded claim may be a distraction: 11.5, 12.9; there is "
            "no fixed penalty."
        ),
    ),
}
