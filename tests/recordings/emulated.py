"""Writes a recording of a family's emulator, where nobody has the board: its codec asks, a hand
plays the first moves of a game, and both sides of the wire are written down in virtual time.

    .venv/bin/python tests/recordings/emulated.py NAME > tests/recordings/NAME/first-moves.log
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from eboards.events import CHESS_BOARD, EMPTY
from eboards.family import Family
from eboards.registry import FAMILIES, family
from eboards.transport.recording import FROM_DEVICE, TO_DEVICE, RecordedBytes, write_log

MS = 1_000_000
STEP = 10 * MS
HELD = 600 * MS
BETWEEN = 2_000 * MS
MOVES = ("e2e4 P", "e7e5 p", "g1f3 N", "b8c6 n", "f1b5 B", "a7a6 p", "b5c6 B", "d7c6 p")
"""From, to, and the piece; what stands on the square is taken off first."""
START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"

PLAYED_BY_HAND = [each.name for each in FAMILIES if hasattr(each.emulator(), "set_square")]
"""One board with squares: no bus of them, and no computer that tells moves."""


def hands() -> list[tuple[int, int, str]]:
    """When a hand changes which square, and what stands there then."""
    pieces, at_ns, changes = list(START), BETWEEN, []
    for move in MOVES:
        origin, target = (CHESS_BOARD.square(name) for name in (move[:2], move[2:4]))
        taken = [(target, EMPTY)] if pieces[target] != EMPTY else []
        for square, piece in ((origin, EMPTY), *taken, (target, move[-1])):
            pieces[square] = piece
            changes.append((at_ns, square, piece))
            at_ns += HELD
        at_ns += BETWEEN
    return changes


def talk(of: Family) -> Iterator[RecordedBytes]:
    """What codec and emulator say to one another while the moves are played."""
    codec, board = of.codec(), of.emulator()
    changes = hands()
    for at_ns in range(0, changes[-1][0] + BETWEEN, STEP):
        while changes and changes[0][0] <= at_ns:
            _, square, piece = changes.pop(0)
            board.set_square(square, piece, at_ns)
        while (due_ns := codec.due_at_ns) is not None and due_ns <= at_ns:
            asked, _ = codec.due(at_ns)
            if asked:
                yield RecordedBytes(at_ns, TO_DEVICE, asked)
                board.receive(asked, at_ns)
        if said := board.advance(at_ns):
            yield RecordedBytes(at_ns, FROM_DEVICE, said)
            codec.receive(said, at_ns)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in PLAYED_BY_HAND:
        sys.exit(f"say which: {' '.join(PLAYED_BY_HAND)}")
    of = family(sys.argv[1])
    write_log(
        sys.stdout,
        talk(of),
        {
            "Device": f"{of.title}, emulated",
            "From": "the emulator of this project",
            "Rules": "chess",
            "Notes": "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6",
        },
    )
