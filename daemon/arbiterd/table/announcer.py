"""Turns what a table decides into numbered messages. Numbers have no gaps, in journal order."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from arbiterd.laws.languages import LANGUAGES
from arbiterd.laws.ruling import JOURNAL_ONLY, NOTE, Ruling
from arbiterd.laws.texts import say
from arbiterd.messages import payloads, topics
from arbiterd.messages.step import Output
from arbiterd.messages.times import rfc3339
from arbiterd.rules.ruleset import RuleSet, board_field
from arbiterd.table.setup import TableSetup
from arbiterd.timing.facts import ClockShown

LEFT_KEPT = 8
"""More games than this do not begin at a table within a minute."""

_ENCODER = msgspec.json.Encoder()


class MoveTold(Struct, frozen=True):
    """One entry of the record as it is told. One that is not irregular and has no `uci` is
    withdrawn."""

    ply: int
    colour: payloads.ColourName
    uci: str | None
    san: str | None
    fen: str
    """After it."""
    made_at_ns: int
    completed_at_ns: int | None
    shown: ClockShown | None
    how: payloads.HowName
    certainty: payloads.PlyCertaintyName
    probability: float = 1.0
    alternatives: tuple[str, ...] = ()
    irregular: bool = False
    start: str = ""
    """Of the first entry: the position of the game's start, where it is not that of the set-up."""

    @property
    def withdrawn(self) -> bool:
        return self.uci is None and not self.irregular


class MoveOnAir(Struct, frozen=True):
    """An entry of the record that readers hold to be true."""

    seq: int
    told: MoveTold


class ResultOnAir(Struct, frozen=True):
    """The result that readers hold to be true."""

    at_ns: int
    result: str
    reason: str
    article: str
    certainty: str


class FormerGame(Struct, kw_only=True):
    """A game that was left for another, as readers hold it."""

    number: int
    began_ns: int
    laid: int
    moves: dict[int, MoveOnAir]
    result: ResultOnAir | None


class Numbering(Struct, kw_only=True):
    """What the numbering of a table has come to: a value that can be written and read back."""

    seq: int = 0
    newest: dict[str, int] = {}
    """By topic, the number of its last event."""
    games: int = 1
    """Begun so far: no game gets a number twice."""
    game: int = 1
    """The present one."""
    began_ns: int = 0
    moves: dict[int, MoveOnAir] = {}
    """By ply of the present game, what was last told of it."""
    result: ResultOnAir | None = None
    """Of the present game."""
    left: list[FormerGame] = []
    """Games left in the last minutes, for an act that is undone."""
    rulings: dict[int, Ruling] = {}
    """Those told in the last minutes, by number, as they were told; likewise."""
    laid: int = 0
    """So many half-moves were on the record before anything happened, and are not told."""


def _facts(ruling: Ruling) -> dict[str, object]:
    touched = [
        payloads.TouchSeen(
            square=touch.square,
            piece=touch.piece,
            lifted_at=rfc3339(touch.lifted_at_ns),
            down_ms=touch.down_ms,
        )
        for touch in ruling.touched
    ]
    return {
        "certainty": ruling.facts_certainty.value,
        "touched": touched,
        "obligation": list(ruling.obligation),
        **dict(ruling.facts),
    }


def _proposal(ruling: Ruling) -> payloads.RulingProposal:
    proposal = ruling.proposal
    return payloads.RulingProposal(
        actions=list(proposal.actions),  # type: ignore[arg-type]
        clock_delta_ms={side.value: ms for side, ms in proposal.clock_delta_ms},
        restore=proposal.restore,
        result=proposal.result,  # type: ignore[arg-type]
    )


def _ack(ruling: Ruling) -> payloads.RulingAck | None:
    ack = ruling.ack
    if ack is None:
        return None
    return payloads.RulingAck(
        by=ack.by,
        at=rfc3339(ack.at_ns),
        decision=ack.decision,  # type: ignore[arg-type]
        reason=ack.reason,
    )


def _coming(ruling: Ruling) -> payloads.RulingComing | UnsetType:
    coming = ruling.coming
    if coming is None:
        return UNSET
    return payloads.RulingComing(by=coming.by, at=rfc3339(coming.at_ns))


def _words(ruling: Ruling, language: str, rules: RuleSet[Any, Any], zone: str) -> payloads.Words:
    text = say(ruling, language, rules, zone)
    return payloads.Words(line=text.line, detail=text.detail)


def clock_of(shown: ClockShown | None) -> payloads.Clock | None:
    """The clock's face as it stands in payloads; None where there is no clock."""
    if shown is None or not shown.known:
        return None
    return payloads.Clock(
        white_ms=shown.white_ms,
        black_ms=shown.black_ms,
        running=None if shown.running is None else shown.running.value,
        flag="both" if shown.both_flags else None if shown.flag is None else shown.flag.value,
    )


