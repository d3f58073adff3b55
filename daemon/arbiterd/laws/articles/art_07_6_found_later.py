"""Articles 7.5.1, 7.6 and A.5: an irregular half-move that play went on from.

In standard play it is taken back whenever it is found; where A.5 applies it stands once it is
replied to, except for what A.5.4 says of two kings in check and a pawn on its last rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from arbiterd.laws.articles.art_03_10_unlawful import A_5_4, pawns_on_last, unlawful
from arbiterd.laws.articles.art_03_10_unlawful import CAUSE as UNLAWFUL
from arbiterd.laws.articles.art_03_10_unlawful import told as unlawful_told
from arbiterd.laws.articles.art_06_flags import fallen, means_nothing
from arbiterd.laws.articles.art_06_presses import sets_going
from arbiterd.laws.articles.art_07_4_displaced import stood_before
from arbiterd.laws.articles.art_07_5_5_standard_block import by_number
from arbiterd.laws.articles.art_07_5_illegal import ILLEGAL, UNMADE, offence, read, reason_of
from arbiterd.laws.articles.art_08_record import GAP
from arbiterd.laws.case.casefile import Unlawful
from arbiterd.laws.case.misplay import Misplay, MisplayRow
from arbiterd.laws.case.offences import counted, to_put_right
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.catalogue import row
from arbiterd.laws.drafting import (
    ASK,
    LOG,
    back_to,
    badly_heard,
    bound_as,
    cause_of,
    displaced_of,
    draft,
    if_nothing_was_lost,
    left_alone,
    out_of_turn_of,
)
from arbiterd.laws.register import Close, Finding, Looked, Opinion, law
from arbiterd.laws.ruling import Certainty, Proposal, Ruling, RulingState
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour, GameEnd, read_board_field
from arbiterd.timing.facts import FlagFell, Paused, PeriodAdded
from arbiterd.tracking.facts import (
    IrregularEntered,
    KingsInCentre,
    MoveMade,
    MoveReplaced,
    PlyCertainty,
    Pressed,
    Witnessed,
)
from arbiterd.tracking.irregular import BASE_SQUARES_MAX
from eboards.events import Square

PERHAPS_LOST = (*ILLEGAL, "illegal-a5-replied", "move-unexplained-press")
"""Rows of a half-move that the board did not show as a legal one."""


@law(IrregularEntered)
def went_on(fact: IrregularEntered, scene: Scene) -> Iterator[Opinion]:
    """The opponent replied to a half-move that no legal move explains."""
    if fact.sureness is PlyCertainty.LIKELY:
        return  # What is played was lost track of, and a gap says so.
    cause = cause_of(fact.ply)
    before = scene.file.held(cause) or scene.file.last_closed(cause)
    if before is not None and before.state in (RulingState.CONFIRMED, RulingState.DISMISSED):
        return
    twice = scene.file.held(out_of_turn_of(fact.ply))
    if twice is not None:
        told = dict(twice.facts) | {"then": "replied"}
        ruling = replace(twice, facts=tuple(told.items()), cause_to_ns=scene.at_ns)
        yield Finding(ruling, out_of_turn_of(fact.ply), in_place=True)
        return
    rules = scene.rules
    shown = rules.placement(rules.start(fact.fen_after))
    play = Misplay(
        rules, scene.before(fact.ply), shown, fact.side, scene=scene, ply=fact.ply,
        touches=fact.turn.touches,
    )  # fmt: skip
    if len(play.squares) > BASE_SQUARES_MAX:
        return  # No one half-move led there: that was lost track of, and a gap says so.
    reading = read(play) or MisplayRow("", facts={"squares": play.names(play.squares)})
    if not reading.article:
        found = _displaced(fact, reading, play)
    else:
        found = _as_read(reading, fact, before, scene)
    for opinion in found:
        yield _resting_on(before, opinion)


def _as_read(
    reading: MisplayRow, fact: IrregularEntered, before: Ruling | None, scene: Scene
) -> Iterator[Opinion]:
    """`before`: what was told of the half-move at its press."""
    cause = cause_of(fact.ply)
    if not (fact.pressed or _told_at_its_press(before)):
        yield from _unpressed(fact, reading, scene)
    elif scene.rate.open_window:
        yield from _replied_to(fact, reading, scene)
    else:
        ruling = _found_later(fact, reading, scene)
        if before is not None:
            # What was touched is as it was told at the press.
            ruling = bound_as(ruling, before)
            ruling = by_number(ruling, cause, scene)
        yield Finding(if_nothing_was_lost(ruling, fact.witnessed), cause)


def _told_at_its_press(before: Ruling | None) -> bool:
    """The board showed it when its side pressed: a press was for it, whatever tracking makes of a
    piece that shows nowhere since (a pawn that was exchanged for no piece of its side)."""
    return before is not None and counted(before) and before.kind not in UNMADE


def _resting_on(before: Ruling | None, opinion: Opinion) -> Opinion:
    """The evidence begins where that of the press did: the hands were seen then."""
    if before is None or not isinstance(opinion, Finding):
        return opinion
    from_ns = min(before.cause_from_ns, opinion.ruling.cause_from_ns)
    return replace(opinion, ruling=replace(opinion.ruling, cause_from_ns=from_ns))


@law(Witnessed)
def seen_whole(fact: Witnessed, scene: Scene) -> Iterator[Opinion]:
    """A whole picture shows the same: what was told of it is as sure as its row says. Not where
    bytes came damaged then: half-moves in between may have been among them."""
    held = scene.file.held(cause_of(fact.ply))
    if held is None or badly_heard(held, held.cause_to_ns, scene):
        return
    if held.kind in ILLEGAL:
        entry, unmoved = row(held.kind), dict(held.facts).get("attempt") == ""
        # That a press was for no move is seen; what it was meant for is the arbiter's (7.5.3).
        certainty = held.certainty if unmoved else entry.certainty
        sure = replace(held, certainty=certainty, facts_certainty=entry.facts)
        yield Finding(sure, cause_of(fact.ply))


@law(MoveMade, MoveReplaced)
def made_after_all(fact: MoveMade | MoveReplaced, scene: Scene) -> Iterator[Opinion]:
    """The half-move is shown after all: nobody did anything wrong."""
    cause = cause_of(fact.ply)
    held = scene.file.held(cause)
    if held is not None and _explains(fact, held):
        yield Close(cause, (), RulingState.SUPERSEDED)
    if fact.unheard and all(ply.move for ply in scene.record.plies):
        yield Close(GAP)


def _explains(fact: MoveMade | MoveReplaced, held: Ruling) -> bool:
    """Its messages were lost; or its piece stood badly, and shows now what was pressed for."""
    if fact.unheard:
        return held.kind in PERHAPS_LOST
    return held.kind == "move-unexplained-press" and fact.made_at_ns <= held.cause_to_ns


def _replied_to(fact: IrregularEntered, reading: MisplayRow, scene: Scene) -> Iterator[Opinion]:
    """A.5.2: replied to, it stands. Where A.5.4 speaks of what it led to, that is what is said."""
    kind, against, facts = unlawful(scene, scene.rules.start(fact.fen_after))
    if kind in A_5_4:
        yield Unlawful(kind)
        yield Finding(unlawful_told(kind, against, facts, scene, drawn=False), UNLAWFUL)
        return
    ruling = draft(
        "illegal-a5-replied", scene, fact.side, LOG, turn=fact.turn, facts=_plain(reading),
        ply=fact.ply,
    )  # fmt: skip
    yield Finding(ruling, cause_of(fact.ply))


def _plain(reading: MisplayRow) -> dict[str, Any]:
    return {"attempt": reading.counts_as, "reason": reason_of(reading), **reading.facts}


def _displaced(fact: IrregularEntered, reading: MisplayRow, play: Misplay) -> Iterator[Opinion]:
    """7.6: pieces stand where no move put them; back to before, no 7.5.5. Under A.5 it stands. Who
    found them so is not the one who is asked."""
    scene = play.scene
    against = None if stood_before(reading, play, fact.turn) else fact.side
    proposal = back_to(fact.turn.fen)
    facts = {"squares": [], "goes_back": True, **reading.facts}
    yield Close(displaced_of(fact.ply), (), RulingState.SUPERSEDED)
    ruling = draft(
        "displaced-found-later", scene, against, proposal, turn=fact.turn, facts=facts,
        ply=fact.ply,
    )  # fmt: skip
    if scene.rate.open_window:
        ruling = left_alone(ruling, scene.rate)
    ruling = if_nothing_was_lost(ruling, fact.witnessed)
    yield Finding(ruling, cause_of(fact.ply), in_place=scene.rate.open_window)


def _unpressed(fact: IrregularEntered, reading: MisplayRow, scene: Scene) -> Iterator[Opinion]:
    """No press, so not 7.5.1 as such: an irregularity, taken back to before it (7.6)."""
    counted = scene.settings.unpressed_counts
    yield Close(displaced_of(fact.ply), (), RulingState.SUPERSEDED)
    ruling = offence(
        "illegal-unpressed-replied", reading, fact.turn, fact.side, scene, pressed_ns=None,
        ply=fact.ply,
    )  # fmt: skip
    facts = dict(ruling.facts) | {
        "counts": counted, "press_unseen": scene.shown.known, "goes_back": True,
    }  # fmt: skip
    if not counted:
        proposal = back_to(fact.turn.fen)
        ruling = replace(ruling, proposal=proposal, articles=row(ruling.kind).articles)
        for name in ("block", "hangs_on", "result_reason", "result_article"):
            facts.pop(name, None)
    ruling = replace(ruling, facts=tuple(facts.items()))
    if scene.rate.open_window:
        ruling = left_alone(ruling, scene.rate)
    ruling = if_nothing_was_lost(ruling, fact.witnessed)
    yield Finding(ruling, cause_of(fact.ply), in_place=scene.rate.open_window)


def _found_later(fact: IrregularEntered, reading: MisplayRow, scene: Scene) -> Ruling:
    """Back to before it, penalty for it; the reply was made in an unlawful position (7.5.1)."""
    stays = bool(reading.counts_as)
    kind = "promo-pawn-seen-late" if stays and _pawns_there(scene, fact) else "illegal-found-later"
    ruling = offence(
        kind, reading, fact.turn, fact.side, scene, pressed_ns=fact.at_ns, ply=fact.ply
    )
    facts = dict(ruling.facts) | {"found_at": scene.turn.ply}
    if kind == "promo-pawn-seen-late":
        names = scene.rules.geometry.names
        facts |= {"ruled": "unlawful-back", "square": names[_pawns_there(scene, fact)[0]]}
        facts["counts"] = True  # The pawn was left by a press that was seen (7.5.2).
    return replace(ruling, facts=tuple(facts.items()))


def _pawns_there(scene: Scene, fact: IrregularEntered) -> list[Square]:
    """Pawns of that side that stood on their last rank afterwards."""
    if Custom.CHESS_PIECES not in scene.rules.customs:
        return []
    placement = read_board_field(scene.rules.geometry, fact.fen_after.split()[0])
    return pawns_on_last(placement, scene, fact.side)


# While an illegal move is open.


@law(Pressed)
def opponent_pressed(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """7.5.3: the opponent pressed instead of pausing after an illegal move; be lenient. Clocks that
    stood were paused, and whoever sets them going ends that."""
    mine = _open_against(fact.side.other, scene)
    if mine is None or mine.kind == "press-no-move" or fact.at_ns <= mine.cause_to_ns:
        return
    if sets_going(fact.at_ns, scene):
        return
    if fact.ply > mine.ply:
        return  # Answered already: this press is for the answer, whatever that was.
    moved_since = any(change.at_ns > mine.cause_to_ns for change in fact.turn.changes)
    if moved_since or fact.turn.placement != mine.placement:
        return
    facts = {"illegal": mine.kind}
    ruling = draft("illegal-restarted-by-opp", scene, fact.side, ASK, facts=facts)
    # No surer than what it followed.
    ruling = if_nothing_was_lost(ruling, mine.facts_certainty is Certainty.FACT)
    yield Finding(ruling, f"restart:{mine.ply}")


def _open_against(side: Colour, scene: Scene) -> Ruling | None:
    found = [r for r in scene.file.open_of(*ILLEGAL) if r.against is side]
    return found[-1] if found else None


@law(Paused, KingsInCentre)
def ends_on_it(fact: Paused | KingsInCentre, scene: Scene) -> Iterator[Opinion]:
    """An illegal move that looks like mate or stalemate, then the game seems to end (5.1)."""
    illegal = next(iter(to_put_right(scene, ILLEGAL)[-1:]), None)
    if illegal is None or illegal.against is None:
        return
    rules = scene.rules
    after = rules.taken_as_played(
        rules.start(illegal.position), illegal.placement, illegal.against.other
    )
    looks = rules.end(after) if after is not None else None
    if looks is None or looks[0] not in (GameEnd.CHECKMATE, GameEnd.STALEMATE):
        return
    seen = "pause" if isinstance(fact, Paused) else "kings in the centre"
    facts = {**dict(illegal.facts), "illegal": illegal.kind, "looks": looks[0], "seen": seen}
    ruling = draft(
        "illegal-ends-game", scene, illegal.against, Proposal(("pause", "ask")), facts=facts,
        position=illegal.position, ply=illegal.ply, obligation=illegal.obligation,
    )  # fmt: skip
    yield Finding(ruling, f"ends:{illegal.ply}")


@law(FlagFell, PeriodAdded)
def flag_meanwhile(told: FlagFell | PeriodAdded, scene: Scene) -> Iterator[Opinion]:
    """Illegal move and flag: what was observed or claimed first decides (6.8, 7.5.5, A.5.2)."""
    fact, illegal = fallen(told, scene), next(iter(to_put_right(scene, ILLEGAL)[-1:]), None)
    if fact is None or illegal is None or means_nothing(fact, scene):
        return
    facts = {
        "illegal": illegal.kind,
        "flag": fact.side,
        "illegal_ms": illegal.cause_to_ns // 1_000_000,
        "flag_ms": fact.at_ns // 1_000_000,
        "if_illegal": illegal.proposal.result or "time for the opponent",
        "ruled": "flag-if-unclaimed" if scene.rate.open_window else "flag-if-observed",
    }
    ruling = draft(
        "illegal-v-flag", scene, illegal.against, Proposal(("pause", "ask")), facts=facts,
        ply=illegal.ply, position=illegal.position, from_ns=illegal.cause_from_ns,
    )  # fmt: skip
    yield Finding(ruling, "flag")


@law(Looked)
def found_after_the_end(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """Found after the end, the result stands (7.5.1, 8.7)."""
    if scene.result is None:
        return
    for illegal in scene.file.open_of(*ILLEGAL):
        cause = cause_of(illegal.ply)
        yield Close(cause, (), RulingState.SUPERSEDED)
        facts = {**dict(illegal.facts), "illegal": illegal.kind, "stands_result": scene.result}
        ruling = draft(
            "illegal-found-after-end", scene, illegal.against, LOG, facts=facts,
            ply=illegal.ply, position=illegal.position, from_ns=illegal.cause_from_ns,
        )  # fmt: skip
        yield Finding(ruling, cause)
