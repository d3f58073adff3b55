"""Frames of the bus, and what one emulated board answers, byte for byte.

No recording of a real bus is public: what is tested here is what documents say.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.dgt import bus_frame
from eboards.dgt.bus_codec import DgtBusCodec
from eboards.dgt.bus_frame import BusFramer, BusReply, command
from eboards.dgt.bus_poller import BusPoller
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.events import CHESS_BOARD, Identity

S = 1_000_000_000
MS = 1_000_000


def square(name: str) -> int:
    return CHESS_BOARD.square(name)


# Frames.


@pytest.mark.parametrize(
    ("number", "address", "text"),
    [
        (bus_frame.CLOCK, 1025, "8108010a"),
        (bus_frame.BOARD, 1025, "8208010b"),
        (bus_frame.CHANGES, 1025, "8308010c"),
        (bus_frame.CHANGES_AGAIN, 1025, "8408010d"),
        (bus_frame.MARK_START, 1025, "8508010e"),
        (bus_frame.FROM_START, 1025, "8608010f"),
        (bus_frame.PING, 1025, "87080110"),
        (bus_frame.PING, bus_frame.ALL, "87000007"),
        (bus_frame.PING_ONCE, 1025, "8a080113"),
        (bus_frame.VERSION, 1025, "8b080114"),
        (bus_frame.CHANGES, 13116, "83663c25"),
    ],
)
def test_commands(number: int, address: int, text: str) -> None:
    assert command(number, address).hex() == text


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("870006080116", BusReply(0x87, 1025, b"")),
        ("880006080117", BusReply(0x88, 1025, b"")),
        ("8900080801010823", BusReply(0x89, 1025, b"\x01\x08")),
        ("84000d0801200302200302096d", BusReply(0x84, 1025, bytes.fromhex("20030220030209"))),
        ("850006080114", BusReply(0x85, 1025, b"")),
        ("85000d08014034512470295572", BusReply(0x85, 1025, bytes.fromhex("40345124702955"))),
        ("85000d663c403451247029550b", BusReply(0x85, 13116, bytes.fromhex("40345124702955"))),
    ],
)
def test_replies(text: str, reply: BusReply) -> None:
    assert BusFramer().feed(bytes.fromhex(text), 0) == [reply]


def test_a_reply_with_any_bit_flipped_is_none() -> None:
    """One bit of seven is always seen by the sum; the top bit by the framing."""
    whole = bytes.fromhex("85000d08014034512470295572")
    for place in range(len(whole)):
        for bit in range(8):
            hurt = bytearray(whole)
            hurt[place] ^= 1 << bit
            found = BusFramer().feed(bytes(hurt) + b"\x80", 0)

            assert not any(isinstance(each, BusReply) for each in found), (place, bit)
            assert found, "and it is said"


@given(st.binary(max_size=200))
def test_no_bytes_can_raise_or_jam_the_codec(rubbish: bytes) -> None:
    codec = DgtBusCodec(1025)
    codec.receive(rubbish, 0)

    events = codec.receive(bytes.fromhex("8900080801010823"), 0)

    assert events[-1] == Identity(0, "dgt-bus", firmware="1.8", bus_address=1025)


@given(st.binary(max_size=200), st.integers(0, 5))
def test_no_bytes_can_jam_the_line(rubbish: bytes, asked: int) -> None:
    poller = BusPoller([1025])
    at_ns = 0
    for _ in range(asked):
        poller.due(at_ns)
        at_ns = poller.due_at_ns or at_ns
    poller.receive(rubbish, at_ns)

    sent = b""
    for _ in range(20):
        at_ns = poller.due_at_ns or at_ns
        sent += poller.due(at_ns)
    assert sent


# The emulated board, byte for byte.


def asked(emulator: DgtEmulator, text: str, at_ns: int = 0) -> str:
    emulator.receive(bytes.fromhex(text), at_ns)
    return emulator.advance(at_ns + 80 * MS).hex()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("8b080114", "8900080801010823"),
        ("87080110", "870006080116"),
        ("8508010e", "880006080117"),
        ("8308010c", "850006080114"),
        ("8b66 3c2d", ""),
        ("8308010d", ""),
        ("80 83 08 010c", "850006080114"),
    ],
)
def test_what_a_board_answers_when_addressed(text: str, answer: str) -> None:
    assert asked(DgtEmulator(badge=Badge(serial="01025")), text) == answer


@pytest.mark.parametrize("asked_of", ["8b080114", "8b00000b"])
def test_a_board_of_the_oldest_versions_does_not_say_which(asked_of: str) -> None:
    old, next_one = (
        DgtEmulator(badge=Badge(serial="01025", version=version)) for version in ((1, 2), (1, 3))
    )
    assert asked(old, asked_of) == "890006080118"
    assert asked(next_one, asked_of) == "890008080101031e"


def test_a_board_tells_its_changes_once_and_the_last_packet_again() -> None:
    emulator = DgtEmulator(badge=Badge(serial="01025"))
    emulator.lift(square("e2"), S)
    emulator.place(square("e4"), "P", 2 * S)

    packet = bytes.fromhex("85000a0801 4034 4124")
    packet += bytes((sum(packet) & 0x7F,))
    assert asked(emulator, "8308010c", 3 * S) == packet.hex()
    assert asked(emulator, "8408010d", 4 * S) == packet.hex()
    assert asked(emulator, "8308010c", 5 * S) == "850006080114"


def test_the_whole_board_ends_with_the_sum_documents_give() -> None:
    answer = asked(DgtEmulator(badge=Badge(serial="01025")), "8208010b")

    assert answer.startswith("8300460801" + "08090a0c0b0a0908")
    assert answer.endswith("7c")


def test_a_bus_command_in_single_board_mode_only_leads_back_to_the_bus() -> None:
    emulator = DgtEmulator(badge=Badge(serial="01025"))
    assert asked(emulator, "4d", S) == "9300050108"
    assert asked(emulator, "8308010c", 2 * S) == ""
    assert asked(emulator, "8308010c", 3 * S) == "850006080114"
