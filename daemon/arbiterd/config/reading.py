"""Text to values. All faults are told at once, each with its line and the mend."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from arbiterd.config.checks import check
from arbiterd.config.lines import ConfigFinding, KeyPath, line_of, lines
from arbiterd.config.model import LISTS, SECTIONS, Config, RateOfPlay

SIZE_MAX = 1024 * 1024
"""Bytes; a hall of hundreds of tables has a tenth of it."""
_DIGITS = re.compile(r"[0-9_]+")


@dataclass(frozen=True, slots=True)
class ConfigFault:
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

    def __init__(self, faults: tuple[ConfigFault, ...]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


def read_config(file: Path, *, elsewhere: bool = False) -> Config:
    """A configuration file. Raises ConfigError with every fault in it.

    `elsewhere`: it is of a service on another computer, and was brought here with the passwords of
    its logins alone.
    """
    return read_text(_read(file), str(file), elsewhere=elsewhere)


def _read(file: Path) -> str:
    """Its text, without the mark that some editors put before it. Raises ConfigError."""
    try:
        if file.exists() and not file.is_file():
            raise IsADirectoryError(0, "it is no file")
        with file.open("rb") as opened:
            data = opened.read(SIZE_MAX + 1)
    except OSError as error:
        raise _unreadable(file, 1, f"the file cannot be read ({error.strerror})") from None
    if len(data) > SIZE_MAX:
        raise _unreadable(file, 1, f"the file has more than {SIZE_MAX // 1024} KiB")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _unreadable(file, line, "this is not UTF-8 text") from None


def _unreadable(file: Path, line: int, why: str) -> ConfigError:
    mend = "save it as UTF-8" if "UTF-8" in why else "name a configuration the service may read"
    return ConfigError((ConfigFault(str(file), line, "file", f"{why}; {mend}"),))


def read_text(text: str, name: str = "configuration", *, elsewhere: bool = False) -> Config:
    """A configuration as text; `name` is what faults call it, and where relative paths begin."""
    try:
        said = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found, why = _broken(error, text)
        raise ConfigError((ConfigFault(name, found, "file", f"this is not TOML: {why}"),)) from None
    reading = _Reading()
    config = reading.config(said)
    wrong = check(config, Path(name).parent, reading.unread, elsewhere=elsewhere)
    if faults := [*reading.faults, *((reading.place(path), said) for path, said in wrong)]:
        raise ConfigError(located(faults, text, name))
    return config


def located(findings: Sequence[ConfigFinding], text: str, name: str) -> tuple[ConfigFault, ...]:
    """Findings as faults with their lines, from the first line to the last."""
    found = lines(text)
    faults = [
        ConfigFault(name, line_of(found, path), _name(path), sentence)
        for path, sentence in findings
    ]
    return tuple(sorted(faults, key=lambda fault: fault.line))


def _broken(error: ValueError | RecursionError, text: str) -> tuple[int, str]:
    """On which line, and why in words. tomllib says `(at line 3, column 7)` or `(at end …)`."""
    if isinstance(error, RecursionError):
        return _deepest(text), "brackets inside brackets, too deep; mend the line"
    if not isinstance(error, tomllib.TOMLDecodeError):
        return _longest(text), "a number of thousands of digits; mend the line"
    _, _, tail = str(error).partition("at line ")
    number = tail.split(",")[0]
    line = int(number) if number.isdigit() else text.count("\n") + 1
    return line, f"{error}; mend the line"


def _deepest(text: str) -> int:
    listed = text.split("\n")
    return 1 + max(range(len(listed)), key=lambda i: sum(map(listed[i].count, "[{")))


def _longest(text: str) -> int:
    listed = text.split("\n")
    return 1 + max(
        range(len(listed)), key=lambda i: max(map(len, _DIGITS.findall(listed[i])), default=0)
    )


def _name(path: KeyPath) -> str:
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
        self.faults: list[ConfigFinding] = []
        self.unread: set[str] = set()
        """Sections in which not every value could be read."""
        self._places: dict[str, list[int]] = {}
        """Of each list, where the entries stood that could be read."""

    def place(self, path: KeyPath) -> KeyPath:
        """Where a key stands in the text, by its path in what could be read."""
        match path:
            case (str(name), int(number), *rest) if number < len(self._places.get(name, ())):
                return (name, self._places[name][number], *rest)
        return path

    def _fault(self, path: KeyPath, sentence: str) -> None:
        """A value that could not be read."""
        self.faults.append((path, sentence))
        self.unread.add(str(path[0]))

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
        if isinstance(said.get("settings", {}), dict):
            parts["settings"] = said.get("settings", {})
        else:
            self._fault(("settings",), "is no section; write [settings] above its keys")
        return Config(**{name: part for name, part in parts.items() if part is not None})

    def _rates(self, said: object) -> Mapping[str, RateOfPlay]:
        if not isinstance(said, dict):
            self._fault(("rates",), "is no section; write [rates.NAME] above its keys")
            return {}
        read = {
            name: self._section(RateOfPlay, entry, ("rates", name)) for name, entry in said.items()
        }
        return {name: rate for name, rate in read.items() if rate is not None}

    def _list(self, kind: type, said: object, path: KeyPath) -> tuple[Any, ...]:
        if not isinstance(said, list):
            self._fault(path, f"is no list; write [[{path[0]}]] above each entry")
            return ()
        entries = [self._section(kind, entry, (*path, i)) for i, entry in enumerate(said)]
        read = [i for i, entry in enumerate(entries) if entry is not None]
        self._places[str(path[0])] = read
        return tuple(entries[i] for i in read)

    def _section(self, kind: Any, said: object, path: KeyPath) -> Any:
        if not isinstance(said, dict):
            self._fault(path, f"is no section; write {_head(path)} above its keys")
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
                    self._fault((*path, name), str(error))
                    whole = whole and spec.default is not MISSING
            elif spec.default is MISSING:
                self._fault(path, f"{name} is missing; add {name} = …")
                whole = False
        return kind(**read) if whole else None


def _head(path: KeyPath) -> str:
    """`[http]`, `[rates.classical]`, `[[tables]]`."""
    names = ".".join(str(part) for part in path if isinstance(part, str))
    return f"[[{names}]]" if any(isinstance(part, int) for part in path) else f"[{names}]"


def _unknown(name: str, known: list[str], what: str) -> str:
    near = get_close_matches(name, known, n=1)
    if near:
        return f"is no {what} of the configuration; did you mean {near[0]}?"
    return f"is no {what} of the configuration; known are {', '.join(known)}"
