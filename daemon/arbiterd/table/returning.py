"""A table whose board was away: what its pieces, then its memory, say when it is back
(`absence`)."""

from __future__ import annotations

from msgspec.structs import replace

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.table.absence import (
    MEMORY_NS,
    Absence,
    Memory,
    Recovered,
    continuations,
    unaided,
)
from arbiterd.table.effects import (
    Effects,
    Hear,
    HearDevice,
    HearGap,
    Occasion,
    On,
    See,
    Send,
    SetAbsence,
    ShowBoard,
    StopWatching,
    TellMove,
    Track,
    track,
)
from arbiterd.table.record_told import recovered
from arbiterd.table.state import TableState
from arbiterd.timing.facts import ClockShown, Press
from arbiterd.tracking.facts import GapFilled
from arbiterd.tracking.tracker import Tracker
from eboards.codec import AskLog
from eboards.events import LinkDown, LinkUp, Remembered, Scan, Side, SquareChange

PLAYED_ON = 8
"""A board that takes the place of another shows so many other squares at most: two half-moves, and
pieces in hands."""


def went(view: TableState, at_ns: int) -> Effects:
    """The board was heard for the last time: this is what its memory is joined to."""
    gone, board, raw = view.books.absence, view.board, view.board.raw
    if gone is not None:
        # Lost again before its memory came: what was known before is known still.
        return (SetAbsence(replace(gone, until_ns=None, stranger=False)),)
    begun = view.in_play or (view.books.status == "waiting" and _at_start_array(view))
    if not begun or raw is None:
        return ()
    shown = view.clock.shown(at_ns)
    stood = None if shown.running is None else shown.running.other
    stood_ms = shown.white_ms if stood is Colour.WHITE else shown.black_ms
    absence = Absence(
        raw=raw,
        tracker=view.tracker.checkpoint(),
        plies=len(view.tracker.record.plies),
        serial=board.serial,
        stopped=None if stood is None else board.side(stood),
        stopped_ms=None if stood is None else stood_ms,
    )
    return (SetAbsence(absence),)


def unheard(view: TableState, at_ns: int) -> Effects:
    """Nobody hears the board from here on: what waits for something from it waits until it is back,
    its memory too, however long that takes."""
    return (*went(view, at_ns), StopWatching(at_ns))


def seen_again(view: TableState, event: Scan | SquareChange) -> Effects:
    """What a board shows counts; but if it was away and shows something else now, its memory says
    first what happened."""
    gone = view.books.absence
    if gone is None:
        return (ShowBoard(event),)
    if view.another_board and view.in_play:
        return _another_seen(view, event, gone)
    if gone.stranger:
        # It called itself something else by mistake, or the game is over.
        return _heard_again(view, event.at_ns, replace(gone, stranger=False))
    if view.another_board:
        return SetAbsence(None), ShowBoard(event)
    turned = isinstance(event, Scan) and view.turned_in_play is not None
    if not view.sensing.remembers or view.board.raw == gone.raw or turned:
        return SetAbsence(None), ShowBoard(event)
    if gone.until_ns is not None:
        return (SetAbsence(gone.saw(event)),)
    if not isinstance(event, Scan):
        return ()
    until_ns = event.at_ns + MEMORY_NS
    back = replace(gone, until_ns=until_ns, back=event.placement, since=())
    return SetAbsence(back), Send(AskLog())


def _another_seen(view: TableState, event: Scan | SquareChange, gone: Absence) -> Effects:
    """Another board takes the place of the one that is lost once it shows this game, or was played
    on a little when it came. Otherwise two cables were swapped, and nothing of it counts here."""
    shown, at_ns = view.board.placement(view.rules), event.at_ns
    if shown is None:
        return ()
    squares = differing(view.rules.placement(view.tracker.position), shown)
    if not squares or view.turned_in_play is not None:
        return _heard_again(view, at_ns, None)
    if gone.stranger or not isinstance(event, Scan):
        return ()
    if len(squares) <= PLAYED_ON:
        return _heard_again(view, at_ns, None)
    names = f"{view.board.serial or view.board.driver} and not {gone.serial}"
    why = f"another board answers here, {names}, and shows another game: cables may be swapped"
    return SetAbsence(replace(gone, stranger=True)), HearDevice(LinkDown(at_ns, why))


