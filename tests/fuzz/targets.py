"""What is fuzzed: each decoder and each reader of what comes from outside.

A target takes any bytes. It may refuse them with the one exception of its kind, and must neither
raise anything else, nor hang, nor make an event that no device of its kind could send.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from arbiterd.config.reading import ConfigError, read_text
from arbiterd.messages.commands import CommandError, act_of, read_command
from arbiterd.outlets.livechess.session import LiveChessSession
from arbiterd.rules.registry import RULESETS, ruleset
from arbiterd.rules.shogi_csa import read_csa
from arbiterd.rules.shogi_kif import read_kif
from arbiterd.simulation.game import read_games
from arbiterd.table.playback import play
from arbiterd.table.scenario import ScenarioError, read_scenario
from arbiterd.table.table import Table
from eboards.codec import AskBoard, AskClock, AskLog, Codec
from eboards.csa.codec import CsaCodec
from eboards.dgt.log import read as read_dgt_log
from eboards.events import COUNTER, ClockReading, Fault, Scan, SquareChange
from eboards.livechess.codec import LiveChessCodec
from eboards.registry import FAMILIES
from eboards.transport.recording import RecordingError, read_log
from eboards.usi.codec import UsiCodec

TESTS = Path(__file__).parents[1]
CORPUS = Path(__file__).parent / "corpus"
CHESS_PIECES = frozenset(".PNBRQKpnbrqk?wb" + COUNTER)
CLOCK_MAX_MS = 100 * 3600 * 1000
SECOND = 1_000_000_000
SCENARIO_LINES = 60


# Decoders.


def cut_anywhere(make: Callable[[], Codec], data: bytes) -> None:
    """The same events however the reads fall, each of them one that a device can say."""
    cut = data[0] % (len(data) + 1) if data else 0
    whole, parts = asked(make()), asked(make())
    told = whole.receive(data, SECOND)
    assert told == [*parts.receive(data[:cut], SECOND), *parts.receive(data[cut:], SECOND)]
    for event in told:
        check(event, whole)
    for at_ns in range(2 * SECOND, 12 * SECOND, SECOND):
        if whole.due_at_ns is not None and whole.due_at_ns <= at_ns:
            whole.due(at_ns)


def asked(codec: Codec) -> Codec:
    """As it is in the middle of a session: it has asked who is there, for board, clock and log."""
    for _ in range(4):
        if codec.due_at_ns is not None and codec.due_at_ns <= SECOND // 2:
            codec.due(SECOND // 2)
    for command in (AskBoard(), AskClock(), AskLog()):
        codec.send(command, SECOND // 2)
    return codec


def check(event: object, codec: Codec) -> None:
    squares = len(codec.sensing.geometry)
    match event:
        case Scan():
            assert len(event.placement) == squares
            assert squares != 64 or set(event.placement) <= CHESS_PIECES
        case SquareChange():
            assert 0 <= event.square < squares
            assert squares != 64 or event.piece in CHESS_PIECES
        case ClockReading():
            for ms in (event.left_ms, event.right_ms):
                assert ms is None or 0 <= ms < CLOCK_MAX_MS
        case Fault():
            assert len(event.data) <= 4096
            assert len(event.note) <= 1000
    for each in fields(event):  # type: ignore[arg-type]
        value = getattr(event, each.name)
        if isinstance(value, str):
            value.encode()  # Nothing that cannot be written down.


def recorded(name: str) -> list[bytes]:
    """What the recordings of this family hold, in pieces that a fuzzer can change."""
    heard = [
        data
        for log in sorted((TESTS / "recordings" / name).glob("*.log"))
        for _, data in read_log(log.read_text()).heard
    ]
    return [b"".join(heard)[:4096], *heard[:40]] if heard else []


# Readers.


def a_command(data: bytes) -> None:
    with contextlib.suppress(CommandError):
        act_of(read_command(data), SECOND, "ana")


class _NoBoards:
    def __call__(self) -> dict[str, Any]:
        return {}


async def _no_game(_serial: str) -> tuple[tuple[str, str], ...]:
    return ()


def a_livechess_call(data: bytes) -> None:
    try:
        text = data.decode("utf-8", "surrogatepass")  # As JSON may hold them.
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    session = LiveChessSession(_NoBoards(), _no_game)
    for frame in asyncio.run(session.receive(text, SECOND)):
        frame.encode()


def a_configuration(data: bytes) -> None:
    with contextlib.suppress(ConfigError):
        read_text(data.decode("utf-8", "replace"))


def a_scenario(data: bytes) -> None:
    """Read, and played through a whole table where it is one."""
    text = "\n".join(data.decode("utf-8", "replace").splitlines()[:SCENARIO_LINES])
    try:
        scenario = read_scenario(text)
    except ScenarioError:
        return
    for _ in play(Table(scenario.setup), enumerate(scenario.inputs, 1)):
        pass


def a_position(data: bytes) -> None:
    """Each game's own reader of positions, and what is asked of a position first."""
    text = data.decode("utf-8", "replace")
    for name in RULESETS:
        rules = ruleset(name)
        with contextlib.suppress(ValueError):
            position = rules.start(text)
            assert rules.start(rules.fen(position)) == position
            for move in rules.legal_moves(position)[:20]:
                rules.fen(rules.play(position, move))


def a_text(read: Callable[[str], Any], refuses: type[Exception], data: bytes) -> None:
    """`read` may give its findings one after another."""
    with contextlib.suppress(refuses):
        made = read(data.decode("utf-8", "replace"))
        if isinstance(made, Iterator):
            list(made)


def a_board_memory(data: bytes) -> None:
    for line in read_dgt_log(data):
        assert line.square is None or 0 <= line.square < 64


Target = Callable[[bytes], None]
"""One door to the service."""

TARGETS: dict[str, Target] = {
    **{
        each.name: partial(cut_anywhere, each.codec)
        for each in FAMILIES
        if each.name != "movetext-57600"  # The same codec on a faster line.
    },
    "livechess": partial(cut_anywhere, partial(LiveChessCodec, "12345")),
    "csa": partial(cut_anywhere, CsaCodec),
    "usi": partial(cut_anywhere, UsiCodec),
    "dgt-log": a_board_memory,
    "commands": a_command,
    "livechess-calls": a_livechess_call,
    "configurations": a_configuration,
    "scenarios": a_scenario,
    "positions": a_position,
    "recordings": partial(a_text, read_log, RecordingError),
    "pgn": partial(a_text, read_games, ValueError),
    "kif": partial(a_text, read_kif, ValueError),
    "csa-records": partial(a_text, read_csa, ValueError),
}


def corpus(name: str) -> list[bytes]:
    """Seeds and what fuzzing found worth keeping, a file each; for a board what was recorded."""
    kept = [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]
    return [*recorded(name), *kept]
