"""Sets of tagged pieces: taught by a command, kept beside the journal, known after a lost cable."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from random import Random

import pytest

from arbiterd.edges.real import WallClock
from arbiterd.hall.links.devices import Devices
from arbiterd.hall.links.tags import TagShelf
from eboards.certabo.codec import CertaboCodec
from eboards.certabo.emulator import CertaboEmulator, CoilNoise
from eboards.certabo.lesson import Lesson
from eboards.certabo.tags import TagTable
from eboards.events import Scan
from eboards.transport.conversation import converse
from eboards.transport.pty import PtyServer

START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
D3, D6, E2, E4 = 43, 19, 52, 36
SECOND = 1_000_000_000
COILS = CoilNoise(noise=0.3, missed=0.01, altered=0.02)


def noisy(pieces: list[str], seed: int = 1) -> CertaboEmulator:
    return CertaboEmulator(pieces, coils=COILS, dice=Random(seed))


def with_queens() -> list[str]:
    pieces = list(START)
    pieces[D3], pieces[D6] = "Q", "q"
    return pieces


async def arbiterd(*words: str, state: Path, typed: str = "") -> tuple[int, str]:
    """The command as people run it, with its own state folder."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()", *words),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={"XDG_STATE_HOME": str(state), "HOME": str(state), "PATH": ""},
    )
    out, _ = await process.communicate(typed.encode())
    return process.returncode or 0, out.decode()


def served(emulated: CertaboEmulator) -> PtyServer:
    return PtyServer(emulated, WallClock(20.0).now_ns, speed=20.0)


async def test_a_set_is_taught_by_a_command_and_kept_beside_the_journal(tmp_path: Path) -> None:
    emulated = noisy(with_queens())
    server = served(emulated)
    try:
        status, said = await arbiterd(
            "calibrate", f"serial:{server.port}", state=tmp_path, typed="y\n"
        )
    finally:
        server.close()

    assert status == 0, said
    assert "8 P" in said
    shelf = TagShelf(tmp_path / "arbiterd/main/tags")
    assert shelf.known(f"serial:{server.port}").pieces == emulated.made


async def test_sixteen_counters_are_taught_with_the_pieces(tmp_path: Path) -> None:
    pieces = list(START)
    pieces[24:40] = "o" * 16
    server = served(noisy(pieces))
    try:
        words = ("calibrate", f"serial:{server.port}", "--counters", "--yes")
        status, said = await arbiterd(*words, state=tmp_path)
    finally:
        server.close()

    assert (status, "16 o" in said) == (0, True), said


async def test_what_is_not_agreed_to_is_not_kept(tmp_path: Path) -> None:
    server = served(noisy(with_queens()))
    try:
        words = ("calibrate", f"serial:{server.port}")
        status, said = await arbiterd(*words, state=tmp_path, typed="n\n")
    finally:
        server.close()

    assert status == 1
    assert "nothing is kept" in said
    assert not TagShelf(tmp_path / "arbiterd/main/tags").known("").pieces


async def test_a_board_without_tags_has_nothing_to_learn(tmp_path: Path) -> None:
    server = served(CertaboEmulator(occupancy=True))
    try:
        status, said = await arbiterd("calibrate", f"serial:{server.port}", state=tmp_path)
    finally:
        server.close()

    assert (status, "nothing to teach" in said) == (1, True), said


def lesson_of(emulated: CertaboEmulator, frames: int, **wanted: bool) -> Lesson:
    lesson = Lesson(**wanted)
    for number in range(frames):
        lesson.receive(emulated.advance(number * SECOND // 2), number * SECOND // 2)
    return lesson


def test_a_lesson_names_the_pieces_that_are_not_read_and_those_that_are_too_many() -> None:
    pieces = list(START)
    pieces[E2], pieces[E4] = ".", "P"
    emulated = noisy(pieces)
    lesson = lesson_of(emulated, 9)
    progress = lesson.receive(emulated.advance(5 * SECOND), 5 * SECOND)

    assert progress is not None
    assert (progress.missing, progress.strangers) == ((E2,), (E4,))
    assert lesson.table is None


@pytest.mark.parametrize("seed", range(5))
def test_noise_on_empty_squares_is_never_learnt(seed: int) -> None:
    emulated = noisy(list(START), seed)
    table = lesson_of(emulated, 15).table

    assert isinstance(table, TagTable)
    assert table.pieces == emulated.made


async def played(devices: Devices, device: str, wanted: str) -> None:
    """Listen until the board shows this."""
    wire, codec = await devices.open(device, "certabo")
    shown = []
    try:
        async with asyncio.timeout(60):
            async for _, events in converse(wire, codec, WallClock(20.0).now_ns, speed=20.0):
                shown += ["".join(e.placement) for e in events if isinstance(e, Scan)]
                if wanted in shown:
                    return
    finally:
        wire.close()


async def test_a_cable_pulled_in_mid_game_costs_no_names(tmp_path: Path) -> None:
    """Nor does a service that is started again: what was learnt by itself lies on the disk."""
    emulated = noisy(list(START))
    server = served(emulated)
    device = f"serial:{server.port}"
    try:
        await played(Devices(WallClock(20.0), TagShelf(tmp_path)), device, START)
        for square, piece in ((E2, "."), (E4, "P")):
            emulated.set_square(square, piece, 0)
        after = START[:E4] + "P" + START[E4 + 1 : E2] + "." + START[E2 + 1 :]
        await played(Devices(WallClock(20.0), TagShelf(tmp_path)), device, after)
    finally:
        server.close()


def test_a_set_that_moved_to_another_board_is_known_there(tmp_path: Path) -> None:
    shelf = TagShelf(tmp_path)
    emulated = noisy(with_queens())
    learnt = lesson_of(emulated, 9).table
    assert isinstance(learnt, TagTable)
    shelf.keep("serial:/dev/ttyUSB0", learnt)

    assert shelf.codec("serial:/dev/ttyUSB1").tags.pieces == emulated.made


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
def test_what_root_teaches_the_service_can_add_to(tmp_path: Path) -> None:
    os.chown(tmp_path, 1, 1)
    shelf = TagShelf(tmp_path / "tags")
    for piece in "PN":
        kept = shelf.keep("serial:/dev/a", TagTable({bytes((3, 0, 84, 1, ord(piece))): piece}))

    assert sorted(shelf.known("serial:/dev/a").pieces.values()) == ["N", "P"]
    for place in (kept, kept.parent):
        assert (place.stat().st_uid, place.stat().st_gid) == (1, 1), place


def test_a_file_that_cannot_be_read_costs_its_own_sets_only(tmp_path: Path) -> None:
    shelf = TagShelf(tmp_path)
    shelf.keep("serial:/dev/a", TagTable({bytes((3, 0, 84, 1, 2)): "P"}))
    shelf.file("serial:/dev/b").write_text("no table\n")

    codec = shelf.codec("serial:/dev/b")
    assert isinstance(codec, CertaboCodec)
    assert list(codec.tags.pieces.values()) == ["P"]
