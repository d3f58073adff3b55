"""`arbiterd test-board`: a guided check of a board before the round, coil by coil, chip by chip."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from arbiterd.cli import CONFIG_OF, FailedError, WrongError
from arbiterd.cli.check import checked
from arbiterd.cli.coils import learnt
from arbiterd.cli.squares import named
from arbiterd.config import Config
from arbiterd.config.values import AUTO
from arbiterd.config.values import device as read_device
from arbiterd.edges.real import WallClock
from arbiterd.hall.links.devices import Devices
from arbiterd.hall.links.inspection import Inspection, InspectionStage, Look
from arbiterd.hall.links.verdicts import BoardReport, Mark, PartVerdict, verdicts
from eboards.codec import Codec
from eboards.events import CHESS_BOARD, EMPTY, DeviceEvent, Fault, Noise, SensingClass, Side
from eboards.transport import Wire, WireError
from eboards.transport.conversation import converse

ASKED: Final = {
    InspectionStage.HOME: "1/3  Put the pieces up for a game; spare queens, if there are any,"
    " on d3 and d6.",
    InspectionStage.FORWARD: "2/3  Put every piece two ranks forward: pawns on ranks 4 and 5,"
    " the rest behind them on 3 and 6. Take spare queens away.",
    InspectionStage.CLOCK: "3/3  Press the lever of the clock down on one side, wait two seconds,"
    " then on the other.",
}
STYLES: Final = {Mark.GOOD: "green", Mark.BAD: "bold red", Mark.OPEN: "yellow"}
SIGNS: Final = {Mark.GOOD: "·", Mark.BAD: "X", Mark.OPEN: "?"}


@click.command("test-board")
@click.argument("table")
@click.option(
    "--config", "file", type=click.Path(path_type=Path), envvar=CONFIG_OF, help="Whose table it is."
)
def test_board(table: str, file: Path | None) -> None:
    """Check the board of TABLE before the round: every coil, every chip, the clock.

    TABLE is a table of the configuration; or a device as a configuration names it
    (serial:/dev/ttyACM0), or auto for the only board that is plugged in. Stop the service first:
    a port has one user. Enter goes on where something is not read; that is then its verdict.
    """
    config = Config() if file is None else checked(file)
    device, driver = _entry(table, config, file)
    speed = 1.0 if config.simulation is None else config.simulation.speed
    try:
        report = asyncio.run(_checked(device, driver, WallClock(speed)))
    except WireError as error:
        raise FailedError(str(error)) from None
    _print(report)
    for board in learnt(file) if file is not None else ():
        if board.table == table:
            click.echo("learnt from the games that were played on it:")
            click.echo("\n".join(f"  {line}" for line in board.lines))
    sys.exit(0 if report.good else 1)


def _entry(table: str, config: Config, file: Path | None) -> tuple[str, str]:
    """Device and driver of what was named. Raises WrongError."""
    for entry in config.tables:
        if entry.table == table:
            return entry.device, entry.driver
    try:
        return read_device(table), ""
    except ValueError as error:
        known = ", ".join(entry.table for entry in config.tables) or "none"
        mend = "or name a table of a configuration: --config FILE"
        if file is not None:
            mend = f"and {file} has no table {table!r}; it has {known}"
        raise WrongError(f"TABLE {error}; {mend}") from None


async def _checked(device: str, driver: str, clock: WallClock) -> BoardReport:
    """Raises WireError, FailedError."""
    devices = Devices(clock)
    if device == AUTO:
        boards = await devices.plugged(())
        if len(boards) != 1:
            many = f"{len(boards)} boards are plugged in" if boards else "no board is plugged in"
            raise FailedError(f"{many}; name the one to check: arbiterd devices lists them")
        device, driver = boards[0].device, boards[0].driver
    wire, codec = await devices.open(device, driver)
    try:
        return await Guide(wire, codec, clock).lead()
    finally:
        wire.close()


class Guide:
    """Asks for one stage after the other, and shows what the board makes of it."""

    def __init__(self, wire: Wire, codec: Codec, clock: WallClock) -> None:
        self._wire, self._codec, self._clock = wire, codec, clock
        self._seen: Inspection | None = None
        self._news = asyncio.Event()
        self._enter = 0
        self._said: InspectionStage | None = None
        self._unread = ""
        """Why no board is read yet, in its codec's words."""

    async def lead(self) -> BoardReport:
        """Until all stages are over. Raises WireError, FailedError."""
        listening = asyncio.ensure_future(self._listen())
        console = Console(stderr=True)
        try:
            async with _keys(self._entered):
                with Live(self._picture(), console=console, auto_refresh=False) as live:
                    while self._seen is None or self._seen.stage is not InspectionStage.DONE:
                        await self._turn(listening)
                        self._say_plainly(console)
                        live.update(self._picture(), refresh=True)
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
        return verdicts(self._seen)

    def _say_plainly(self, console: Console) -> None:
        """Where no picture can be drawn: each stage as it begins."""
        stage = None if self._seen is None else self._seen.stage
        if self._unread and not console.is_terminal:
            console.print(self._waiting(), soft_wrap=True)
            self._unread = ""
        if stage is not self._said and stage in ASKED and not console.is_terminal:
            console.print(ASKED[stage], soft_wrap=True)
        self._said = stage

    def _entered(self) -> None:
        self._enter += 1
        self._news.set()

    async def _listen(self) -> None:
        speed = self._clock.speed
        async for _, events in converse(self._wire, self._codec, self._clock.now_ns, speed=speed):
            for event in events:
                self._hear(event)
            self._news.set()

    def _waiting(self) -> Text:
        waiting = Text(f"waiting for the board at {self._wire.port}")
        if self._unread:
            waiting.append(f": {self._unread}", style="bold red")
        return waiting

    def _hear(self, event: DeviceEvent) -> None:
        if self._seen is None and isinstance(event, Fault) and event.noise is Noise.SILENT:
            why = event.note or event.noise.value
            self._unread = why if why.endswith("?") else f"{why}; cable, power?"
        if self._seen is None and not isinstance(event, Fault):
            sensing = self._codec.sensing
            if sensing.kind is SensingClass.MOVES or sensing.geometry != CHESS_BOARD:
                raise FailedError(f"{self._wire.port} shows no pieces of chess: nothing to check")
            self._seen = Inspection(sensing)
        if self._seen is not None:
            self._seen.hear(event)

    async def _turn(self, listening: asyncio.Future[None]) -> None:
        """Waits for the board, for Enter, or for pieces that have stood long enough."""
        seen = self._seen
        due_ns = None if seen is None else seen.due_at_ns
        wait = None
        if due_ns is not None:
            wait = max(0, due_ns - self._clock.now_ns()) / 1e9 / self._clock.speed
        self._news.clear()
        news = asyncio.ensure_future(self._news.wait())
        await asyncio.wait((news, listening), timeout=wait, return_when=asyncio.FIRST_COMPLETED)
        news.cancel()
        if listening.done():
            listening.result()
        if self._seen is None:
            self._enter = 0
            return
        self._seen.due(self._clock.now_ns())
        if self._enter:
            self._enter -= 1
            self._seen.go_on()

    def _picture(self) -> RenderableType:
        seen = self._seen
        if seen is None:
            return self._waiting()
        if seen.stage is InspectionStage.DONE:
            return Text("")
        lines = [Text(ASKED[seen.stage])]
        look = seen.look()
        if look is not None:
            lines += [*_ranks(look), Text(_missing(look))]
        elif seen.stage is InspectionStage.CLOCK:
            sides = ", ".join(f"the {side.value} side runs" for side in Side if side in seen.levers)
            lines.append(Text(f"seen: {sides or 'nothing yet'}"))
        if seen.silent:
            lines.append(Text("The board does not answer: cable, power?", style="bold red"))
        lines.append(Text("Enter: go on as it is", style="dim"))
        return Group(*lines)


