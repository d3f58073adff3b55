"""What the board shows changed: which lines explain it now, and what is certain by that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.arrays import begin_from, begin_game, see_array, see_first_array, set_up
from arbiterd.tracking.attribution import is_found
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.completing import resolve_presses
from arbiterd.tracking.evidence import handled_well, nobody_taken, pressed_for_another
from arbiterd.tracking.facts import Explained, Fact, GapFilled, How, SquareSeen, Witnessed
from arbiterd.tracking.given_up import given_up, still_held
from arbiterd.tracking.instead import stands_elsewhere
from arbiterd.tracking.irregular import anchor
from arbiterd.tracking.kings import watch_kings
from arbiterd.tracking.leaping import Weighed
from arbiterd.tracking.lines import Line
from arbiterd.tracking.phases import POSITIONS_AT_ONCE, LinesFound, at_once, recounted
from arbiterd.tracking.propose import onward, ranked
from arbiterd.tracking.search import adds_a_piece
from arbiterd.tracking.sensors import HORIZON_PLIES
from arbiterd.tracking.sliding import slides
from arbiterd.tracking.snapshot import Snapshot, something_arrived
from arbiterd.tracking.telling import tell
from eboards.events import EMPTY, Piece, Square


def see(belief: Belief, at_ns: int) -> list[Fact]:
    """The placement changed: which lines explain it now?"""
    if belief.status.ended:
        return _see_start(belief, at_ns)
    if belief.status.left_over:
        return _see_own_start(belief, at_ns)
    watch_kings(belief, at_ns)
    if belief.agrees:
        _see_cleared(belief, at_ns)
        facts = [*_taken_there(belief, at_ns), *_weigh_anew(belief, at_ns)]
        return [*facts, *agreed(belief, at_ns)] if belief.agrees else facts
    if belief.status.left_at_ns is None:
        belief.status.left_at_ns = at_ns
    facts = _explain(belief, at_ns)
    lifted = bool(belief.book.changes) and belief.book.changes[-1].after == EMPTY
    decided = belief.status.decided_ply is not None
    # A hand that only lifts says nothing of what an arbiter has decided.
    if not belief.agrees and belief.image.otherwise and not (decided and lifted):
        facts += _explain_undoubted(belief, at_ns)
    return [*facts, *agreed(belief, at_ns)] if belief.agrees else facts


def _taken_there(belief: Belief, at_ns: int) -> list[Fact]:
    """Pieces look alike, and the last half-move was taken for a capture that brings no piece into
    sight. Now a piece was set down where it has one: this was the capture, or it was only
    touched."""
    change = belief.book.changes[-1]
    if not belief.sensors.pieces_alike or change.at_ns != at_ns or change.after == EMPTY:
        return []
    line, look = belief.live[0], belief.snapshot(at_ns, POSITIONS_AT_ONCE)
    if not _is_guessed(belief, line) or handled_well(look, line):
        return []
    found: list[Weighed] = []
    before: list[Line] = []
    for line in belief.live:
        if line.parent is None or not _is_guessed(belief, line):
            found.append((line.standing, line))
        elif line.parent not in before:
            before.append(line.parent)
            found += onward(look, line.parent, line.standing, silent=True)
    return belief.take(
        at_ns, LinesFound(ranked(way for way in found if way[1].seen.hash == look.hash))
    )


def _weigh_anew(belief: Belief, at_ns: int) -> list[Fact]:
    """The board shows the best explanation again: nothing of that is in the air any more, and in
    others a half-move may have led there just now."""
    if len(belief.live) == 1:
        belief.live[0].cost = belief.live[0].aloft = 0.0
        return []
    held = [(line.standing + belief.aloft(line), line) for line in belief.live]
    rivals = [line for line in belief.live if line.seen.hash != belief.image.hash]
    change, grown = belief.book.changes[-1], list[Weighed]()
    if rivals and change.at_ns == at_ns and change.after != EMPTY:
        look = belief.snapshot(at_ns, POSITIONS_AT_ONCE)
        grown = [way for line in rivals for way in onward(look, line, line.standing)]
        grown = slides(look, rivals, grown) if grown else []
    return belief.take(at_ns, LinesFound(ranked([*held, *grown])))


def _is_guessed(belief: Belief, line: Line) -> bool:
    """What the half-move took is not told by where it set a piece down."""
    return line.has_move and not line.brought() and line not in belief.book.told


def _see_cleared(belief: Belief, at_ns: int) -> None:
    """A square that was not believed reads as the half-move has it: that was made just now."""
    line, change = belief.live[0], belief.book.changes[-1]
    if not line.doubtful or line in belief.book.told or change.at_ns != at_ns:
        return
    if (change.square, belief.sensors.shows[change.after]) in line.written():
        line.made_at_ns = at_ns
        # The square it left shows that now: nothing is taken for other than it shows.
        if change.after == EMPTY and not belief.image.otherwise:
            line.doubtful = False


def agreed(belief: Belief, at_ns: int) -> list[Fact]:
    """The board shows exactly what the best explanation says."""
    if belief.status.left_at_ns is not None:
        belief.status.agreed_at_ns, belief.status.left_at_ns = at_ns, None
    belief.status.orphans, belief.status.astray = 0, False
    if not belief.image.otherwise:
        belief.status.decided_ply = None
    if belief.live[0] is belief.book.last:
        # Put back: what stood there is nothing that play could go on from.
        belief.bases = belief.next_games
    lost, belief.status.lost = belief.status.lost, belief.status.lost and not is_found(belief)
    newest, last = belief.live[0], belief.book.last
    goes_on = newest is last or newest.parent is last
    facts = [] if goes_on else begin_from(belief, at_ns)
    found = lost and not belief.status.lost
    if found and not any(ply.irregular_fen for ply in belief.record.plies):
        facts.append(GapFilled(at_ns))
    facts += see_array(belief, at_ns)
    if belief.status.unexplained:
        belief.status.unexplained = False
        facts.append(Explained(at_ns, belief.turn))
    if not goes_on and not newest.doubtful:
        # One that takes a square for other than it shows may be undone by the next square.
        path, told = belief.path(), belief.book.told[1:]
        if any(not line.witnessed and line not in path for line in told):
            # What was lost is found: nobody is to be accused any longer than that.
            facts += tell(belief, at_ns, path[: len(told)], How.REPLIED)
        elif len(path) > len(told) and path[:-1] != told:
            facts += tell(belief, at_ns, path[:-1], How.REPLIED)
    if belief.presses:
        facts += resolve_presses(belief, at_ns)
    belief.status.loss_ns = belief.status.back_ns = None
    return facts


def _explain(belief: Belief, at_ns: int) -> list[Fact]:
    if _only_lifted(belief, at_ns):
        belief.given_up = still_held(belief.given_up, at_ns, belief.settings.slide_ns)
        return []
    plain = _plainly(belief, at_ns)
    if plain is not None:
        belief.live = [plain]
        return []
    look = belief.snapshot(at_ns, POSITIONS_AT_ONCE)
    bases = [] if belief.clocks_stopped else belief.bases
    starts = [] if belief.clocks_stopped else belief.next_games
    if first := [way for start in starts for way in onward(look, start, 0.0)]:
        # The array stood there: nobody takes a game back to its first half-move over that.
        return belief.take(at_ns, LinesFound(ranked(first)))
    found = at_once(look, belief.live, bases, pressed=len(belief.presses), given_up=belief.given_up)
    found = recounted(look, found)
    if not found.lines and bases:
        found = _on_from_anchors(belief, look)
    before, held = belief.live[0], belief.given_up
    belief.given_up = given_up(look, before, found.lines, held, found.against)
    if not found.lines and stands_elsewhere(look, before):
        return _undone(belief, at_ns)
    return belief.take(at_ns, found)


def _on_from_anchors(belief: Belief, look: Snapshot) -> LinesFound:
    """The game is lost from sight: half-moves on from where it was taken as it stood, since when
    nothing was lost. A piece that was in the hand then has come: it is taken as it stands now."""
    anchors = belief.anchors
    if not anchors:
        return LinesFound([])
    since = replace(look, loss_ns=None)
    found = at_once(since, anchors, [], pressed=len(belief.presses)).beyond(anchors)
    if not found.lines and adds_a_piece(look, anchors[0].seen):
        anchor(belief)
    return found


def _undone(belief: Belief, at_ns: int) -> list[Fact]:
    """The newest half-move was none, by what the board shows: what was there before it stands."""
    undone = belief.live[0]
    assert undone.parent is not None, "it has a move"
    facts = belief.take(at_ns, LinesFound(ranked([(undone.standing, undone.parent)])))
    return facts + (
        tell(belief, at_ns, belief.path(), How.SETTLED) if undone in belief.book.told else []
    )


def _only_lifted(belief: Belief, at_ns: int) -> bool:
    """Pieces were lifted, and all that differs is in the air: the lines held go on to explain what
    is shown. Each half-move sets a piece down, so none leads here, and none that is undone led here
    either; but one piece that is gone where pieces look alike may have taken another."""
    sensors, changes, shown = belief.sensors, belief.book.changes, belief.image.shown
    if not changes or changes[-1].after != EMPTY:
        return False
    if belief.bases or belief.hides or sensors.narrowing is None:
        return False
    if belief.given_up and sensors.tells_pieces:
        return False  # What a piece has come back to may have been taken there, and retaken.
    if something_arrived(sensors, changes, at_ns, shown, belief.live[0]):
        return False
    if belief.live[0].seen.placement[changes[-1].square] == EMPTY:
        return False  # What stood where no line has it is out of the way.
    for line in belief.live:
        lifted = _lifted(belief, line)
        if not lifted or (
            len(lifted) == 1 and not sensors.sets_down and _may_have_taken(belief, line)
        ):
            return False
    return True


def _lifted(belief: Belief, line: Line) -> list[Square]:
    """Where the board shows nobody and the line has pieces, if it shows the line otherwise."""
    if line.ply - line.irregular_ply <= HORIZON_PLIES:
        return []  # An irregular half-move may have brought a piece, or taken one off.
    pieces, shown, of = line.seen.placement, belief.image.shown, belief.sensors.hashing.of
    changed = belief.book.squares_since(line.made_at_ns)
    lifted = [square for square in changed if shown[square] == EMPTY != pieces[square]]
    # The hash tells that nothing else differs, without a look at all squares.
    number = line.seen.hash
    for square in lifted:
        number ^= of[square][pieces[square]]
    return lifted if number == belief.image.hash else []


def _may_have_taken(belief: Belief, line: Line) -> bool:
    """Of a piece that is gone where pieces look alike: it took another, or the one that came last
    did."""
    changes, shown = belief.book.changes, belief.image.shown
    if not nobody_taken(belief.sensors, changes, line):
        return True
    in_place = all(shown[square] == piece for square, piece in line.written())
    return not in_place and not (line.parent and nobody_taken(belief.sensors, changes, line.parent))


def _plainly(belief: Belief, at_ns: int) -> Line | None:
    """The ordinary half-move: a piece was set down, one explanation is held, and one legal move on
    from it shows exactly this. All that `at_once` would look for besides is ruled out."""
    line, changes = belief.live[0], belief.book.changes
    if len(belief.live) > 1 or belief.given_up or belief.hides or not belief.sensors.narrowing:
        return None
    if belief.status.loss_ns is not None:
        return None  # What is found now may have come before what nobody saw.
    if not changes or changes[-1].after == EMPTY:
        newest = changes[-belief.rules.squares_per_ply :]
        if not any(change.at_ns == at_ns and change.after != EMPTY for change in newest):
            return None
    changed, shown = belief.book.squares_since(line.made_at_ns), tuple(belief.image.shown)
    moves = line.seen.moves_to(belief.image.hash, shown, changed)
    if len(moves) != 1 or not (belief.sensors.sets_down or line.seen.brings_a_piece(moves[0])):
        return None
    first = line.parent
    if first is not None and first.parent is not None and not _was_pressed(line, first):
        left = {square for square, piece in line.seen.written(moves[0]) if piece == EMPTY}
        if not left.isdisjoint(first.brought()):
            return None  # The piece may have slid on.
    after = belief.sensors.shown_after(line.seen, moves[0], shown, belief.image.hash)
    return Line(after, line, moves[0], at_ns, ply=line.ply + 1)


def _was_pressed(*lines: Line) -> bool:
    """One of these half-moves was, and no other can be meant."""
    return any(line.pressed and not pressed_for_another(line) for line in lines)


def _explain_undoubted(belief: Belief, at_ns: int) -> list[Fact]:
    """What was doubted may not have been wrong, and play may have gone on from what an arbiter has
    decided otherwise: perhaps the board as it shows is explained."""
    doubts = belief.image.believe_all()
    changes = belief.book.changes
    if belief.status.decided_ply is not None and _plays_on(belief):
        belief.book.changes = [*_stood(belief, doubts), *changes]
    facts = _explain(belief, at_ns)
    if not belief.agrees:
        belief.book.changes = changes
        for square, piece in doubts:
            belief.image.take_for(square, piece)
    return facts


def _plays_on(belief: Belief) -> bool:
    """A piece was set down where it is not by the decision: nobody is putting pieces back."""
    changes, decided = belief.book.changes, belief.book.last.seen.placement
    change = changes[-1] if changes else None
    if change is None or change.after == EMPTY:
        return False
    return belief.image.shown[change.square] != decided[change.square]


def _stood(belief: Belief, doubts: Sequence[tuple[Square, Piece]]) -> Iterator[SquareSeen]:
    """What stands otherwise than it was decided did so before anything was touched."""
    before_ns = belief.book.changes[0].at_ns - 1
    for square, decided in doubts:
        yield SquareSeen(before_ns, square, decided, belief.image.raw[square], pictured=False)


def _see_start(belief: Belief, at_ns: int) -> list[Fact]:
    """After the end: the next game's start array, or its first move from it."""
    position = belief.sensors.start_shown(belief.placement)
    if position is not None:
        return begin_game(belief, at_ns, position)
    start = belief.sensors.seen(belief.rules.start())
    if not start.moves_to(belief.image.hash, tuple(belief.image.shown)):
        return []
    return [*begin_game(belief, at_ns, start.position), *see(belief, at_ns)]


