"""Article 5 and 9.6: mate, stalemate, dead positions, fivefold, 75 moves, and playing on.

A mate or stalemate that was made obeying Articles 3 and 4 ends the game at once: it is told as a
result without waiting for anyone. Every other end is proposed.
"""

from __future__ import annotations

from collections.abc import Iterator

from arbiterd.laws.articles.art_09_1_agreed import agreed_too_early
from arbiterd.laws.case.casefile import EndNoted, EndSeen, OpenRuling
from arbiterd.laws.case.hands import swept_off
from arbiterd.laws.case.offences import counted
from arbiterd.laws.case.on_board import (
    BoardEnd,
    board_end,
    ends_either_way,
    has_gap,
    put_back_after_press,
)
from arbiterd.laws.case.penalty import DRAW, WINNERS, loser_of, sides_of
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.winnable import Winnable, chance, winnable
from arbiterd.laws.catalogue import row
from arbiterd.laws.catalogue.row import Group
from arbiterd.laws.decisions import ResultChanged
from arbiterd.laws.drafting import ASK, back_to, displaced_of, draft, stamp
from arbiterd.laws.register import (
    Close,
    Dismissed,
    Finding,
    Looked,
    Opinion,
    Remember,
    Watch,
    Woken,
    law,
)
from arbiterd.laws.ruling import Certainty, JsonValue, Proposal, Ruling, RulingState
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour, GameEnd, board_field
from arbiterd.timing.facts import Press
from arbiterd.tracking.facts import (
    BoardReset,
    KingsInCentre,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
    PlyCertainty,
    TookBack,
)

END = "end"
"""The cause of every ruling about how the game ended."""

MOOT = ("flag", "pause", "clock", "burst", "counter", "period", "offer", "reset", "result-missing")
"""What the causes begin with that a result settles."""

AT_ONCE = (GameEnd.CHECKMATE, GameEnd.STALEMATE)
"""Ends that stand without anyone's word (5.1.1, 5.2.1)."""

REPEATED = (GameEnd.FIVEFOLD, GameEnd.REPETITION, GameEnd.PERPETUAL_CHECK)
"""Ends told with the half-moves after which the position stood."""

KINGS_AFTER_END = "kings-after-end"
KINGS_WAIT_NS = 5_000_000_000
"""Kings in the centre after an end are a signal once they have stood so long."""


@law(MoveMade, MoveReplaced)
def ended_by_a_move(fact: MoveMade | MoveReplaced, scene: Scene) -> Iterator[Opinion]:
    """5.1.1, 5.2.1, 5.2.2, 9.6: the end counts from the move that was made, pressed or not."""
    last = fact.ply == len(scene.record.plies)
    if isinstance(fact, MoveReplaced) and (last or not _ends_still(scene)):
        yield from _withdrawn(fact.ply, scene)
    if not last or scene.result is not None:
        return
    if _ended_before(scene, fact.ply):
        yield from _played_on(fact.at_ns, scene)
        return
    end = board_end(scene.rules, tuple(scene.record.positions(scene.rules)))
    flag = next((held for held in scene.file.open if held.cause.startswith("flag")), None)
    if end is None or (flag is not None and _lost_by_time(flag.ruling, scene)):
        return
    yield EndSeen(EndNoted(fact.ply, end.kind, end.result, end.reason))
    yield Close("pause", state=RulingState.SUPERSEDED)
    if flag is not None and stamp(fact.made_at_ns) >= _shown_at(flag.ruling):
        yield from _after_a_flag(fact, end, flag, scene)
        return
    if flag is not None:
        yield Close(flag.cause, state=RulingState.SUPERSEDED)
    doubts = _doubts(fact.ply, scene)
    sure = fact.sureness is PlyCertainty.CERTAIN and ends_either_way(end, scene)
    yield Finding(_told(end, fact, scene, doubts, sure=sure), END)
    if end.end in AT_ONCE and not doubts and sure:
        yield ResultChanged(end.result, end.reason, end.article, Certainty.FACT)


