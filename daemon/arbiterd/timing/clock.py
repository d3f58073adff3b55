"""The clock model: readings in, presses and flags and what is odd about them out.

The model holds the clock's face as it was last read and lets the running side tick from there.
It knows nothing of the board: whether a press completed a move is for others to say. All of it
is one value (`ClockState`, beside it) that can be written and read back.

Where a source shows readings only (a DGT clock, once a second), a press is a lever that changed
between two of them and is known to `late_ns`. Where a source shows presses (a scenario, a lever
with a wire of its own), they are taken as told.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.arithmetic import (
    CREDIT_MAX_MS,
    DISPLAY_MS,
    STILL_MS,
    SideTimes,
    Span,
    credited_ms,
    fits,
    presses_between,
    presses_with,
)
from arbiterd.timing.balance import (
    PRESSES_MAX,
    balance_of,
    even_increment_ms,
    lacking_ms,
)
from arbiterd.timing.clock_state import ClockState
from arbiterd.timing.control import Period, Rate
from arbiterd.timing.face import MS, Face, Reading, face_of
from arbiterd.timing.facts import (
    ClockBack,
    ClockFact,
    ClockLost,
    ClockShown,
    CreditOdd,
    Edited,
    FlagFell,
    Paused,
    PeriodAdded,
    Press,
    Restarted,
    SettingRight,
    SettingWrong,
    TimeJumped,
)
from arbiterd.timing.setting import pressed_since, rightly_set, wrongly_set


class ClockModel:
    """One table's clock. `at_ns` never goes back."""

    def __init__(self, rate: Rate, *, in_progress: bool = False) -> None:
        self.rate = rate
        self._state = ClockState(fresh=not in_progress)
        self._newest = (self._state.face, self._state.face.shown)
        """What was asked for last: asked again several times at each input."""

    # What it shows.

    def shown(self, at_ns: int) -> ClockShown:
        """The face at this time, also some time ago: the time a move's record should carry."""
        faces = self._state.faces
        face: Face | None
        if faces and faces[-1].at_ns <= at_ns:
            face = faces[-1]
        else:
            face = next((f for f in reversed(faces) if f.at_ns <= at_ns), None)
        if face is None:
            face = replace(faces[0], running=None) if faces else self._state.face
        of, shown = self._newest
        if of is not face or shown.at_ns != at_ns:
            shown = face.ticked(at_ns).shown
            self._newest = (face, shown)
        return shown

    @property
    def heard(self) -> bool:
        """Whether a clock or a source tells what it shows; what an arbiter says of it is no such
        source."""
        return self._state.heard

    def turns(self) -> Sequence[ClockShown]:
        """What it showed in this game each time it was started, stopped or set, as far as kept."""
        return [face.shown for face in self._state.turns]

    def presses(self, side: Colour) -> int:
        """How often this side has pressed since the game began."""
        return self._state.presses[side]

    def checkpoint(self) -> bytes:
        """All of it as bytes."""
        return msgspec.msgpack.encode(self._state)

    @classmethod
    def restored(cls, rate: Rate, data: bytes) -> ClockModel:
        """The model that wrote this checkpoint."""
        model = cls(rate)
        model._state = msgspec.msgpack.decode(data, type=ClockState)
        return model

    @property
    def increment_ms(self) -> int:
        """What the time control gives for a press now; the least where the sides are in two periods
        of it."""
        periods = [self._period(side) for side in Colour]
        return min((period.increment_ms for period in periods if period is not None), default=0)

    # Inputs.

    def read(self, reading: Reading) -> list[ClockFact]:
        """A reading, a press, or both in one."""
        state = self._state
        back, corrected = state.lost, state.adopt
        state.heard, state.lost = True, False
        facts = self._taken(reading, state.face.ticked(reading.at_ns))
        facts += self._balanced(reading, facts)
        if not back:
            return facts
        return [ClockBack(reading.at_ns, self.shown(reading.at_ns), corrected), *facts]

    def flag(self, at_ns: int, side: Colour) -> list[ClockFact]:
        """The source shows this side's flag: both clocks stand."""
        now = self._state.face.ticked(at_ns)
        self._state.heard = True
        ran, stood = now.running, self._state.running_known and now.running is None
        if side in now.flags:
            return []
        if now.of(side) is not None:
            now = now.with_time(side, 0)
        now = replace(now, running=None, flags=(*now.flags, side), known=True)
        self._state.turn_to(now)
        return [self._fallen(now, side, 0, ran, stood, order_known=True)]

    def pause(self, at_ns: int) -> list[ClockFact]:
        """The source says that both clocks were stopped."""
        now = self._state.face.ticked(at_ns)
        self._state.heard = True
        if now.running is None and self._state.running_known:
            return []
        ran = now.running
        self._state.turn_to(replace(now, running=None, known=True))
        shown = self._state.face.shown
        return [] if ran is None else [Paused(at_ns, 0, ran, shown, said=True)]

    def gone(self, at_ns: int) -> list[ClockFact]:
        """No clock is heard any more."""
        self._state.heard = False
        if not self._state.face.known or self._state.lost:
            return []
        last = self._state.face.shown
        self._state.turn_to(replace(self._state.face.ticked(at_ns), running=None, known=False))
        self._state.lost, self._state.running_known = True, False
        return [ClockLost(at_ns, last)]

    def corrected(
        self, at_ns: int, white_ms: int | None, black_ms: int | None, running: Colour | None
    ) -> None:
        """The arbiter says what the clock shows now; it is no jump if it does."""
        now = self._state.face.ticked(at_ns)
        self._state.turn_to(
            replace(
                now,
                white_ms=now.white_ms if white_ms is None else white_ms,
                black_ms=now.black_ms if black_ms is None else black_ms,
                running=running,
                flags=(),
                known=True,
            )
        )
        self._state.adopt, self._state.balance = True, None
        self._state.fresh = False  # What the time control says holds no more.

    def begin_game(self, at_ns: int, *, in_progress: bool = False) -> None:
        """Another game begins (or goes on): presses and periods count from nothing."""
        face = replace(self._state.face.ticked(at_ns), flags=())
        before = self._state
        self._state = ClockState(
            face,
            [face],
            [face],
            before.lost,
            before.running_known,
            before.lever,
            before.heard,
            adopt=True,
            fresh=not in_progress,
        )

    # How a reading is taken.

    def _taken(self, reading: Reading, now: Face) -> list[ClockFact]:
        if reading.press is not None:
            return self._told_press(reading, reading.press, now)
        if not now.known or (now.white_ms is None and now.black_ms is None):
            return self._first(reading, now)
        return self._next(reading, now)

    def _first(self, reading: Reading, now: Face) -> list[ClockFact]:
        """Nothing was known of the times: take them as they are."""
        ran = now.running if self._state.running_known else None
        after = face_of(reading, now)
        self._state.turn_to(after, reading.lever)
        facts: list[ClockFact] = []
        if ran is not None and after.running is ran.other:
            facts += self._pressed(reading, after, ran, 1)
        elif after.running is not ran and after.running is not None:
            facts.append(Restarted(after.at_ns, reading.late_ns, after.running, after.shown))
        elif ran is not None and after.running is None:
            facts.append(Paused(after.at_ns, reading.late_ns, ran, after.shown))
        return [*facts, *self._flags(reading, now, after, ran), *self._setting(after)]

    def _next(self, reading: Reading, now: Face) -> list[ClockFact]:
        ran = now.running
        before, after = self._state.face, face_of(reading, now)
        if ran is None:
            facts = self._from_standing(reading, before, after)
        else:
            facts = self._from_running(reading, before, after, ran)
        flags = self._flags(reading, now, after, ran)
        if self._state.adopt and ran is None:
            flags = []  # It shows still what the arbiter has corrected, and is set by hand next.
        self._state.guessed, self._state.adopt = [], False
        self._state.turn_to(after, reading.lever)
        return [*facts, *flags, *self._setting(after, before)]

    def _from_standing(self, reading: Reading, before: Face, after: Face) -> list[ClockFact]:
        facts: list[ClockFact] = []
        changed = {side: after.gained(before, side) for side in Colour}
        if after.running is not None:
            since_ms = max(0, after.at_ns - before.at_ns) // MS + DISPLAY_MS
            if -since_ms <= changed[after.running] < 0:
                changed[after.running] = 0
        if any(abs(ms) > STILL_MS for ms in changed.values()) and not self._state.adopt:
            facts.append(
                Edited(after.at_ns, changed[Colour.WHITE], changed[Colour.BLACK], after.shown)
            )
        if after.running is None:
            return facts
        lever = self._state.lever
        if lever is not None and reading.lever is not None and lever is not reading.lever:
            return [*facts, *self._pressed(reading, after, after.running.other, 1, restart=True)]
        return [*facts, Restarted(after.at_ns, reading.late_ns, after.running, after.shown)]

    def _from_running(
        self, reading: Reading, before: Face, after: Face, ran: Colour
    ) -> list[ClockFact]:
        """One side ran: presses, a stop, and times that must fit them."""
        stopped = after.running is None
        odd = after.running is ran.other or (stopped and reading.lever is ran.other)
        presses, facts = self._explained(reading, before, after, ran, odd)
        facts += self._pressed(reading, after, ran, presses)
        if stopped and not self._new_flags(before, after):
            last = ran if presses % 2 == 0 else ran.other
            facts.append(Paused(after.at_ns, reading.late_ns, last, after.shown))
        return facts

    def _explained(
        self, reading: Reading, before: Face, after: Face, ran: Colour, odd: bool
    ) -> tuple[int, list[ClockFact]]:
        """How many presses there were, and what of the times they leave unexplained."""
        fewest = 1 if odd else 0
        span = self._span(reading, before, after, ran)
        if span is None or self._state.adopt:
            return fewest, []
        if self._state.guessed:
            return fewest, self._guess_checked(after, span, ran)
        if not self.rate.periods and self._state.credit_seen_ms is None:
            return fewest, self._credit_checked(after, ran, span) if odd else []
        presses = None if self._main_time_gone(ran, span) else presses_between(span, odd)
        if after.running is None and presses is not None:
            presses = min(presses, fewest)  # Who stopped the clocks may have set them too.
        elif after.running is None and reading.lever is None and fits(span, 1):
            return 1, []  # No lever is told: the side that ran was credited and then stopped.
        if presses is not None and presses > 1:
            return presses, []
        if presses is None and after.running is not None:
            presses, added = self._with_periods(after, span, ran, odd)
            if presses is not None:
                return presses, added
        if presses == 0 and not odd:
            return 0, []
        return fewest, self._through_zero(reading, before, after, ran, span, pressed=odd)

    def _with_periods(
        self, after: Face, span: Span, ran: Colour, odd: bool
    ) -> tuple[int | None, list[ClockFact]]:
        """Several presses, of which one or two brought the next period's time (6.3)."""
        ran_ms, stood_ms = self._next_opening(ran), self._next_opening(ran.other)
        for of_ran, of_stood in ((ran_ms, 0), (0, stood_ms), (ran_ms, stood_ms)):
            if not of_ran and not of_stood:
                continue
            presses = presses_with(span, odd, of_ran, of_stood)
            if presses is None:
                continue
            if presses < 2:
                break  # One press, or the time that came at zero: seen to by itself.
            gave = ((ran, of_ran), (ran.other, of_stood))
            return presses, [
                self._add_period(after, side, ms, at_zero=False) for side, ms in gave if ms
            ]
        return None, []

    def _through_zero(
        self, reading: Reading, before: Face, after: Face, ran: Colour, span: Span, *, pressed: bool
    ) -> list[ClockFact]:
        """What one press, or none, leaves of the times. Where the next period's time came at zero,
        the one before ran out there (6.4), though this source showed no flag and no zero."""
        ran_out = self._state.periods[ran]
        checked = self._credit_checked if pressed else self._jump
        facts = checked(after, ran, span)
        seen = ran in before.flags or ran in after.flags
        if seen or self._state.periods[ran] == ran_out or self.rate.required_moves(ran_out) is None:
            return facts
        fell = self._fallen(after, ran, reading.late_ns, ran, stood=False, order_known=True)
        fell = dataclasses.replace(fell, pressing=pressed)
        return [
            dataclasses.replace(fact, ran_out=fell)
            if isinstance(fact, PeriodAdded) and fact.at_zero
            else fact
            for fact in facts
        ]

    def _guess_checked(self, after: Face, span: Span, ran: Colour) -> list[ClockFact]:
        """Presses came without times: did the one before this reading credit what it should?"""
        if len(self._state.guessed) > 1 or self._state.guessed[0] is ran:
            return []
        presser, period = ran.other, self._period(ran.other)
        if period is None or period.delay_ms or period.byoyomi_ms:
            return []
        added = self._next_opening(presser)
        if added and abs(span.stood.gained_ms - added) <= span.slack_ms:
            return [self._add_period(after, presser, added, at_zero=False)]
        credited = period.increment_ms + round(span.stood.gained_ms / 1000) * 1000
        return self._credit(after, presser, credited)

    def _told_press(self, reading: Reading, side: Colour, now: Face) -> list[ClockFact]:
        """A source that knows of presses told one."""
        state = self._state
        standing = state.running_known and now.running is None
        if now.running is side.other:
            return self._next(replace(reading, press=None), now) if reading.has_times else []
        running = reading.running if reading.running_said else side.other
        taken = replace(reading, running=running, running_said=True)
        after = replace(face_of(taken, now), known=True)
        facts: list[ClockFact] = []
        if reading.has_times:
            span = None if standing else self._span(reading, state.face, after, side)
            if span is not None and not state.adopt and not state.guessed:
                facts += self._credit_checked(after, side, span)
            state.guessed, state.adopt = [], False
        elif not standing:
            after = self._credited_by_control(after, side)
            state.guessed.append(side)
        facts += self._pressed(taken, after, side, 1, restart=standing)
        facts += self._setting(after)
        self._state.turn_to(after, side.other)
        if running is None and not standing:
            facts.append(Paused(after.at_ns, reading.late_ns, side.other, after.shown))
        return facts

    def _credited_by_control(self, after: Face, side: Colour) -> Face:
        period, ms = self._period(side), after.of(side)
        if period is None or ms is None:
            return after
        return after.with_time(side, ms + period.increment_ms)

    # What the times say.

    def _credit_checked(self, after: Face, side: Colour, span: Span) -> list[ClockFact]:
        """One press: its credit is the time control's, a period's time, or odd."""
        period, credited = self._period(side), credited_ms(span)
        if period is None:
            if span.elapsed_ms <= 2 * DISPLAY_MS and 0 <= credited <= CREDIT_MAX_MS:
                self._state.learn_credit(credited)
            return []
        least, most = period.credit_ms
        if least - span.slack_ms <= credited <= most + span.slack_ms:
            self._state.odd_ms, self._state.odd_run = None, 0
            return [] if fits(span, 1) else self._jump(after, side, span)
        added = self._next_opening(side)
        if added and abs(credited - least - added) <= span.slack_ms + span.elapsed_ms:
            at_zero = span.ran.before_ms <= span.elapsed_ms + span.slack_ms
            return [self._add_period(after, side, added, at_zero=at_zero)]
        if -DISPLAY_MS <= credited <= CREDIT_MAX_MS:
            return self._credit(after, side, credited)
        return self._jump(after, side, span)

    def _credit(self, after: Face, side: Colour, credited: int) -> list[ClockFact]:
        period, state = self._period(side), self._state
        assert period is not None, "a credit is compared with a time control"
        least, most = period.credit_ms
        if least - DISPLAY_MS <= credited <= most + DISPLAY_MS:
            state.odd_ms, state.odd_run = None, 0
            return []
        same = state.odd_ms is not None and abs(state.odd_ms - credited) <= DISPLAY_MS
        state.odd_ms, state.odd_run = credited, state.odd_run + 1 if same else 1
        return [CreditOdd(after.at_ns, side, max(0, credited), most, state.odd_run)]

    def _balanced(self, reading: Reading, facts: Sequence[ClockFact]) -> list[ClockFact]:
        """Many presses together: did they credit less than the time control says?"""
        state, now = self._state, balance_of(self._state.face)
        increment_ms = even_increment_ms(self.rate.periods)
        pressed = [f for f in facts if isinstance(f, Press) and f.seen and not f.restart]
        broken = len(pressed) < len(facts) or not reading.has_times or not increment_ms
        if broken or now is None or state.balance is None:
            state.balance = now if reading.has_times else None
            return []
        counted = state.balance.at(now, len(pressed))
        lacks = lacking_ms(counted, now, increment_ms) if pressed else 0
        state.balance = now if lacks or counted.presses >= PRESSES_MAX else counted
        if not lacks:
            return []
        credited = increment_ms - round(lacks / counted.presses / 1000) * 1000
        presser, presses = pressed[-1].side, counted.presses
        return [CreditOdd(now.at_ns, presser, max(0, credited), increment_ms, presses)]

    def _jump(self, after: Face, ran: Colour, span: Span) -> list[ClockFact]:
        """Times that no press explains: a period's time, or a jump."""
        gained = span.ran.gained_ms
        if self._opened(ran, span):
            at_zero = span.ran.before_ms <= span.near_ms
            return [self._add_period(after, ran, self._next_opening(ran), at_zero=at_zero)]
        facts: list[ClockFact] = []
        if span.standing_changed and abs(span.stood.gained_ms) > span.slack_ms:
            facts.append(
                TimeJumped(
                    after.at_ns,
                    ran.other,
                    span.stood.before_ms,
                    span.stood.after_ms,
                    after.shown,
                )
            )
        fell_too_far = gained < -(span.elapsed_ms + 2 * span.slack_ms)
        if fell_too_far or (gained > 2 * span.slack_ms and self.rate.periods):
            expected = max(0, span.ran.before_ms - span.elapsed_ms)
            facts.append(TimeJumped(after.at_ns, ran, expected, span.ran.after_ms, after.shown))
        return facts

    def _opened(self, ran: Colour, span: Span) -> bool:
        """Is what the running side gained, and it alone, the time of its next period?"""
        added, gained = self._next_opening(ran), span.ran.gained_ms
        as_much = added - span.near_ms <= gained <= added + DISPLAY_MS
        return bool(added) and as_much and not span.standing_changed

    def _main_time_gone(self, ran: Colour, span: Span) -> bool:
        """Did byo-yomi begin where main time came to zero? No press gives any of it before."""
        number = self._state.periods[ran]
        own = number + 1 == len(self.rate.periods) and self.rate.follows(number)
        return own and span.ran.before_ms <= span.near_ms and self._opened(ran, span)

    def _setting(self, after: Face, before: Face | None = None) -> list[ClockFact]:
        """Before the first press both sides show what the time control says (6.10.2)."""
        expected, state = self.rate.initial_ms, self._state
        times = (after.white_ms, after.black_ms)
        if not state.fresh or expected is None or None in times:
            return []
        first, started = self.rate.periods[0], False
        if after.running is not None:
            started = before is not None and pressed_since(before, after, first)
            state.fresh = not started
        if state.setting_told is not None and rightly_set(after, first):
            state.setting_told = None
            return [SettingRight(after.at_ns)]
        if not wrongly_set(after, first, pressed=started) or state.setting_told is not None:
            return []
        state.setting_told = times
        return [SettingWrong(after.at_ns, after.shown, expected)]

    # Presses, flags, periods.

    def _pressed(
        self, reading: Reading, after: Face, first: Colour, presses: int, restart: bool = False
    ) -> list[ClockFact]:
        """Presses in turn; those that were not seen are known to the whole span only."""
        state = self._state
        late = reading.late_ns
        if presses > 1:
            late = max(late, after.at_ns - state.face.at_ns)
        facts: list[ClockFact] = []
        for number in range(presses):
            side = first if number % 2 == 0 else first.other
            if not restart:
                state.presses[side] += 1
                state.fresh = False
            facts.append(Press(after.at_ns, late, side, after.shown, restart, presses == 1))
        return facts

    def _flags(
        self, reading: Reading, now: Face, after: Face, ran: Colour | None
    ) -> list[ClockFact]:
        """What this reading tells of flags that fell."""
        fallen = self._new_flags(now, after)
        # A reading that shows a flag and no running clock may be the first one ever heard.
        stood = now.known and now.white_ms is not None and ran is None and after.running is None
        known = len(fallen) == 1
        return [self._fallen(after, s, reading.late_ns, ran, stood, known) for s in fallen]

    def _new_flags(self, before: Face, after: Face) -> list[Colour]:
        """Flags that were not shown before, or belonged to a period before the one that is over."""
        again = before.running
        if again not in self._state.passed or after.of(again) != 0:
            again = None
        return [side for side in after.flags if side not in before.flags or side is again]

    def _fallen(
        self,
        after: Face,
        side: Colour,
        late_ns: int,
        ran: Colour | None,
        stood: bool,
        order_known: bool,
    ) -> FlagFell:
        state = self._state
        return FlagFell(
            after.at_ns,
            late_ns,
            side,
            stopped=after.running is None,
            second=after.flags[:1] not in ((), (side,)),
            order_known=order_known,
            shown=after.shown,
            ran=ran,
            standing=stood and not after.flags[:-1],
            presses=state.presses[side],
            period=state.periods[side],
            other_period=state.periods[side.other],
        )

    def _next_opening(self, side: Colour) -> int:
        """What the next period would add for this side; 0: there is none."""
        number = self._state.periods[side] + 1
        if number < len(self.rate.periods):
            return self.rate.periods[number].opening_ms
        return self.rate.periods[-1].byoyomi_ms if self.rate.periods else 0

    def _add_period(self, after: Face, side: Colour, added: int, at_zero: bool) -> PeriodAdded:
        state = self._state
        state.periods[side] += self.rate.follows(state.periods[side])
        return PeriodAdded(after.at_ns, side, added, at_zero)

    def _period(self, side: Colour) -> Period | None:
        return self.rate.period(self._state.periods[side])

    # Faces.

    def _span(self, reading: Reading, before: Face, after: Face, ran: Colour) -> Span | None:
        """The two faces as a span; None where a time is not known."""
        sides = []
        for side in (ran, ran.other):
            was, shows, period = before.of(side), after.of(side), self._period(side)
            if was is None or shows is None:
                return None
            seen = self._state.credit_seen_ms
            credit = (seen or 0, CREDIT_MAX_MS if seen is None else seen)
            sides.append(SideTimes(was, shows, credit if period is None else period.credit_ms))
        elapsed = max(0, after.at_ns - before.at_ns) // MS
        return Span(sides[0], sides[1], elapsed, reading.late_ns // MS)
