"""Article 7.5: completed illegal moves, seen at the press.

What the press showed is sorted by `misplay` and read in the order of `READERS`; the standard
block (restore, obligation, penalty, count) is the same for every row that counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from arbiterd.laws.articles.art_03_1_captures import (
    CENTRAL,
    captured_piece_again,
    king_captured,
    own_piece_captured,
    own_pieces_swapped,
    taken_off_only,
    wrong_piece_off,
)
from arbiterd.laws.articles.art_03_7_pawns import (
    exchanged_early,
    inverted_rook,
    king_exposed_en_passant,
    nothing_placed,
    passed_pawn_left,
    passed_pawn_taken,
    pawn_left,
    wrong_piece_placed,
)
from arbiterd.laws.articles.art_03_8_castling import castling_fault
from arbiterd.laws.articles.art_03_10_unlawful import A_5_4, drawn_by_a_5_4, unlawful
from arbiterd.laws.articles.art_03_10_unlawful import CAUSE as UNLAWFUL
from arbiterd.laws.articles.art_03_10_unlawful import told as unlawful_told
from arbiterd.laws.articles.art_04_5_free import CASTLING_TOLD
from arbiterd.laws.articles.art_06_presses import READERS as PRESS_READERS
from arbiterd.laws.articles.art_06_presses import asked_again, perhaps_anothers, unanswered
from arbiterd.laws.articles.art_07_4_displaced import (
    DISPLACED,
    left_by_the_other,
    others_displaced,
    stood_before,
    two_moves,
)
from arbiterd.laws.articles.art_07_5_5_standard_block import (
    by_number,
    illegal_gains,
    ordered,
    windowed,
)
from arbiterd.laws.case.casefile import Unlawful
from arbiterd.laws.case.hands import two_hands
from arbiterd.laws.case.misplay import (
    OF_GAMES,
    Misplay,
    MisplayReader,
    MisplayRow,
    by_the_other_side,
    changed_since,
)
from arbiterd.laws.case.offences import confirmed, counted
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.touching import obligation
from arbiterd.laws.catalogue import of_group, row
from arbiterd.laws.catalogue.row import Group
from arbiterd.laws.drafting import (
    ANY_MOVE,
    BOARD_LOST,
    LOG,
    back_to,
    cause_of,
    displaced_of,
    draft,
    if_nothing_was_lost,
    in_doubt,
    left_alone,
    out_of_turn_of,
)
from arbiterd.laws.register import Close, Confirmed, Finding, Opinion, Remember, Woken, law
from arbiterd.laws.ruling import Proposal, Ruling, RulingState
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour, Reason
from arbiterd.tracking.facts import Pressed, Settled, Turn
from eboards.events import EMPTY

READERS: tuple[MisplayReader, ...] = (
    king_captured,
    pawn_left,
    nothing_placed,
    wrong_piece_placed,
    exchanged_early,
    castling_fault,
    king_exposed_en_passant,
    passed_pawn_left,
    passed_pawn_taken,
    own_pieces_swapped,
    own_piece_captured,
    captured_piece_again,
    wrong_piece_off,
    taken_off_only,
    two_moves,
    others_displaced,
    inverted_rook,
    *PRESS_READERS,
)
"""Asked in this order, after those of one game; the first that knows the board answers."""

ILLEGAL = of_group(Group.ILLEGAL)
"""Rows that an illegal move of 7.5.1 to 7.5.4 may be open under."""

UNMADE = (
    "press-no-move",
    "press-piece-in-hand",
    "capture-removed-not-moved",
    "promo-nothing-placed",
)
"""Rows in which no piece was put down: only the time of the press says for which turn it was."""

NEAREST_TOLD = 3
"""So many legal moves are named beside a board that none of them explains."""


def read(play: Misplay) -> MisplayRow | None:
    """The row of this board. None: it shows a legal move, or is as it was and nobody counts it."""
    if any(not rest for _, rest in play.held_moves):
        return None
    for reader in (*OF_GAMES, *READERS):
        reading = reader(play)
        if reading is None:
            continue
        # A row of another kind of game: there no pawn is exchanged and no king castles.
        if not reading.kind or row(reading.kind).holds(play.rules.customs):
            return reading
    if not play.squares:
        return None
    nothing_came = not play.own_came and not play.enemy_came
    if nothing_came and len(play.own_left) == 1 and len(play.enemy_gone) <= 1:
        return None
    attempt = play.attempt
    if attempt is None or not attempt.wire or attempt.reason is Reason.SEVERAL_CHANGES:
        return MisplayRow("move-unexplained-press", "", {"squares": play.names(play.squares)})
    return MisplayRow("", facts={"attempt": attempt.wire, "reason": attempt.reason})


@law(Pressed)
def completed_without_a_move(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """The press completed no legal move: what it completed instead."""
    if fact.move is not None or fact.turn.side is not fact.side:
        return
    if drawn_by_a_5_4(fact, scene) is not None or scene.file.held(BOARD_LOST) is not None:
        return
    if scene.file.held(out_of_turn_of(fact.ply)) is not None or by_the_other_side(fact, scene):
        return  # The other side's hands were on the board: that is told.
    turn, play, reading = _read_press(fact, scene)
    shown = scene.placement if turn is fact.turn else turn.placement
    fact = replace(fact, turn=turn)
    if reading is None:
        return
    if reading.kind in UNMADE and perhaps_anothers(fact, scene):
        yield from asked_again(fact, scene)
        return
    if stood_before(reading, play, turn):
        yield from left_by_the_other(reading, play, turn)
        return
    if not reading.article:
        yield from no_offence(reading, play, fact, scene)
        return
    kind = named(reading, fact, scene)
    ruling = offence(kind, reading, turn, fact.side, scene, pressed_ns=fact.at_ns)
    ruling = replace(ruling, placement=shown)
    ruling = if_nothing_was_lost(ruling, fact.witnessed)
    yield Finding(ruling, cause_of(fact.ply), deed_ns=fact.at_ns)
    if ruling.proposal.clock_delta_ms:
        yield Finding(_clock_numbers(reading, turn, fact.side, scene), cause_of(fact.ply))


@law(Woken)
def not_answered(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """Nobody has answered a press that might have been of the half-move before: it is not."""
    pressed = unanswered(fact, scene)
    if pressed is not None:
        yield from completed_without_a_move(pressed, scene)


def _read_press(fact: Pressed, scene: Scene) -> tuple[Turn, Misplay, MisplayRow | None]:
    """The turn, its board and the row of it. Where no row explains the board, the other side may
    have taken up a piece since the press, and have it in the hand: it is read as it was without
    that. Where the king is off the board, which no position is, as it was when it was pressed."""
    play = _at_the_press(fact.turn, fact, scene)
    alone = not (play.own_left or play.own_came)
    if alone and changed_since(fact, scene).issuperset(play.enemy_came or play.squares):
        # The other side's hands, on its own time.
        turn = _as_it_was_pressed(fact)
        play = _at_the_press(turn, fact, scene)
        return turn, play, read(play)
    reading = read(play)
    if reading is None or reading.kind != "move-unexplained-press":
        return fact.turn, play, reading
    if not play.enemy_came:
        turn = _before_the_reply(fact, scene)
        then = _at_the_press(turn, fact, scene)
        explained = read(then)
        if explained is not None:
            return turn, then, explained
    if play.piece(CENTRAL) not in play.now:
        turn = _as_it_was_pressed(fact)
        then = _at_the_press(turn, fact, scene)
        explained = read(then)
        if explained is not None and explained.article and explained.kind not in UNMADE:
            return turn, then, explained
    return fact.turn, play, reading


def _at_the_press(turn: Turn, fact: Pressed, scene: Scene) -> Misplay:
    position, touches = scene.before(fact.ply), turn.touches
    return Misplay(
        scene.rules, position, turn.placement, fact.side, scene=scene, ply=fact.ply, touches=touches
    )


def _before_the_reply(fact: Pressed, scene: Scene) -> Turn:
    """The turn without the pieces of the other side that left their squares since the press."""
    rules, turn = scene.rules, fact.turn
    before = rules.placement(scene.before(fact.ply))
    since_ns = fact.at_ns - fact.late_ns
    taken_up = {
        touch.square
        for touch in turn.touches
        if touch.lifted_at_ns > since_ns
        and touch.returned_at_ns is None
        and touch.colour is not fact.side
        and turn.placement[touch.square] == EMPTY
    }
    return replace(
        turn,
        placement=tuple(
            before[s] if s in taken_up else piece for s, piece in enumerate(turn.placement)
        ),
        touches=tuple(touch for touch in turn.touches if touch.square not in taken_up),
    )


def _as_it_was_pressed(fact: Pressed) -> Turn:
    """The turn without all that was done since the press, by whichever hand."""
    since_ns, turn = fact.at_ns, fact.turn
    placement = list(turn.placement)
    for change in reversed(turn.changes):
        if change.at_ns > since_ns:
            placement[change.square] = change.before
    touches = tuple(touch for touch in turn.touches if touch.lifted_at_ns <= since_ns)
    return replace(turn, placement=tuple(placement), touches=touches)


@law(Pressed)
def illegal_reply(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """The answer to an illegal move is illegal too: each player has a count of its own (7.5.5).
    So is taking the king, which is no claim (1.4.1)."""
    if fact.move is not None or fact.turn.side is fact.side:
        return
    before = scene.file.held(cause_of(fact.ply))
    if before is None or before.against is not fact.turn.side or not counted(before):
        return
    rules = scene.rules
    position = rules.taken_as_played(scene.before(fact.ply), before.placement, fact.side)
    if position is None:
        return
    drawn = list(_still_unlawful(fact, position, scene))
    if drawn:
        yield from drawn
        return
    play = Misplay(
        rules, position, fact.turn.placement, fact.side, scene=scene, ply=fact.ply + 1
    )  # fmt: skip
    reading = king_captured(play) or (read(play) if play.squares else None)
    if reading is None or not reading.article or reading.kind in UNMADE:
        return
    kind = reading.kind or "illegal-first"
    ruling = offence(
        kind, reading, fact.turn, fact.side, scene, pressed_ns=fact.at_ns, ply=fact.ply + 1,
        position=position,
    )  # fmt: skip
    yield Finding(ruling, cause_of(fact.ply + 1))
    if scene.rate.open_window and reading.kind != "king-captured":
        yield Finding(left_alone(before, scene.rate), cause_of(fact.ply), in_place=True)


def _still_unlawful(fact: Pressed, position: Any, scene: Scene) -> Iterator[Opinion]:
    """A.5.4: what the illegal move led to stands after the next move too, so it is a draw."""
    kind = unlawful(scene, position)[0]
    if kind not in A_5_4 or not scene.rate.open_window:
        return
    after = scene.rules.taken_as_played(position, fact.turn.placement, fact.side.other)
    if after is None:
        return
    still, against, facts = unlawful(scene, after)
    if still == kind:
        yield Close(cause_of(fact.ply))
        yield Unlawful(kind)
        yield Finding(unlawful_told(kind, against, facts, scene, drawn=True), UNLAWFUL)


def named(reading: MisplayRow, fact: Pressed, scene: Scene) -> str:
    """The row it goes under; `illegal-first` stands for all that the number alone decides."""
    if _two_faults(reading, fact, scene):
        return "illegal-two-faults-one-move"
    if _gap_before(fact.ply, scene):
        return "illegal-position-before-unknown"
    if reading.kind:
        return reading.kind
    last = scene.file.last_closed(cause_of(fact.ply))
    if last is not None and last.state is RulingState.CONFIRMED and last.against is fact.side:
        return "illegal-again-after-restart"
    return "illegal-first"


def _two_faults(reading: MisplayRow, fact: Pressed, scene: Scene) -> bool:
    """An illegal castling whose pieces changed within one scan: two hands besides."""
    return reading.kind == "castle-illegal-pressed" and two_hands(fact.turn, scene.sensing.scan_ns)


def _gap_before(ply: int, scene: Scene) -> bool:
    """Whether a gap is open and half-moves just before are not certain: the position before is
    not identified."""
    return bool(scene.file.open_of("tech-gap")) and in_doubt(ply, scene)


def offence(
    kind: str,
    reading: MisplayRow,
    turn: Turn,
    side: Colour,
    scene: Scene,
    *,
    pressed_ns: int | None,
    ply: int | None = None,
    position: Any = None,
) -> Ruling:
    """The standard block: restore, obligation, and by the count a penalty or the result."""
    ply = turn.ply if ply is None else ply
    position = scene.before(ply) if position is None else position
    moves, told = _left(reading, turn, position, scene)
    facts = _facts(reading, scene, pressed_ns) | told
    if reading.counts_as:
        facts["stands"] = reading.counts_as
    if reading.either:
        facts["either"] = True
    ruling = draft(
        kind, scene, side, LOG, turn=turn, facts=facts, obligation=moves,
        position=scene.rules.fen(position), ply=ply,
    )  # fmt: skip
    ruling = by_number(ruling, cause_of(ply), scene)
    return replace(ruling, window=windowed(ruling, scene))


def _left(
    reading: MisplayRow, turn: Turn, position: Any, scene: Scene
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The moves that the touched pieces leave for the one that replaces it, and why."""
    if reading.counts_as:
        return (), {}
    rules = scene.rules
    left = obligation(rules, position, turn.touches)
    told: dict[str, Any] = {ANY_MOVE: True} if left.free else {"duty": left.duty}
    moves = tuple(rules.wire(position, move) for move in left.moves)
    begun = reading.facts.get("attempt")
    if reading.either and begun in moves:
        return (begun,), told  # 4.7: released as a part of a legal move, which is left to finish.
    return moves, told


