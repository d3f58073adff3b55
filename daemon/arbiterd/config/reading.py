"""Text to values. All faults are told at once, each with its line and the mend."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from difflib import get_close_matches
from pathlib import Path as File
from typing import Any

from arbiterd.config.checks import check
from arbiterd.config.lines import Path, line_of, lines
from arbiterd.config.model import LISTS, SECTIONS, Config, RateOfPlay


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to put right."""

    file: str
    line: int
    key: str
    """As people name it: `tables[2].device`."""
    sentence: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.key}: {self.sentence}"


class ConfigError(Exception):
    """The reader can put this right: each fault names the key and says what to write."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


def read_config(file: File) -> Config:
    """A configuration file. Raises ConfigError with every fault in it."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        sentence = f"the file cannot be read ({why}); name a file the service may read"
        raise ConfigError((Fault(str(file), 1, "file", sentence),)) from None
    return read_text(text, str(file))


def read_text(text: str, name: str = "configuration") -> Config:
    """A configuration as text; `name` is what faults call it, and where relative paths begin."""
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _broken_line(str(error), text)
        sentence = f"this is not TOML: {error}; mend the line"
        raise ConfigError((Fault(name, found, "file", sentence),)) from None
    reading = _Reading()
    config = reading.config(said)
    if not reading.faults:
        reading.faults += check(config, File(name).parent)
    if reading.faults:
        found_lines = lines(text)
        raise ConfigError(
            tuple(
                Fault(name, line_of(found_lines, path), _name(path), sentence)
                for path, sentence in sorted(
                    reading.faults, key=lambda fault: line_of(found_lines, fault[0])
                )
            )
        )
    return config


def _broken_line(message: str, text: str) -> int:
    """tomllib says `(at line 3, column 7)` or `(at end of document)`."""
    _, _, tail = message.partition("at line ")
    number = tail.split(",")[0]
    return int(number) if number.isdigit() else text.count("\n") + 1


def _name(path: Path) -> str:
    """`tables[2].device`, counted from 1."""
    name = ""
    for part in path:
        if isinstance(part, int):
            name += f"[{part + 1}]"
        else:
            name += f".{part}" if name else part
    return name or "file"


class _Reading:
    """Collects faults; what is faulty keeps its default, so that the rest is still looked at."""

    def __init__(self) -> None:
        self.faults: list[tuple[Path, str]] = []

    def config(self, said: Mapping[str, Any]) -> Config:
        known = [spec.name for spec in fields(Config)]
        for name in said:
            if name not in known:
                self.faults.append(((name,), _unknown(name, known, "section")))
        parts: dict[str, Any] = {}
        for name, kind in SECTIONS.items():
            if name in said:
                parts[name] = self._section(kind, said[name], (name,))
        for name, kind in LISTS.items():
            if name in said:
                parts[name] = self._list(kind, said[name], (name,))
        if "rates" in said:
            parts["rates"] = self._rates(said["rates"])
        if "settings" in said:
            parts["settings"] = said["settings"]
        return Config(**{name: part for name, part in parts.items() if part is not None})

    def _rates(self, said: object) -> Mapping[str, RateOfPlay]:
        if not isinstance(said, dict):
            self.faults.append((("rates",), "is no section; write [rates.NAME] above its keys"))
            return {}
        read = {
            name: self._section(RateOfPlay, entry, ("rates", name)) for name, entry in said.items()
        }
        return {name: rate for name, rate in read.items() if rate is not None}

    def _list(self, kind: type, said: object, path: Path) -> tuple[Any, ...]:
        if not isinstance(said, list):
            self.faults.append((path, f"is no list; write [[{path[0]}]] above each entry"))
            return ()
        entries = [self._section(kind, entry, (*path, i)) for i, entry in enumerate(said)]
        return tuple(entry for entry in entries if entry is not None)

    def _section(self, kind: Any, said: object, path: Path) -> Any:
        if not isinstance(said, dict):
            self.faults.append((path, f"is no section; write [{path[0]}] above its keys"))
            return None
        specs: dict[str, Field[Any]] = {spec.name: spec for spec in fields(kind)}
        for name in said:
            if name not in specs:
                self.faults.append(((*path, name), _unknown(name, list(specs), "key")))
        read: dict[str, Any] = {}
        whole = True
        for name, spec in specs.items():
            if name in said:
                try:
                    read[name] = spec.metadata["read"](said[name])
                except ValueError as error:
                    self.faults.append(((*path, name), str(error)))
                    whole = whole and spec.default is not MISSING
            elif spec.default is MISSING:
                self.faults.append((path, f"{name} is missing; add {name} = …"))
                whole = False
        return kind(**read) if whole else None


def _unknown(name: str, known: list[str], what: str) -> str:
    near = get_close_matches(name, known, n=1)
    if near:
        return f"is no {what} of the configuration; did you mean {near[0]}?"
    return f"is no {what} of the configuration; known are {', '.join(known)}"
