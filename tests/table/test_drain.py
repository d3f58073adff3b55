"""What is decided at a table is a value that needs no table; one queue brings it about."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arbiterd.laws.act import Act, Answer
from arbiterd.messages.step import Output
from arbiterd.table.absence import MEMORY_NS, Absence
from arbiterd.table.acts import performed
from arbiterd.table.drain import drain
from arbiterd.table.effects import (
    AskLaws,
    Correct,
    CorrectClock,
    Effects,
    Enter,
    GiveAnswer,
    HearDevice,
    NoteAct,
    Occasion,
    On,
    PlayOn,
    PutOut,
    Send,
    SetAbsence,
    SetLine,
    ShowBoard,
    TellDevice,
    TellRest,
)
from arbiterd.table.folding import led_to
from arbiterd.table.inputs import ActPreviewed, MovePlayed
from arbiterd.table.keeping import kept
from arbiterd.table.reported import reported
from arbiterd.table.returning import seen_again
from arbiterd.table.setup import TableSetup
from arbiterd.table.state import TableState, begun
from eboards.codec import AskLog, SetClock
from eboards.events import Ending, EndReported, Scan, Sensing, SensingClass

from .hands import OPERA, played

S = 1_000_000_000
ROOM = Path(__file__).parents[2] / "daemon" / "arbiterd" / "table"
LINE = ("e2e4", "e7e5", "g1f3")
START = tuple("rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR")


def act(action: str, **said: object) -> Act:
    return Act(0, action, "Ana", **said)  # type: ignore[arg-type]


def on_record() -> TableState:
    """Three half-moves, told to whoever reads."""
    state = begun(TableSetup())
    drain(state, (SetLine(LINE),))
    return state


# Decided without a table.


@pytest.mark.parametrize(
    ("said", "effects"),
    [
        (act("set-move", op="take-back"), (SetLine(LINE[:2]), Correct(3, 3))),
        (act("set-move", op="insert", move="Nc6"), (SetLine((*LINE, "b8c6")), Correct(4, 3))),
        (
            act("set-clock", white_ms=9000, black_ms=8000, send=True),
            (CorrectClock(0, 9000, 8000, None), Send(SetClock(9000, 8000, None))),
        ),
        (act("assign-device"), ()),
    ],
)
def test_an_act_is_effects_and_its_answer(said: Act, effects: Effects) -> None:
    view = on_record()
    view.books.status = "paused"

    assert performed(view, said) == (*effects, NoteAct(said), GiveAnswer(Answer(ok=True)))


def test_a_refused_act_is_its_answer_and_nothing_else() -> None:
    (answer,) = performed(on_record(), act("set-move", op="replace", ply=2, move="Ke5"))

    assert isinstance(answer, GiveAnswer)
    assert not answer.answer.ok
    assert "half-move 2, 'Ke5', does not fit there" in answer.answer.error


def test_what_the_table_does_not_know_the_laws_are_asked() -> None:
    resigns = act("resign")

    assert performed(on_record(), resigns) == (AskLaws(resigns),)


def test_a_source_plays_on_or_is_at_fault() -> None:
    view = on_record()

    assert reported(view, MovePlayed(S, "b8c6")) == (PlayOn(S, (*LINE, "b8c6")),)
    (fault,) = reported(view, MovePlayed(S, "e4e5"))
    assert isinstance(fault, HearDevice)


def test_a_game_that_a_source_broke_off_stops_the_clock_and_asks_nobody() -> None:
    (stopped,) = reported(on_record(), EndReported(S, Ending.BROKEN_OFF))

    assert not isinstance(stopped, AskLaws)


def test_a_board_that_comes_back_changed_waits_for_its_memory() -> None:
    view, scan = on_record(), Scan(S, START)
    assert seen_again(view, scan) == (ShowBoard(scan),)

    view.sensing = Sensing(SensingClass.IDENTITY, S, remembers=True)
    gone = Absence(raw=["."] * 64, tracker=b"", plies=3)
    view.books.absence, view.board.raw = gone, list(START)
    waits = msgspec.structs.replace(gone, until_ns=S + MEMORY_NS, back=START)
    assert seen_again(view, scan) == (SetAbsence(waits), Send(AskLog()))

    view.board.raw = ["."] * 64
    assert seen_again(view, scan) == (SetAbsence(None), ShowBoard(scan))


# Brought about.


def test_what_an_effect_leads_to_comes_before_what_was_waiting() -> None:
    """Each half-move is told and judged before the next."""
    last = Output("reply/ana", b"{}")

    left = drain(begun(TableSetup()), (SetLine(LINE), TellDevice(S), PutOut(last)))

    topics = [output.topic for output in left.outputs]
    assert topics == [*("moves", "log") * 3, "device", "reply/ana"]


@pytest.mark.parametrize(
    ("occasion", "how"), [(Occasion(by_arbiter=True), "arbiter"), (Occasion(), "inferred")]
)
def test_what_effects_lead_to_inherits_their_occasion(occasion: Occasion, how: str) -> None:
    left = drain(on_record(), (On(occasion, (SetLine(LINE[:1]),)), TellRest(1)))

    withdrawn = [msgspec.json.decode(output.payload) for output in left.outputs]
    assert [(told["ply"], told["uci"], told["how"]) for told in withdrawn] == [
        (3, None, how),
        (2, None, how),
    ]


def test_deciding_changes_nothing() -> None:
    """Whatever comes, and whatever somebody asks for meanwhile."""
    state = begun(TableSetup(orientation=0))
    asked = (act("set-move", op="take-back"), act("pause"), act("start-game"), act("mute"))
    for number, item in enumerate(played(OPERA[:12]), 1):
        assert not isinstance(item, Act | ActPreviewed)
        drain(state, (Enter(number, item),))
        before = kept(state)
        effects = led_to(state, item)
        for wish in asked:
            performed(state, wish)
        assert kept(state) == before
        drain(state, effects)
    assert state.moves, "there was a game to decide about"


def assigned(tree: ast.AST) -> Iterator[ast.expr]:
    """All that is written to."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.Delete):
            yield from node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            yield node.target


def of_a_view(target: ast.expr) -> bool:
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
        if isinstance(target, ast.Name) and target.id == "view":
            return True
    return False


def test_nobody_writes_to_what_is_only_to_be_looked_at() -> None:
    files = [file for file in ROOM.glob("*.py") if file.name not in ("state.py", "table.py")]

    assert len(files) > 20
    assert [
        f"{file.name}:{target.lineno}"
        for file in files
        for target in assigned(ast.parse(file.read_text("utf-8")))
        if of_a_view(target)
    ] == []