def _told(
    end: BoardEnd,
    fact: MoveMade | MoveReplaced,
    scene: Scene,
    doubts: list[JsonValue],
    *,
    sure: bool,
) -> Ruling:
    counted = end.end in (GameEnd.FIVEFOLD, GameEnd.SEVENTY_FIVE)
    doubtful = not sure or (counted and has_gap(scene))
    facts: dict[str, JsonValue] = {
        "result_reason": end.reason,
        "result_article": end.article,
        **sides_of(end.result),
        "made_at": stamp(fact.made_at_ns),
    }
    if doubts:
        facts["pending"] = doubts
    if end.end in REPEATED:
        facts["plies"] = list(occurrences(scene))
    if end.end is GameEnd.SEVENTY_FIVE:
        facts["quiet_plies"] = scene.rules.quiet_plies(scene.position)
    if end.end is GameEnd.DEAD:
        found = [chance(scene.rules, scene.position, side) for side in Colour]
        facts["proof"] = " ".join(dict.fromkeys(one.proof for one in found if one.proof))
        facts["proof_kind"] = found[0].kind
    return draft(
        end.kind,
        scene,
        loser_of(end.result),
        Proposal(("declare-result",), result=end.result),
        facts=facts,
        certainty=Certainty.PROBABLE if doubtful or doubts else None,
        position=scene.rules.fen(scene.position),
        ply=fact.ply,
        from_ns=fact.made_at_ns,
    )


def occurrences(scene: Scene) -> Iterator[int]:
    """The half-moves after which the present position stood on the board; 0 is the start."""
    positions = scene.record.positions(scene.rules)
    key = scene.rules.key(positions[-1])
    return (ply for ply, position in enumerate(positions) if scene.rules.key(position) == key)


def _doubts(ply: int, scene: Scene) -> list[JsonValue]:
    """Open rulings that say the move, or one before it, did not obey Articles 3 and 4."""
    return [
        held.ruling.kind
        for held in scene.file.open
        if (counted(held.ruling) and held.ruling.ply <= ply)
        or (held.ruling.ply == ply and row(held.ruling.kind).section in (2, 4, 5, 6))
    ]


def _shown_at(flag: Ruling) -> str:
    """When the clock showed the flag that this ruling is about; empty where it does not say."""
    told = dict(flag.facts)
    flag_ms = told.get("flag_ms")
    return stamp(flag_ms * 1_000_000) if isinstance(flag_ms, int) else str(told.get("flag_at", ""))


def _lost_by_time(flag: Ruling, scene: Scene) -> bool:
    """Where fouls lose, overstepping is one of them, and nothing made later undoes it; a move that
    was released in time leaves its ruling without a result."""
    return Custom.FOULS_LOSE in scene.rules.customs and flag.proposal.result is not None


def _after_a_flag(
    fact: MoveMade | MoveReplaced, end: BoardEnd, held: OpenRuling, scene: Scene
) -> Iterator[Opinion]:
    """6.8: a flag has fallen when it is noticed; what ended the game before that stands."""
    flag, called = held.ruling, scene.file.flag_called_ns
    if called is not None and called <= fact.made_at_ns:
        return
    mated = row(end.kind).group is Group.MATE
    kind = "flag-then-mate" if mated else "flag-then-stalemate-or-dead"
    facts: dict[str, JsonValue] = {
        **{name: value for name, value in flag.facts if name == "flag_late_ms"},
        "flag_at": _shown_at(flag),
        "made_at": stamp(fact.made_at_ns),
        "end": end.kind,
        "result_reason": end.reason,
        "result_article": end.article,
        "flag_result": flag.proposal.result,
        **sides_of(end.result),
    }
    yield Finding(
        draft(
            kind,
            scene,
            flag.against,
            Proposal(("ask", "declare-result"), result=end.result),
            facts=facts,
            position=scene.rules.fen(scene.position),
            ply=fact.ply,
            from_ns=flag.cause_from_ns,
        ),
        held.cause,
    )


# Playing on.


def _ends_still(scene: Scene) -> bool:
    """Whether the end that was told stands on the record as it is now. Play that went on can tell
    that the move was another: a promoted piece whose kind no sensor knows gave no mate."""
    end = scene.file.end
    if end is None:
        return True
    found = board_end(scene.rules, tuple(scene.record.positions(scene.rules)[: end.ply + 1]))
    return found is not None and found.kind == end.kind and found.result == end.result


def _ended_before(scene: Scene, ply: int) -> bool:
    """An end on the board before this half-move that no arbiter has dismissed."""
    end = scene.file.end
    if end is None or end.ply >= ply:
        return False
    last = scene.file.last_closed(END)
    return last is None or last.state is not RulingState.DISMISSED


def _played_on(at_ns: int, scene: Scene) -> Iterator[Opinion]:
    end = scene.file.end
    assert end is not None, "play goes on after an end"
    ply, kind = end.ply, end.kind
    article = row(kind).articles[0]
    yield Finding(
        draft(
            "end-played-on",
            scene,
            loser_of(end.result),
            Proposal(("pause", "declare-result"), result=end.result),
            facts={
                "end": kind,
                "end_ply": ply,
                "result_reason": end.reason,
                "result_article": article,
            },
            certainty=Certainty.PROBABLE if has_gap(scene) or _doubts(ply, scene) else None,
            articles=(article,),
            position=scene.rules.fen(scene.before(ply + 1)),
            ply=ply + 1,
            from_ns=at_ns,
        ),
        END,
    )


