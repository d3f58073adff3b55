"""The docket of one table: hears facts, asks the laws, keeps the open rulings.

One cause has one open ruling. It is revised in place, superseded by one that is at least as
urgent, closed when its window closes (4.8, A.5.2), and nothing follows from it until an arbiter
confirms it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.case.casefile import (
    EXAMINED_KEPT,
    MADE_KEPT,
    ArbiterOrder,
    BoardAnswered,
    CaseFile,
    ClockHeard,
    Closed,
    EndedBy,
    EndSeen,
    FlagCalled,
    OpenRuling,
    Unlawful,
    kept,
)
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.catalogue import row
from arbiterd.laws.decisions import Decision, Ordered, ResultChanged, RulingChanged
from arbiterd.laws.docket.attending import SHELVED, attended, carried
from arbiterd.laws.docket.book import answered, laws_of, reply_of
from arbiterd.laws.docket.deciding import (
    Restoration,
    asks_result,
    changed,
    corrected,
    counts_too,
    decide_first,
    not_open,
    restoration,
)
from arbiterd.laws.register import (
    Close,
    Confirmed,
    Dismissed,
    Examined,
    Finding,
    Fulfilled,
    Looked,
    Opinion,
    Remember,
    Ticked,
    TimesOrdered,
    Wake,
    Watch,
    Woken,
)
from arbiterd.laws.ruling import JOURNAL_ONLY, Ack, Ruling, RulingState, Window
from arbiterd.rules.customs import Custom
from arbiterd.rules.mating import MatingQuestion
from arbiterd.rules.ruleset import Colour
from arbiterd.timing.facts import ClockFact, Press
from arbiterd.tracking.facts import (
    Fact,
    GameBegun,
    IrregularEntered,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
    Pressed,
)


class Docket:
    """Rulings of one table. Tell it every fact, in order, and after each input `Looked`."""

    def __init__(self, illegal: tuple[int, int] = (0, 0)) -> None:
        self.file = CaseFile(illegal=illegal)

    @property
    def open(self) -> tuple[Ruling, ...]:
        """Oldest first."""
        return tuple(held.ruling for held in self.file.open)

    @property
    def questions(self) -> tuple[MatingQuestion, ...]:
        """What open rulings wait for, each once, oldest first."""
        if not self.file.open:
            return ()
        waiting = (asked.question for ruling in self.open for asked in ruling.asked)
        return tuple(dict.fromkeys(waiting))

    @property
    def due_at_ns(self) -> int | None:
        """When `due` is to be called if nothing happens before."""
        due = self.file.due
        return due[0][0] if due else None

    def hear(
        self,
        fact: Fact
        | ClockFact
        | Looked
        | Ticked
        | Woken
        | Confirmed
        | Dismissed
        | TimesOrdered
        | Examined,
        scene: Scene,
    ) -> list[Decision]:
        """What the Laws make of one fact."""
        # A clock that only ticks, as three of four inputs are, closes and begins nothing.
        decisions = [] if isinstance(fact, Ticked) else self._note(fact)
        if isinstance(fact, Pressed) and fact.ply > len(scene.record.plies) + 1:
            return decisions  # Its turn is gone: half-moves before it are withdrawn with it.
        # What was told anew within the same input is told otherwise by what follows.
        anew = isinstance(fact, MoveMade | MoveReplaced) and not scene.stands(fact.ply, fact.move)
        view = scene
        for law in () if anew else laws_of(type(fact), scene.rules.customs):
            if view.file is not self.file:
                view = scene.with_file(self.file)
            for opinion in law(fact, view):
                decisions += self._weighed(opinion, scene)
        if isinstance(fact, MoveMade):
            self.file = replace(self.file, made=(*self.file.made, fact)[-MADE_KEPT:])
        if isinstance(fact, Examined):
            assert fact.answer.question not in self.questions, "an answer closes its question"
        return decisions

    def _note(self, fact: object) -> list[Decision]:
        """What a fact does to the file before any law hears it."""
        decisions: list[Decision] = []
        if isinstance(fact, GameBegun):
            decisions += self._begin()
        if isinstance(fact, Press):
            self.file = replace(self.file, last_press=fact)
        if isinstance(fact, Examined):
            answers = (*self.file.examined, fact.answer)[-EXAMINED_KEPT:]
            self.file = replace(self.file, examined=answers)
        decisions += self._close_windows(fact)
        if isinstance(fact, MoveMade | MoveWithdrawn):
            self.file = self.file.played(fact.ply, made=isinstance(fact, MoveMade))
        return decisions

    def due(self, at_ns: int, scene: Scene) -> list[Decision]:
        """Asks the laws whose time has come."""
        decisions: list[Decision] = []
        while self.file.due and self.file.due[0][0] <= at_ns:
            when_ns, name = self.file.due[0]
            self.file = self.file.waking(name, None).watching_until(name, None, at_ns)
            decisions += self._taken_from_the_shelf(name)
            decisions += self.hear(Woken(when_ns, name), scene)
        return decisions

    # Whether the board is heard.

    def stop_watching(self, at_ns: int) -> None:
        """Nobody hears the board from here on."""
        self.file = self.file.unheard(at_ns)

    def watch_again(self, at_ns: int) -> None:
        """The board shows itself: what was watched for is watched for as long as it still was."""
        self.file = self.file.heard_again(at_ns)

    def act(self, act: Act, scene: Scene) -> tuple[Answer, list[Decision]]:
        """An arbiter's act. A refused one changes nothing."""
        if act.action in ("confirm", "dismiss"):
            return self._decide(act, scene)
        if act.action in ("coming", "shelve"):
            return self._attend(act)
        named, customs = act.claim or act.kind or act.op, scene.rules.customs
        reply = reply_of(f"{act.action}:{named}", customs) or reply_of(act.action, customs)
        if reply is None:
            return Answer(False, _unanswered(act, named, customs)), []
        answer, opinions = reply(act, scene.with_file(self.file))
        if not answer.ok:
            return answer, []
        before, said = self.file, list(opinions)
        decisions = [made for opinion in said for made in self._weighed(opinion, scene, True)]
        told = [made.ruling for made in decisions if isinstance(made, RulingChanged)]
        opened = [ruling for ruling in told if ruling.state is RulingState.OPEN]
        if not decisions and self.file is before and said:
            return self._told_before(said), []
        return replace(answer, ruling=str(opened[-1].number) if opened else ""), decisions

    def _told_before(self, said: Sequence[Opinion]) -> Answer:
        """The answer where nothing is new: the ruling that stands, or what became of it."""
        for finding in said:
            if isinstance(finding, Finding):
                held = self.file.held(finding.cause)
                if held is not None:
                    return Answer(True, ruling=str(held.number))
                closed = self.file.last_closed(finding.cause)
                if closed is not None:
                    sentence = f"it is {closed.state} already; see the table's timeline"
                    return Answer(False, sentence)
        return Answer(True)

    def meant(self, name: str) -> tuple[str, str] | None:
        """The kind and the cause of the open ruling of this number or kind."""
        held = self.file.named(name)
        return None if held is None else (held.ruling.kind, held.cause)

    def number_of(self, kind: str, cause: str) -> str:
        """The number of the open ruling of this kind and cause; 0: there is none."""
        found = (h for h in self.file.open if (h.ruling.kind, h.cause) == (kind, cause))
        held = next(found, None)
        return "0" if held is None else str(held.ruling.number)

    def record_corrected(self, changed: int, before: int, now: int) -> list[Decision]:
        """An arbiter wrote the record anew from half-move `changed` on; it had `before`."""
        return self._close(
            lambda held: corrected(held, changed, before, now), RulingState.SUPERSEDED, final=True
        )

    def game_left(self) -> list[Decision]:
        """Another game is set up in the place of this one: what is open of it runs out."""
        return self._close(lambda _: True, RulingState.EXPIRED, final=True)

    # What laws answer.

    def _weighed(self, opinion: Opinion, scene: Scene, entered: bool = False) -> Sequence[Decision]:
        """What one opinion leads to. What people enter holds on any board."""
        match opinion:
            case Finding(ruling):
                # Nobody can see it on this board.
                unseen = not entered and scene.unseen(ruling.kind)
                return () if unseen else self._find(opinion, scene.rules.customs)
            case Close(cause, kinds, state):
                return self._close(
                    lambda held: held.cause == cause and (not kinds or held.ruling.kind in kinds),
                    state,
                    final=state is RulingState.DISMISSED,
                )
            case Remember(name, value):
                self.file = self.file.remembering(name, value)
            case EndSeen() | EndedBy() | FlagCalled() | BoardAnswered() | ClockHeard() | Unlawful():
                self.file = self.file.crossed(opinion)
            case Wake(name, at_ns):
                self.file = self.file.waking(name, at_ns)
            case Watch(name, at_ns):
                self.file = self.file.watching_until(name, at_ns, scene.at_ns)
            case ArbiterOrder():
                self.file = replace(self.file, order=opinion)
            case Fulfilled():
                self.file = replace(self.file, order=None)
            case ResultChanged(result) if entered and result is not None:
                return (*self._result_given(), opinion)
            case ResultChanged():
                return (opinion,)
            case Ordered():
                self._watch(opinion, "", "", scene)
                return (opinion,)
        return ()

    def _find(self, finding: Finding, customs: frozenset[Custom]) -> list[Decision]:
        ruling, cause = finding.ruling, finding.cause
        assert row(ruling.kind).holds(customs), f"{ruling.kind} is no row of this game"
        if ruling.urgency == JOURNAL_ONLY:
            told = self._numbered(replace(ruling, state=RulingState.EXPIRED))
            return [RulingChanged(told)]
        held = next((h for h in self.file.open if h.cause == cause), None)
        if held is not None and finding.in_place:
            return self._revised(held, ruling)
        if held is not None and held.ruling.kind == ruling.kind:
            return self._revised(held, ruling)
        for closed in self.file.closed:
            same = (closed.cause, closed.ruling.kind) == (cause, ruling.kind)
            if closed.final and same and not _done_again(finding, closed.ruling):
                return []
        if held is None:
            return [self._opened(ruling, cause)]
        if ruling.urgency > held.ruling.urgency:
            return []
        closed_now = self._close(lambda h: h is held, RulingState.SUPERSEDED, final=True)
        return [*closed_now, self._opened(ruling, cause)]

    def _numbered(self, ruling: Ruling) -> Ruling:
        number = self.file.next_number
        self.file = replace(self.file, next_number=number + 1)
        return replace(ruling, number=number)

    def _opened(self, ruling: Ruling, cause: str) -> RulingChanged:
        ruling = self._numbered(ruling)
        self.file = replace(self.file, open=(*self.file.open, OpenRuling(ruling, cause)))
        return RulingChanged(ruling)

    def _revised(self, held: OpenRuling, ruling: Ruling) -> list[Decision]:
        old = held.ruling
        new = replace(
            carried(ruling, old),
            number=old.number,
            revision=old.revision,
            cause_from_ns=min(old.cause_from_ns, ruling.cause_from_ns),
        )
        if replace(new, cause_to_ns=old.cause_to_ns, placement=old.placement) == old:
            return []
        return self._put(held, replace(new, revision=old.revision + 1))

    def _put(self, held: OpenRuling, ruling: Ruling) -> list[Decision]:
        """The next revision of an open ruling."""
        played_on = held.played_on and held.ruling.proposal.restore is not None
        new = replace(held, ruling=ruling, played_on=played_on)
        self.file = replace(self.file, open=tuple(new if h is held else h for h in self.file.open))
        return [RulingChanged(ruling)]

    def _result_given(self) -> list[Decision]:
        """By an arbiter: what else asks for a result is answered with it."""
        return self._close(
            lambda held: asks_result(held.ruling), RulingState.SUPERSEDED, final=True
        )

    def _close(
        self, which: Callable[[OpenRuling], bool], state: RulingState, *, final: bool
    ) -> list[Decision]:
        stays: list[OpenRuling] = []
        gone: list[Closed] = []
        for held in self.file.open:
            if which(held):
                done = replace(held.ruling, state=state, revision=held.ruling.revision + 1)
                gone.append(Closed(done, held.cause, final))
            else:
                stays.append(held)
        if gone:
            closed = kept((*self.file.closed, *gone))
            self.file = replace(self.file, open=tuple(stays), closed=closed)
        return [RulingChanged(closed.ruling) for closed in gone]

    # Windows and games.

    def _begin(self) -> list[Decision]:
        """A new game: what was open of the last one runs out, its file is put away."""
        closed = self.game_left()
        before = self.file
        self.file = CaseFile(next_number=before.next_number, unheard_ns=before.unheard_ns)
        return closed

    def _close_windows(self, fact: object) -> list[Decision]:
        match fact:
            case MoveMade(side=side, ply=ply):
                against, plies = side.other, range(ply)
            case IrregularEntered(side=side, ply=ply):
                against, plies = side, range(ply, ply + 1)
            case _:
                return []
        return self._close(
            lambda held: (
                held.ruling.window is not Window.NEVER
                and held.ruling.against is against
                and held.ruling.ply in plies
            ),
            RulingState.EXPIRED,
            final=True,
        )

    # An arbiter's yes or no.

    def _decide(self, act: Act, scene: Scene) -> tuple[Answer, list[Decision]]:
        held = self.file.named(act.ruling)
        if held is None:
            return Answer(False, not_open(self.file, act.ruling)), []
        if act.action == "confirm" and "hangs_on" in dict(held.ruling.facts):
            return Answer(False, decide_first(held.ruling)), []
        try:
            proposal = changed(held.ruling.proposal, act)
            restore = restoration(held, proposal.restore, act, scene)
        except ValueError as wrong:
            return Answer(False, str(wrong)), []
        state = RulingState.CONFIRMED if act.action == "confirm" else RulingState.DISMISSED
        facts = dict(held.ruling.facts)
        if not dict(act.changes).get("count", True):
            facts["counts"] = False
        ruling = replace(
            held.ruling,
            facts=tuple(facts.items()),
            proposal=proposal,
            ack=Ack(act.by, act.at_ns, state.value, act.reason),
            state=state,
            revision=held.ruling.revision + 1,
        )
        decisions: list[Decision] = [RulingChanged(ruling)]
        self.file = replace(
            self.file,
            open=tuple(h for h in self.file.open if h is not held),
            closed=kept((*self.file.closed, Closed(ruling, held.cause, True))),
        )
        if state is RulingState.CONFIRMED:
            decisions += self._follow(ruling, restore, act, scene, held.played_on)
        else:
            decisions += self.hear(Dismissed(act.at_ns, ruling, act), scene)
        return Answer(True, ruling=str(ruling.number)), decisions

    def _attend(self, act: Act) -> tuple[Answer, list[Decision]]:
        """Somebody is coming, or it waits for a while: all see it on the ruling."""
        held = self.file.named(act.ruling)
        if held is None:
            return Answer(False, not_open(self.file, act.ruling)), []
        try:
            ruling = attended(held.ruling, act)
        except ValueError as wrong:
            return Answer(False, str(wrong)), []
        if act.action == "shelve":
            self.file = self.file.waking(f"{SHELVED}{ruling.number}", ruling.shelved_until_ns)
        return Answer(True, ruling=str(ruling.number)), self._put(held, ruling)

    def _taken_from_the_shelf(self, name: str) -> list[Decision]:
        """Its time is over: it calls again."""
        held = self.file.named(name.removeprefix(SHELVED)) if name.startswith(SHELVED) else None
        if held is None or held.ruling.shelved_until_ns is None:
            return []
        revision = held.ruling.revision + 1
        return self._put(held, replace(held.ruling, shelved_until_ns=None, revision=revision))

    def _follow(
        self, ruling: Ruling, restore: Restoration, act: Act, scene: Scene, played_on: bool
    ) -> list[Decision]:
        """What a confirmed ruling leads to: the order and the result."""
        decisions: list[Decision] = []
        proposal, facts = ruling.proposal, dict(ruling.facts)
        if restore.before_ply is not None:
            decisions += self._close(
                lambda held: (
                    held.ruling.ply >= (restore.before_ply or 0)
                    and not counts_too(held.ruling, ruling)
                ),
                RulingState.SUPERSEDED,
                final=True,
            )
        if restore.fen is not None or proposal.clock_delta_ms:
            counts_as = facts.get("stands") if restore.fen == proposal.restore else None
            goes_on = scene.result is not None or (played_on and restore.fen is None)
            order = Ordered(
                fen=restore.fen,
                before_ply=restore.before_ply,
                play=str(counts_as) if counts_as else None,
                clock_delta_ms=proposal.clock_delta_ms,
                pause="pause" in proposal.actions and not goes_on,
            )
            decisions.append(order)
            self._watch(order, act.by, ruling.kind, scene)
        if proposal.result is not None:
            decisions += self._result_given()
            decisions.append(
                ResultChanged(
                    proposal.result,
                    str(facts.get("result_reason", ruling.kind)),
                    str(facts.get("result_article", ruling.articles[0])),
                    ruling.certainty,
                )
            )
        decisions += self.hear(Confirmed(act.at_ns, ruling, act), scene)
        return decisions

    def _watch(self, order: Ordered, by: str, kind: str, scene: Scene) -> None:
        gains = dict(order.clock_delta_ms)
        white, black = scene.shown.white_ms, scene.shown.black_ms
        self.file = replace(
            self.file,
            order=ArbiterOrder(
                scene.at_ns,
                by,
                kind,
                order.fen,
                None if white is None else white + gains.get(Colour.WHITE, 0),
                None if black is None else black + gains.get(Colour.BLACK, 0),
            ),
        )

    # Checkpoints.

    def checkpoint(self) -> bytes:
        """All it holds, as JSON."""
        return msgspec.json.encode(self.file)

    @classmethod
    def restored(cls, data: bytes) -> Docket:
        """As it was when `checkpoint` was called."""
        docket = cls()
        docket.file = msgspec.json.decode(data, type=CaseFile)
        return docket


def _unanswered(act: Act, named: str, customs: frozenset[Custom]) -> str:
    """Why nothing answers it, and what would."""
    known = ", ".join(answered(act.action, customs))
    if named and known:
        return f"{named!r} is no {act.action} of this game; write one of {known}"
    return f"the Laws have no answer to {act.action!r}"


def _done_again(finding: Finding, decided: Ruling) -> bool:
    """Whether it was done after an arbiter had decided about the one before, or after the last that
    is known of it where another ruling took its place."""
    if finding.deed_ns is None:
        return False
    done_ns = decided.cause_to_ns if decided.ack is None else decided.ack.at_ns
    return finding.deed_ns > done_ns
