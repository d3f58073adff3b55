"""`arbiterd test-board` from its first line to its verdicts, on an emulated board."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from arbiterd.edges.real import WallClock
from arbiterd.hall.links.inspection import HOME, forward
from cli.test_beside_the_service import SwitchedOff
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator
from eboards.events import CHESS_BOARD
from eboards.transport.pty import PtyServer

SPEED = 5.0


async def started(*words: str | Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()", "test-board"),
        *map(str, words),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
    )


async def said(process: asyncio.subprocess.Process, words: str) -> None:
    assert process.stderr is not None
    while words not in (line := (await process.stderr.readline()).decode()):
        assert line, f"it ended without {words!r}"


@pytest.mark.timeout(120)
async def test_a_dead_coil_is_found_by_whoever_does_as_he_is_asked(tmp_path: Path) -> None:
    clock = WallClock(SPEED)
    board = DgtEmulator(clock=EmulatedClock(60_000, 60_000), at_ns=clock.now_ns())
    board.board.kill(CHESS_BOARD.square("e4"))
    server = PtyServer(board, clock.now_ns, speed=SPEED)
    config = tmp_path / "arbiterd.toml"
    config.write_text(
        f"[simulation]\nspeed = {SPEED}\n"
        f'[[tables]]\ntable = "7"\ndevice = "serial:{server.port}"\ndriver = "dgt"\n'
    )
    process = await started("7", "--config", config)
    assert process.stdin is not None
    try:
        await said(process, "2/3")
        for home, piece in HOME.items():
            board.set_square(home, ".", clock.now_ns())
            board.set_square(forward(home), piece, clock.now_ns())
        server.stir()
        await clock.rest(5 / SPEED)
        process.stdin.write(b"\n")
        await said(process, "3/3")
        board.start(clock.now_ns())
        for side in ("left", "right"):
            board.press(side, clock.now_ns())
            server.stir()
            await clock.rest(3 / SPEED)
        out, err = await process.communicate()
    finally:
        server.close()

    told = out.decode()
    assert process.returncode == 1, err.decode()
    assert "63 of 64 coils are good" in told
    assert "32 of 32 chips are good" in told
    assert "  4  · · · · X · · ·" in told
    assert "e4  the white pawn is not read here" in told


@pytest.mark.timeout(60)
async def test_a_board_that_is_switched_off_is_said_to_be_silent(tmp_path: Path) -> None:
    server = PtyServer(SwitchedOff(), WallClock().now_ns)
    process = await started(f"serial:{server.port}")
    try:
        await said(process, f"the board at {server.port}: no answer for 3 s; cable, power?")
    finally:
        process.terminate()
        await process.communicate()
        server.close()


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("1",), 2, "or name a table of a configuration: --config FILE"),
        (("serial:/dev/no-such-port",), 1, "/dev/no-such-port is not there; plug the board in"),
    ],
)
async def test_what_cannot_be_checked_is_said_in_one_sentence(
    words: tuple[str, ...], status: int, sentence: str
) -> None:
    process = await started(*words)
    _, err = await process.communicate()
    told = err.decode().strip().splitlines()
    assert process.returncode == status
    assert len(told) == 1
    assert sentence in told[0]


async def test_a_table_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    config = tmp_path / "arbiterd.toml"
    config.write_text('[[tables]]\ntable = "1"\n[[tables]]\ntable = "2"\n')
    process = await started("9", "--config", config)
    _, err = await process.communicate()
    assert process.returncode == 2
    assert "has no table '9'; it has 1, 2" in err.decode()
