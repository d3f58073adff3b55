"""Games of shogi from the journal, as KIF and CSA, read back by the readers of both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arbiterd.outlets.pgn.files import of_round
from arbiterd.outlets.pgn.shogi_records import csa, kif
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Played, Recorded
from arbiterd.rules.shogi_csa import ShogiGame, read_csa
from arbiterd.rules.shogi_kif import read_kif
from arbiterd.table.setup import TableSetup

from .test_pgn import Writer

MOVES = ("7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "B*8e")
SETUP = TableSetup(table="1", ruleset="shogi", white="羽生", black="Ana", round=2)


def wires(game: ShogiGame) -> list[str]:
    rules = ruleset("shogi")
    position, found = game.start, []
    for move in game.moves:
        found.append(rules.wire(position, move))
        position = rules.play(position, move)
    return found


@pytest.mark.parametrize(("form", "reader"), [(kif, read_kif), (csa, read_csa)])
async def test_what_was_played_is_what_their_readers_read(
    tmp_path: Path, opened, form, reader
) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        for ply, move in enumerate(MOVES, 1):
            writer.event(
                "moves", "1-1", ply=ply, color="black" if ply % 2 else "white", san=move,
                uci=move, how="pressed", completed_at=f"2026-11-21T14:0{ply}:30.000Z",
            )  # fmt: skip
        writer.event("result", "1-1", result="1-0", reason="resignation")
        chess = Writer(journal, TableSetup(table="2", round=2))
        chess.move("2-1", 1, "e4")
        await journal.synced()
        text = of_round(journal.read, 2, form=form)
    assert text is not None
    game = reader(text.removesuffix("/\n"))
    assert wires(game) == list(MOVES)
    assert (game.black, game.white, game.end) == ("Ana", "羽生", "TORYO")
    assert game.seconds[1:6] == (60,) * 5


async def test_a_reader_of_csa_knows_the_encoding_from_the_first_line(
    tmp_path: Path, opened
) -> None:
    """Without one it takes Shift-JIS, as all records were before V3.0, and no name is readable."""
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        writer.event("moves", "1-1", ply=1, color="black", san=MOVES[0], uci=MOVES[0])
        writer.event("result", "1-1", result="1-0", reason="resignation")
        await journal.synced()
        data = (of_round(journal.read, 2, form=csa) or "").encode()
    said = data.splitlines()[0].decode("ascii")
    encoding = said.removeprefix("'CSA encoding=") if said.startswith("'CSA encoding=") else "cp932"
    assert "N-羽生" in data.decode(encoding, errors="replace").splitlines()


@pytest.mark.parametrize(
    ("reason", "result", "plies", "end"),
    [
        ("time", "0-1", 1, "TIME_UP"),
        ("flag", "0-1", 1, "TIME_UP"),
        ("jishogi", "replay", 2, "JISHOGI"),
        ("agreement", "1/2-1/2", 2, "HIKIWAKE"),
        ("declaration", "0-1", 2, "KACHI"),
        ("declaration", "1-0", 1, "KACHI"),
        ("declaration", "replay", 2, "JISHOGI"),
        ("declaration", "1-0", 2, ""),
        ("penalty", "1-0", 2, ""),
        ("illegal-move", "1-0", 2, "ILLEGAL_MOVE"),
        ("illegal-move", "0-1", 2, "-ILLEGAL_ACTION"),
        ("illegal-move", "1-0", 1, "+ILLEGAL_ACTION"),
        ("perpetual-check", "0-1", 2, "-ILLEGAL_ACTION"),
        ("perpetual-check", "0-1", 1, "ILLEGAL_MOVE"),
        ("resignation", "0-1", 2, ""),
        ("time", "1-0", 1, ""),
        ("sennichite", "replay", 2, "SENNICHITE"),
        ("sennichite", "1-0", 2, ""),
        ("agreed by both players", "1-0", 2, ""),
    ],
)
@pytest.mark.parametrize(("form", "reader"), [("kif", read_kif), ("csa", read_csa)])
def test_what_a_ruling_ended_a_game_by_has_the_word_of_these_forms(
    form: str, reader: Any, reason: str, result: str, plies: int, end: str
) -> None:
    rules = ruleset("shogi")
    assert isinstance(rules, Recorded)
    position, moves = rules.start(), []
    for wire in MOVES[:plies]:
        moves.append(rules.parse(position, wire))
        position = rules.play(position, moves[-1])
    game = Played(rules.start(), tuple(moves), (), "", "", reason, result)

    assert reader(rules.written(form, game)).end == end
