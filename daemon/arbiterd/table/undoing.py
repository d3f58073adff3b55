"""An act of the last minute is undone: the fold is done again without it, and readers are told.

What had been told stays told: what is different now comes as new events with the next numbers. An
act of which something has left the house is never undone.
"""

from __future__ import annotations

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.case.casefile import CaseFile, Closed, OpenRuling
from arbiterd.laws.ruling import Ruling
from arbiterd.table.announcer import Numbering
from arbiterd.table.effects import (
    CatchUp,
    Effect,
    Effects,
    GiveAnswer,
    Occasion,
    TakeBack,
    TellMove,
    TellResult,
    TellRuling,
    TurnTo,
    TurnToGame,
)
from arbiterd.table.recent import Deed, TableBefore
from arbiterd.table.record_told import withdrawn
from arbiterd.table.renumbering import merged
from arbiterd.table.state import TableState


def refusal(act: Act, deed: Deed | None) -> str:
    """Why it cannot be undone; empty: it can, unless that would take back what is public."""
    if deed is None:
        return f"no act of the last minute that was done has the id {act.of!r}"
    return f"it cannot be undone: {deed.left}" if deed.left else ""


def undone(
    view: TableState,
    deed: Deed,
    stood: TableBefore,
    before: CaseFile,
    other: TableState,
) -> Effects:
    """The table turns to what it would be. `before`: the rulings as it stood then."""
    public = _made_public(view, other)
    if public:
        words = f"it cannot be undone: {public}; give another result"
        return (GiveAnswer(Answer(False, words)),)
    numbering, theirs = view.announcer.numbering, other.announcer.numbering
    heard = _rulings(before) | numbering.rulings
    file, news = merged(view.docket.file, other.docket.file, stood.next_ruling, heard)
    return (
        TakeBack(deed),
        *(() if theirs.began_ns == numbering.began_ns else _left_game(view, theirs.began_ns)),
        TurnTo(other, file),
        CatchUp(theirs, news),
        GiveAnswer(Answer(ok=True)),
    )


def caught_up(
    view: TableState, theirs: Numbering, rulings: tuple[Ruling, ...], occasion: Occasion
) -> Effects:
    """Where readers hold something else than these: half-moves, rulings, the result."""
    return (
        *_moves(view, theirs, occasion),
        *map(TellRuling, rulings),
        *_result(view, theirs),
    )


def _made_public(view: TableState, other: TableState) -> str:
    """The result that cannot be taken back; empty: none."""
    told, delay = view.announcer.numbering.result, view.setup.public_delay
    same_game = other.announcer.numbering.began_ns == view.announcer.numbering.began_ns
    if told is None or delay is None or (same_game and told.result == other.books.result):
        return ""
    return (
        f"the result {told.result} has been made public"
        if delay.due_ns(told.at_ns) <= view.at_ns
        else ""
    )


def _rulings(file: CaseFile) -> dict[int, Ruling]:
    every: list[OpenRuling | Closed] = [*file.closed, *file.open]
    return {one.ruling.number: one.ruling for one in every}


def _left_game(view: TableState, began_ns: int) -> Effects:
    """The game that would not have begun is taken off the record."""
    numbering, act = view.announcer.numbering, Occasion(by_arbiter=True)
    effects: list[Effect] = []
    for ply in sorted(numbering.moves, reverse=True):
        effects += _withdrawn(view, ply, act)
    if numbering.result is not None:
        effects.append(_no_result(view))
    return (*effects, TurnToGame(began_ns))


def _withdrawn(view: TableState, ply: int, occasion: Occasion) -> Effects:
    told = withdrawn(view, view.at_ns, ply, occasion)
    return () if told is None else (TellMove(view.at_ns, told),)


def _moves(view: TableState, theirs: Numbering, occasion: Occasion) -> Effects:
    """What readers would hold, where they hold something else; the last withdrawn first."""
    mine = view.announcer.numbering.moves
    effects: list[Effect] = []
    for ply in sorted(mine, reverse=True):
        if ply not in theirs.moves:
            effects += _withdrawn(view, ply, occasion)
    for ply in sorted(theirs.moves):
        held = mine.get(ply)
        if held is None or held.told != theirs.moves[ply].told:
            effects.append(TellMove(view.at_ns, theirs.moves[ply].told))
    return tuple(effects)


def _result(view: TableState, theirs: Numbering) -> Effects:
    told, would = view.announcer.numbering.result, theirs.result
    if (told and told.result) == (would and would.result):
        return ()
    if would is None:
        return (_no_result(view),)
    result, reason, article = would.result, would.reason, would.article
    return (TellResult(view.at_ns, result, reason, article, would.certainty),)


def _no_result(view: TableState) -> TellResult:
    return TellResult(view.at_ns, None, "undone", "8.7", "human")
