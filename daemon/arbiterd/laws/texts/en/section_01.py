"""Texts of catalogue section 1: the start."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "start-ok": (
        "Board ready",
        "The start array stands and the clock is set. Nothing to do.",
    ),
    "start-setup-wrong-before": (
        "Set-up wrong on {squares}: correct it now",
        (
            "Before the first move the pieces on {squares} do not stand as they should[ (seen: "
            "{stand})]. Put them right now (2.3)."
        ),
    ),
    "start-setup-wrong-std": (
        "The game began from a wrong set-up[ ({squares})]",
        (
            "[Entered by {by}. ]The array before the first move was wrong[ on {squares}]. "
            "Completed moves: White {white_moves}, Black {black_moves}. The game is cancelled "
            "and a new one played (7.2.1); its clock times are yours to set.[ Note: {note}]"
        ),
    ),
    "start-setup-wrong-late": (
        "Wrong set-up found after ten moves: play on",
        (
            "[Entered by {by}. ]The array was wrong[ on {squares}], but both players have "
            "completed ten moves (White {white_moves}, Black {black_moves}), so no claim is "
            "possible. A king that stood wrong may not castle, and nobody may castle with a rook "
            "that did (A.5.1.2)[: {no_castling}].[ Note: {note}]"
        ),
    ),
    "start-king-queen-swapped": (
        "King and queen swapped[: {sides}]",
        (
            "[Entered by {by}. ]King and queen[ of {sides}] were put on each other's squares[ "
            "({squares})]. {ruled} Completed moves: White {white_moves}, Black {black_moves}.[ "
            "Note: {note}]"
        ),
    ),
    "start-board-quarter-turn": (
        "Board turned by a quarter?",
        (
            "The pieces are seen on the files instead of the ranks: the corner at the player's "
            "right is dark. Exclude a wrong mapping of the board first; then the game goes on "
            "and the position is moved to a board placed correctly (7.2.2)."
        ),
    ),
    "start-board-half-turn": (
        "Board mapping turned by 180 degrees",
        "The array is seen from the other side. Coordinates are mapped; play is not affected.",
    ),
    "start-piece-extra-or-missing": (
        "{men} pieces on the board instead of {wanted}",
        (
            "What stands on {squares} is not what the array wants there. A chip that is not "
            "recognised looks like a missing piece: look before you speak (2.2)."
        ),
    ),
    "start-colours-reversed": (
        "Colours reversed; moves made: White {white_moves}, Black {black_moves}",
        (
            "Entered by {by}: the players have each other's colours. White has made "
            "{white_moves:move|moves}, Black {black_moves:move|moves}. {again:Fewer than ten "
            "by both: a new game with the right colours|Black has made the tenth move, so the "
            "game continues} (7.3).[ Note: {note}]"
        ),
    ),
    "start-clock-wrong-side": (
        "The wrong clock runs at the start: {runs}'s",
        (
            "{runs}'s clock was started, but the other side moves first, or the clock lies the "
            "wrong way round. Stop it, set the times, swap the sides of the clock (6.6)."
        ),
    ),
    "start-clock-not-running": (
        "No clock runs, {elapsed_ms} after the start of the round",
        (
            "The round has begun and neither clock runs. Start White's clock; what has elapsed "
            "is for the arbiter (6.6). The board may simply be empty."
        ),
    ),
    "start-clock-setting-wrong": (
        ("Clock setting wrong: shows {white_clock} and {black_clock}, expected {expected_clock}"),
        (
            "Before the first move the clock does not show what the time control says. Stop "
            "and set it (6.10.2)."
        ),
    ),
    "start-move-before-round": (
        "Pieces moved {early_ms} before the round",
        (
            "Something was moved before the announced start. Players adjusting their pieces is "
            "normal; put back what is not in place (6.6)."
        ),
    ),
    "start-absent-one": (
        "Nothing seen of {side}, {elapsed_ms} after the start",
        (
            "{side}'s clock runs and nothing has been seen of that side. Sensors do not see "
            "whether somebody sits there: ask.[ The default time is {default_ms} from the "
            "actual start of the round.] Who arrives after the default time loses, unless the "
            "arbiter decides otherwise (6.7.1)."
        ),
    ),
    "start-absent-both": (
        "Nobody seen, {elapsed_ms} after the start",
        (
            "Nothing has happened at this table since the round began. White loses the elapsed "
            "time; after the default time[ ({default_ms})] both forfeit, unless the arbiter "
            "decides otherwise (6.7.1, 6.7.2). Ask."
        ),
    ),
    "start-wrong-opponent-board": (
        "{presses:press|presses} and nothing moves on this board",
        (
            "Board and clock may not belong together: look whether a neighbour presses this "
            "clock, or two boards are crossed."
        ),
    ),
}
