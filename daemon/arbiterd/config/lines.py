"""On which line of a TOML text each key stands. The standard reader does not say.

Reads headers and keys and skips values; the text is known to be good TOML when it comes here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]
"""`("tables", 2, "device")`: the third `[[tables]]`."""
ConfigFinding: TypeAlias = tuple[KeyPath, str]
"""Where something is wrong, and what, in a sentence."""

_PART = r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'"""
_DOTTED = rf"(?:{_PART})(?:[ \t]*\.[ \t]*(?:{_PART}))*"
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_DOTTED})[ \t]*\]")
_KEY = re.compile(rf"[ \t]*({_DOTTED})[ \t]*=")
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}\n]|.',
    re.DOTALL,
)


def lines(text: str) -> Mapping[KeyPath, int]:
    """The line of every section and key, from 1."""
    found: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    section: KeyPath = ()
    at = 0
    while at < len(text):
        line = text.count("\n", 0, at) + 1
        if header := _HEADER.match(text, at):
            section = _section(_parts(header[2]), header[1] == "[[", counts)
            found[section] = line
            at = _after_line(text, header.end())
        elif stated := _KEY.match(text, at):
            path = section
            for part in _parts(stated[1]):
                path = (*path, part)
                found.setdefault(path, line)
            at = _after_value(text, stated.end())
        else:
            at = _after_line(text, at)
    return found


def line_of(found: Mapping[KeyPath, int], path: KeyPath) -> int:
    """The line of this key; else of the first thing in it, as for a list and what only headers
    name; else of the nearest that holds it, or 1."""
    while path and path not in found:
        if inside := [line for key, line in found.items() if key[: len(path)] == path]:
            return min(inside)
        path = path[:-1]
    return found.get(path, 1)


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(_PART, dotted)]


def _section(parts: list[str], listed: bool, counts: dict[KeyPath, int]) -> KeyPath:
    """The path of a header: a name that is a list means its newest entry."""
    path: KeyPath = ()
    for depth, part in enumerate(parts, start=1):
        path = (*path, part)
        if listed and depth == len(parts):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _after_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _after_value(text: str, at: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(text, at):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        elif token[0] == "\n" and depth == 0:
            return token.end()
    return len(text)
