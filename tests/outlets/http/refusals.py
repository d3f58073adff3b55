"""The sentences in which an arbiter's act may be refused, as the code that refuses has them.

A sentence that is put together has its parts as {1}, {2} … in their order. Read from the source, so
that none is forgotten: a refusal that is new has no translation yet, and its test fails.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import arbiterd

ROOT = Path(arbiterd.__file__).parent
ROOMS = (
    "access/login.py", "access/rights.py", "hall/tables/desk.py", "journal/journal.py",
    "laws/articles/*.py", "laws/docket/*.py", "laws/games/*.py", "messages/commands.py",
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
GIVES = {"_left", "_made_public", "_not_to_open", "decided", "no_room", "not_now", "refusal"}
"""Give the sentence, or a part of one."""


def sentences() -> set[str]:
    """All of them."""
    files = sorted({file for room in ROOMS for file in ROOT.glob(room)})
    said = {said for file in files for said in _Module(ast.parse(file.read_text())).said()}
    return {each for each in said if re.search("[a-z]{2}", each)}


class _Module:
    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._functions = {
            node.name: node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }

    def said(self) -> Iterator[str]:
        for function in self._functions.values():
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value and function.name in GIVES:
                    yield from self._read(node.value, function)
                if isinstance(node, ast.Call) and (sentence := _sentence_of(node)) is not None:
                    yield from self._read(sentence, function)

    def _read(self, node: ast.expr, function: ast.AST) -> Iterator[str]:
        """Every text that this may become; what is said elsewhere gives none."""
        match node:
            case ast.Constant(value=str(text)) if text:
                yield text
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