def _facts(reading: MisplayRow, scene: Scene, pressed_ns: int | None) -> dict[str, Any]:
    shown, press = scene.shown, scene.file.last_press
    if press is not None and press.at_ns == pressed_ns:
        shown = press.shown  # It waited for the board, and a clock has run since.
    facts: dict[str, Any] = {
        **reading.facts,
        "article": reading.article,
        "white_clock": shown.white_ms,
        "black_clock": shown.black_ms,
    }
    facts.setdefault("attempt", reading.counts_as)
    facts.setdefault("reason", reason_of(reading))
    if scene.rate.open_window and pressed_ns is not None:
        facts["since_press_ms"] = (scene.at_ns - pressed_ns) // 1_000_000
    return facts


def reason_of(reading: MisplayRow) -> Reason:
    """Why it is not legal, for rows whose kind says it already."""
    if reading.article == "7.5.2":
        return Reason.NOT_PROMOTED
    return Reason.NO_MOVE if reading.article == "7.5.3" else Reason.SEVERAL_CHANGES


def _clock_numbers(reading: MisplayRow, turn: Turn, side: Colour, scene: Scene) -> Ruling:
    """The arithmetic by itself, for the journal: before and after."""
    gains = illegal_gains(scene, side, turn.ply, reading.article)
    shown = {Colour.WHITE: scene.shown.white_ms, Colour.BLACK: scene.shown.black_ms}
    facts: dict[str, Any] = {}
    for colour, before in shown.items():
        after = None if before is None else max(0, before + gains.get(colour, 0))
        facts |= {f"{colour}_before_clock": before, f"{colour}_after_clock": after}
    proposal = Proposal(("add-time",), ordered(gains))
    return draft("illegal-clock-proposal", scene, side, proposal, turn=turn, facts=facts)