def _see_own_start(belief: Belief, at_ns: int) -> list[Fact]:
    """The game before stands there: its pieces are set up for this one, or it has begun so."""
    start = belief.live[0].seen
    if start.moves_to(belief.image.hash, tuple(belief.image.shown)):
        set_up(belief, at_ns)
        return see(belief, at_ns)
    if belief.agrees or belief.sensors.start_shown(belief.placement) is not None:
        set_up(belief, at_ns)
        return see_first_array(belief, at_ns)
    return []


def witness(belief: Belief, at_ns: int) -> list[Fact]:
    """The whole board was shown: which irregular half-moves does it confirm?"""
    facts: list[Fact] = []
    shown = [base for base in belief.bases if base.seen.hash == belief.image.hash]
    held = list(belief.live[0].back()) if belief.agrees else []
    for line in (*shown, *held):
        if line.irregular and not line.witnessed:
            line.witnessed = True
            belief.book.vouch(line)
            facts.append(Witnessed(at_ns, line.ply))
    return facts


def see_beside(belief: Belief, at_ns: int, side: Colour, pieces: tuple[Piece, ...]) -> list[Fact]:
    """This side's stand shows these pieces: what was told may be known better now."""
    belief.status.at_ns = at_ns
    belief.status.beside = {**belief.status.beside, side: pieces}
    if belief.status.ended or not belief.agrees:
        return []
    held = belief.unrefuted(belief.live)
    if len(held) == len(belief.live):
        return []
    # A stand takes no half-move back: pieces that are lifted or held are the board's to tell.
    best = next((line for line in held if line.ply >= belief.book.last.ply), None)
    if best is None:
        return []
    belief.live = [best, *(line for line in held if line is not best)]
    told = [line for line in best.path() if line.ply <= belief.book.last.ply]
    return tell(belief, at_ns, told, How.SETTLED)