class Announcer:
    """The voice of one table."""

    def __init__(self, setup: TableSetup, rules: RuleSet[Any, Any], numbering: Numbering) -> None:
        self._setup = setup
        self._rules = rules
        self.numbering = numbering

    @property
    def game(self) -> str:
        return f"{self._setup.table}-{self.numbering.game}"

    def new_game(self, at_ns: int) -> None:
        numbers = self.numbering
        self._leave()
        numbers.games += 1
        numbers.game, numbers.began_ns = numbers.games, at_ns
        numbers.moves, numbers.laid, numbers.result = {}, 0, None

    def forget(self) -> None:
        """No act can be undone any more."""
        self.numbering.left, self.numbering.rulings = [], {}

    def turn_to(self, began_ns: int) -> None:
        """The game that began then is the present one; one that nobody knows gets a number."""
        numbers = self.numbering
        known = next((game for game in numbers.left if game.began_ns == began_ns), None)
        if known is None:
            self.new_game(began_ns)
            return
        self._leave()
        numbers.left = [game for game in numbers.left if game is not known]
        numbers.game, numbers.began_ns, numbers.laid = known.number, began_ns, known.laid
        numbers.moves, numbers.result = known.moves, known.result

    def _leave(self) -> None:
        numbers = self.numbering
        present = FormerGame(
            number=numbers.game,
            began_ns=numbers.began_ns,
            laid=numbers.laid,
            moves=numbers.moves,
            result=numbers.result,
        )
        numbers.left = [*numbers.left, present][-LEFT_KEPT:]

    def head(self, at_ns: int) -> dict[str, Any]:
        """What every payload of the table begins with."""
        return {
            "hall": self._setup.hall,
            "at": rfc3339(at_ns),
            "simulated": self._setup.simulated,
            "table": self._setup.table,
            "game": self.game,
            "seq": self.numbering.seq,
        }

    def _number(self, topic: str) -> int | None:
        """Takes the next number; answers the one before it on the same topic."""
        self.numbering.seq += 1
        before = self.numbering.newest.get(topic)
        self.numbering.newest[topic] = self.numbering.seq
        return before

    def _event(self, topic: str, payload: Struct, retained: bool = False) -> Output:
        return Output(topic, _ENCODER.encode(payload), retained, self.numbering.seq)

    def move(self, at_ns: int, told: MoveTold) -> Output:
        """One entry of the record: new, corrected, or withdrawn."""
        prev = self._number(topics.MOVES)
        before = self.numbering.moves.pop(told.ply, None)
        if not told.withdrawn:
            self.numbering.moves[told.ply] = MoveOnAir(self.numbering.seq, told)
        head = self.head(at_ns)
        return self._event(
            topics.MOVES,
            payloads.Move(
                **head,
                prev=prev,
                replaces=UNSET if before is None else before.seq,
                irregular=True if told.irregular else UNSET,
                start=told.start or UNSET,
                ply=told.ply,
                color=told.colour,
                san=told.san,
                uci=told.uci,
                fen=told.fen,
                made_at=rfc3339(told.made_at_ns),
                completed_at=None
                if told.completed_at_ns is None
                else rfc3339(told.completed_at_ns),
                clock=clock_of(told.shown),
                how=told.how,
                certainty=told.certainty,
                probability=told.probability,
                alternatives=list(told.alternatives),
            ),
        )

    def result(
        self, at_ns: int, result: str | None, reason: str, article: str, certainty: str
    ) -> Output:
        prev = self._number(topics.RESULT)
        on_air = None if result is None else ResultOnAir(at_ns, result, reason, article, certainty)
        self.numbering.result = on_air
        return self._event(
            topics.RESULT,
            payloads.Result(
                **self.head(at_ns),
                prev=prev,
                result=result,  # type: ignore[arg-type]
                reason=reason,
                article=article,
                certainty=certainty,  # type: ignore[arg-type]
            ),
            retained=True,
        )

    def ruling_id(self, ruling: Ruling) -> str:
        return f"{self._setup.table}-{ruling.number:04d}"

    def ruling(self, at_ns: int, ruling: Ruling, evidence: tuple[int, int]) -> tuple[Output, ...]:
        """The event, and the retained copy that is there while the ruling is open.

        A ruling of urgency 0 is for the journal alone: it takes no number.
        """
        name = self.ruling_id(ruling)
        if ruling.urgency == JOURNAL_ONLY:
            body = _ENCODER.encode(self._ruling(at_ns, ruling, evidence, None, NOTE))
            return (Output(topics.LOG, body, urgency=JOURNAL_ONLY),)
        prev = self._number(topics.RULINGS)
        body = _ENCODER.encode(self._ruling(at_ns, ruling, evidence, prev, ruling.urgency))
        event = Output(topics.RULINGS, body, False, self.numbering.seq, ruling.urgency)
        kept = body if ruling.state.value == "open" else b""
        return event, Output(topics.ruling(name), kept, retained=True)

    def _ruling(
        self,
        at_ns: int,
        ruling: Ruling,
        evidence: tuple[int, int],
        prev: int | None,
        urgency: int,
    ) -> payloads.Ruling:
        setup, until_ns = self._setup, ruling.shelved_until_ns
        zone = setup.laws.time_zone
        return payloads.Ruling(
            **self.head(at_ns),
            prev=prev,
            id=self.ruling_id(ruling),
            kind=ruling.kind,
            state=ruling.state.value,
            revision=ruling.revision,
            articles=list(ruling.articles),
            laws=setup.laws_version,
            rate=setup.rate.kind.value,
            supervised=setup.rate.supervised,
            certainty=ruling.certainty.value,
            urgency=urgency,
            against=None if ruling.against is None else ruling.against.value,
            ply=ruling.ply,
            position=ruling.position,
            placement=board_field(self._rules.geometry, ruling.placement),
            facts=_facts(ruling),
            proposal=_proposal(ruling),
            window=payloads.RulingWindow(closes_on=ruling.window.value),
            text={code: _words(ruling, code, self._rules, zone) for code in LANGUAGES},
            evidence={"from": evidence[0], "to": evidence[1]},
            ack=_ack(ruling),
            coming=_coming(ruling),
            shelved_until=UNSET if until_ns is None else rfc3339(until_ns),
        )