@asynccontextmanager
async def _keys(entered: Callable[[], None]) -> AsyncIterator[None]:
    """Calls `entered` for every line that is typed, unseen. Without a keyboard nothing is."""
    loop, keyboard = asyncio.get_running_loop(), sys.stdin.fileno()
    shown = termios.tcgetattr(keyboard) if sys.stdin.isatty() else None

    def typed() -> None:
        data = os.read(keyboard, 256)
        if not data:
            loop.remove_reader(keyboard)
        for _ in range(data.count(b"\n")):
            entered()

    try:
        loop.add_reader(keyboard, typed)
    except PermissionError:  # A file, or /dev/null: it cannot be waited for.
        yield
        return
    if shown is not None:
        silent = [*shown[:3], shown[3] & ~termios.ECHO, *shown[4:]]
        termios.tcsetattr(keyboard, termios.TCSANOW, silent)
    try:
        yield
    finally:
        loop.remove_reader(keyboard)
        if shown is not None:
            termios.tcsetattr(keyboard, termios.TCSANOW, shown)


def _ranks(look: Look) -> Iterator[Text]:
    """The board as it is read; what is wrong stands out."""
    wrong = set(look.wrong)
    for rank in range(8):
        line = Text(f"  {8 - rank} ")
        for square in range(8 * rank, 8 * rank + 8):
            sign = look.shown[square] if look.shown[square] != EMPTY else "·"
            line.append(f" {sign}", style="bold white on red" if square in wrong else "")
        yield line
    yield Text("     a b c d e f g h")


def _missing(look: Look) -> str:
    told = []
    if look.missing:
        told.append(f"not read, or as another: {named(look.missing)}")
    if look.strangers:
        told.append(f"to be empty: {named(look.strangers)}")
    return "; ".join(told) or "All is read: hands off for three seconds."


def _print(report: BoardReport) -> None:
    console = Console()
    for rank in range(8):
        line = Text(f"  {8 - rank} ")
        for verdict in report.coils[8 * rank : 8 * rank + 8]:
            line.append(f" {SIGNS[verdict.mark]}", style=STYLES[verdict.mark])
        console.print(line)
    console.print("     a b c d e f g h")
    for what, all_of in (("coils", report.coils), ("chips", report.chips)):
        good = sum(verdict.mark is Mark.GOOD for verdict in all_of)
        console.print(f"{good} of {len(all_of)} {what} are good")
    for verdict in (*report.coils, *report.chips, report.wire, report.clock):
        if verdict.mark is not Mark.GOOD or verdict in (report.wire, report.clock):
            console.print(_line(verdict), soft_wrap=True)


def _line(verdict: PartVerdict) -> Text:
    return Text.assemble(
        (f"{verdict.mark.value:<9}", STYLES[verdict.mark]), f"{verdict.name}  {verdict.words}"
    )
