"""What may have been done since a ply that stands, and what speaks against it: five frozen values.

    Window      what the board has shown, one placement after another
    Cause       one ply: a legal move, or what one side did that is none
    Hypothesis  plies since then, each with the placement that showed it
    Evidence    what speaks against a hypothesis, item by item; its score is their sum
    Held        a line of play as it is held now, for people to look at

`score` looks at nothing but the hypothesis and the window: whoever proposed it, and whatever was
looked at before, it is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from math import exp

from msgspec import Struct

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.tracking import weights
from arbiterd.tracking.evidence import REPLY_NS, against_a_pass
from arbiterd.tracking.facts import SquareSeen
from arbiterd.tracking.image import Image
from arbiterd.tracking.lines import Line
from arbiterd.tracking.sensors import Move, Seen, Sensors
from eboards.events import EMPTY, Piece, Placement, Square

STAGES_MAX = 48
"""So many changes are looked at one by one; what is older is one placement."""
PLIES_SHOWN = 4
"""So many of a line's newest half-moves are looked at."""


class Stage(Struct, frozen=True, gc=False):
    """What the board showed from one change to the next."""

    at_ns: int
    placement: Placement
    """As sensed."""
    hash: int


class PlacementWindow(Struct, frozen=True, eq=False, gc=False):
    """The placements since some time, oldest first; the last is what the board shows now."""

    sensors: Sensors
    stages: tuple[Stage, ...]


def window_of(image: Image, changes: Sequence[SquareSeen]) -> PlacementWindow:
    """The newest changes undone one by one. Changes of one time are one stage."""
    sensors, shown, number = image.sensors, list(image.shown), image.hash
    stages: list[Stage] = []
    newest = changes[-STAGES_MAX:]
    for index in range(len(newest) - 1, -1, -1):
        change = newest[index]
        if index + 1 == len(newest) or newest[index + 1].at_ns != change.at_ns:
            stages.append(Stage(change.at_ns, tuple(shown), number))
        before, of = sensors.shows[change.before], sensors.hashing.of[change.square]
        number ^= of[shown[change.square]] ^ of[before]
        shown[change.square] = before
    return PlacementWindow(sensors, tuple(reversed(stages)))


class EvidenceItem(Struct, frozen=True, gc=False):
    """One thing that speaks for a hypothesis (fewer nats than nought) or against it."""

    ply: int
    name: str
    nats: float


class Evidence(Struct, frozen=True, gc=False):
    items: tuple[EvidenceItem, ...] = ()

    @property
    def nats(self) -> float:
        return sum(item.nats for item in self.items)


class Cause(Struct, frozen=True, eq=False, gc=False):
    """One ply, and what the board shows beside it."""

    seen: Seen
    """The position it leads to."""
    move: Move | None
    """None: no legal move; the placement is taken as it stands."""
    stage: int
    """The placement of the window that shows it."""
    moved: int = 1
    """So many of its own pieces the side moved."""
    lifted: int = 0
    """So many pieces are in the air for the reply."""

    @property
    def side(self) -> Colour:
        return self.seen.turn.other


class Hypothesis(Struct, frozen=True, eq=False, gc=False):
    origin: Line
    """What stands, and is not told anew."""
    plies: tuple[Cause, ...] = ()

    @property
    def seen(self) -> Seen:
        return self.plies[-1].seen if self.plies else self.origin.seen

    def followed_by(self, cause: Cause) -> Hypothesis:
        return Hypothesis(self.origin, (*self.plies, cause))

    @property
    def answered(self) -> bool:
        """An irregular ply has been answered by the other side."""
        irregular = {self.origin.side} if self.origin.irregular else set[Colour]()
        for cause in self.plies:
            if cause.side.other in irregular:
                return True
            if cause.move is None:
                irregular.add(cause.side)
        return False


def score(hypothesis: Hypothesis, window: PlacementWindow) -> Evidence:
    """All that speaks against the hypothesis. Its parts are those of its plies."""
    items: list[EvidenceItem] = []
    for number, cause in enumerate(hypothesis.plies):
        before = Hypothesis(hypothesis.origin, hypothesis.plies[:number])
        items += against(before, cause, window)
    return Evidence(tuple(items))


def against(before: Hypothesis, cause: Cause, window: PlacementWindow) -> Iterator[EvidenceItem]:
    """What speaks against one ply, after those before it."""
    at_ns, made_ns = window.stages[cause.stage].at_ns, before.origin.made_at_ns
    if before.plies:
        made_ns = max(made_ns, window.stages[before.plies[-1].stage].at_ns)
    irregular, turn = cause.move is None, before.seen.turn
    ply = before.origin.ply + len(before.plies) + 1
    for name, nats in (
        ("irregular", weights.IRREGULAR * irregular),
        ("also-moved", weights.ALSO_MOVED * (cause.moved - 1) * irregular),
        ("out-of-turn", weights.OUT_OF_TURN * (irregular and cause.side is not turn)),
        (
            "other-side-moved",
            weights.IRREGULAR * (irregular and _spans(before, cause, window, made_ns)),
        ),
        ("lifted", weights.LIFTED * cause.lifted),
        ("laid-aside", weights.PLAYED * _takes_its_place(before, cause)),
        ("begun-early", weights.OVERLAPPED * (not shown(before, window))),
        ("strayed", _strayed(before, cause, window)),
        ("hasty", weights.HASTY * (at_ns - made_ns < REPLY_NS)),
    ):
        if nats:
            yield EvidenceItem(ply, name, nats)


