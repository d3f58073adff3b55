"""Hostile acts, drawn by seed: what a board, a client or a row on the disk may do to a hall.

Each case goes to one table. Its name says the door it came by.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from eboards.codec import Codec
from eboards.csa.codec import CsaCodec
from eboards.livechess.codec import LiveChessCodec
from eboards.registry import FAMILIES
from eboards.usi.codec import UsiCodec

from .house import Venom

CODECS: dict[str, Callable[[], Codec]] = {
    **{family.name: family.codec for family in FAMILIES},
    "livechess": LiveChessCodec,
    "csa": CsaCodec,
    "usi": UsiCodec,
}
HUGE = ("1" + "0" * 29, "9" * 4_999, "-1", "1e308", "NaN", "true", "[" * 900 + "]" * 900)
TEXTS = (
    "\ud800", "\x00", "\x1b[2J\x1b]0;x\x07", 'a\nb\n[Event "x"]', "[red]x[/red]", "\u202eabc",
    "x" * 5_000, "' OR 1=1 --", "../../etc/passwd", "<script>alert(1)</script>", "\u2028",
)  # fmt: skip
ACTIONS = (
    "confirm", "dismiss", "claim", "draw-offer", "resign", "set-move", "set-position", "set-clock",
    "set-result", "penalty", "report", "assign-device", "start-game", "pause", "resume", "mute",
    "unmute", "undo", "explode", "",
)  # fmt: skip
FIELDS = (
    "by", "id", "tables", "ruling", "reason", "changes", "claim", "side", "move", "op", "ply",
    "fen", "white_ms", "black_ms", "running", "send", "result", "kind", "note", "clock_delta_ms",
    "white", "black", "ruleset", "device", "v",
)  # fmt: skip
DEVICES = ("replay:/etc/shadow", "replay:/dev/zero", "serial:/dev/zero", "tcp:127.0.0.1:1", "auto")
ROUTES = (
    "/", "/healthz", "/metrics", "/api/v1", "/api/v1/status", "/api/v1/tables", "/api/v1/rulings",
    "/api/v1/tables/{t}/state", "/api/v1/tables/{t}/device", "/api/v1/tables/{t}/result",
    "/api/v1/tables/{t}/moves", "/api/v1/tables/{t}/timeline?after={n}&limit={n}",
    "/api/v1/tables/{t}/rulings", "/api/v1/tables/{t}/rulings/{x}",
    "/api/v1/tables/{t}/inputs?from={n}&to={n}", "/api/v1/events", "/pgn/round-{n}.pgn",
    "/pgn/{t}.pgn", "/live/pgn/round-{n}.pgn", "/live/pgn/{t}.pgn", "/overlay/{t}", "/web/{x}",
    "/api/v1.0", "/api/v1.0/eboards", "/api/v1.0/tournaments", "/api/v1.0/round/{x}/{n}",
    "/api/v1.0/game/{x}", "/api/v1/commands", "/api/v1/tables/{t}/commands",
)  # fmt: skip
METHODS = ("GET", "GET", "GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "\x00")
NUMBERS = ("1", "0", "-1", "999999999999999", "9" * 400, "1e9", "%00", "", "\u0663")

BODY = "UPDATE input SET body = {} WHERE number = $number"
CHECKPOINT = "UPDATE checkpoint SET body = {} WHERE table_name = $table"
PAYLOAD = "UPDATE output SET payload = x'ff' WHERE table_name = $table"
THIRTY = '{"at_ns":1' + "0" * 29 + "}"


@dataclass(frozen=True)
class Case:
    """One hostile act."""

    door: str
    kind: str
    venom: Callable[[], Venom] | None = None
    payloads: tuple[tuple[str, bytes], ...] = ()
    """Topics below the hall's root, and what is said there."""
    requests: tuple[bytes, ...] = ()
    """Bytes for each listener, as they are."""
    damage: Callable[[Path, str], None] | None = None
    """Of the journal, between a stop and the next start."""


