"""A home-made board as its protocol describes it: it shows its squares when asked, and each lift
and drop once `submove_state` was wanted."""

from __future__ import annotations

from eboards.events import CHESS_BOARD, Geometry, SensingClass

SCAN_NS = 200_000_000


class CppEmulator:
    """One board. What its sensors cannot tell apart it writes as unknown."""

    def __init__(
        self,
        pieces: list[str] | None = None,
        geometry: Geometry = CHESS_BOARD,
        kind: SensingClass = SensingClass.IDENTITY,
        *,
        feels: bool = False,
    ) -> None:
        start = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
        self.pieces = pieces if pieces is not None else list(start)
        self._geometry, self._kind = geometry, kind
        self._feels = feels
        self._hands: str | None = None
        """None: it senses no stands."""
        self._wants_states = False
        self._in = b""
        self._out: list[str] = []
        self._shown: list[str] | None = None
        self._now_ns = 0
        self._look_ns: int | None = None

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        """A hand changed what stands there. The sensors see it at their next scan."""
        self.pieces[square] = piece
        if self._look_ns is None:
            self._look_ns = at_ns + SCAN_NS

    def set_hands(self, pieces: str) -> None:
        """What lies on its hand stands now: `2Pr`, `-`. It says so from then on."""
        self._hands = pieces
        self._out.append(f"hands {pieces}")

    def feel(self, name: str, down: bool) -> None:
        """A finger, on a board that feels one."""
        self._out.append(f"{'touch' if down else 'untouch'} {name}")

    @property
    def due_at_ns(self) -> int | None:
        return self._now_ns if self._out else self._look_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._now_ns = at_ns
        *lines, self._in = (self._in + data).split(b"\n")
        for line in lines:
            match line.split():
                case [b"feature", b"submove_state"]:
                    self._wants_states = True
                    self._out += [self._senses(), "ok"]
                case [b"get_state"]:
                    self._tell()
                    self._out += [] if self._hands is None else [f"hands {self._hands}"]
                case [b"ok" | b"nok", *_] | []:
                    pass
                case _:
                    self._out.append("nok")

    def advance(self, at_ns: int) -> bytes:
        self._now_ns = at_ns
        if self._look_ns is not None and at_ns >= self._look_ns:
            self._look_ns = None
            if self._wants_states and self._sensed() != self._shown:
                self._tell()
        out, self._out = self._out, []
        return "".join(line + "\n" for line in out).encode()

    def _senses(self) -> str:
        size = f"{self._geometry.files}x{self._geometry.ranks}"
        said = f"senses {self._kind.value} {size} {SCAN_NS // 1_000_000}"
        return f"{said} touch" if self._feels else said

    def _tell(self) -> None:
        self._shown = self._sensed()
        files = self._geometry.files
        rows = (self._shown[n : n + files] for n in range(0, len(self._shown), files))
        self._out.append("state " + "/".join(_row(row) for row in rows))

    def _sensed(self) -> list[str]:
        return [_seen(piece, self._kind) for piece in self.pieces]


def _seen(piece: str, kind: SensingClass) -> str:
    if piece == ".":
        return piece
    if kind is SensingClass.OCCUPANCY:
        return "?"
    if kind is SensingClass.COLOUR:
        return "U" if piece[-1].isupper() else "u"
    return piece[-1] if kind is SensingClass.KIND else piece


def _row(pieces: list[str]) -> str:
    text, gap = "", 0
    for piece in pieces:
        if piece == ".":
            gap += 1
            continue
        text += (str(gap) if gap else "") + piece
        gap = 0
    return text + (str(gap) if gap else "")
