"""LiveChess clients' calls, in the shapes that public programs send them."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from arbiterd.messages import payloads
from arbiterd.outlets.livechess.boards import eboards
from arbiterd.outlets.livechess.session import Session
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

    def boards(self) -> Any:
        return eboards(self.retained())

    def retained(self) -> dict[str, bytes]:
        return {
            "tables/1/state": self._state("1", "ok"),
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
            "tables/2/state": self._state("2", "none"),
        }

    def _head(self, table: str) -> dict[str, Any]:
        return {"hall": "main", "at": "1970-01-01T00:00:09.000Z", "simulated": False,
                "table": table, "game": f"{table}-1", "seq": 3}  # fmt: skip

    def _state(self, table: str, device: str) -> bytes:
        return msgspec.json.encode(
            payloads.State(
                **self._head(table),
                ruleset="chess",
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
def session(hall: HallInView) -> Session:
    return Session(hall.boards)


def ask(session: Session, said: dict[str, Any], at_ns: int = SECOND) -> list[dict[str, Any]]:
    return [json.loads(frame) for frame in session.receive(json.dumps(said), at_ns)]


@pytest.mark.parametrize("number", [0, 1, "1", 83, None])
@pytest.mark.parametrize("param", [..., None, {}])
def test_boards_are_listed_with_all_fields_and_no_other(
    session: Session, number: Any, param: Any
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
    session: Session, hall: HallInView
) -> None:
    hall.number = ""
    param = {"feed": "eboardevent", "id": 1, "param": {"serialnr": "1"}}
    ask(session, {"id": 2, "call": "subscribe", "param": param})

    hall.number, hall.board = "12345", START.replace("/PPPPPPPP/", "/PPPP1PPP/")
    (event,) = [json.loads(frame) for frame in session.news(9 * SECOND)]

    assert event["param"]["board"] == hall.board
    listed = ask(session, {"id": 3, "call": "eboards"})[0]["param"]
    assert [board["serialnr"] for board in listed] == ["12345", "2"]


def subscribe(session: Session, feed: Any = 1) -> list[dict[str, Any]]:
    param = {"feed": "eboardevent", "id": feed, "param": {"serialnr": "12345"}}
    return ask(session, {"id": 2, "call": "subscribe", "param": param})


def test_the_result_comes_before_the_first_event_which_is_the_full_state(session: Session) -> None:
    result, event = subscribe(session)

    assert (result["response"], result["id"], result["param"]) == ("call", 2, None)
    assert (event["response"], event["id"]) == ("feed", 1)
    assert event["param"] == {
        "serialnr": "12345", "flipped": False, "board": START, "clock": None,
    }  # fmt: skip


def test_a_call_and_a_feed_may_have_the_same_id(session: Session) -> None:
    param = {"feed": "eboardevent", "id": 2, "param": {"serialnr": "12345"}}
    result, event = ask(session, {"id": 2, "call": "subscribe", "param": param})

    assert result["id"] == event["id"] == 2


def test_moves_are_told_whole_after_a_set_up_and_not_before(
    session: Session, hall: HallInView
) -> None:
    subscribe(session)
    fen = START + " w KQkq - 0 1"
    param = {"id": 1, "method": "setup", "param": {"fen": fen}}
    result, event = ask(session, {"id": 3, "call": "call", "param": param}, 2 * SECOND)
    assert result["param"] is None
    assert {k: event["param"][k] for k in ("start", "san", "match")} == {
        "start": fen, "san": [], "match": True,
    }  # fmt: skip

    rules, told = ruleset("chess"), []
    position = rules.start()
    at_ns = 10 * SECOND
    for text in ("e4", "e5", "Nf3"):
        position = rules.play(position, rules.parse(position, text))
        hall.board = rules.fen(position).split()[0]
        for _ in range(8):
            at_ns += SECOND
            told += [json.loads(frame) for frame in session.news(at_ns)]

    assert told[-1]["param"]["san"] == ["e4", "e5", "Nf3"]
    assert told[-1]["param"]["match"] is True
    assert all(frame["response"] == "feed" and frame["id"] == 1 for frame in told)


def test_a_feed_tells_what_changed_once_and_not_more_than_once_a_second(
    session: Session, hall: HallInView
) -> None:
    subscribe(session)
    hall.board = START.replace("PPPPPPPP", "PPPP1PPP")
    assert session.news(SECOND + SECOND // 2) == []

    (frame,) = session.news(3 * SECOND)
    assert set(json.loads(frame)["param"]) == {"serialnr", "flipped", "board"}
    assert session.news(5 * SECOND) == []

    hall.clock = payloads.Clock(white_ms=61_900, black_ms=60_000, running="black", flag=None)
    (frame,) = session.news(7 * SECOND)
    assert json.loads(frame)["param"]["clock"] == {
        "white": 61, "black": 60, "run": False, "time": 9000,
    }  # fmt: skip


def test_nothing_about_rulings_ever_leaves_here(session: Session) -> None:
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
    session: Session, said: dict[str, Any]
) -> None:
    subscribe(session)

    (answer,) = ask(session, said)

    assert (answer["response"], answer["id"]) == ("error", 7)
    assert set(answer["param"]) == {"message", "stacktrace"}
    assert len(answer["param"]["stacktrace"].splitlines()) > 1
    assert ask(session, {"id": 8, "call": "eboards"})[0]["response"] == "call"


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '"x"'])
def test_what_is_no_call_is_an_error_too(session: Session, text: str) -> None:
    (frame,) = session.receive(text, 0)

    assert json.loads(frame)["response"] == "error"


def test_unsubscribed_is_silent(session: Session, hall: HallInView) -> None:
    subscribe(session)
    ask(session, {"id": 3, "call": "unsubscribe", "param": {"id": 1}})
    hall.board = "8/8/8/8/8/8/8/8"

    assert session.news(60 * SECOND) == []