@law(Looked)
def board_at_the_end(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """What the pieces showed when the result was given: what differs later was moved after it."""
    known = scene.file.notes.get("end_board")
    if scene.result is None:
        if known is not None:
            yield Remember("end_board", None)
        return
    field = board_field(scene.rules.geometry, scene.placement)
    if known is None:
        yield Remember("end_board", field)
        for held in scene.file.open:
            if held.cause.startswith(MOOT):
                yield Close(held.cause, state=RulingState.SUPERSEDED)
    elif scene.signal in (None, scene.result):
        yield Watch(KINGS_AFTER_END, None)
    elif not scene.file.watching(KINGS_AFTER_END):
        yield Watch(KINGS_AFTER_END, scene.at_ns + KINGS_WAIT_NS)


@law(Press)
def pressed_after_the_end(fact: Press, scene: Scene) -> Iterator[Opinion]:
    """Pieces were moved and the clock pressed though a result stands: they play on."""
    known = scene.file.notes.get("end_board")
    if scene.result is None or fact.restart or known is None:
        return
    if board_field(scene.rules.geometry, scene.placement) == known:
        return
    end = scene.file.end
    if end is not None and end.result == scene.result:
        # The side that ended the game may still press (6.2.2).
        if scene.rules.turn(scene.position) is fact.side:
            yield from _played_on(fact.at_ns, scene)
        return
    yield Finding(
        draft(
            "end-played-on-result",
            scene,
            None,
            Proposal(("pause", "ask")),
            facts={"result": scene.result, "end_ply": len(scene.record.plies)},
            from_ns=fact.at_ns,
        ),
        "played-on",
    )


@law(Dismissed)
def end_dismissed(fact: Dismissed, scene: Scene) -> Iterator[Opinion]:
    """The arbiter says that the game did not end so: the result goes, and play is on."""
    end = scene.file.end
    if end is None or fact.ruling.kind != end.kind:
        return
    if scene.result is not None and scene.result == end.result:
        article = row(fact.ruling.kind).articles[0]
        yield ResultChanged(None, "dismissed", article, Certainty.HUMAN)


@law(MoveWithdrawn)
def end_taken_back(fact: MoveWithdrawn, scene: Scene) -> Iterator[Opinion]:
    """The move that ended the game was none after all."""
    yield from _withdrawn(fact.ply, scene)


def _withdrawn(ply: int, scene: Scene) -> Iterator[Opinion]:
    end = scene.file.end
    if end is None or end.ply < ply:
        return
    yield EndSeen(None)
    yield Close(END)
    if scene.result is not None and scene.result == end.result:
        yield ResultChanged(None, "withdrawn", row(end.kind).articles[0], Certainty.FACT)


@law(MoveMade)
def line_so_far(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """Where the game stood, should it be taken back."""
    fen = scene.rules.fen(scene.before(fact.ply + 1))
    yield Remember("stood", {"ply": fact.ply, "fen": fen})


@law(TookBack)
def taken_back(fact: TookBack, scene: Scene) -> Iterator[Opinion]:
    """4.7, 1.2: the Laws know no taking back, not even by consent. An order does."""
    stood = scene.file.notes.get("stood")
    if scene.result is not None or _ordered(scene) or not isinstance(stood, dict):
        return
    ply, fen = stood["ply"], str(stood["fen"])
    assert isinstance(ply, int), "noted as a number"
    yield Finding(
        draft(
            "takeback-after-press",
            scene,
            scene.side_of(ply),
            back_to(fen),
            turn=fact.turn,
            facts={"withdrawn": list(fact.withdrawn), "stands_ply": fact.ply},
            position=fen,
            ply=ply,
        ),
        f"takeback:{ply}",
        deed_ns=fact.at_ns,
    )


def _ordered(scene: Scene) -> bool:
    """Whether an order is being carried out that may ask for it."""
    order = scene.file.order
    return order is not None and not order.of_times


@law(MoveReplaced)
def played_otherwise(fact: MoveReplaced, scene: Scene) -> Iterator[Opinion]:
    """The same within one half-move: after the press it was put back, and another was played."""
    told = put_back_after_press(fact, scene)
    if told is None or scene.result is not None or _ordered(scene):
        return
    rules, before = scene.rules, scene.before(fact.ply)
    fen = rules.fen(rules.play(before, rules.parse(before, told.move)))
    facts = {"withdrawn": [told.move], "stands_ply": fact.ply - 1}
    proposal = back_to(fen)
    yield Close(displaced_of(fact.ply + 1), (), RulingState.SUPERSEDED)
    ruling = draft(
        "takeback-after-press", scene, told.side, proposal, facts=facts, ply=fact.ply,
        position=rules.fen(before),
    )  # fmt: skip
    yield Finding(ruling, f"takeback:{fact.ply}", deed_ns=fact.made_at_ns)


# Signals.


@law(KingsInCentre)
def kings_in_the_centre(fact: KingsInCentre, scene: Scene) -> Iterator[Opinion]:
    """The players' signal for the result; it is theirs to sign (8.7). Kings that a knock put there
    signal nothing (`art_07_4_displaced`)."""
    if scene.result == fact.result or swept_off(fact.turn):
        return
    yield from _kings(fact.result, scene, fact.at_ns)


@law(Woken)
def kings_after_the_end(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """The signal says something else than the board said."""
    if fact.name != KINGS_AFTER_END or scene.result is None:
        return
    signal = scene.signal
    if signal is not None and signal != scene.result:
        yield from _kings(signal, scene)


_KINGS = {
    "1-0": "result-kings-white",
    "0-1": "result-kings-black",
    DRAW: "result-kings-draw",
}


def _kings(signal: str, scene: Scene, at_ns: int | None = None) -> Iterator[Opinion]:
    """`at_ns`: when they were put there, where it is told as it happens."""
    against_board = _contradiction(signal, scene)
    yield Close("pause", state=RulingState.SUPERSEDED)
    yield Close("pause-board", state=RulingState.SUPERSEDED)
    yield Close(displaced_of(scene.turn.ply), state=RulingState.SUPERSEDED)
    if against_board is not None:
        yield Finding(mismatch(signal, against_board, "kings", scene), END, deed_ns=at_ns)
        return
    early = agreed_too_early(scene, Certainty.PROBABLE)
    if signal == DRAW and early is not None and not _drawn_otherwise(scene):
        yield early
        return
    facts: dict[str, JsonValue] = {
        "result_reason": "signalled",
        "result_article": "8.7",
        **sides_of(signal),
    }
    yield Finding(
        draft(
            _KINGS[signal],
            scene,
            loser_of(signal),
            Proposal(("ask", "declare-result"), result=signal),
            facts=facts,
            position=scene.rules.fen(scene.position),
        ),
        END,
        deed_ns=at_ns,
    )


def _drawn_otherwise(scene: Scene) -> bool:
    """Whether more than the players' agreement says that it is drawn: the board, or a claim."""
    if board_end(scene.rules, tuple(scene.record.positions(scene.rules))) is not None:
        return True
    return any(held.ruling.proposal.result == DRAW for held in scene.file.open)


def mismatch(said: str, board: str, source: str, scene: Scene) -> Ruling:
    """A result was shown or entered that is not the one on the board; or kings show another one
    than was entered."""
    end = scene.file.end
    entered = source == "kings" and scene.result is not None
    by_position = not entered or (end is not None and end.result == scene.result)
    return draft(
        "result-mismatch",
        scene,
        None,
        ASK,
        facts={"said": said, "board": board, "source": source, "by_position": by_position},
        position=scene.rules.fen(scene.position),
    )


def _contradiction(signal: str, scene: Scene) -> str | None:
    """The result the board has, where the signal is another; None: they go together."""
    if scene.result is not None:
        return scene.result
    end = board_end(scene.rules, tuple(scene.record.positions(scene.rules)))
    if end is not None and end.result != signal:
        return end.result
    winner = WINNERS.get(signal)
    if winner is not None and winnable(scene.rules, scene.position, winner) is Winnable.NO:
        return DRAW
    return None


@law(BoardReset)
def pieces_put_back(fact: BoardReset, scene: Scene) -> Iterator[Opinion]:
    """The start array again and no result: is the game over?"""
    yield Close(displaced_of(fact.turn.ply), state=RulingState.SUPERSEDED)
    if scene.result is not None or scene.file.held(END) is not None:
        return
    yield Finding(
        draft(
            "result-board-reset",
            scene,
            None,
            ASK,
            turn=fact.turn,
            facts={"plies": len(scene.record.plies)},
            position=scene.rules.fen(scene.position),
        ),
        "reset",
    )
