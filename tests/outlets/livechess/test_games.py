"""The present game of a board, out of all that its table has ever told."""

from __future__ import annotations

from typing import Any

import chess
from aiohttp import ClientSession

from arbiterd.edges.real import WallClock
from arbiterd.outlets.http.server import serving
from arbiterd.outlets.livechess.boards import EBoards
from arbiterd.outlets.livechess.reconstruction import played_since
from arbiterd.outlets.livechess.server import EVENTS_MAX, LiveChess
from paper.hall import START, PaperReader, move, state

SET = "8/8/8/4k3/8/3K4/4P3/8 w - - 0 61"


async def test_a_game_after_a_year_of_games_is_told() -> None:
    """Of a table that had told so much, no half-move was found any more."""
    hall = PaperReader()
    for seq in range(1, EVENTS_MAX + 1):
        hall.tell("tables/1/moves", move("1", seq, 1, "d4", "d2d4", START, game="1-0"))
    hall.tell("tables/1/moves", move("1", EVENTS_MAX + 1, 1, "e4", "e2e4", START))
    hall.retain("tables/1/state", state("1", EVENTS_MAX + 1))
    game = await first_game(hall)

    assert [said.split()[0] for said in game["moves"]] == ["e4"]
    assert game["comment"] is None


async def first_game(hall: PaperReader) -> dict[str, Any]:
    """As a program asks for it over REST: the first of round 3."""
    server = LiveChess(hall, WallClock(), "main", frozenset())
    async with serving(server.app(), "127.0.0.1", 0) as address, ClientSession() as http:
        api = address + "api/v1.0"
        uuid = (await (await http.get(f"{api}/tournaments")).json())[0]["uuid"]
        paired = await (await http.get(f"{api}/round/{uuid}/3")).json()
        found = await http.get(f"{api}/game/{paired['pairings'][0]['uuid']}")
        game: dict[str, Any] = await found.json()
    return game


async def test_a_program_that_plays_a_game_through_meets_no_move_that_is_not_legal() -> None:
    """What followed an illegal half-move that stands came right after what was before it."""
    board, hall = chess.Board(), PaperReader()
    played = ["e4", "e5", "Nf3", "Nc6", "Bb5", None, "Bxd7+"]
    for ply, san in enumerate(played, 1):
        if san is None:
            board.set_fen("r1bqkbnr/pppp1ppp/8/1B2p3/2n1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4")
            told = move("1", ply, ply, None, "c6c4", board.fen(), irregular=True)
        else:
            board.push_san(san)
            told = move("1", ply, ply, san, board.peek().uci(), board.fen())
        hall.tell("tables/1/moves", told)
    hall.retain("tables/1/state", state("1", len(played)))
    game = await first_game(hall)

    reader = chess.Board()
    for said in game["moves"]:
        reader.push_san(said.split()[0])
    assert [said.split()[0] for said in game["moves"]] == played[:5]
    assert "see the PGN" in game["comment"]


def test_a_game_that_is_entered_by_hand_shows_on_the_board() -> None:
    """The start array stood there to the end, and no client saw a half-move."""
    hall = PaperReader()
    hall.retain("tables/1/state", state("1", 1, fen=SET, device="none"))
    hall.retain("tables/2/state", state("2", 1, fen=SET, device="lost"))
    boards = EBoards(hall.retained)()

    assert [boards[table].board for table in "12"] == [SET.split()[0], START.split()[0]]


async def test_a_game_goes_on_from_a_position_that_an_arbiter_set() -> None:
    """The position was missing in the game, so what followed it was not known either."""
    hall = PaperReader()
    after = "8/8/8/4k3/4P3/3K4/8/8 b - - 0 61"
    hall.tell("tables/1/moves", move("1", 1, 1, "e4", "e2e4", START))
    hall.tell("tables/1/moves", move("1", 2, 2, None, "e7e5", SET, irregular=True))
    hall.tell("tables/1/moves", move("1", 3, 3, "e4", "e2e4", after))
    hall.tell("tables/1/moves", move("1", 4, 4, "Kd6", "e5d6", after))
    hall.tell("tables/1/moves", move("1", 5, 4, None, None, after, replaces=4))
    hall.retain("tables/1/state", state("1", 5))
    game = await LiveChess(hall, WallClock(), "main", frozenset())._game_on("1")

    assert game == [("e2e4", START), ("", SET), ("e2e4", after)]
    assert played_since(SET, game) == ("e2e4",)