def drawn(seed: str, table: str) -> Case:
    """The case of this seed."""
    dice = Random(seed)
    door = dice.choice((_board, _board, _command, _command, _request, _request, _row))
    return door(dice, table)


def _board(dice: Random, _table: str) -> Case:
    name = dice.choice(sorted(CODECS))
    kind = dice.choice(("noise", "flood", "text", "messages", "cable", "numbers"))
    chunks: tuple[bytes, ...]
    if kind == "noise":
        chunks = tuple(dice.randbytes(dice.choice((1, 40, 300))) for _ in range(20))
    elif kind == "flood":
        chunks = tuple(dice.randbytes(4096) for _ in range(8))
    elif kind == "text":
        chunks = tuple(_line(dice) for _ in range(30))
    elif kind == "numbers":
        chunks = tuple(_feed_line(dice) for _ in range(20))
    else:
        chunks = tuple(_message(dice) for _ in range(40))
    gap_s = 0.001 if kind == "flood" else dice.choice((0.01, 0.2, 1.0))
    breaks = dice.choice((1, 3, 10)) if kind == "cable" else 0
    return Case("board", f"{name}: {kind}", lambda: Venom(CODECS[name](), chunks, gap_s, breaks))


def _line(dice: Random) -> bytes:
    letters = b"0123456789abcdefgh+-%#:/, *.MTIDPKRQBNpkrqbnw"
    body = bytes(dice.choice(letters) for _ in range(dice.choice((3, 12, 200, 3_000))))
    start = dice.choice(
        (b"", b"position startpos moves ", b"state ", b"ID.", b"senses ", b"M ", b"P")
    )
    return start + body + b"\n"


def _feed_line(dice: Random) -> bytes:
    number, text = dice.choice(HUGE), json.dumps(dice.choice(TEXTS))
    return dice.choice(
        (
            f'{{"response":"call","id":1,"param":[{{"serialnr":{text},"battery":"{number[:9]}%"}}]}}',
            f'{{"response":"feed","id":1,"param":{{"serialnr":"","clock":{{"white":{number},"black":1}}}}}}',
            f"T{number}", f"$TIME:{number}+{number}+0", f"go btime {number} wtime {number}",
            f"+7776FU,T{number}", f"position sfen {number} b - 1", f"senses identity 9x9 {number}",
        )
    ).encode() + b"\n"  # fmt: skip


def _message(dice: Random) -> bytes:
    """Such as a DGT board sends, with anything in them."""
    shapes = (
        (0x86, 67),
        (0x8E, 5),
        (0x8D, 10),
        (0x91, 8),
        (0xA2, 13),
        (0x93, 5),
        (0x8F, 400),
        (0xA0, 12),
    )
    kind, length = dice.choice(shapes)
    body = bytes(dice.randrange(128) for _ in range(length - 3))
    return bytes((kind, length >> 7, length & 127)) + body


def _value(dice: Random) -> object:
    return dice.choice(
        (None, True, -1, 0, 7, 2**53, 10**29, 1.5, 1e300, *TEXTS, [], ["1"] * 2_000, {}, {"a": [1]},
         [[[[[[[[[[1]]]]]]]]]], "white", "1-0", *DEVICES)
    )  # fmt: skip


def _said(dice: Random, table: str) -> bytes:
    """A command, or what is none. Nothing in it is for another table."""
    roll = dice.random()
    if roll < 0.15:
        depth = dice.choice((9, 900, 30_000))
        return b'{"id":' + b"[" * depth + b"]" * depth + b"}"
    if roll < 0.2:
        return b"[" * dice.choice((70_000, 10_000_000))
    if roll < 0.3:
        return dice.randbytes(dice.choice((0, 1, 50, 5_000)))
    said: dict[str, object] = {
        "action": dice.choice(ACTIONS),
        "by": "mallory",
        "id": str(dice.random()),
    }
    for field in dice.sample(FIELDS, dice.randrange(5)):
        said[field] = _value(dice)
    if said.get("tables") not in (None, [], True, -1, 0, 7):
        said["tables"] = [table]
    text = json.dumps(said)
    return text.replace(json.dumps("\ud800"), '"\\ud800"').encode()


