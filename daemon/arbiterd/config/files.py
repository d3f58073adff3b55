"""Files that a configuration names: there, readable, what they should be, and for few eyes."""

from __future__ import annotations

import ssl
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from shlex import quote
from typing import TypeAlias

from arbiterd.config.lines import ConfigFinding
from arbiterd.config.model import Config
from eboards.transport.recording import RecordingError, read_log

SECRET_MAX = 4096
PAIRINGS_MAX = 8 * 1024 * 1024
RECORDING_MAX = 64 * 1024 * 1024
"""Bytes."""
SQLITE = b"SQLite format 3\0"


def _pairings(config: Config, folder: Path) -> Iterator[ConfigFinding]:
    name = config.round.pairings
    if not name:
        return
    wrong = _unreadable(folder / name)
    if not wrong and (folder / name).stat().st_size > PAIRINGS_MAX:
        wrong = f"has more than {PAIRINGS_MAX // 1024**2} MiB; name the pairings of one event"
    if wrong:
        yield ("round", "pairings"), f"{name} {wrong}"


def _unreadable(file: Path) -> str:
    """What is wrong with it, and the mend; empty: nothing. A pipe is never opened."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return "is no file; name a file the service may read"
        file.open("rb").close()
    except OSError as error:
        return f"cannot be read ({error.strerror}); name a file the service may read"
    return ""


def _passwords(config: Config, folder: Path) -> Iterator[ConfigFinding]:
    named: list[ConfigFinding] = [
        (("people", i, "password_file"), person.password_file)
        for i, person in enumerate(config.people)
    ]
    if config.mqtt.password_file:
        named.append((("mqtt", "password_file"), config.mqtt.password_file))
    if config.broadcast.lichess_token_file:
        token = config.broadcast.lichess_token_file
        named.append((("broadcast", "lichess_token_file"), token))
    seen: dict[Path, str] = {}
    for path, name in named:
        if wrong := _unreadable(folder / name) or _no_secret(folder / name) or _open(folder / name):
            yield path, f"{name} {wrong}"
            continue
        file = (folder / name).resolve()
        if file in seen:
            yield path, f"{name} is another login's password too; give each login a file of its own"
        seen.setdefault(file, name)


def _logins(config: Config, folder: Path) -> Iterator[ConfigFinding]:
    """Passwords of logins at the broker alone."""
    for path, said in _passwords(config, folder):
        if path[0] != "broadcast":
            yield path, said


def _no_secret(file: Path) -> str:
    with file.open("rb") as opened:
        data = opened.read(SECRET_MAX + 1)
    if len(data) > SECRET_MAX:
        return f"has more than {SECRET_MAX} bytes; write one line with the password into it"
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return "is not UTF-8 text; write the password into it as one line of text"
    return "" if lines and lines[0].strip() else "is empty; write the password into it"


def _open(file: Path) -> str:
    """A secret that everybody on the computer may read, or put another in its place, is none."""
    if file.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
        return (
            f"is open to everybody on this computer; run: chmod o-rw {quote(str(file.absolute()))}"
        )
    return ""


def _certificates(config: Config, folder: Path) -> Iterator[ConfigFinding]:
    for section, part in (("mqtt", config.mqtt), ("http", config.http)):
        if bool(part.tls_cert) != bool(part.tls_key):
            missing = "tls_key" if part.tls_cert else "tls_cert"
            yield (section,), f"{missing} is missing; certificate and key go together"
        elif part.tls_cert:
            yield from _pair(section, folder, part.tls_cert, part.tls_key)
    if config.mqtt.ca_file:
        file = folder / config.mqtt.ca_file
        wrong = _unreadable(file) or _no_authority(file)
        if wrong:
            yield ("mqtt", "ca_file"), f"{config.mqtt.ca_file} {wrong}"


def _pair(section: str, folder: Path, certificate: str, key: str) -> Iterator[ConfigFinding]:
    for name, field in ((certificate, "tls_cert"), (key, "tls_key")):
        if wrong := _unreadable(folder / name):
            yield (section, field), f"{name} {wrong}"
            return
    try:
        # An empty password: else OpenSSL would ask the terminal for one.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / certificate, folder / key, password="")
    except (OSError, ValueError):
        pair = f"{certificate} and {key} are no certificate and key that go together"
        yield (section, "tls_cert"), f"{pair}; name two PEM files, the key without a password"
        return
    if wrong := _open(folder / key):
        yield (section, "tls_key"), f"{key} {wrong}"


def _no_authority(file: Path) -> str:
    try:
        ssl.create_default_context(cafile=file)
    except (OSError, ValueError):
        return "holds no certificate; name the PEM file of who signed the broker's certificate"
    return ""


def _journal(config: Config, folder: Path) -> Iterator[ConfigFinding]:
    if not config.journal.path:
        return
    name, file = config.journal.path, folder / config.journal.path
    wrong = ""
    try:
        if file.is_dir():
            wrong = f"is a folder; write {name.rstrip('/')}/journal.db"
        elif file.exists() and not file.is_file():
            wrong = "is no file; name one, or one that is not there yet"
        elif any(parent.exists() and not parent.is_dir() for parent in file.parents):
            wrong = "lies below a file; name a place in a folder"
        elif file.exists() and not _is_journal(file):
            wrong = "is something else and no journal; name one, or a file that is not there yet"
    except OSError as error:
        wrong = f"cannot be read ({error.strerror}); name a file the service may write"
    if wrong:
        yield ("journal", "path"), f"{name} {wrong}"


def _is_journal(file: Path) -> bool:
    """Or was one: where its end is noted beside it, a start takes over what can be read of it."""
    if file.with_name(f"{file.name}.head").exists():
        return True
    with file.open("rb") as opened:
        return opened.read(len(SQLITE)) in (SQLITE, b"")


def _devices(config: Config, folder: Path) -> Iterator[ConfigFinding]:
    for number, entry in enumerate(config.tables):
        kind, _, address = entry.device.partition(":")
        wrong = ""
        if kind in {"serial", "dgt-bus"}:
            wrong = _no_port(Path(address.partition("#")[0]))
        elif kind == "replay":
            wrong = _unreadable(folder / address) or _no_recording(folder / address)
        if wrong:
            yield ("tables", number, "device"), f"{address.partition('#')[0]} {wrong}"


def _no_port(port: Path) -> str:
    """One that is not there may be plugged in yet."""
    try:
        mode = port.stat().st_mode
    except OSError:
        return ""
    if stat.S_ISCHR(mode):
        return ""
    return "is no serial port; arbiterd devices lists those that are there"


def _no_recording(file: Path) -> str:
    if file.stat().st_size > RECORDING_MAX:
        return f"has more than {RECORDING_MAX // 1024**2} MiB; name a shorter recording"
    try:
        if read_log(file.read_text(encoding="utf-8")).heard:
            return ""
    except (RecordingError, UnicodeDecodeError, ValueError):
        pass
    return "is no recording of a board; make one: arbiterd record DEVICE FILE"


FileLook: TypeAlias = Callable[[Config, Path], Iterator[ConfigFinding]]

FILES: tuple[tuple[FileLook, frozenset[str]], ...] = (
    (_passwords, frozenset()),
    (_certificates, frozenset({"mqtt", "http"})),
    (_pairings, frozenset()),
    (_journal, frozenset()),
    (_devices, frozenset()),
)
"""What is looked at, each with the sections of which it holds several keys against each other."""
FILES_BROUGHT: tuple[tuple[FileLook, frozenset[str]], ...] = ((_logins, frozenset()),)
"""The same of a hall on another computer, where its other files are."""
