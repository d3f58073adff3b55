"""LiveChess clients' calls, in the shapes that public programs send them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest

from arbiterd.messages import payloads
from arbiterd.outlets.livechess.boards import EBoards
from arbiterd.outlets.livechess.reconstruction import Reconstruction
from arbiterd.outlets.livechess.session import LiveChessSession
from arbiterd.rules.registry import ruleset

SECOND = 1_000_000_000
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
EBOARD = {"serialnr", "source", "state", "battery", "comment", "board", "flipped", "clock"}


class HallInView:
    """Retained messages of two tables, the second without a board."""

    def __init__(self) -> None:
        self.board = START
        self.clock: payloads.Clock | None = None
        self.number = "12345"
        self.ruleset = "chess"
        self.alive: tuple[str, ...] = ("1",)
        self.game: list[tuple[str, str]] = []

    async def game_on(self, serial: str) -> list[tuple[str, str]]:
        return self.game

    def retained(self) -> dict[str, bytes]:
        return {
            "tables/1/state": self._state("1", "ok" if "1" in self.alive else "lost"),
            "tables/1/device": msgspec.json.encode(
                payloads.Device(
                    **self._head("1"),
                    driver="dgt",
                    identity=self.number,
                    port="/dev/ttyACM0",
                    firmware="1.8",
                    battery=84,
                    state="ok",
                    since="1970-01-01T00:00:00.000Z",
                    faults=[],
                )
            ),
            "tables/2/state": self._state("2", "ok" if "2" in self.alive else "none"),
        }

    def _head(self, table: str) -> dict[str, Any]:
        return {"hall": "main", "at": "1970-01-01T00:00:09.000Z", "simulated": False,
                "table": table, "game": f"{table}-1", "seq": 3}  # fmt: skip

    def _state(self, table: str, device: str) -> bytes:
        return msgspec.json.encode(
            payloads.State(
                **self._head(table),
                ruleset=self.ruleset if table == "1" else "chess",
                white="",
                black="",
                round=1,
                fen=START + " w KQkq - 0 1",
                placement=self.board,
                ply=0,
                turn="white",
                last_move=None,
                clock=self.clock,
                status="playing",
                attention=True,
                device=device,
                result=None,
                open_rulings=["1-0001"],
            )
        )


@pytest.fixture
def hall() -> HallInView:
    return HallInView()


@pytest.fixture
def session(hall: HallInView) -> LiveChessSession:
    return LiveChessSession(EBoards(hall.retained), hall.game_on)


def ask(
    session: LiveChessSession, said: dict[str, Any], at_ns: int = SECOND
) -> list[dict[str, Any]]:
    return heard(session, json.dumps(said), at_ns)


def heard(session: LiveChessSession, text: str, at_ns: int) -> list[dict[str, Any]]:
    return [json.loads(frame) for frame in asyncio.run(session.receive(text, at_ns))]


@pytest.mark.parametrize("number", [0, 1, "1", 83, None])
@pytest.mark.parametrize("param", [..., None, {}])
def test_boards_are_listed_with_all_fields_and_no_other(
    session: LiveChessSession, number: Any, param: Any
) -> None:
    said = {"id": number, "call": "eboards"} | ({} if param is ... else {"param": param})

    (answer,) = ask(session, said)

    assert (answer["response"], answer["id"], answer["time"]) == ("call", number, 1000)
    assert type(answer["id"]) is type(number)
    assert [set(board) for board in answer["param"]] == [EBOARD, EBOARD]
    assert answer["param"][0] == {
        "serialnr": "12345", "source": "ttyACM0", "state": "ACTIVE", "battery": "84%",
        "comment": None, "board": START, "flipped": False, "clock": None,
    }  # fmt: skip
    assert answer["param"][1]["state"] == "INACTIVE"


def test_a_board_that_tells_its_number_late_is_followed_all_the_same(
    session: LiveChessSession, hall: HallInView
) -> None:
    hall.number = ""
    param = {"feed": "eboardevent", "id": 1, "param": {"serialnr": "1"}}
    ask(session, {"id": 2, "call": "subscribe", "param": param})

    hall.number, hall.board = "12345", START.replace("/PPPPPPPP/", "/PPPP1PPP/")
    (event,) = [json.loads(frame) for frame in session.news(9 * SECOND)]

    assert event["param"]["board"] == hall.board
    listed = ask(session, {"id": 3, "call": "eboards"})[0]["param"]
    assert [board["serialnr"] for board in listed] == ["12345", "2"]


def subscribe(session: LiveChessSession, feed: Any = 1) -> list[dict[str, Any]]:
    param = {"feed": "eboardevent", "id": feed, "param": {"serialnr": "12345"}}
    return ask(session, {"id": 2, "call": "subscribe", "param": param})


def test_the_result_comes_before_the_first_event_which_is_the_full_state(
    session: LiveChessSession,
) -> None:
    result, event = subscribe(session)

    assert (result["response"], result["id"], result["param"]) == ("call", 2, None)
    assert (event["response"], event["id"]) == ("feed", 1)
    assert event["param"] == {
        "serialnr": "12345", "flipped": False, "board": START, "clock": None,
    }  # fmt: skip


def test_a_call_and_a_feed_may_have_the_same_id(session: LiveChessSession) -> None:
    param = {"feed": "eboardevent", "id": 2, "param": {"serialnr": "12345"}}
    result, event = ask(session, {"id": 2, "call": "subscribe", "param": param})

    assert result["id"] == event["id"] == 2


FEN = START + " w KQkq - 0 1"


def set_up(
    session: LiveChessSession, fen: str = FEN, at_ns: int = 2 * SECOND
) -> list[dict[str, Any]]:
    param = {"id": 1, "method": "setup", "param": {"fen": fen}}
    return ask(session, {"id": 3, "call": "call", "param": param}, at_ns)


def line(moves: str) -> list[tuple[str, str]]:
    """Each half-move with the FEN after it."""
    rules, game = ruleset("chess"), []
    position = rules.start()
    for text in moves.split():
        move = rules.parse(position, text)
        wire = rules.wire(position, move)
        position = rules.play(position, move)
        game.append((wire, rules.fen(position)))
    return game


def test_a_half_move_is_told_in_the_event_of_the_board_that_shows_it(
    session: LiveChessSession, hall: HallInView
) -> None:
    subscribe(session)
    result, begun = set_up(session)
    assert result["param"] is None
    assert begun["param"] == {
        "serialnr": "12345", "flipped": False, "board": START, "start": FEN, "san": [],
    }  # fmt: skip

    at_ns, told = 10 * SECOND, []
    for _, fen in line("e4 e5 Nf3"):
        hall.board = fen.split()[0]
        (event,) = news(session, at_ns)
        told.append({k: v for k, v in event.items() if k in ("board", "san", "match")})
        at_ns += 3 * SECOND

    assert [(event["san"], event.get("match")) for event in told] == [
        (["e4"], True), (["e4", "e5"], None), (["e4", "e5", "Nf3"], None),
    ]  # fmt: skip
    assert news(session, at_ns + 60 * SECOND) == []


def news(session: LiveChessSession, at_ns: int) -> list[dict[str, Any]]:
    return [json.loads(frame)["param"] for frame in session.news(at_ns)]


def test_a_feed_tells_what_changed_once(session: LiveChessSession, hall: HallInView) -> None:
    subscribe(session)
    assert session.news(SECOND + SECOND // 2) == []

    hall.board = START.replace("PPPPPPPP", "PPPP1PPP")
    (event,) = news(session, SECOND + SECOND // 2)
    assert set(event) == {"serialnr", "flipped", "board"}
    assert session.news(2 * SECOND) == []

    hall.clock = payloads.Clock(white_ms=61_900, black_ms=60_000, running="black", flag=None)
    (event,) = news(session, 3 * SECOND)
    assert event["clock"] == {"white": 61, "black": 60, "run": False, "time": 9000}


GAME = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O"


@pytest.mark.parametrize("known", range(10))
@pytest.mark.parametrize("before", range(10))
def test_a_set_up_from_an_older_position_tells_what_was_played_since(
    session: LiveChessSession, hall: HallInView, before: int, known: int
) -> None:
    """`known`: how many half-moves the table has told; the board may be ahead of it."""
    game = line(GAME)
    hall.game, hall.board = game[:known], game[-1][1].split()[0]
    subscribe(session)

    fen = game[before - 1][1] if before else FEN
    result, begun, *more = set_up(session, fen)
    # The board goes on, whatever was made of what it showed.
    hall.board = line(GAME + " Be7")[-1][1].split()[0]
    later = news(session, 30 * SECOND)

    assert result["response"] == "call"
    assert begun["param"]["san"] == []
    told = [event["param"] for event in more] + later
    if known == 9 or (known >= before and 9 - known <= 2) or 9 - before <= 2:
        assert [e["san"] for e in told if "san" in e][-1] == [*GAME.split(), "Be7"][before:]
    else:
        # Too much was played unseen; it is said, and the client may set up anew.
        assert [e["param"]["match"] for e in [begun, *more] if "match" in e["param"]] == [False]


def test_a_position_that_the_board_never_had_does_not_end_the_feed(
    session: LiveChessSession, hall: HallInView
) -> None:
    subscribe(session)
    _, begun = set_up(session, "8/8/4k3/8/8/4K3/8/7R w - - 0 1")
    assert begun["param"]["match"] is False

    hall.board = line("e4")[0][1].split()[0]
    assert [event["board"] for event in news(session, 20 * SECOND)] == [hall.board]
    _, begun, more = set_up(session, FEN, 21 * SECOND)
    assert more["param"]["san"] == ["e4"]


def test_an_error_in_one_feed_is_said_on_it_and_ends_nothing_else(
    session: LiveChessSession, hall: HallInView, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(session, 1)
    subscribe(session, 2)
    set_up(session)
    monkeypatch.setattr(Reconstruction, "seen", broken)

    hall.board = line("e4")[0][1].split()[0]
    error, *events = [json.loads(frame) for frame in session.news(5 * SECOND)]

    assert (error["response"], error["id"]) == ("error", 1)
    assert "call 'setup' again" in error["param"]["message"]
    assert [(e["id"], e["param"]["board"]) for e in events] == [(1, hall.board), (2, hall.board)]
    hall.board = START
    assert [json.loads(frame)["id"] for frame in session.news(6 * SECOND)] == [1, 2]


def broken(*_: object) -> None:
    raise RuntimeError("a fault of ours")


def test_only_boards_that_clients_can_read_are_listed_and_living_ones_first(
    session: LiveChessSession, hall: HallInView
) -> None:
    hall.alive = ("2",)
    listed = ask(session, {"id": 1, "call": "eboards"})[0]["param"]
    assert [board["serialnr"] for board in listed] == ["2", "12345"]

    hall.ruleset = "shogi"
    listed = ask(session, {"id": 1, "call": "eboards"})[0]["param"]
    assert [board["serialnr"] for board in listed] == ["2"]


def test_nothing_about_rulings_ever_leaves_here(session: LiveChessSession) -> None:
    frames = subscribe(session) + ask(session, {"id": 1, "call": "eboards"})

    assert not any("1-0001" in json.dumps(frame) for frame in frames)


MISTAKEN = [
    {"id": 7, "call": "dance"},
    {"id": 7},
    {"id": 7, "call": "subscribe", "param": {"feed": "weather", "id": 1}},
    {"id": 7, "call": "subscribe", "param": None},
    {"id": 7, "call": "unsubscribe", "param": {"id": 99}},
    {"id": 7, "call": "call", "param": {"id": 1, "method": "setup", "param": {"flip": True}}},
    {"id": 7, "call": "call", "param": {"id": 1, "method": "setup", "param": {"fen": "8/8"}}},
    {"id": 7, "call": "call", "param": {"id": 1, "method": "jump", "param": {}}},
]


@pytest.mark.parametrize("said", MISTAKEN)
def test_a_mistaken_call_is_answered_with_an_error_and_the_next_one_works(
    session: LiveChessSession, said: dict[str, Any]
) -> None:
    subscribe(session)

    (answer,) = ask(session, said)

    assert (answer["response"], answer["id"]) == ("error", 7)
    assert set(answer["param"]) == {"message", "stacktrace"}
    assert len(answer["param"]["stacktrace"].splitlines()) > 1
    assert ask(session, {"id": 8, "call": "eboards"})[0]["response"] == "call"


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '"x"'])
def test_what_is_no_call_is_an_error_too(session: LiveChessSession, text: str) -> None:
    (frame,) = heard(session, text, 0)

    assert frame["response"] == "error"


def test_unsubscribed_is_silent(session: LiveChessSession, hall: HallInView) -> None:
    subscribe(session)
    ask(session, {"id": 3, "call": "unsubscribe", "param": {"id": 1}})
    hall.board = "8/8/8/8/8/8/8/8"

    assert session.news(60 * SECOND) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"id":1,"call":' + "[" * 30_000 + "]" * 30_000 + "}",
        '{"id":1' + "0" * 29 + ',"call":"eboards"}',
        '{"id":"\\ud800","call":"eboards"}',
        '{"id":1,"call":"eboards"}\ud800',
        "x" * 100_000,
    ],
    ids=["deep", "huge", "half a pair", "half a pair after it", "long"],
)
async def test_what_is_beyond_its_limits_is_an_error_and_the_next_call_is_answered(
    text: str,
) -> None:
    hall = HallInView()
    session = LiveChessSession(EBoards(hall.retained), hall.game_on)
    (refused,) = await session.receive(text, 0)
    assert json.loads(refused)["response"] == "error"
    (answer,) = await session.receive('{"id":1,"call":"eboards"}', 0)
    assert json.loads(answer)["response"] == "call"


def test_a_board_that_another_one_takes_the_place_of_is_said_to_be_gone_once(
    hall: HallInView, session: LiveChessSession
) -> None:
    """Whoever followed it saw its last picture for ever, with a clock that seemed to run."""
    for number, serial in ((1, "12345"), (2, "1")):
        param = {"feed": "eboardevent", "id": number, "param": {"serialnr": serial}}
        ask(session, {"id": number, "call": "subscribe", "param": param})
    hall.number = "67890"
    hall.board = START.replace("PPPPPPPP/", "PPPP1PPP/")

    gone, goes_on = map(json.loads, session.news(2 * SECOND))
    assert (gone["response"], gone["id"]) == ("error", 1)
    assert "'12345' is at no table any more" in gone["param"]["message"]
    assert (goes_on["id"], goes_on["param"]["serialnr"]) == (2, "67890")
    assert session.news(3 * SECOND) == []

    hall.number, hall.board = "12345", START
    back = [json.loads(frame) for frame in session.news(4 * SECOND)]
    assert [said["response"] for said in back] == ["feed", "feed"]
