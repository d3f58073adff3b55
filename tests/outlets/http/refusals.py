"""The sentences that the page translates, as the code that says them has them: in which an act may
be refused, what the technician is called for or a round is found to lack, what is wrong with a
device.

A sentence that is put together has its parts as {1}, {2} … in their order. Read from the source, so
that none is forgotten: a sentence that is new has no translation yet, and its test fails.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import arbiterd
import eboards
from eboards.events import Ending, Noise

ROOT = Path(arbiterd.__file__).parent
DRIVERS = Path(eboards.__file__).parent
ROOMS = (
    "access/login.py", "access/rights.py", "hall/tables/desk.py", "journal/journal.py",
    "laws/articles/*.py", "laws/case/guidelines.py", "laws/docket/*.py", "laws/games/*.py",
    "messages/commands.py",
    "outlets/http/commands.py", "outlets/http/halls.py", "outlets/http/reading.py",
    "outlets/mqtt/neighbours.py", "rules/chess.py", "rules/chess_position.py",
    "rules/guadalete.py", "rules/guadalete_position.py", "rules/registry.py", "rules/ruleset.py",
    "rules/shogi.py", "rules/shogi_position.py", "service/commanding.py", "service/rounds.py",
    "table/acts.py", "table/recent.py", "table/undoing.py",
)  # fmt: skip
"""Where an act may be refused."""
REFUSES = {
    "ActRefusedError", "CommandError", "NotNowError", "RoundError", "bad_request", "not_found",
    "refusal", "RefusedError", "ValueError",
}  # fmt: skip
"""Called with the sentence."""
GIVES = {
    "_decided", "_left", "_made_public", "_not_to_open", "decide_first", "no_room", "not_now",
    "not_open", "refusal", "why_not_guided",
}  # fmt: skip
"""Give the sentence, or a part of one."""

TELLING_ROOMS = (
    "edges/__init__.py", "hall/round/pairings_csv.py", "hall/round/round_check.py",
    "hall/tables/desk.py", "hall/tables/seating.py", "journal/journal.py",
    "outlets/mqtt/client.py", "outlets/mqtt/embedded.py", "outlets/mqtt/outlet.py",
    "service/*.py",
)  # fmt: skip
"""Where something may keep the service from its work, or a round be found to lack something."""
TELLS = {"BrokerError", "Duty", "RefusedError", "_say"}
"""Called with the sentence, or with a part of one, at one place or another."""
GIVES_TOLD = {
    "_bye", "_clock", "_delay", "_minutes", "_move", "_setups", "_start", "_table", "_tables",
    "_who", "_with_times_lost", "after", "attempt", "before", "read_csv",
}  # fmt: skip
"""Give it, yield it, or gather it."""
HOLD = {"_why_lost", "failing", "said", "trouble", "MAKE_ROOM", "SILENT", "TOO_MANY"}
"""Names under which one is kept."""

DEVICE_ROOMS = (
    "access/authority.py", "hall/links/*.py", "hall/patchbay.py", "hall/tables/desk.py",
    "hall/tables/seating.py", "journal/mending.py", "table/board.py", "table/health.py",
    "table/health_told.py", "table/reported.py", "table/returning.py",
)  # fmt: skip
"""Beside the drivers: where something may be wrong with a board, a clock, a game's record, or with
what was found at the last start."""
SAYS_OF_DEVICES: dict[str, tuple[int, str]] = {
    "AskLaws": (9, "source"),
    "ClockReply": (9, "detail"),
    "Fault": (3, "note"),
    "LinkDown": (1, "reason"),
    "Missed": (1, "words"),
    "Sensor": (9, "words"),
    "WireError": (1, "sentence"),
    "_break": (0, ""),
    "_degraded": (0, ""),
    "_doubt": (2, ""),
    "_failed": (2, ""),
    "_fault": (1, ""),
    "_lost": (1, ""),
}
"""Called with the sentence, at this place or under this name."""
GIVES_OF_DEVICES = {"ending", "missing_words", "notes"}
HOLD_OF_DEVICES = {
    "LOW_BATTERY",
    "NO_BOARD",
    "NO_CLOCK",
    "OTHER_SIDES",
    "UNPRESSED",
    "VERIFY",
    "said",
}


def sentences() -> set[str]:
    """In which an act may be refused."""
    return {text for module in _modules(ROOMS) for text in module.said() if _has_words(text)}


def told() -> set[str]:
    """What the technician is called for, and what a round is found to lack."""
    told = {text for module in _modules(TELLING_ROOMS) for text in module.told()}
    return {text for text in told if _has_words(text)}


def of_devices() -> set[str]:
    """What is wrong with a device, a coil, a piece, or was found at the last start."""
    drivers = sorted(file for file in DRIVERS.rglob("*.py") if "emulator" not in file.name)
    modules = [*_modules(DEVICE_ROOMS), *map(_Module.read, drivers)]
    told = {text for module in modules for text in module.of_devices()}
    return {text for text in told if _has_words(text) or text == "{1}: {2}"} | {*Noise, *Ending}


def _has_words(text: str) -> bool:
    return re.search("[a-z]{2}", text) is not None


def _modules(rooms: tuple[str, ...]) -> list[_Module]:
    files = sorted({file for room in rooms for file in ROOT.glob(room)})
    return [_Module.read(file) for file in files]


class _Module:
    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._functions = {
            node.name: node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }

    @classmethod
    def read(cls, file: Path) -> _Module:
        return cls(ast.parse(file.read_text()))

    def said(self) -> Iterator[str]:
        for function in self._functions.values():
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value and function.name in GIVES:
                    yield from self._read(node.value, function)
                if isinstance(node, ast.Call) and (sentence := _sentence_of(node)) is not None:
                    yield from self._read(sentence, function)

    def told(self) -> Iterator[str]:
        for node in self._tree.body:
            yield from self._kept(node, self._tree, HOLD)
        for function in self._functions.values():
            for node in ast.walk(function):
                yield from self._kept(node, function, HOLD)
                match node:
                    case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=given):
                        for each in given if name in TELLS else ():
                            yield from self._read(each, function)
                if function.name in GIVES_TOLD:
                    yield from self._gathered(node, function)

    def of_devices(self) -> Iterator[str]:
        for node in self._tree.body:
            yield from self._kept(node, self._tree, HOLD_OF_DEVICES)
        for function in self._functions.values():
            for node in ast.walk(function):
                yield from self._kept(node, function, HOLD_OF_DEVICES)
                if isinstance(node, ast.Call):
                    yield from self._said_of_device(node, function)
                if function.name in GIVES_OF_DEVICES:
                    yield from self._gathered(node, function)

    def _said_of_device(self, call: ast.Call, function: ast.AST) -> Iterator[str]:
        match call.func:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in SAYS_OF_DEVICES:
                place, keyword = SAYS_OF_DEVICES[name]
                named = (each.value for each in call.keywords if each.arg == keyword)
                for given in (*call.args[place : place + 1], *named):
                    cut = given.value if isinstance(given, ast.Subscript) else given
                    yield from self._read(cut, function)

    def _kept(self, node: ast.AST, function: ast.AST, hold: set[str]) -> Iterator[str]:
        match node:
            case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=value):
                if name in hold:
                    yield from self._read(value, function)

    def _gathered(self, node: ast.AST, function: ast.AST) -> Iterator[str]:
        match node:
            case (
                ast.Return(value=ast.expr() as given)
                | ast.Yield(value=ast.expr() as given)
                | ast.AugAssign(value=given)
                | ast.Call(func=ast.Attribute(attr="append"), args=[given])
            ):
                yield from self._read(given, function)

    def _read(self, node: ast.expr, function: ast.AST) -> Iterator[str]:
        """Every text that this may become; what is said elsewhere gives none."""
        match node:
            case ast.List(elts=each) | ast.Tuple(elts=each):
                for one in each:
                    yield from self._read(one, function)
            case ast.ListComp(elt=one):
                yield from self._read(one, function)
            case ast.Constant(value=str(text)) if text:
                yield text
            case ast.BoolOp(values=each):
                for one in each:
                    yield from self._read(one, function)
            case ast.JoinedStr(values=values):
                yield _template(node)
                for part in values:
                    if isinstance(part, ast.FormattedValue):
                        yield from self._read(part.value, function)
            case ast.IfExp(body=one, orelse=other):
                yield from self._read(one, function)
                yield from self._read(other, function)
            case ast.Name(id=name):
                for each in ast.walk(function):
                    match each:
                        case ast.Assign(targets=[ast.Name(id=target)], value=value):
                            if target == name:
                                yield from self._read(value, function)
                        case ast.NamedExpr(target=ast.Name(id=target), value=value):
                            if target == name:
                                yield from self._read(value, function)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                if name in self._functions:
                    called = self._functions[name]
                    for each in ast.walk(called):
                        if isinstance(each, ast.Return) and each.value is not None:
                            yield from self._read(each.value, called)


def _sentence_of(call: ast.Call) -> ast.expr | None:
    match call:
        case ast.Call(func=ast.Name(id="Answer"), args=[ast.Constant(value=False), sentence]):
            return sentence
        case ast.Call(func=ast.Name(id=name), args=[sentence, *_]) if name in REFUSES:
            return sentence
        case ast.Call(keywords=keywords):
            return next((each.value for each in keywords if each.arg == "error"), None)
    return None


def _template(text: ast.JoinedStr) -> str:
    found, count = "", 0
    for part in text.values:
        if isinstance(part, ast.Constant):
            found += str(part.value)
        else:
            count += 1
            found += f"{{{count}}}"
    return found