def no_offence(
    reading: MisplayRow, play: Misplay, fact: Pressed, scene: Scene
) -> Iterator[Opinion]:
    """Displaced pieces, two moves, a board nothing explains: the arbiter looks (7.4, 6.2.4)."""
    facts = dict(reading.facts)
    restore = fact.turn.fen
    proposal = back_to(restore)
    cause = cause_of(fact.ply)
    moves: Sequence[str] = ()
    if reading.kind == "move-unexplained-press":
        facts["nearest"] = _nearest(play)
    elif reading.kind == "move-twice-before-press":
        moves = (str(facts["first"]),)
        proposal = Proposal(("pause", "restore", "enforce-move", "ask"), restore=restore)
    elif reading.kind in DISPLACED:
        yield Close(displaced_of(fact.ply), (), RulingState.SUPERSEDED)
        proposal = back_to(_correct_position(play, str(facts["attempt"])))
    ruling = draft(
        reading.kind, scene, fact.side, proposal, turn=fact.turn, facts=facts,
        obligation=moves, ply=fact.ply,
    )  # fmt: skip
    yield Finding(if_nothing_was_lost(ruling, fact.witnessed), cause)


def _correct_position(play: Misplay, made: str) -> str:
    """What 7.4.1 has put back: the legal half-move stands, the pieces beside it are where they
    were.

    7.4.1 speaks of displaced pieces, which go back to their squares, in the player's own time; it
    takes back no move. What does (7.5.1, 7.6) asks for an illegal move or a position in which a
    piece stood wrong before play went on, and here a legal one was made (4.7) and the press
    completed it (6.2.1). So nothing but those pieces is put back, and it is the opponent's turn
    once they stand. That the board shows an illegal move with two pieces is the other reading:
    the ruling asks, and 7.5.5 is the arbiter's then.
    """
    rules = play.rules
    return rules.fen(rules.play(play.position, rules.parse(play.position, made)))


