"""Tags and occupancy: worked examples of the wire, noisy coils, and learning a set of pieces."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.certabo.codec import CertaboCodec
from eboards.certabo.emulator import CertaboEmulator, CoilNoise
from eboards.certabo.frame import CertaboFramer
from eboards.certabo.lesson import Lesson
from eboards.certabo.reader import TagReader
from eboards.certabo.tags import (
    NO_TAG,
    TagTable,
    Unclear,
    calibrate,
    read_table,
    write_table,
)
from eboards.events import DeviceEvent, Fault, Identity, Noise, Scan, SensingClass

MS = 1_000_000
SECOND = 1000 * MS
START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
E2, E4, D3, D6 = 52, 36, 43, 19
PAWN = bytes((3, 0, 84, 252, 153))
TABLE = TagTable({PAWN: "P", bytes((3, 0, 83, 177, 224)): "n"})


def board(**squares: bytes) -> list[bytes]:
    """Sixty-four tags; the named squares (e2=tag) carry one."""
    tags = [NO_TAG] * 64
    for name, tag in squares.items():
        tags[(8 - int(name[1])) * 8 + "abcdefgh".index(name[0])] = tag
    return tags


@pytest.mark.parametrize(
    ("line", "lifted", "placed"),
    [
        pytest.param(":255 255 0 0 0 0 255 255 \r\n", None, None, id="ST-01"),
        pytest.param(":255 255 0 0 0 0 247 255 \r\n", E2, None, id="ST-02"),
        pytest.param(":255 255 0 0 8 0 247 255 \r\n", E2, E4, id="ST-03"),
    ],
)
def test_occupancy_is_read_and_shown(line: str, lifted: int | None, placed: int | None) -> None:
    pieces = list(START)
    if lifted is not None:
        pieces[lifted] = "."
    if placed is not None:
        pieces[placed] = "P"
    codec = CertaboCodec()
    events = [event for _ in range(4) for event in codec.receive(line.encode(), 0)]

    assert [e.placement for e in events if isinstance(e, Scan)] == [
        tuple("." if piece == "." else "?" for piece in pieces)
    ]
    assert codec.sensing.kind is SensingClass.OCCUPANCY
    assert CertaboEmulator(pieces, occupancy=True).advance(0) == line.encode()


@pytest.mark.parametrize(
    ("lights", "squares"),
    [
        pytest.param("00 00 00 00 10 00 10 00", [E4, E2], id="CB-01"),
        pytest.param("00 00 00 00 00 00 00 01", [56], id="CB-02"),
        pytest.param("80 00 00 00 00 00 00 00", [7], id="CB-03"),
    ],
)
def test_lights_of_a_board_and_its_answer(lights: str, squares: list[int]) -> None:
    emulated = CertaboEmulator(occupancy=True)
    emulated.advance(0)
    emulated.receive(bytes.fromhex(lights), 1)

    assert emulated.lit == squares
    assert emulated.advance(1) == b"L\r\n"


def test_coloured_lights_of_a_spectrum_board() -> None:
    """SP-01: e2 in blue, everything else off."""
    frame = bytearray(b"\xff\x55" + bytes(243) + b"\r\n")
    for place in (40, 43, 67, 70):
        frame[place] = 0x40
    emulated = CertaboEmulator(occupancy=True, spectrum=True)
    emulated.advance(0)
    emulated.receive(bytes(frame), 1)

    assert (len(frame), emulated.lit) == (247, [E2])
    assert emulated.advance(1) == b"D\r\n"


@pytest.mark.parametrize("before", ["0000000010001000", "ff", "ff55" + "00" * 9, "0d0a"])
def test_whoever_asks_a_spectrum_board_for_its_lights_first_is_understood_afterwards(
    before: str,
) -> None:
    """Eight bytes without an answer are how programs find out that a board has coloured ones."""
    frame = bytearray(b"\xff\x55" + bytes(243) + b"\r\n")
    for place in (40, 43, 67, 70):
        frame[place] = 0x40
    emulated = CertaboEmulator(occupancy=True, spectrum=True)
    emulated.advance(0)
    emulated.receive(bytes.fromhex(before), 1)
    assert emulated.advance(1) == b""

    for at in range(2, 4):
        emulated.receive(bytes(frame), at)

    assert emulated.lit == [E2]
    assert emulated.advance(4).startswith(b"D\r\n")


@given(st.lists(st.booleans(), min_size=8, max_size=8))
def test_lights_and_occupancy_count_their_files_the_other_way_round(rank: list[bool]) -> None:
    pieces = ["P" if occupied else "." for occupied in rank] + ["."] * 56
    number = int(CertaboEmulator(pieces, occupancy=True).advance(0).split()[0][1:])
    emulated = CertaboEmulator(occupancy=True)
    emulated.receive(bytes([int(f"{number:08b}"[::-1], 2)]) + bytes(7), 0)

    assert emulated.lit == [square for square in range(8) if rank[square]]


def test_an_answer_to_lights_may_come_anywhere() -> None:
    frame = CertaboEmulator().advance(0)
    for at in range(len(frame) - 2):
        torn = frame[:at] + b"L" + frame[at:]
        codec = CertaboCodec(TABLE)
        assert not [e for e in codec.receive(torn * 2, 0) if isinstance(e, Fault)]


@pytest.mark.parametrize("numbers", ["0 " * 320, "255 255 0 0 8 0 247 255 "])
@pytest.mark.parametrize("lost", [2, 9, 15])
def test_a_frame_whose_end_is_lost_takes_no_other_with_it(numbers: str, lost: int) -> None:
    frame = f":{numbers}\r\n".encode()
    found = CertaboFramer().feed(frame[:-lost] + frame, 0)

    assert [each.noise for each in found if isinstance(each, Fault)] == [Noise.CUT_OFF]
    assert found[-1] == bytes(map(int, numbers.split()))


def test_a_digit_that_became_a_colon_is_no_shorter_number() -> None:
    """The two differ by one bit."""
    found = CertaboFramer().feed(b":255 255 0 0 8 0 :47 255 \r\n", 0)

    assert found
    assert all(isinstance(each, Fault) for each in found)


def test_a_lost_number_is_a_fault_and_the_next_frame_is_read() -> None:
    codec = CertaboCodec()
    line = b":255 255 0 0 0 0 255 255 \r\n"
    events = codec.receive(line * 2 + b":255 0 0 0 0 255 255 \r\n" + line * 3, 0)

    assert [type(event) for event in events] == [Identity, Fault, Scan]


# Coils.


def read(*frames: list[bytes]) -> list[str]:
    """How many pieces each frame leaves, named by what they are."""
    reader = TagReader(TABLE)
    return ["".join(piece for piece in reader.read(frame) if piece != ".") for frame in frames]


def test_noise_on_empty_squares_is_nothing() -> None:
    dice = Random(1)
    frames = [board(e2=PAWN, **{f"{f}5": dice.randbytes(5) for f in "abcdefgh"}) for _ in range(50)]

    assert read(*frames) == ["P"] * 50


def test_a_piece_read_badly_still_stands_and_one_missed_twice_too() -> None:
    badly = PAWN[:3] + bytes((9, 9))
    frames = [board(e2=PAWN), board(e2=badly), board(), board(), board(e2=badly), *[board()] * 3]

    assert read(*frames) == ["P"] * 7 + [""]


def test_a_piece_is_there_as_soon_as_it_is_read_and_gone_from_where_it_was() -> None:
    reader = TagReader(TABLE)
    reader.read(board(e2=PAWN))
    placement = reader.read(board(e4=PAWN))

    assert (placement[E2], placement[E4]) == (".", "P")


def test_a_piece_between_two_squares_stays_on_the_old_one() -> None:
    reader = TagReader(TABLE)
    reader.read(board(e2=PAWN))
    both = reader.read(board(e2=PAWN, e3=PAWN))
    then = reader.read(board(e3=PAWN))

    assert "".join(both).index("P") == E2
    assert "".join(then).index("P") == E2 - 8


def test_a_piece_of_an_adapter_is_lifted_though_its_tag_is_nearly_all_zeros() -> None:
    king, pawn = bytes((0, 0, 0, 0, 12)), bytes((0, 0, 0, 0, 18))
    reader = TagReader(TagTable({king: "K", pawn: "P"}))
    reader.read(board(e1=king, e2=pawn))
    lifted = [reader.read(board(e1=king)) for _ in range(3)][-1]
    placed = reader.read(board(e1=king, e4=pawn))

    assert "".join(lifted).replace(".", "") == "K"
    assert (placed[E2], placed[E4]) == (".", "P")


def test_a_piece_nearly_known_is_a_piece_but_an_open_one() -> None:
    nearly = PAWN[:3] + bytes((1, 1))

    assert read(*[board(e4=nearly)] * 3) == ["", "?", "?"]


# Learning.


def frames_of(emulated: CertaboEmulator, many: int) -> list[list[bytes]]:
    frames = []
    for number in range(many):
        words = emulated.advance(number * 500 * MS)[1:].split()
        values = bytes(map(int, words))
        frames.append([values[n : n + 5] for n in range(0, 320, 5)])
    return frames


def test_a_set_is_learnt_from_the_start_array_in_spite_of_noise() -> None:
    noisy = CoilNoise(noise=0.3, missed=0.03, altered=0.05)
    emulated = CertaboEmulator(coils=noisy, dice=Random(3))
    table = calibrate(frames_of(emulated, 15))

    assert isinstance(table, TagTable)
    assert table.pieces == emulated.made
    assert read_table(write_table(table)) == table


def test_a_set_with_one_tag_for_two_kinds_is_refused() -> None:
    (frame,) = frames_of(CertaboEmulator(), 1)
    frame[59] = frame[60]

    trouble = calibrate([frame] * 7)
    assert isinstance(trouble, Unclear)
    assert "e1" in trouble.sentence


def test_a_piece_off_its_square_is_named() -> None:
    emulated = CertaboEmulator()
    emulated.set_square(E2, ".", 0)

    trouble = calibrate(frames_of(emulated, 7))
    assert isinstance(trouble, Unclear)
    assert "e2" in trouble.sentence


@pytest.mark.parametrize("text", ["3 0 84 P", "3 0 84 1 300 P", "a b c d e P"])
def test_a_table_that_is_none_says_which_line(text: str) -> None:
    trouble = read_table("# a set\n" + text)

    assert isinstance(trouble, Unclear)
    assert trouble.sentence.startswith("line 2")


def test_counters_are_taught_like_pieces() -> None:
    pieces = list(START)
    pieces[35] = pieces[36] = "o"
    emulated = CertaboEmulator(pieces)
    learnt = calibrate(frames_of(emulated, 7), {35: "o", 36: "o"})

    assert isinstance(learnt, TagTable)
    assert sorted(learnt.pieces.values()) == ["o", "o"]


def play(codec: CertaboCodec, emulated: CertaboEmulator, begin: float, end: float) -> list[Scan]:
    events: list[DeviceEvent] = []
    for at_ns in range(int(begin * 1000) * MS, int(end * 1000) * MS, 250 * MS):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            events += codec.due(at_ns)[1]
        events += codec.receive(emulated.advance(at_ns), at_ns)
    return [event for event in events if isinstance(event, Scan)]


@pytest.mark.parametrize("spare", [False, True], ids=["32 pieces", "and spare queens"])
def test_the_codec_learns_its_set_by_itself_and_knows_it_afterwards(spare: bool) -> None:
    pieces = list(START)
    if spare:
        pieces[D3], pieces[D6] = "Q", "q"
    codec, emulated = CertaboCodec(), CertaboEmulator(pieces, dice=Random(5))
    scans = play(codec, emulated, 0, 10)

    assert [scan.placement for scan in scans] == [tuple(pieces)]
    emulated.set_square(E2, ".", 10 * SECOND)
    emulated.set_square(E4, "P", 11 * SECOND)
    played = play(codec, emulated, 11, 14)
    assert played[-1].placement[E4] == "P"
    again = CertaboCodec(codec.tags)
    assert play(again, emulated, 14, 20)[0].placement == played[-1].placement


def test_a_port_opened_in_the_middle_of_a_frame_of_tags_is_no_board_without_them() -> None:
    codec, lesson = CertaboCodec(), Lesson()
    frame = CertaboEmulator().advance(0)
    end = b"".join(word + b" " for word in frame.split()[-8:]) + b"\r\n"

    heard = [end, *[frame] * 8]
    events = [e for n, data in enumerate(heard) for e in codec.receive(data, n * SECOND)]
    for number, data in enumerate(heard):
        lesson.receive(data, number * SECOND)
    (late,) = codec.receive(end, 20 * SECOND)

    assert codec.sensing.kind is SensingClass.IDENTITY_NOISY
    assert [type(event) for event in events] == [Identity, Scan]
    assert isinstance(late, Fault)
    assert late.noise is Noise.LENGTH
    assert (lesson.occupancy, isinstance(lesson.table, TagTable)) == (False, True)


def test_pieces_nobody_has_taught_are_unknown_pieces() -> None:
    pieces = "." * 63 + "K"
    scans = play(CertaboCodec(), CertaboEmulator(pieces, dice=Random(5)), 0, 10)

    assert [scan.placement for scan in scans] == [tuple("." * 63 + "?")]


def test_silence_is_told_once() -> None:
    codec, faults = CertaboCodec(), []
    for at_ns in range(0, 60 * SECOND, SECOND):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            faults += codec.due(at_ns)[1]

    assert [fault.noise for fault in faults if isinstance(fault, Fault)] == [Noise.SILENT]


HEARD = CertaboEmulator().advance(0) * 2 + b"L\r\n:1 2\r\n" + CertaboEmulator().advance(0)


@given(st.lists(st.integers(0, len(HEARD)), max_size=40))
def test_events_do_not_depend_on_where_the_reads_fall(cuts: list[int]) -> None:
    whole = CertaboCodec(TABLE).receive(HEARD, 0)
    codec, pieces = CertaboCodec(TABLE), []
    for begin, end in pairwise([0, *sorted(cuts), len(HEARD)]):
        pieces += codec.receive(HEARD[begin:end], 0)

    assert whole == pieces