def stage_of(hypothesis: Hypothesis, window: PlacementWindow) -> int:
    """The stage that shows the hypothesis up to its last ply; -1: it is older than all of them."""
    if hypothesis.plies:
        return hypothesis.plies[-1].stage
    return sum(stage.at_ns <= hypothesis.origin.made_at_ns for stage in window.stages) - 1


def shown(hypothesis: Hypothesis, window: PlacementWindow) -> bool:
    """The board showed it then, with nothing begun yet of what followed."""
    stage = stage_of(hypothesis, window)
    return stage >= 0 and window.stages[stage].hash == hypothesis.seen.hash


def _takes_its_place(before: Hypothesis, cause: Cause) -> bool:
    """It goes where the other side took a piece off, irregularly and out of turn: that was
    captured, and laid aside first."""
    if not before.plies or before.plies[-1].move is not None:
        return False
    stood, aside = Hypothesis(before.origin, before.plies[:-1]).seen, before.plies[-1]
    now, after = aside.seen.placement, cause.seen.placement
    return stood.turn is cause.side is not aside.side and any(
        stood.placement[square] != EMPTY == now[square] != after[square]
        for square in differing(now, after)
    )


def _strayed(before: Hypothesis, cause: Cause, window: PlacementWindow) -> float:
    """For each piece that stood meanwhile where it stands neither before nor after, the longer the
    more."""
    stood_ns: Counter[tuple[Square, Piece]] = Counter()
    first = max(0, stage_of(before, window))
    for stage, later in pairwise(window.stages[first : cause.stage + 1]):
        for square in before.seen.differing(stage.placement):
            piece = stage.placement[square]
            if piece not in (EMPTY, cause.seen.placement[square]):
                stood_ns[square, piece] += later.at_ns - stage.at_ns
    return sum(against_a_pass(lasted_ns) for lasted_ns in stood_ns.values())


def _spans(before: Hypothesis, cause: Cause, window: PlacementWindow, since_ns: int) -> bool:
    """The other side set a piece down before all of it was made: that is a ply of its own."""
    owners, other = window.sensors.owners, cause.side.other
    meanwhile = (s for s in window.stages[: cause.stage] if s.at_ns > since_ns)
    return any(
        owners[stage.placement[square]] is other
        for stage in meanwhile
        for square in before.seen.differing(stage.placement)
    )


class Held(Struct, frozen=True):
    """One line as it is held now."""

    ply: int
    """The number of its newest half-move."""
    moves: tuple[str, ...]
    """Its newest half-moves; empty text for an irregular one."""
    nats: float
    """What speaks against it beside the best one."""
    share: float
    """Of all that is held, what nobody thought of included."""
    shown: bool
    """The board shows exactly this now."""
    items: tuple[EvidenceItem, ...]


def held_now(live: Sequence[Line], shown: int) -> tuple[Held, ...]:
    """These lines, best first; `shown` is the hash of what the board shows."""
    likely = [exp(-line.cost) for line in live]
    whole = sum(likely) + exp(-weights.SOMETHING_ELSE) * max(likely)
    found = []
    for line, weight in zip(live, likely, strict=True):
        newest = [past for past in islice(line.back(), PLIES_SHOWN) if past.parent is not None]
        newest.reverse()
        moves = tuple(past.wire() for past in newest)
        items = tuple(item for past in newest for item in _items(past, live[0].ply - past.ply))
        nats, share = round(line.cost, 2), round(weight / whole, 4)
        found.append(Held(line.ply, moves, nats, share, line.seen.hash == shown, items))
    return tuple(found)


def _items(line: Line, later: int) -> Iterator[EvidenceItem]:
    """What is known of one half-move, so many before the newest. What spoke of the order and of
    haste is in the sum alone."""
    irregular = weights.IRREGULAR_PRESSED if line.pressed else weights.IRREGULAR
    never_pressed = later > 1 and line.has_move and not line.pressed
    for holds, name, nats in (
        (line.irregular, "no legal move leads there", irregular),
        (not line.watched, "never shown by itself", weights.UNWATCHED),
        (line.unseen, "a piece was never seen where it must have stood", line.unseen),
        (line.passed, "pieces showed where it has none", line.passed),
        (line.doubtful, "rests on a square taken for other than it shows", weights.DOUBTED),
        (line.damaged, "bytes came damaged in its turn", 0.0),
        (line.unheard, "messages of it were lost", 0.0),
        (line.others, f"stands for others: {', '.join(line.others)}", line.others_weight),
        (line.pressed, f"pressed for{', soon after' * line.hastily_pressed}", -weights.UNPRESSED),
        (never_pressed, "its side moved again and never pressed for it", weights.UNPRESSED),
    ):
        if holds:
            yield EvidenceItem(line.ply, name, nats)