def _nearest(play: Misplay) -> list[str]:
    """The legal moves whose squares differ least from what is shown."""

    def distance(move: Any) -> int:
        after = dict(play.rules.footprint(play.position, move))
        wanted = (after.get(s, piece) for s, piece in enumerate(play.before))
        return sum(a != b for a, b in zip(wanted, play.now, strict=True))

    return [play.wire(move) for move in sorted(play.legal, key=distance)[:NEAREST_TOLD]]


@law(Settled, of=Custom.CHESS_PIECES)
def castling_at_rest(fact: Settled, scene: Scene) -> Iterator[Opinion]:
    """Illegal castling, not pressed: another king move, and no word before the press (4.4.3)."""
    turn = fact.turn
    play = Misplay(
        scene.rules, scene.before(turn.ply), turn.placement, turn.side, scene=scene, ply=turn.ply,
        touches=turn.touches,
    )  # fmt: skip
    reading = castling_fault(play)
    if reading is None or reading.kind != "castle-illegal-pressed":
        return
    moves, told = _left(reading, turn, scene.before(turn.ply), scene)
    ruling = draft(
        "castle-illegal-unpressed", scene, turn.side, LOG, turn=turn,
        facts={**reading.facts, **told}, obligation=moves,
    )  # fmt: skip
    yield Remember(CASTLING_TOLD, turn.ply)
    yield Finding(ruling, cause_of(turn.ply))


@law(Confirmed)
def both_have_one(fact: Confirmed, scene: Scene) -> Iterator[Opinion]:
    """Each player has a count of their own (7.5.5)."""
    white, black = (confirmed(scene.file, side) for side in Colour)
    if fact.ruling.kind not in ILLEGAL or not (white and black):
        return
    if fact.ruling.proposal.result is not None:
        return
    facts = {"illegal_white": white, "illegal_black": black}
    ruling = draft("illegal-both-players", scene, None, LOG, facts=facts)
    yield Finding(ruling, "illegal-both-players")
