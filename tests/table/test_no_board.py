"""A table without a board: every half-move is an act, and nothing is seen."""

from __future__ import annotations

import json

import pytest

from arbiterd.laws.act import Act
from arbiterd.rules.registry import ruleset
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

from .wired import Hall

SECOND_NS = 1_000_000_000
ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("game", "start", "moves"),
    [
        ("chess", "", ("e4", "e5", "Nf3")),
        ("chess", ROOKS, ("O-O", "Ke7", "Rae1+", "Kd6")),
        ("shogi", "", ("7g7f", "3c3d", "8h2b+")),
        ("guadalete", "", ("a3", "a6")),
    ],
)
def test_of_half_moves_that_are_entered_nobody_is_asked_what_the_board_shows(
    game: str, start: str, moves: tuple[str, ...]
) -> None:
    """Four seconds after a half-move a question came: pieces were set up anew, or displaced."""
    table = Table(TableSetup(hall="main", table="1", ruleset=game, start=start))
    told = []
    for number, move in enumerate(moves, 1):
        at_ns = number * 20 * SECOND_NS
        act = Act(at_ns, "set-move", "ana", id=f"m{number}", op="insert", move=move)
        told += [*table.take(number, act).outputs, *table.due(at_ns + 10 * SECOND_NS).outputs]

    assert [out.topic for out in told if "ruling" in out.topic] == []
    entered = [json.loads(out.payload)["uci"] for out in told if out.topic == "moves"]
    assert len(entered) == len(moves)
    assert table.state(told_until(moves)).fen == played(game, start, moves)


def test_no_half_move_is_read_from_a_board_that_is_not_there() -> None:
    """A game began from a FEN; 8 s later the table told 1. Nf3 as settled and certain."""
    table = Table(TableSetup(hall="main", table="1"))
    acts = [("set-move", {"op": "insert", "move": m}) for m in ("d4", "d5", "Nf3")]
    acts.append(("start-game", {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}))
    told = []
    for number, (action, said) in enumerate(acts, 1):
        at_ns = number * 20 * SECOND_NS
        told += table.take(number, Act(at_ns, action, "ana", id=f"m{number}", **said)).outputs
        told += table.due(at_ns + 10 * SECOND_NS).outputs
    entered = [json.loads(out.payload)["how"] for out in told if out.topic == "moves"]
    assert entered == ["arbiter"] * 3
    assert table.moves == ()


@pytest.mark.parametrize("game", ["chess", "chess960"])
def test_a_game_that_is_begun_anew_from_elsewhere_lost_no_half_moves(game: str) -> None:
    """The usual array first, by mistake, then the position: its first half-move told of half-moves
    that were not seen, which the live PGN kept as a comment."""
    table = Table(TableSetup(hall="main", table="1", ruleset=game))
    acts: list[tuple[str, dict[str, str]]] = [
        ("start-game", {}),
        ("start-game", {"fen": ROOKS}),
        ("set-move", {"op": "insert", "move": "O-O"}),
    ]
    told = []
    for number, (action, said) in enumerate(acts, 1):
        act = Act(number * SECOND_NS, action, "ana", id=f"m{number}", **said)
        told += table.take(number, act).outputs

    assert [out.topic for out in told if "ruling" in out.topic] == []
    assert [json.loads(out.payload)["san"] for out in told if out.topic == "moves"] == ["O-O"]


@pytest.mark.parametrize("seconds", [0.1, 1, 20])
@pytest.mark.parametrize("heard", [False, True], ids=["a board that never answered", "a lost one"])
@pytest.mark.parametrize(
    "moves",
    [
        ("Nf3", "d5"),
        ("b3", "d5"),
        ("Nf3", "Nf6", "Ng1"),
        ("e4", "e5", "Nf3", "d6", "d4", "Bg4", "dxe5", "Bxf3", "Qxf3", "dxe5", "Bc4", "Nf6"),
    ],
    ids=" ".join,
)
def test_a_picture_of_before_says_nothing_against_half_moves_entered_one_by_one(
    moves: tuple[str, ...], heard: bool, seconds: float
) -> None:
    """1. Nf3 d5 was entered at a table whose board is lost: it told 2. Ng1, settled and certain."""
    hall = Hall()
    if heard:
        hall.plug_in()
    hall.pull_out(said=True)
    hall.told.clear()
    for move in moves:
        hall.act({"action": "set-move", "op": "insert", "move": move})
        hall.wait(int(seconds * SECOND_NS))
    later = hall.table.due(hall.now_ns + 10 * SECOND_NS).outputs
    assert [output.topic for output in later if output.seq] == []
    told = [(said["topic"], said.get("how")) for said in hall.told]
    assert told == [("moves", "arbiter")] * len(moves)


def told_until(moves: tuple[str, ...]) -> int:
    return (len(moves) * 20 + 10) * SECOND_NS


def played(game: str, start: str, moves: tuple[str, ...]) -> str:
    rules = ruleset(game)
    position = rules.start(start)
    for move in moves:
        position = rules.play(position, rules.parse(position, move))
    return rules.fen(position)
