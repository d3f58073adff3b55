"""Chessnut (Air, Air+, Pro, Go, Move) over USB HID. The first byte of a report is its id.

    > 21 01 00  report squares        < 01 nn   32 bytes of board, 4 of a counter, perhaps more
    > 27 01 01  firmware              < 28 nn 00 text
    > 29 01 00  battery               < 2A 02 percent charging
                                      < 23 01 00 done   23 01 01 refused   0F xx button

    nn counts the bytes after it: 3D on USB, where what fills the report up to 64 or 65 bytes is
    anybody's guess, 24 on Bluetooth, where some are said to send fewer: the board is read as soon
    as it is there

    board   h8 g8 ... a8, h7 ... a1; two squares a byte, low nibble first
            0 empty, 1 q k b p n, 6 R P r B N Q, C K; D, E, F never

At least 200 ms between two writes, so we keep 250. There is no checksum beyond USB's own: a
position counts once two reports agree. The counter's meaning is disputed and it is not read. Boards
that move pieces themselves are never told to. Sources: firmware_notes/chessnut.md
"""

from __future__ import annotations

from typing import Final

from eboards.codec import Standing
from eboards.dialogue import Request
from eboards.events import Button, DeviceEvent, Fault, Noise, Sensing, SensingClass
from eboards.polled import Poll, PolledBoard

MS: Final = 1_000_000
REPORT_NS: Final = 200 * MS
WRITE_GAP_NS: Final = 250 * MS
"""The board wants 200 ms between two writes, and what lies between may hold one up for a while."""
BATTERY_NS: Final = 300_000 * MS
PARTED_NS: Final = 50 * MS
"""The parts of one report never come so far apart: what is left of an older one is dropped."""
COUNTER_NS: Final = 20 * MS
"""What follows a board comes at once; behind that it is an answer."""
SENSING: Final = Sensing(SensingClass.IDENTITY, 2 * REPORT_NS)

PIECES: Final = ".qkbpnRPrBNQK"
BOARD: Final = 0x01
_IDS: Final = frozenset({BOARD, 0x0F, 0x23, 0x28, 0x2A, 0x2D, 0x32, 0x36, 0x37, 0x38, 0x41})
_BOARD_COUNTS: Final = range(0x20, 0x40)
_AIR_COUNT: Final = 0x24
_BOARD_BYTES: Final = 34
"""Id, count and board, without what follows."""
_FILL_MAX: Final = 2
"""A report over USB has so many bytes at most behind those it counts."""


def _request(data: str, answer: int, tries: int = 2) -> Request:
    def answered_by(message: bytes) -> bool:
        return message[0] == answer

    return Request(
        bytes.fromhex(data), answered_by, wait_ns=2 * REPORT_NS, tries=tries, gap_ns=WRITE_GAP_NS
    )


REALTIME: Final = _request("21 01 00", 0x23)
FIRMWARE: Final = _request("27 01 01", 0x28)
BATTERY: Final = _request("29 01 00", 0x2A)


class ChessnutCodec(PolledBoard):
    """One board, one report a read; parts of reports are put together again."""

    driver = "chessnut"
    standing = Standing.WRITTEN
    sensing = SENSING
    opening = (REALTIME, FIRMWARE, BATTERY)
    polls = (Poll(BATTERY, BATTERY_NS),)

    def __init__(self) -> None:
        super().__init__()
        self._report = bytearray()
        self._part_at_ns = 0
        self._passed_over = 0
        """So many bytes may still follow a board that was read."""
        self._fill = 0
        """And so many behind these, unless another report begins there."""

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        if self._report and at_ns - self._part_at_ns > PARTED_NS:
            events.append(Fault(at_ns, Noise.CUT_OFF, bytes(self._report)))
            self._report.clear()
        if at_ns - self._part_at_ns > COUNTER_NS:
            self._passed_over = self._fill = 0
        if data:
            self._part_at_ns = at_ns
        for byte in data:
            if self._passed_over:
                self._passed_over -= 1
                continue
            # Zeros fill a report up to its size; none begins with one.
            if not self._report and (byte == 0 or (self._fill and byte not in _IDS)):
                self._fill = max(0, self._fill - 1)
                continue
            self._report.append(byte)
            events += self._whole(at_ns)
        return events

    def _whole(self, at_ns: int) -> list[DeviceEvent]:
        report = bytes(self._report)
        if report[0] not in _IDS:
            self._report.clear()
            return [Fault(at_ns, Noise.STRAY, report)]
        if report[0] == 0x0F:
            needed = 2
        elif len(report) < 2:
            return []
        elif report[0] == BOARD and report[1] not in _BOARD_COUNTS:
            self._report.clear()
            return [Fault(at_ns, Noise.LENGTH, report)]
        else:
            needed = _BOARD_BYTES if report[0] == BOARD else 2 + report[1]
        if len(report) < needed:
            return []
        self._report.clear()
        self._fill = 0
        if report[0] == BOARD:
            self._passed_over = 2 + report[1] - _BOARD_BYTES
            self._fill = 0 if report[1] == _AIR_COUNT else _FILL_MAX
        self._alive(report, at_ns)
        return self._message(report, at_ns)

    def _message(self, report: bytes, at_ns: int) -> list[DeviceEvent]:
        match report[0]:
            case 0x01:
                return self._board(report[2:34], at_ns)
            case 0x28:
                return self._introduced(report[3:].decode("ascii", "replace").strip("\0 "), at_ns)
            case 0x2A if len(report) >= 4:
                return self._charge(report[2], report[3], at_ns)
            case 0x0F:
                return [Button(at_ns, f"{report[1]:02x}")]
        return []

    def _board(self, packed: bytes, at_ns: int) -> list[DeviceEvent]:
        codes = [code for byte in packed for code in (byte & 0x0F, byte >> 4)]
        if max(codes) >= len(PIECES):
            return [Fault(at_ns, Noise.RANGE, packed, "no such piece")]
        squares = range(64)
        # Each rank comes from its h file on.
        placement = tuple(PIECES[codes[square ^ 7]] for square in squares)
        return self._sees(placement, at_ns)

    def _charge(self, percent: int, flag: int, at_ns: int) -> list[DeviceEvent]:
        """Charging stands in either of two places, by firmware. Nothing left is no news."""
        left, charging = percent & 0x7F, bool(percent & 0x80) or flag == 1
        return self._charged(left, charging, at_ns) if 0 < left <= 100 else []
