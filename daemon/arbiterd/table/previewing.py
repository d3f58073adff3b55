"""What an act would change, told from the table as it is and as it would be."""

from __future__ import annotations

from arbiterd.laws.case.casefile import ArbiterOrder
from arbiterd.laws.languages import LANGUAGES
from arbiterd.laws.ruling import Ruling
from arbiterd.laws.texts import say
from arbiterd.messages import payloads
from arbiterd.table.announcer import clock_of
from arbiterd.table.record_told import entry_told
from arbiterd.table.state import TableState
from arbiterd.timing.facts import ClockShown
from arbiterd.tracking.record import Entry


def difference(now: TableState, then: TableState) -> payloads.Preview:
    """`then` is a copy of `now` after the act."""
    old, new = now.line, then.line
    another = now.announcer.game != then.announcer.game
    same = len(old) if another else _same(now, then)
    order = _order(now, then)
    before, after = clock_of(now.shown()), clock_of(_after(order, then))
    return payloads.Preview(
        withdrawn=[_entry(now, ply) for ply in range(same + 1, len(old) + 1)],
        entered=[_entry(then, n + 1) for n in range(0 if another else same, len(new))],
        times=payloads.PreviewTimes(before=before, after=after),
        restore=None if order is None else order.fen,
        rulings_closed=_closed(now, then),
        rulings_opened=[_brief(then, ruling) for ruling in _fresh(now, then)],
        game=then.announcer.game,
        result=then.books.result,  # type: ignore[arg-type]
        status=then.books.status,
    )


def _same(now: TableState, then: TableState) -> int:
    """So many entries are the same in both, in the same positions."""
    if now.tracker.record.start != then.tracker.record.start:
        return 0
    pairs: list[tuple[Entry, Entry]] = list(zip(now.line, then.line, strict=False))
    return next((n for n, (a, b) in enumerate(pairs) if a != b), len(pairs))


def _entry(view: TableState, ply: int) -> payloads.PreviewMove:
    told = entry_told(view, view.at_ns, ply)
    return payloads.PreviewMove(
        ply=ply, number=_number(told.fen, told.colour, ply), color=told.colour,
        san=told.san, uci=told.uci,
    )  # fmt: skip


def _number(fen: str, colour: str, ply: int) -> int:
    """The move's number where a FEN counts moves, else the half-move's."""
    fields = fen.split()
    if len(fields) == 6 and fields[5].isdigit():
        return int(fields[5]) - (colour == "black")
    return ply


def _order(now: TableState, then: TableState) -> ArbiterOrder | None:
    """What the act orders, if it orders anything."""
    order = then.docket.file.order
    return None if order == now.docket.file.order else order


def _after(order: ArbiterOrder | None, then: TableState) -> ClockShown:
    """What the clock is to show: as it was ordered, else as it stands."""
    return then.shown() if order is None else _ordered(order, then.shown())


def _ordered(order: ArbiterOrder, shown: ClockShown) -> ClockShown:
    return ClockShown(
        shown.at_ns, order.white_ms, order.black_ms, shown.running, shown.flag,
        shown.both_flags, shown.known,
    )  # fmt: skip


def _closed(now: TableState, then: TableState) -> list[payloads.PreviewRuling]:
    open_then = {ruling.number for ruling in then.docket.open}
    became = {closed.ruling.number: closed.ruling for closed in then.docket.file.closed}
    gone = [ruling for ruling in now.docket.open if ruling.number not in open_then]
    return [_brief(now, became.get(ruling.number, ruling)) for ruling in gone]


def _fresh(now: TableState, then: TableState) -> list[Ruling]:
    known = {ruling.number for ruling in now.docket.open}
    return [ruling for ruling in then.docket.open if ruling.number not in known]


def _brief(view: TableState, ruling: Ruling) -> payloads.PreviewRuling:
    return payloads.PreviewRuling(
        id=None if ruling.state.value == "open" else view.announcer.ruling_id(ruling),
        kind=ruling.kind,
        state=ruling.state.value,
        line={language: say(ruling, language, view.rules).line for language in LANGUAGES},
    )