def _heard_again(view: TableState, at_ns: int, gone: Absence | None) -> Effects:
    """What the board shows counts from here on."""
    board = view.board
    assert board.raw is not None, "it has shown itself"
    up = LinkUp(at_ns, board.driver, board.port, view.sensing)
    heard = (HearDevice(up),) if view.books.absence and view.books.absence.stranger else ()
    return (*heard, SetAbsence(gone), See(Scan(at_ns, tuple(board.raw))))


def corrected(view: TableState) -> Effects:
    """The arbiter said what is on the board: another one may show that."""
    if view.board.raw is None or not view.another_board:
        return ()
    return (See(Scan(view.at_ns, tuple(view.board.raw))),)


def heard_meanwhile(view: TableState, press: Press) -> Effects:
    """A press while the memory is waited for."""
    gone, shown = view.books.absence, press.shown
    if gone is None or gone.until_ns is None:
        return ()
    stopped_ms = shown.white_ms if press.side is Colour.WHITE else shown.black_ms
    return (SetAbsence(gone.heard(view.board.side(press.side), stopped_ms)),)


def waited(view: TableState, at_ns: int) -> Effects:
    """No memory came in its time: what was seen meanwhile counts, or what the board shows."""
    gone = view.books.absence
    assert gone is not None, "it was waited for"
    return (*_unaided(view, at_ns, gone), *_look_now(view, at_ns))


def _unaided(view: TableState, at_ns: int, gone: Absence) -> Effects:
    found = unaided(_memory(view), gone, at_ns) if gone.back else None
    return () if found is None else _recorded(view, at_ns, gone, found)


def _look_now(view: TableState, at_ns: int) -> Effects:
    """What the board shows counts, with or without its memory."""
    raw = view.board.raw
    if raw is None:
        return (SetAbsence(None),)
    return SetAbsence(None), ShowBoard(Scan(at_ns, tuple(raw)))


def remembered(view: TableState, event: Remembered) -> Effects:
    """The board's memory came: what it alone explains is put on the record."""
    gone, raw = view.books.absence, view.board.raw
    if gone is None or view.another_board:
        return ()
    now = None if raw is None else tuple(raw)
    found = continuations(_memory(view), event.lines, gone, now, event.at_ns)
    if not found and now is None:
        # A part of it came by itself; the whole is asked for once the board shows its pieces.
        return ()
    look = _look_now(view, event.at_ns)
    if len(found) == 1:
        return (*_recorded(view, event.at_ns, gone, found[0]), *look)
    if not found:
        return (*_unaided(view, event.at_ns, gone), *look)
    return (*look, HearGap(event.at_ns, tuple(way.moves for way in found)))


def _memory(view: TableState) -> Memory:
    white_left = view.board.colour(Side.LEFT) is Colour.WHITE
    record = view.tracker.record
    return Memory(view.rules, view.setup.tracking, view.board.degrees, white_left, record)


def _recorded(view: TableState, at_ns: int, gone: Absence, found: Recovered) -> Effects:
    """The record follows the memory; what was inferred rightly is told again, as recovered."""
    line = (*view.line[: gone.plies], *found.moves)
    memory = dict(enumerate((found.before, *found.shown), gone.plies))
    if not _lacks_press(view, gone.plies, found.before):
        del memory[gone.plies]
    occasion = Occasion(memory=memory)
    effects: list[TellMove | Track] = []
    for ply in memory:
        if view.line[:ply] != line[:ply] or ply > len(view.line):
            break
        if _lacks_press(view, ply, memory[ply]):
            side = view.tracker.record.plies[ply - 1].side
            effects.append(track(Tracker.pressed, at_ns, side, 0))
        else:
            effects.append(TellMove(at_ns, recovered(view, at_ns, ply, occasion)))
    if line != view.line:
        effects.append(track(Tracker.set_line, at_ns, line))
    return On(occasion, tuple(effects)), Hear(GapFilled(at_ns))


def _lacks_press(view: TableState, ply: int, shown: ClockShown | None) -> bool:
    """The newest half-move was made while the board was heard, and the memory alone has its press,
    after which the clock showed this."""
    if shown is None or not ply or ply != len(view.line):
        return False
    entry = view.tracker.record.plies[ply - 1]
    return entry.completed_at_ns is None and shown.running is entry.side.other


def _at_start_array(view: TableState) -> bool:
    """The pieces are up, and nobody has moved."""
    return view.board.placement(view.rules) == view.rules.placement(view.tracker.position)
