"""What an arbiter's decision leads to, seen from the record, and what it makes moot.

A ruling may be decided long after it was raised. Whether its position is still to be restored is
seen from the board: where it stood again and a legal half-move was played from it, what was
played since stands.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from arbiterd.laws.act import Act
from arbiterd.laws.articles.results import RESULTS
from arbiterd.laws.case.casefile import CaseFile, Closed, OpenRuling
from arbiterd.laws.case.offences import counted, offender, put_right
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.ruling import ACTIONS, NOTE, Proposal, Ruling, RulingState
from arbiterd.rules.ruleset import Colour
from arbiterd.timing.arithmetic import CLOCK_MAX_MS


class Restoration(Struct, frozen=True, gc=False):
    """What of a proposal to restore is still to be done."""

    fen: str | None = None
    """What the board is to show; None: it is not touched."""
    before_ply: int | None = None
    """Half-moves from this one on are withdrawn; None: all stand."""


NOTHING = Restoration()


def restoration(held: OpenRuling, restore: str | None, act: Act, scene: Scene) -> Restoration:
    """What confirming leads to on the board. Raises ValueError with a sentence where an arbiter
    asks for a position that the record does not have."""
    own = dict(act.changes).get("restore") is not None
    if restore is None or (scene.result is not None and not own):
        return NOTHING
    ruling, plies = held.ruling, scene.record.plies
    counts_as = dict(ruling.facts).get("stands")
    if not own and put_right(held, len(plies)):
        return NOTHING
    if counts_as and not own:
        before = _after(ruling.position, ruling.ply, scene)
        return Restoration(restore, ruling.ply if before == ruling.ply else None)
    before_ply = _after(restore, len(plies) + 1 if own else ruling.ply, scene)
    if own and before_ply is None:
        raise ValueError(f"{restore!r} is no position of the record; use set-position for it")
    return Restoration(restore, before_ply)


def _after(fen: str, ply: int, scene: Scene) -> int | None:
    """The number of the half-move after the newest such position, `ply` at most."""
    positions = scene.record.positions(scene.rules)
    wanted = _shown(fen)
    for number in range(min(ply, len(positions)), 0, -1):
        if _shown(scene.rules.fen(positions[number - 1])) == wanted:
            return number
    return None


def _shown(fen: str) -> list[str]:
    """Of a FEN what is no count of moves."""
    return fen.split()[:4]


def asks_result(ruling: Ruling) -> bool:
    """Whether an open ruling asks for a result: once an arbiter has given one, it is moot."""
    if "declare-result" in ruling.proposal.actions or ruling.proposal.result is not None:
        return True
    of_an_end = any(article.split(".")[0] in ("5", "9") for article in ruling.articles)
    return of_an_end and ruling.urgency < NOTE


def corrected(held: OpenRuling, changed: int, before: int, now: int) -> bool:
    """Whether the half-move that a ruling speaks of is another one by an arbiter's word.

    The record had `before` entries and has `now`; nothing ahead of number `changed` is new.
    """
    ply = held.ruling.ply
    of_a_half_move = held.cause.startswith(("ply:", "displaced:"))
    return of_a_half_move and (changed <= ply <= before or ply > now + 1)


def counts_too(ruling: Ruling, confirmed: Ruling) -> bool:
    """Another illegal move of the same player: it was completed, though its move is void now."""
    both = counted(ruling) and counted(confirmed)
    return both and offender(ruling) is offender(confirmed)


def decide_first(ruling: Ruling) -> str:
    """What it leads to hangs on another ruling, which nobody has decided."""
    waits = dict(ruling.facts)["hangs_on"]
    assert isinstance(waits, list), "a list of rulings"
    before = [f"{one['kind']} of half-move {one['ply']}" for one in waits if isinstance(one, dict)]
    return f"what this leads to hangs on {', '.join(before)}, which is undecided: decide that first"


def not_open(file: CaseFile, name: str) -> str:
    """There is no such ruling to decide; who decided it, if one was there."""
    closed = next((one for one in reversed(file.closed) if one.ruling.is_named(name)), None)
    if closed is None:
        return f"no open ruling is {name!r}; see the open ones"
    named = f"ruling {closed.ruling.number} ({closed.ruling.kind})"
    return f"{named} is not open any more: {_decided(closed)}"


def _decided(closed: Closed) -> str:
    """Who decided what, for the arbiter who comes second."""
    ruling = closed.ruling
    if ruling.ack is not None:
        at = clock_time(ruling.ack.at_ns)
        return f"{ruling.ack.by} {ruling.ack.decision} it at {at} UTC; nothing is done twice"
    if ruling.state is RulingState.SUPERSEDED:
        return "another ruling or decision took its place"
    return "its time to be decided ran out"


def clock_time(at_ns: int) -> str:
    """Hours, minutes and seconds of the day."""
    seconds = at_ns // 1_000_000_000 % 86_400
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


CHANGES = {
    "clock_delta_ms": f"whole milliseconds by white and black, ±{CLOCK_MAX_MS} at most",
    "restore": "a FEN, or null",
    "result": f"one of {', '.join(RESULTS)}, or null",
    "actions": f"a list of {', '.join(ACTIONS)}",
    "count": "true or false",
}
"""What an arbiter may want otherwise, and as what it is given."""


def changed(proposal: Proposal, act: Act) -> Proposal:
    """The proposal with what the arbiter wants otherwise. Raises ValueError with a sentence."""
    for key, value in act.changes:
        match key, value:
            case "clock_delta_ms", dict() if all(map(_is_gain, value.items())):
                gains = tuple((Colour(side), ms) for side, ms in sorted(value.items()))
                proposal = replace(proposal, clock_delta_ms=gains)
            case "restore", str() | None:
                proposal = replace(proposal, restore=value)
            case "result", str() | None if value is None or value in RESULTS:
                proposal = replace(proposal, result=value)
            case "actions", list() | tuple() if all(action in ACTIONS for action in value):
                proposal = replace(proposal, actions=tuple(value))
            case "count", bool():
                pass
            case _:
                given = f", and as {key} {CHANGES[key]}" if key in CHANGES else ""
                raise ValueError(
                    f"{key} = {value!r:.80} is no change of a proposal;"
                    f" use clock_delta_ms, restore, result, actions or count{given}"
                )
    return proposal


def _is_gain(named: tuple[object, object]) -> bool:
    """Whether a clock can be given that: a colour, and milliseconds that are no yes or no."""
    side, ms = named
    return side in tuple(Colour) and type(ms) is int and abs(ms) <= CLOCK_MAX_MS
