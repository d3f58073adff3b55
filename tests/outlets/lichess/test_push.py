"""The push, against a stand-in that answers as the documentation of the endpoint says."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import chess.pgn
import pytest
from aiohttp import web

from arbiterd.access.people import read_secret
from arbiterd.journal.delays import Delays
from arbiterd.outlets.lichess.http import HttpSender
from arbiterd.outlets.lichess.push import GAMES_MAX, HttpAnswer, LichessOutlet
from arbiterd.outlets.pgn.book import ScoreBook
from arbiterd.outlets.pgn.safe import newest_part
from arbiterd.table.setup import TableSetup
from broadcast.hands import Hands, write
from broadcast.reader import Read, WrongError, read

RUY = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8".split()
SECOND = 10**9
PUSHES_A_MINUTE = 30


class Time:
    """Waits by going on at once."""

    speed = 1.0

    def __init__(self) -> None:
        self.at_ns = 0

    def now_ns(self) -> int:
        return self.at_ns

    async def until(self, at_ns: int) -> None:
        self.at_ns = max(self.at_ns, at_ns)

    async def rest(self, seconds: float) -> None: ...


@dataclass
class Lichess:
    """A round of a broadcast: games matched by tags, an error stops its game alone."""

    time: Time
    round_id: str = "abcdefgh"
    token: str = "secret"
    down: tuple[float, float] = (0.0, 0.0)
    games: dict[tuple[str, str, str], Read] = field(default_factory=dict)
    pushes: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    refuse: str = ""
    """A White whose games are refused."""
    unreadable: str = ""
    """A White with whom a whole push is refused."""
    refusals: int = 0
    reached: list[tuple[float, tuple[str, str, str], int]] = field(default_factory=list)
    """When, which game, how many half-moves."""

    def push(self, round_id: str, token: str, pgn: str) -> HttpAnswer:
        now = self.time.at_ns / SECOND
        if self.down[0] <= now < self.down[1]:
            return HttpAnswer(0, b"connection refused")
        if token != self.token:
            return HttpAnswer(401, b'{"error":"No such token"}')
        if round_id != self.round_id:
            return HttpAnswer(404, b"{}")
        self.pushes = [at for at in self.pushes if at > now - 60] + [now]
        if len(self.pushes) > PUSHES_A_MINUTE:
            return HttpAnswer(429, b'{"error":"Too many requests. Try again later."}')
        blocks = [f"[Event{text}" for text in pgn.split("[Event")[1:]]
        if len(blocks) > 64:
            return HttpAnswer(400, b"too many games")
        if self.unreadable and f'[White "{self.unreadable}"]' in pgn:
            self.refusals += 1
            return HttpAnswer(400, b'{"error":"Cannot read this PGN"}')
        self.sizes.append(len(blocks))
        answers = [self._game(text, now) for text in blocks]
        return HttpAnswer(200, json.dumps({"games": answers}).encode())

    def _game(self, text: str, now: float) -> dict[str, object]:
        try:
            (game,) = read(text)
        except WrongError as error:
            return {"tags": {}, "error": str(error)}
        if game.tags["White"] == self.refuse:
            return {"tags": game.tags, "error": "Cannot parse moves"}
        name = game.tags["Round"], game.tags["White"], game.tags["Black"]
        self.games[name] = game
        self.reached.append((now, name, len(game.moves)))
        return {"tags": game.tags, "moves": len(game.moves)}


@dataclass
class Wire:
    lichess: Lichess
    token: str = "secret"

    async def push(self, round_id: str, pgn: str) -> HttpAnswer:
        return self.lichess.push(round_id, self.token, pgn)


def table(name: str, moves: int = 16, in_round: int = 1) -> Hands:
    hands = Hands(
        TableSetup(hall="main", table=name, white=f"W{name}", black=f"B{name}", round=in_round)
    )
    for move in RUY[:moves]:
        hands.wait(60)
        hands.play(move)
    return hands


async def run(outlet: LichessOutlet, time: Time, end_s: float) -> None:
    while time.at_ns < end_s * SECOND:
        wait_s = await outlet.look()
        time.at_ns += int(wait_s * SECOND)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def lichess(time: Time) -> Lichess:
    return Lichess(time)


async def pushed(
    tmp_path: Path, opened, lichess: Lichess, tables: list[Hands], end_s: float,
    rounds: tuple[str, ...] = ("abcdefgh",), token: str = "secret",
) -> LichessOutlet:  # fmt: skip
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, tables)
        await journal.synced()
        book = ScoreBook(journal.read, lichess.time, Delays(journal.read, (), 0), newest_part)
        names = [hands.setup.table for hands in tables]
        outlet = LichessOutlet(book, names, rounds, Wire(lichess, token), lichess.time)
        await run(outlet, lichess.time, end_s)
        return outlet


async def test_every_half_move_arrives_within_seconds(
    tmp_path: Path, opened, lichess: Lichess
) -> None:
    hands = table("1")
    outlet = await pushed(tmp_path, opened, lichess, [hands], 1400)
    assert lichess.games["1", "W1", "B1"].moves == RUY
    assert outlet.trouble == ""
    assert [count for _, _, count in lichess.reached] == list(range(1, 17))


async def test_an_outage_of_ten_minutes_costs_no_half_move(
    tmp_path: Path, opened, lichess: Lichess
) -> None:
    lichess.down = (300.0, 900.0)
    outlet = await pushed(tmp_path, opened, lichess, [table("1"), table("2")], 1400)
    for name in ("1", "2"):
        assert lichess.games["1", f"W{name}", f"B{name}"].moves == RUY
    back = min(at for at, _, _ in lichess.reached if at >= 900)
    assert back < 900 + 35, "the first push after it comes within the longest pause"
    assert outlet.trouble == ""


async def test_games_are_pushed_64_at_most_and_a_429_is_heeded(
    tmp_path: Path, opened, lichess: Lichess
) -> None:
    lichess.pushes = [0.5] * PUSHES_A_MINUTE
    tables = [table(str(number), 2) for number in range(1, 101)]
    await pushed(tmp_path, opened, lichess, tables, 400)
    assert len(lichess.games) == 100
    assert max(lichess.sizes) <= GAMES_MAX
    assert all(game.moves == RUY[:2] for game in lichess.games.values())
    assert min(at for at, _, _ in lichess.reached) > 60


async def test_a_refused_game_stops_no_other_and_is_named(
    tmp_path: Path, opened, lichess: Lichess
) -> None:
    lichess.refuse = "W2"
    outlet = await pushed(tmp_path, opened, lichess, [table("1"), table("2")], 1400)
    assert lichess.games["1", "W1", "B1"].moves == RUY
    assert outlet.trouble == "Lichess refuses table 2: Cannot parse moves"


async def test_a_push_that_is_refused_whole_because_of_one_game_stops_no_other(
    tmp_path: Path, opened, lichess: Lichess
) -> None:
    lichess.unreadable = "W2"
    outlet = await pushed(tmp_path, opened, lichess, [table(n) for n in "123"], 1400)
    assert lichess.games["1", "W1", "B1"].moves == RUY
    assert lichess.games["1", "W3", "B3"].moves == RUY
    assert outlet.trouble == "Lichess refuses table 2: Cannot read this PGN"
    assert lichess.refusals <= 3 * len(RUY), "it is sent again once there is more of it"


async def test_a_round_that_was_deleted_stops_no_other_round(
    tmp_path: Path, opened, lichess: Lichess, caplog: pytest.LogCaptureFixture
) -> None:
    tables = [table("1", 4), table("2", in_round=2)]
    outlet = await pushed(tmp_path, opened, lichess, tables, 1400, ("otherone", "abcdefgh"))
    assert lichess.games["2", "W2", "B2"].moves == RUY
    gone = "Lichess refuses round 1 (404): there is no such round; mend [broadcast] lichess"
    assert outlet.trouble == gone
    assert caplog.text.count(gone) == 1


@pytest.mark.parametrize(
    ("rounds", "token", "words"),
    [
        (("abcdefgh",), "wrong", "its token is not valid"),
        (("otherone",), "secret", "there is no such round"),
        ((), "secret", "has no id of round 1"),
    ],
)
async def test_what_a_person_has_to_mend_is_said(
    tmp_path: Path, opened, lichess: Lichess, rounds: tuple[str, ...], token: str, words: str
) -> None:
    outlet = await pushed(tmp_path, opened, lichess, [table("1", 2)], 200, rounds, token)
    assert words in outlet.trouble
    assert lichess.games == {}


async def test_what_no_legal_move_made_begins_the_game_anew_there(
    tmp_path: Path, opened, lichess: Lichess
) -> None:
    hands = table("1", 4)
    hands.carry("a1", "a3")
    hands.press()
    board = chess.Board(hands.rules.fen(hands.position))
    board.set_piece_at(chess.A3, board.remove_piece_at(chess.A1))
    board.turn = chess.BLACK
    hands.position = hands.rules.start(board.fen())
    hands.play("g8f6", "b1c3")
    outlet = await pushed(tmp_path, opened, lichess, [hands], 600)
    (game,) = lichess.games.values()
    assert game.moves == ["g8f6", "b1c3"]
    assert game.tags["SetUp"] == "1"
    assert outlet.trouble == ""


async def test_over_http_as_the_documentation_has_it(lichess: Lichess, time: Time) -> None:
    heard: list[str] = []

    async def push(request: web.Request) -> web.Response:
        heard.append(request.headers["Content-Type"])
        scheme, _, token = request.headers["Authorization"].partition(" ")
        assert scheme == "Bearer"
        answer = lichess.push(request.match_info["id"], token, await request.text())
        return web.Response(status=answer.status, body=answer.body)

    app = web.Application()
    app.router.add_post("/api/broadcast/round/{id}/push", push)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    pgn = (
        '[Event "ñ"]\n[Site "?"]\n[Date "2026.11.21"]\n[Round "1"]\n[White "A"]\n[Black "B"]\n'
        '[Result "*"]\n\n1. e4 *\n\n'
    )
    try:
        tokens = ["old", "secret", "secret"]
        sender = HttpSender(lambda: tokens.pop(0), f"http://127.0.0.1:{port}")
        assert (await sender.push("abcdefgh", pgn)).status == 401
        answer = await sender.push("abcdefgh", pgn)
        assert (answer.status, json.loads(answer.body)["games"][0]["moves"]) == (200, 1)
        assert (await sender.push("other", pgn)).status == 404
        assert lichess.games["1", "A", "B"].tags["Event"] == "ñ"
    finally:
        await runner.cleanup()
    gone = await HttpSender(lambda: "secret", f"http://127.0.0.1:{port}").push("abcdefgh", pgn)
    assert gone.status == 0
    assert gone.body


async def test_a_token_that_cannot_be_read_is_said_and_nothing_is_sent(tmp_path: Path) -> None:
    sender = HttpSender(partial(read_secret, tmp_path / "none"), "http://127.0.0.1:9")
    answer = await sender.push("abcdefgh", "1. e4 *")
    assert answer.status == 0
    assert b"cannot be read" in answer.body


async def test_an_answer_that_comes_in_parts_is_read_to_its_end() -> None:
    said = json.dumps({"games": [{"tags": {}, "moves": n} for n in range(64)]}).encode()

    async def in_parts(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for begin in range(0, len(said), 500):
            await response.write(said[begin : begin + 500])
            await asyncio.sleep(0.01)
        return response

    app = web.Application()
    app.router.add_post("/api/broadcast/round/{id}/push", in_parts)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        answer = await HttpSender(lambda: "secret", f"http://127.0.0.1:{port}").push(
            "abcdefgh", "1. e4 *"
        )
        assert answer == HttpAnswer(200, said)
    finally:
        await runner.cleanup()
