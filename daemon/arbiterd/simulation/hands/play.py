"""A whole game by restless hands: from the first press to the kings in the centre.

    game ──▶ follow ──▶ Line ──▶ play(line, profile, dice) ──▶ Story (deeds and truth)

Everything that varies comes from the dice handed in: the same seed, the same story.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.simulation.devices.clock import TableClock, rate_of
from arbiterd.simulation.game import GameLine
from arbiterd.simulation.hands.desk import StagedTable
from arbiterd.simulation.hands.incidents import IN_ANY_GAME
from arbiterd.simulation.hands.strokes import stroke
from arbiterd.simulation.profiles import MS, SECOND, Profile
from arbiterd.simulation.world import LinkLoss, Outage, PlyPlayed, Put, Story
from eboards.events import EMPTY, Piece, Square

FIRST_PERIOD_MS = (90 * 60 + 30) * 1000
"""What was published before the first move: 90 minutes and the first credit."""
INCREMENT_MS = 30_000
SECOND_PERIOD_MS = 30 * 60_000
QUICK_MS = 5000
REACH_NS = 250 * MS
"""A hand takes so long at least from the clock, or from a piece it let go, to the next: aimed
movements over 20 to 40 cm take 0.3 to 0.4 s."""
REACTION_NS = 150 * MS
"""Nobody answers what they see in less, and a half-move is seen once its piece is lifted."""
APART = 8
"""So many half-moves lie between two breaches of the Laws in one game."""


def play(line: GameLine, profile: Profile, dice: Random, begin_ns: int = 0) -> Story:
    """One game of this line on a day of this profile, begun at this time."""
    desk = StagedTable(line, profile, dice, begin_ns)
    first = line.rules.turn(line.positions[0])
    desk.wait(2 * SECOND)
    desk.press(first.other)
    plan = _plan(profile, len(line.steps), dice)
    elapsed = elapsed_ns(line)
    late_press: Colour | None = None
    reply: list[Put] = []
    for ply, step in enumerate(line.steps, 1):
        desk.ply = ply
        puts, reply = reply, []
        wanted = plan.get(ply, [])
        undone = wanted if puts else _act(desk, wanted)
        plan.setdefault(ply + 1, []).extend(undone)
        due_ns = None
        if not puts:
            calm = len(undone) == len(wanted)
            form = stroke(desk.hand, step, line.placements[ply - 1], 0)
            hurried = late_press is not None or (calm and desk.hand.chance(profile.habits.overlap))
            due_ns = None if hurried else _due(desk, elapsed[ply - 1])
            if hurried:
                begin_ns = _hurried(desk, waits=late_press is not None)
            else:
                begin_ns = _begin(desk, form[-1].at_ns, due_ns)
            puts = _later(form, begin_ns)
            if late_press is None:
                puts, reply = _answered_in_the_air(desk, puts)
        desk.perform(puts)
        desk.busy = frozenset(put.square for put in puts)
        begin_ns, made_ns = puts[0].at_ns, puts[-1].at_ns
        desk.hand_free_ns[step.side] = made_ns
        if late_press is not None:
            desk.press(late_press, made_ns + desk.hand.about(profile.pace.press_ns))
        in_time = bool(reply) or ply == len(line.steps)
        late_press, pressed_ns = _press(desk, step.side, made_ns, due_ns, in_time=in_time)
        if desk.plies and begin_ns < desk.plies[-1].made_ns:
            desk.note("early-reply", begin_ns, ("move-opp-too-early",))
        desk.plies.append(PlyPlayed(ply, step.move, begin_ns, made_ns, pressed_ns))
    desk.ply = len(line.steps) + 1
    _lose(desk)
    _finish(desk)
    return desk.close()


def _act(desk: StagedTable, names: list[str]) -> list[str]:
    """These episodes before this half-move; those that are put off to the next.

    What a ruling has to follow is alone at its half-move, and far from the one before: a piece
    adjusted just before would make another offence of it, or none.
    """
    habits = [name for name in names if not IN_ANY_GAME[name].owed]
    undone = [name for name in habits if not IN_ANY_GAME[name].act(desk)]
    alone = len(undone) == len(habits)
    for name in names:
        if not IN_ANY_GAME[name].owed:
            continue
        if alone and desk.ply - desk.breach_ply >= APART and IN_ANY_GAME[name].act(desk):
            alone, desk.breach_ply = False, desk.ply
        else:
            undone.append(name)
    return undone


def elapsed_ns(line: GameLine) -> tuple[int | None, ...]:
    """How long each half-move took by the published clock; None where it was not published.

    The time of the second period shows as a jump up. Where one value is missing the move is
    taken to have been quick; where the times were set by hand, likewise.
    """
    shown = [FIRST_PERIOD_MS, FIRST_PERIOD_MS]
    took: list[int | None] = []
    for number, clock_ms in enumerate(line.game.clock_ms):
        credited_ms = shown[number % 2] + INCREMENT_MS
        if clock_ms is None:
            spent_ms = QUICK_MS
        elif clock_ms <= credited_ms:
            spent_ms = credited_ms - clock_ms
        else:
            spent_ms = credited_ms + SECOND_PERIOD_MS - clock_ms
        if not 0 <= spent_ms <= credited_ms + INCREMENT_MS:
            spent_ms = QUICK_MS
        took.append(spent_ms * MS)
        shown[number % 2] = credited_ms - spent_ms if clock_ms is None else clock_ms
    return tuple(took) or (None,) * len(line.steps)


def _plan(profile: Profile, plies: int, dice: Random) -> dict[int, list[str]]:
    """Which episodes come before which half-move."""
    plan: dict[int, list[str]] = {}
    for name, rate in profile.episodes:
        times = int(rate) + (dice.random() < rate % 1)
        for _ in range(times):
            plan.setdefault(dice.randint(1, plies), []).append(name)
    return plan


def _hurried(desk: StagedTable, *, waits: bool) -> int:
    """When a reply begins that comes before the press, or before the half-move is finished.

    Nobody replies to what they cannot see coming: half of the half-move's time is over by then.
    Where the reply needs a square of it (it takes the piece just moved), that piece is let go of
    first, and one hand leaves the square before the other comes to it. And the hand has to come
    back from its last half-move, or from the press (one hand does both: 6.2.3).
    """
    if waits or not desk.plies:
        return desk.now_ns + desk.hand.about(min(desk.profile.pace.think_ns, 2 * SECOND))
    before = desk.plies[-1]
    free = desk.step.squares.isdisjoint(desk.busy | desk.line.steps[desk.ply - 2].squares)
    half_ns = (before.made_ns - before.begun_ns) // 2
    early_ns = desk.dice.randint(0, half_ns) if free else -REACH_NS
    back_ns = desk.hand_free_ns[desk.side] + REACH_NS
    return max(before.begun_ns + REACTION_NS, before.made_ns - early_ns, back_ns)


def _later(puts: list[Put], by_ns: int) -> list[Put]:
    return [Put(by_ns + put.at_ns, put.square, put.piece) for put in puts]


def _answered_in_the_air(desk: StagedTable, puts: list[Put]) -> tuple[list[Put], list[Put]]:
    """The half-move as it goes on, and the reply that is set down before it; empty: there is none.

    Who replies sees the piece lifted and knows where it goes; the mover holds it over its square
    until the other hand is gone. No reply needs a square of the half-move, and none is due before
    its hand is back (see `_hurried`).
    """
    share, ply, line = desk.profile.habits.set_down_first, desk.ply, desk.line
    if not share or ply + 1 >= len(line.steps) or puts[-1].piece == EMPTY:
        return puts, []
    step = line.steps[ply]
    busy = line.steps[ply - 1].squares | {put.square for put in puts}
    if not step.squares.isdisjoint(busy) or not desk.hand.chance(share):
        return puts, []
    back_ns = desk.hand_free_ns[step.side] + REACH_NS
    form = stroke(desk.hand, step, line.placements[ply], 0)
    reply = _later(form, max(puts[0].at_ns + REACTION_NS, back_ns))
    if not busy.isdisjoint(put.square for put in reply):
        return puts, []
    down_ns = reply[-1].at_ns + desk.hand.about(desk.profile.pace.carry_ns // 2)
    return [*puts[:-1], replace(puts[-1], at_ns=max(puts[-1].at_ns, down_ns))], reply


def _begin(desk: StagedTable, lasts_ns: int, due_ns: int | None) -> int:
    """When the first square of this half-move changes."""
    profile, hand = desk.profile, desk.hand
    if due_ns is None:
        return desk.now_ns + hand.about(profile.pace.think_ns)
    return max(desk.now_ns + REACH_NS, due_ns - lasts_ns - hand.about(profile.pace.press_ns))


def _due(desk: StagedTable, elapsed: int | None) -> int | None:
    """When this half-move was pressed, by the published clock; None: it does not say."""
    if elapsed is None or not desk.profile.pace.published:
        return None
    return desk.pressed_ns + elapsed


def _press(
    desk: StagedTable, side: Colour, made_ns: int, due_ns: int | None, *, in_time: bool
) -> tuple[Colour | None, int | None]:
    """Who still has to press, and when this half-move was pressed."""
    habits, pace = desk.profile.habits, desk.profile.pace
    if not in_time and desk.hand.chance(habits.late_press):
        return side, None
    if desk.hand.chance(habits.unpressed):
        return None, None
    soon_ns = made_ns + desk.hand.about(pace.press_ns) if due_ns is None else due_ns
    return None, desk.press(side, max(soon_ns, made_ns + 20 * MS, desk.now_ns + 20 * MS))


def _lose(desk: StagedTable) -> None:
    """Take some half-moves out of what will be heard, and nothing of their neighbours."""
    profile, dice = desk.profile, desk.dice
    for loss, rate in ((LinkLoss.CHANGES, profile.lost_changes), (LinkLoss.ALL, profile.cable_out)):
        for _ in range(int(rate) + (dice.random() < rate % 1)):
            many = dice.randint(1, profile.cable_plies) if loss is LinkLoss.ALL else 1
            runs = _runs_apart(desk, many)
            if runs:
                first, last = dice.choice(runs)
                to_ns = max(last.made_ns, last.pressed_ns or 0) + profile.scan_ns + 10 * MS
                desk.lose(Outage(loss, first.begun_ns - 20 * MS, to_ns))


def _runs_apart(desk: StagedTable, many: int) -> list[tuple[PlyPlayed, PlyPlayed]]:
    """Runs of so many half-moves that no neighbour overlaps, the first and last of each."""
    gap_ns, plies = 2 * desk.profile.scan_ns, desk.plies
    return [
        (plies[at], plies[at + many - 1])
        for at in range(1, len(plies) - many)
        if plies[at - 1].made_ns + gap_ns < plies[at].begun_ns
        and max(plies[at + many - 1].made_ns, plies[at + many - 1].pressed_ns or 0) + gap_ns
        < plies[at + many].begun_ns
    ]


def _finish(desk: StagedTable) -> None:
    """The clocks are stopped; kings in the centre; the pieces set up for the next game."""
    profile = desk.profile
    if profile.flag_falls and desk.hand.chance(profile.flag_falls):
        flag_falls(desk)
    desk.wait(5 * SECOND)
    desk.stop()
    if desk.hand.chance(profile.kings_signal):
        desk.wait(8 * SECOND)
        kings_to_centre(desk)
        desk.wait(20 * SECOND)
    if desk.hand.chance(profile.set_up):
        desk.wait(60 * SECOND)
        since_ns = desk.now_ns
        set_up(desk)
        desk.wait(10 * SECOND)
        desk.note("set-up", since_ns, ("result-board-reset", "result-missing"))


def flag_falls(desk: StagedTable) -> None:
    """Whoever is to move thinks until their time is gone. Not in a game that has ended."""
    clock = TableClock.set_up(rate_of(desk.profile))
    for deed in desk.close().deeds:
        clock.advance(deed)
    out_ns = clock.runs_out_ns
    if out_ns is None or desk.line.rules.end(desk.line.positions[-1]) is not None:
        return
    desk.now_ns = max(desk.now_ns, out_ns)
    since_ns = desk.now_ns
    desk.wait(5 * SECOND)
    desk.note("flag-fall", since_ns, ("flag-last-period", "flag-unwinnable"), must=True)


_CENTRE = {"1-0": (36, 27), "0-1": (35, 28), "1/2-1/2": (36, 28)}
"""Light squares, dark squares, one of each: e4 and d5, d4 and e5 (DGT reference 9.2)."""


def kings_to_centre(desk: StagedTable) -> None:
    """The players show the result: pieces in the way leave, then both kings stand in the centre."""
    where = _CENTRE.get(desk.line.game.result)
    kings = [s for s, piece in enumerate(desk.board) if piece in ("K", "k")]
    if where is None or len(kings) != 2 or desk.line.rules.geometry.files != 8:
        return
    since_ns = desk.now_ns
    colour = {"1-0": "white", "0-1": "black"}.get(desk.line.game.result, "draw")
    for square in where:
        if desk.board[square] not in (EMPTY, "K", "k"):
            desk.lift(square)
            desk.wait(700 * MS)
    there_already = any(square in kings for square in where)
    if there_already or desk.hand.chance(0.3):
        _both_kings_in_the_air(desk, kings, where)
    else:
        for king, target in zip(kings, desk.dice.sample(where, 2), strict=True):
            desk.place(target, _lifted(desk, king))
            desk.wait(1500 * MS)
    desk.wait(6 * SECOND)
    desk.note("kings-in-centre", since_ns, (f"result-kings-{colour}",), must=True)


def _lifted(desk: StagedTable, square: Square) -> Piece:
    piece = desk.lift(square)
    desk.wait(700 * MS)
    return piece


def _both_kings_in_the_air(desk: StagedTable, kings: list[Square], where: tuple[int, int]) -> None:
    pieces = [_lifted(desk, king) for king in kings]
    for piece, target in zip(pieces, where, strict=True):
        desk.place(target, piece)
        desk.wait(900 * MS)


def set_up(desk: StagedTable) -> None:
    """The pieces go back to the start array, one by one, those beside the board too."""
    wanted = desk.line.placements[0]
    wrong = list(differing(tuple(desk.board), wanted))
    desk.dice.shuffle(wrong)
    for square in wrong:
        if wanted[square] == EMPTY:
            desk.lift(square)
            desk.wait(500 * MS)
    desk.dice.shuffle(wrong)
    for square in wrong:
        if wanted[square] != EMPTY and desk.board[square] != wanted[square]:
            if desk.board[square] != EMPTY:
                desk.lift(square)
            desk.wait(600 * MS)
            desk.place(square, wanted[square])