def _command(dice: Random, table: str) -> Case:
    topics = (
        f"tables/{table}/command/mallory", f"tables/{table}/command", "command/mallory",
        f"tables/{table}/command/" + "m" * 500, "tables/nowhere/command/mallory",
        f"tables/{table}/command/\x1b[2J", f"tables/{table}/rulings/{table}-0001",
    )  # fmt: skip
    if dice.random() < 0.3:
        said = _said(dice, table)
        many = 3 if len(said) > 10_000 else dice.choice((300, 2_000))
        return Case("mqtt", "flood", payloads=((topics[0], said),) * many)
    payloads = tuple(
        (dice.choice(topics), _said(dice, table)) for _ in range(dice.randrange(1, 30))
    )
    return Case("mqtt", "commands", payloads=payloads)


def _request(dice: Random, table: str) -> Case:
    requests = tuple(_asked(dice, table) for _ in range(dice.randrange(1, 12)))
    return Case("http", "requests", requests=requests)


def _asked(dice: Random, table: str) -> bytes:
    if dice.random() < 0.1:
        return dice.randbytes(dice.choice((10, 20_000)))
    route = dice.choice(ROUTES).format(
        t=dice.choice((table, table, "nowhere", "%2e%2e%2f", "x" * 300)), n=dice.choice(NUMBERS),
        x=dice.choice(("a", "%0d%0aX: y", "..%2f..%2fetc%2fpasswd", "%ff%fe", "x" * 2_000)),
    )  # fmt: skip
    route = route.encode("ascii", "ignore").decode()
    method, body = dice.choice(METHODS), b""
    headers = [
        f"Host: {dice.choice(('127.0.0.1', '127.0.0.1', 'localhost', 'evil.example', '[', ''))}"
    ]
    if dice.random() < 0.3:
        headers.append(f"Origin: {dice.choice(('http://[', 'null', 'http://evil.example', '//'))}")
    if dice.random() < 0.3:
        headers.append(f"Last-Event-ID: {dice.choice(NUMBERS)}".encode("ascii", "ignore").decode())
    if dice.random() < 0.2:
        headers.append("Upgrade: websocket")
    if "commands" in route:
        method, body = "POST", _said(dice, table)[:200_000]
        headers += [f"Content-Type: {dice.choice(('application/json', 'text/plain', ';;'))}"]
    if body or dice.random() < 0.1:
        headers.append(f"Content-Length: {dice.choice((len(body), len(body), 10**12))}")
    head = f"{method} {route} HTTP/1.1\r\n" + "\r\n".join([*headers, "", ""])
    return head.encode("utf-8", "surrogatepass") + body


def _row(dice: Random, _table: str) -> Case:
    kind, statement = dice.choice(
        (
            ("a body cut off", BODY.format("substr(body, 1, 5)")),
            ("a kind unknown", "UPDATE input SET kind = 'Nonsense' WHERE number = $number"),
            ("a number of thirty digits", BODY.format(f"CAST('{THIRTY}' AS BLOB)")),
            ("a checkpoint of nothing", CHECKPOINT.format("x'00'")),
            ("a checkpoint cut off", CHECKPOINT.format("substr(body, 1, 200)")),
            ("a payload that is none", PAYLOAD),
        )
    )  # fmt: skip

    def damage(journal: Path, table: str) -> None:
        db = sqlite3.connect(journal)
        (number,) = db.execute(
            "SELECT number FROM input WHERE table_name = ? ORDER BY number DESC LIMIT 1", (table,)
        ).fetchone()
        db.execute(statement, {"number": number, "table": table})
        db.commit()
        db.close()

    return Case("row", kind, damage=damage)
