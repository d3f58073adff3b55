"""The present game of a board, out of all that its table has ever told."""

from __future__ import annotations

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
    server = LiveChess(hall, WallClock(), "main", frozenset())
    async with serving(server.app(), "127.0.0.1", 0) as address, ClientSession() as http:
        api = address + "api/v1.0"
        uuid = (await (await http.get(f"{api}/tournaments")).json())[0]["uuid"]
        paired = await (await http.get(f"{api}/round/{uuid}/3")).json()
        game = await (await http.get(f"{api}/game/{paired['pairings'][0]['uuid']}")).json()

    assert [said.split()[0] for said in game["moves"]] == ["e4"]


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
