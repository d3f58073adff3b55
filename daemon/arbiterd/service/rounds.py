"""Rounds at run time: begun, corrected and ended by commands, while the service runs.

    command ─▶ who plays at which table ─▶ set-ups and names as inputs of the tables ─▶ journal

What a command changes stands in the journal as the tables' inputs; nothing is kept here but the
answers to the last commands, so that one that is sent again is answered again. What would come
undone if it were done twice is found in the journal, where its order goes in one commit with it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec

from arbiterd.config import Config
from arbiterd.edges import ServiceClock, Workers
from arbiterd.hall.round.pairings import Pairing, PairingsError, read_noted, seated
from arbiterd.hall.round.round_check import after, before
from arbiterd.hall.round.rounds import setup_of
from arbiterd.hall.tables.desk import Desk
from arbiterd.hall.tables.seat import Seat
from arbiterd.journal.decided import result_before
from arbiterd.journal.encode import RowError
from arbiterd.journal.reader import JournalReader
from arbiterd.laws.case.on_board import board_end
from arbiterd.messages.commands import ROUND_OPS, Command, GameSaid, PlayerSaid, Sent
from arbiterd.messages.payloads import Reply, RoundReply, State
from arbiterd.messages.times import rfc3339
from arbiterd.table.health_told import sensors
from arbiterd.table.inputs import DelaySaid, Renamed, RoundOrdered
from arbiterd.table.player import NO_PLAYERS, NOBODY, Player, players_of
from arbiterd.table.setup import TableSetup

ANSWERS_KEPT = 256
LOOKING = ("check", "end")
"""What changes nothing at a table."""
TWO_WAYS = ("swap", "move")
"""Done a second time, they are undone."""
NS = 1_000_000_000


class RoundError(Exception):
    """Why a command about a round is refused, in a sentence."""


class NotNowError(RoundError):
    """It is refused for now: sent again, with the same id too, it is looked at anew."""


class RoundDesk:
    """The one way into a round."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        desk: Desk,
        read: JournalReader,
        clock: ServiceClock,
        workers: Workers,
        at_a_table: Callable[[str, Command, str], Awaitable[bytes]],
        device_of: Callable[[str], str],
        ordered: Callable[[str, int], Iterable[RoundOrdered]],
    ) -> None:
        """`ordered`: the newest orders that a table has in the journal, so many at most."""
        self._config, self._folder, self._desk, self._clock = config, folder, desk, clock
        self._read = read
        self._workers = workers
        self._at_a_table, self._device_of, self._ordered = at_a_table, device_of, ordered
        self._answers: OrderedDict[tuple[str, str], asyncio.Future[bytes]] = OrderedDict()
        """By login and id, those that are still being made too."""

    def take_configuration(self, config: Config) -> None:
        """Rounds are begun by this one from now on. It has the hall's tables, and no others."""
        assert {entry.table for entry in config.tables} == set(self._desk.seats)
        self._config = config

    async def command(self, command: Command, user: str) -> bytes:
        """The answer's payload, once what was changed is on the disk.

        It is carried out to its end, also where nobody waits for the answer any more.
        """
        key = (user or command.by, command.id)
        answer = self._answers.get(key)
        if answer is None:
            answer = asyncio.ensure_future(self._carried_out(command, user))
            if command.id:
                self._answers[key] = answer
            while len(self._answers) > ANSWERS_KEPT:
                self._answers.popitem(last=False)
        return await asyncio.shield(answer)

    async def _carried_out(self, command: Command, user: str) -> bytes:
        try:
            if self._desk.no_room and command.op not in LOOKING:
                raise NotNowError(self._desk.no_room)
            await self._note(command, user)
            return self._answer(command, await self._done(command, user))
        except (NotNowError, RowError) as later:
            self._answers.pop((user or command.by, command.id), None)
            return self._answer(command, (), str(later))
        except (RoundError, PairingsError) as refused:
            return self._answer(command, (), str(refused))
        except BaseException:
            self._answers.pop((user or command.by, command.id), None)
            raise

    async def _note(self, command: Command, user: str) -> None:
        """Who said it stands in the journal of each table it is for, before what it does there."""
        if command.op in ("check", *TWO_WAYS) or self._desk.no_room:
            return
        seats = self._seats()
        if isinstance(command.tables, list):
            seats = [self._seat(name) for name in command.tables]
        for done in [self._take_order(seat, command, user) for seat in seats]:
            await done

    def _take_order(self, seat: Seat, command: Command, user: str) -> asyncio.Future[None]:
        order = RoundOrdered(
            self._desk.now_ns(seat),
            op=command.op or "",
            by=command.by,
            id=command.id,
            user=user,
            origin=command.origin if isinstance(command, Sent) else "",
            round=command.round,
        )
        done, _ = self._desk.take(seat, (order,))
        return done

    def _was_done(self, seat: Seat, command: Command, user: str) -> bool:
        """By an earlier run of the service, which ended before anybody heard of it."""
        order = (command.op, user or command.by, command.id)
        orders = self._ordered(seat.name, ANSWERS_KEPT) if command.id else ()
        return any((each.op, each.user or each.by, each.id) == order for each in orders)

    def _answer(self, command: Command, findings: Sequence[str], error: str = "") -> bytes:
        return msgspec.json.encode(
            RoundReply(
                hall=self._config.hall.name,
                at=rfc3339(self._clock.now_ns()),
                simulated=self._config.simulation is not None,
                ok=not error,
                id=command.id,
                action=command.action,
                op=command.op or "",
                round=self._number(command),
                findings=list(findings),
                error=error or msgspec.UNSET,
            )
        )

    async def _done(self, command: Command, user: str) -> Sequence[str]:
        match command.op:
            case "check":
                return await self._check(command)
            case "begin":
                return await self._begin(command)
            case "end":
                return self._end(command)
            case "swap":
                return await self._swap(command, user)
            case "move":
                return await self._move(command, user)
            case "delay":
                return await self._delay(command)
            case "rename":
                return await self._rename(command)
            case "bye":
                return await self._bye(self._one_table(command))
            case _:
                raise RoundError(
                    f"'op' of a round is one of {', '.join(ROUND_OPS)}; send one of them"
                )

    # Begin and end.

    def _number(self, command: Command) -> int | None:
        """The round that is meant: the one that is named, else the one that is on the tables."""
        if command.round is not None:
            return command.round
        rounds = {seat.table.setup.round for seat in self._seats()} - {None}
        return max((number for number in rounds if number is not None), default=None)

    async def _check(self, command: Command) -> Sequence[str]:
        if command.games is None and not command.file:
            return (*self._still(), *self._after())
        setups, notes = await self._setups(command)
        return (*self._still(), *notes, *self._before(setups))

    async def _begin(self, command: Command) -> Sequence[str]:
        if command.round is None:
            raise RoundError("'begin' needs 'round', the number; send it again with it")
        setups, notes = await self._setups(command)
        self._all_told()
        wanted = {name: setup for name, setup in setups.items() if not self._same(name, setup)}
        playing = [name for name in wanted if self._desk.seats[name].table.in_play]
        if playing and not command.reason:
            raise RoundError(
                f"play goes on at {_tables(playing)}; enter the results there, or send 'begin' with"
                " 'reason'"
            )
        await self._tell(wanted)
        if command.delay_s is not None:
            await self._tell_delays(s for name, s in setups.items() if name not in wanted)
        return (*self._still(), *notes, *self._before(setups))

    def _end(self, command: Command) -> Sequence[str]:
        self._all_told()
        found = self._after()
        missing = [line for line in found if "no result" in line]
        if missing and not command.reason:
            raise RoundError(
                f"{'; '.join(missing)}; enter the results, or send 'end' with 'reason'"
            )
        return found

    def _still(self) -> Sequence[str]:
        """Tables that do not follow their boards now."""
        return [seat.failing for seat in self._desk.seats.values() if seat.failing]

    def _all_told(self) -> None:
        """Nobody knows yet how a game stands that is being made again. Raises RoundError."""
        for seat in self._desk.seats.values():
            if self._desk.comes_back(seat):
                raise NotNowError(self._desk.not_now(seat))

    async def _setups(self, command: Command) -> tuple[Mapping[str, TableSetup], Sequence[str]]:
        """Every table of the hall in the round that is meant."""
        config = self._config
        number = command.round if command.round is not None else config.round.number
        config = replace(config, round=replace(config.round, number=number))
        if command.rate:
            if command.rate not in config.rates:
                raise RoundError(
                    f"there is no rate {command.rate!r}; the configuration has"
                    f" {', '.join(config.rates) or 'none'}"
                )
            config = replace(config, round=replace(config.round, rate=command.rate))
        if command.delay_s is not None:
            config = replace(config, round=replace(config.round, delay=command.delay_s * NS))
        pairings, notes = await self._pairings(command, number)
        by_table = seated(pairings, list(self._desk.seats))
        now_ns = self._clock.now_ns()
        entries = config.tables
        if command.games is not None or command.file:
            # Who commands a round says who sits where: no names that somebody wrote for another.
            entries = tuple(replace(entry, white="", black="") for entry in entries)
        setups = {
            entry.table: replace(
                setup_of(config, entry, by_table.get(entry.table, Pairing(entry.table, "", ""))),
                round_started_ns=now_ns,
                commanded=True,
            )
            for entry in entries
        }
        beyond = len(pairings) - len(by_table)
        if beyond:
            notes = (*notes, f"{beyond} of {len(pairings)} games have no electronic board here")
        return setups, notes

    async def _pairings(
        self, command: Command, number: int | None
    ) -> tuple[Sequence[Pairing], Sequence[str]]:
        if command.games is not None:
            return [_pairing(game) for game in command.games], ()
        name = command.file or self._config.round.pairings
        if not name:
            raise RoundError("name the games in 'games', or a 'file' beside the configuration")
        folder = self._folder.resolve()
        file = (folder / name).resolve()
        if command.file and not file.is_relative_to(folder):
            raise RoundError(f"{name} lies outside the configuration's folder; copy it there")
        return await self._workers.run("pairings", partial(read_noted, file, number))

    def _same(self, name: str, setup: TableSetup) -> bool:
        """It is what the table has already: a command sent again begins no game anew."""
        present = self._desk.seats[name].table.setup
        return (
            replace(
                setup,
                round_started_ns=present.round_started_ns,
                commanded=present.commanded,
                public_delay_ns=present.public_delay_ns,
                delays=present.delays,
            )
            == present
        )

    async def _tell(self, setups: Mapping[str, TableSetup]) -> None:
        done = [self._desk.set_up(self._desk.seats[name], s) for name, s in setups.items()]
        for written in done:
            await written

    async def _tell_delays(self, setups: Iterable[TableSetup]) -> None:
        """Tables that have this round already are as far behind as it is begun with now."""
        for setup in setups:
            seat, delay_ns = self._desk.seats[setup.table], setup.public_delay_ns
            held = seat.table.setup.public_delay
            if delay_ns is not None and (held is None or held.newest_ns != delay_ns):
                await self._say(seat, DelaySaid(self._desk.now_ns(seat), delay_ns))

    # Late changes.

    async def _swap(self, command: Command, user: str) -> Sequence[str]:
        """Two pairings change tables. Half-moves stay at the boards where they were made: whoever
        sat down at the wrong one has played them there."""
        one, other = self._two_tables(command)
        if not self._was_done(one, command, user):
            begun = bool(len(one.table.moves) or len(other.table.moves))
            sources = (other.table.setup, one.table.setup)
            # Both, with their orders, go in one commit: nobody waits in between.
            written = [self._take_order(seat, command, user) for seat in (one, other)]
            written += [
                self._take_players(seat, source, begun)
                for seat, source in zip((one, other), sources, strict=True)
            ]
            for done in written:
                await done
        return [_who(seat.table.setup) for seat in (one, other)]

    def _take_players(self, seat: Seat, source: TableSetup, begun: bool) -> asyncio.Future[None]:
        """Those of another table's set-up."""
        if not begun:
            setup = replace(seat.table.setup, **players_of(source), commanded=True)
            return self._desk.set_up(seat, setup)
        done, _ = self._desk.take(seat, (Renamed(self._desk.now_ns(seat), **players_of(source)),))
        return done

    async def _move(self, command: Command, user: str) -> Sequence[str]:
        """The game of the first table goes on at the board of the second, and the other way round.

        Each keeps its table's name, its players and every half-move; the boards change.
        """
        one, other = self._two_tables(command)
        if not self._was_done(one, command, user):
            boards = self._device_of(one.name), self._device_of(other.name)
            if not boards[1]:
                raise RoundError(f"table {other.name} has no board that the game could go on at")
            for seat in (one, other):
                self._take_order(seat, command, user)
            # Both at once, and so in one commit with their orders.
            replies = await asyncio.gather(
                *(
                    self._at_a_table(seat.name, _assigning(board, command.by), user)
                    for seat, board in ((one, boards[1]), (other, boards[0]))
                    if board
                )
            )
            for reply in replies:
                said = msgspec.json.decode(reply, type=Reply)
                if not said.ok:
                    raise RoundError(str(said.error))
        boards = self._device_of(one.name), self._device_of(other.name)
        return [
            f"table {one.name} is played at the board {boards[0]}",
            f"table {other.name} is played at the board {boards[1]}"
            if boards[1]
            else f"table {other.name} has no board now",
            "set up both positions on the boards, if that is not done",
        ]

    async def _delay(self, command: Command) -> Sequence[str]:
        """The public is so far behind from now on, at these tables; what waits keeps to it too."""
        if command.delay_s is None:
            raise RoundError("'delay' needs 'delay_s', in seconds; send it again with it")
        named = command.tables if isinstance(command.tables, list) else []
        seats = [self._seat(name) for name in named] or self._seats()
        for seat in seats:
            await self._say(seat, DelaySaid(self._desk.now_ns(seat), command.delay_s * NS))
        what = _tables([seat.name for seat in seats]) if named else "every table"
        return [f"{what}: what is public is {_minutes(command.delay_s)} behind"]

    async def _say(self, seat: Seat, item: Renamed | DelaySaid) -> None:
        done, _ = self._desk.take(seat, (item,))
        await done

    async def _rename(self, command: Command) -> Sequence[str]:
        """A name or what is known of a player is put right; the game goes on."""
        seat = self._one_table(command)
        if command.white is None and command.black is None and not command.games:
            raise RoundError("'rename' needs 'white' or 'black', or one game in 'games'")
        setup = seat.table.setup
        said = command.games[0] if command.games else None
        names = Renamed(
            self._desk.now_ns(seat),
            white=_first(command.white, said.white if said else None, setup.white),
            black=_first(command.black, said.black if said else None, setup.black),
            white_player=_player(said.white_player) if said else setup.white_player,
            black_player=_player(said.black_player) if said else setup.black_player,
        )
        await self._say(seat, names)
        return [_who(seat.table.setup)]

    async def _bye(self, seat: Seat) -> Sequence[str]:
        """The game of a table is not played: its player has a bye, or both are absent."""
        state = self._desk.state(seat)
        if len(seat.table.moves) or (state is not None and self._was_played(seat.name, state)):
            raise RoundError(f"the game at table {seat.name} has begun; set its result instead")
        was = _who(seat.table.setup)
        empty = replace(seat.table.setup, **NO_PLAYERS, commanded=True)
        await self._tell({seat.name: empty})
        return [f"{was}: no game is played there now"]

    def _one_table(self, command: Command) -> Seat:
        names = command.tables if isinstance(command.tables, list) else []
        if len(names) != 1:
            raise RoundError(f"{command.op!r} needs one table in 'tables'; send it again with it")
        return self._seat(names[0])

    def _two_tables(self, command: Command) -> tuple[Seat, Seat]:
        names = command.tables if isinstance(command.tables, list) else []
        if len(names) != 2 or names[0] == names[1]:
            raise RoundError(
                f"{command.op!r} needs two tables in 'tables'; send it again with them"
            )
        return self._seat(names[0]), self._seat(names[1])

    def _seat(self, name: str) -> Seat:
        if name not in self._desk.seats:
            raise RoundError(
                f"there is no table {name!r}; the hall has {', '.join(self._desk.seats)}"
            )
        seat = self._desk.seats[name]
        if seat.failing:
            raise NotNowError(self._desk.not_now(seat))
        return seat

    # What stands on the tables.

    def _seats(self) -> Sequence[Seat]:
        return [seat for seat in self._desk.seats.values() if not seat.failing]

    def _states(self) -> Mapping[str, State]:
        found = {seat.name: self._desk.state(seat) for seat in self._desk.seats.values()}
        return {name: state for name, state in found.items() if state is not None}

    def _weak(self) -> Mapping[str, Sequence[str]]:
        """Squares whose coils lose pieces, by table, the worst first."""
        return {
            seat.name: [
                each.square for each in sensors(seat.table.view) if each.weak and each.square
            ]
            for seat in self._seats()
        }

    def _before(self, setups: Mapping[str, TableSetup]) -> Sequence[str]:
        sensing = {seat.name: seat.table.view.sensing.kind for seat in self._seats()}
        return before(setups, self._states(), self._weak(), sensing)

    def _after(self) -> Sequence[str]:
        states = self._states()
        decided = [name for name in states if self._was_played(name, states[name])]
        return after(states, self._results_on_boards(), decided)

    def _was_played(self, table: str, state: State) -> bool:
        """The game that this one waits behind is decided."""
        waits = state.status == "waiting"
        return waits and bool(result_before(self._read, table, state.round, state.game))

    def _results_on_boards(self) -> Mapping[str, str]:
        return {seat.name: result for seat in self._seats() if (result := _on_board(seat))}


def _on_board(seat: Seat) -> str:
    """The result with which the game has ended by itself; empty: it has not."""
    rules = seat.table.view.rules
    end = board_end(rules, tuple(seat.table.view.tracker.record.positions(rules)))
    return "" if end is None else end.result


def _assigning(board: str, by: str) -> Command:
    return Command(action="assign-device", by=by, device=board)


def _pairing(game: GameSaid) -> Pairing:
    return Pairing(
        game.table, game.white, game.black, _player(game.white_player), _player(game.black_player)
    )


def _player(said: PlayerSaid | None) -> Player:
    return NOBODY if said is None else Player(**msgspec.structs.asdict(said))


def _first(*said: str | None) -> str:
    return next((name for name in said if name), "")


def _who(setup: TableSetup) -> str:
    return f"table {setup.table}: {setup.white or 'nobody'} – {setup.black or 'nobody'}"


def _minutes(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    counted = ((minutes, "minute"), (rest, "second"))
    return " ".join(f"{n} {unit}{'s' * (n > 1)}" for n, unit in counted if n) or "not"


def _tables(names: Sequence[str]) -> str:
    return f"table{'s' if len(names) > 1 else ''} {', '.join(names)}"
