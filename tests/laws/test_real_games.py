"""Games as they were played: nothing is told but their true ends."""

from __future__ import annotations

import io
import re
from collections import Counter

import chess.pgn
import pytest

from arbiterd.cli.laws.situations import read_situations, tell
from kept_beside import REAL_GAMES, kept_beside

SLICE = 8
"""So many games in the short run; `-m slow` plays them all."""


def games() -> list[str]:
    """The PGN of every game that is there. Skips the test where there is none."""
    files = sorted(kept_beside(REAL_GAMES).glob("*.pgn"))
    text = "\n".join(file.read_text("utf-8", "replace") for file in files)
    return [game for game in re.split(r"\n(?=\[Event )", text) if game.strip()]


def alerts(pgn: str) -> Counter[str]:
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game is not None, "a game begins with its tags"
    board, lines = game.board(), ["game chess, standard 90:00+30"]
    for move in game.mainline_moves():
        lines.append(f"move {board.san(move)} press")
        board.push(move)
    (situation,) = read_situations("game", "\n".join(lines))
    return Counter(
        ruling["kind"] for ruling in tell(situation).rulings if ruling["urgency"] in (1, 2)
    )


def only_ends(played: list[str]) -> None:
    told: Counter[str] = sum((alerts(pgn) for pgn in played), Counter())
    print(f"{len(played)} games: {dict(told) or 'nothing told'}")
    assert not [kind for kind in told if not kind.startswith("end-")]


def test_some_real_games_lead_to_no_alert() -> None:
    found = games()
    only_ends(found[:: len(found) // SLICE])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_no_real_game_leads_to_an_alert() -> None:
    found = games()
    only_ends(found)
